import { isFaultOfCode } from './fault-of-code.ts';
import type { MetricsRegistry } from './metrics-registry.ts';
import { POWERS_OF_TEN_SECONDS } from './workqueue-metrics.ts';

/** Counts the requests of webhooks, and the readings of their certificates. */
export interface WebhookMetrics {
  /** Called with the path of each webhook before its first request. */
  served?(path: string): void;
  /** Called at the start of a request to a path; the result at its end, with the HTTP status. */
  started(path: string): (status: number, seconds: number) => void;
  /** Called with the error of a handler or of a conversion. */
  failed?(what: 'admission' | 'conversion', error: unknown): void;
  /** Called when a certificate has been read, with the error if that failed. */
  certificateRead?(error?: unknown): void;
}

/**
 * Returns the metrics of webhooks under the names of controller-runtime: `controller_runtime_webhook_…`
 * by path, `controller_runtime_webhook_panics_total`, `controller_runtime_conversion_webhook_panics_total`
 * and `certwatcher_read_certificate_…`. A panic is an error that the JavaScript engine throws, such as
 * a `TypeError`.
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
  const count = (name: string, help: string) => registry.counter({ name, help }).labels({});
  const panics = {
    admission: count('controller_runtime_webhook_panics_total', 'Number of webhook panics.'),
    conversion: count(
      'controller_runtime_conversion_webhook_panics_total',
      'Number of conversion webhook panics.',
    ),
  };
  const readings = count(
    'certwatcher_read_certificate_total',
    'Number of readings of the certificate of the webhook server.',
  );
  const failedReadings = count(
    'certwatcher_read_certificate_errors_total',
    'Number of failed readings of the certificate of the webhook server.',
  );
  return {
    served: (webhook) => {
      // At zero from the start, so that a rate is known before the first error.
      for (const code of ['200', '500']) requests.labels({ webhook, code });
      inFlight.labels({ webhook });
      latency.labels({ webhook });
    },
    started: (webhook) => {
      inFlight.labels({ webhook }).inc();
      return (status, seconds) => {
        inFlight.labels({ webhook }).dec();
        requests.labels({ webhook, code: String(status) }).inc();
        latency.labels({ webhook }).observe(seconds);
      };
    },
    failed: (what, error) => {
      if (isFaultOfCode(error)) panics[what].inc();
    },
    certificateRead: (error) => {
      readings.inc();
      if (error !== undefined) failedReadings.inc();
    },
  };
}
