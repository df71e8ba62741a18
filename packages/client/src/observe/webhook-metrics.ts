import type { MetricsRegistry } from './metrics-registry.ts';
import { POWERS_OF_TEN_SECONDS } from './workqueue-metrics.ts';

/** Counts the requests of webhooks. */
export interface WebhookMetrics {
  /** Called at the start of a request to a path; the result at its end, with the HTTP status. */
  started(path: string): (status: number, seconds: number) => void;
}

/**
 * Returns the metrics of webhooks as `controller_runtime_webhook_…`, the names of controller-runtime,
 * by path.
 */
export function webhookMetrics(registry: MetricsRegistry): WebhookMetrics {
  const latency = registry.histogram({
    name: 'controller_runtime_webhook_latency_seconds',
    help: 'Time to answer a review in seconds, by path.',
    labelNames: ['webhook'],
    buckets: POWERS_OF_TEN_SECONDS,
  });
  const requests = registry.counter({
    name: 'controller_runtime_webhook_requests_total',
    help: 'Number of reviews, by path and HTTP status.',
    labelNames: ['webhook', 'code'],
  });
  const inFlight = registry.gauge({
    name: 'controller_runtime_webhook_requests_in_flight',
    help: 'Number of reviews in progress, by path.',
    labelNames: ['webhook'],
  });
  return {
    started: (webhook) => {
      inFlight.labels({ webhook }).inc();
      return (status, seconds) => {
        inFlight.labels({ webhook }).dec();
        requests.labels({ webhook, code: String(status) }).inc();
        latency.labels({ webhook }).observe(seconds);
      };
    },
  };
}
