import { type Clock, systemClock } from '../lib/clock.ts';
import { type Config, hostOf, type Middleware } from '../transport/config.ts';
import type { MetricsRegistry } from './metrics-registry.ts';

const SECONDS: readonly number[] = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];

/** Options of {@link withRequestMetrics}. */
export interface RequestMetricsOptions {
  readonly clock?: Clock | undefined;
}

/**
 * Returns the config of clients that measure their requests under the names of client-go:
 *
 * - `rest_client_requests_total{code,method,host}` counts attempts; the code of one without a response
 *   is `<error>`.
 * - `rest_client_request_duration_seconds{verb,host}` is the time from a request to the head of its
 *   response, with retries and throttling. Watches and other streams are not part of it.
 */
export function withRequestMetrics(
  config: Config,
  registry: MetricsRegistry,
  { clock = systemClock }: RequestMetricsOptions = {},
): Config {
  const host = hostOf(config.server);
  const requests = registry.counter({
    name: 'rest_client_requests_total',
    help: 'Number of HTTP requests, by status code, method and host.',
    labelNames: ['code', 'method', 'host'],
  });
  const duration = registry.histogram({
    name: 'rest_client_request_duration_seconds',
    help: 'Request latency in seconds, by verb and host.',
    labelNames: ['verb', 'host'],
    buckets: SECONDS,
  });
  const measure: Middleware = async (request, next) => {
    const startedAt = clock.monotonic();
    try {
      return await next(request);
    } finally {
      if (request.stream !== true) {
        const seconds = (clock.monotonic() - startedAt) / 1000;
        duration.labels({ verb: request.method, host }).observe(seconds);
      }
    }
  };
  const count: Middleware = async (request, next) => {
    let code = '<error>';
    try {
      const response = await next(request);
      code = String(response.status);
      return response;
    } finally {
      requests.labels({ code, method: request.method, host }).inc();
    }
  };
  return {
    ...config,
    middleware: [measure, ...(config.middleware ?? [])],
    attemptMiddleware: [...(config.attemptMiddleware ?? []), count],
  };
}
