import { type Clock, systemClock } from '../lib/clock.ts';
import { type Config, hostOf, type Middleware } from '../transport/config.ts';
import { observeBody } from '../transport/layers/body.ts';
import type { RequestTrace, TransportRequest, TransportResponse } from '../transport/transport.ts';
import type { Counter, Histogram } from './metric-series.ts';
import type { Metric, MetricsRegistry } from './metrics-registry.ts';

const SECONDS: readonly number[] = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];

/** From 64 bytes to 16 MiB. */
const BYTES: readonly number[] = [
  64, 256, 512, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216,
];

const METHODS: ReadonlySet<string> = new Set([
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
]);

/** The status of a response, or that there was none. */
type Code = number | '<error>';

/** Options of {@link withRequestMetrics}. */
export interface RequestMetricsOptions {
  readonly clock?: Clock | undefined;
}

/**
 * Returns the config of clients that measure their requests under the names of client-go:
 *
 * - `rest_client_requests_total{code,method,host}` counts attempts; the code of one without a response
 *   is `<error>`. `rest_client_request_retries_total{code,verb,host}` counts those after the first.
 * - `rest_client_request_duration_seconds{verb,host}` is the time from a request to the head of its
 *   response, with retries and throttling.
 * - `rest_client_request_size_bytes{verb,host}` and `rest_client_response_size_bytes{verb,host}` are
 *   the sizes of bodies; those of responses after decompression, when they have been read.
 * - `rest_client_rate_limiter_duration_seconds{verb,host}` is the time that requests wait because of
 *   the client's own `qps`, if the config has one.
 *
 * Watches and other streams are part of the first two only.
 */
export function withRequestMetrics(
  config: Config,
  registry: MetricsRegistry,
  { clock = systemClock }: RequestMetricsOptions = {},
): Config {
  const host = hostOf(config.server);
  const metrics = requestMetrics(registry, host);
  const requests = new Map<string, Map<Code, Counter>>();
  const requestsOf = (code: Code, method: string): Counter => {
    const ofMethod = requests.get(method) ?? new Map<Code, Counter>();
    requests.set(method, ofMethod);
    const known =
      ofMethod.get(code) ?? metrics.requests.labels({ code: String(code), method, host });
    ofMethod.set(code, known);
    return known;
  };
  const measure: Middleware = async (request, next) => {
    const verb = verbOf(request.method);
    const trace: RequestTrace = request.trace ?? { attempts: 0, throttledMs: 0 };
    const startedAt = clock.monotonic();
    const isStream = request.stream === true || request.upgrade !== undefined;
    try {
      const response = await next({ ...request, trace });
      return isStream ? response : counted(response, metrics.responseSize(verb));
    } finally {
      if (!isStream) {
        metrics.duration(verb).observe((clock.monotonic() - startedAt) / 1000);
        if (config.qps !== undefined) metrics.throttled(verb).observe(trace.throttledMs / 1000);
      }
    }
  };
  const noteEnd = ({ method, trace }: TransportRequest, code: Code): void => {
    const verb = verbOf(method);
    requestsOf(code, verb).inc();
    if ((trace?.attempts ?? 1) > 1) {
      metrics.retries.labels({ code: String(code), verb, host }).inc();
    }
  };
  const count: Middleware = (request, next) =>
    next(request).then(
      (response) => {
        if (request.stream !== true && request.upgrade === undefined) {
          metrics.requestSize(verbOf(request.method)).observe(request.body?.length ?? 0);
        }
        noteEnd(request, response.status);
        return response;
      },
      (error: unknown) => {
        noteEnd(request, '<error>');
        throw error;
      },
    );
  return {
    ...config,
    middleware: [measure, ...(config.middleware ?? [])],
    attemptMiddleware: [...(config.attemptMiddleware ?? []), count],
  };
}

function requestMetrics(registry: MetricsRegistry, host: string) {
  const histogram = (name: string, help: string, buckets: readonly number[]) =>
    byVerb(
      registry.histogram({ name: `rest_client_${name}`, help, buckets, labelNames: VERB_AND_HOST }),
      host,
    );
  return {
    requests: registry.counter({
      name: 'rest_client_requests_total',
      help: 'Number of HTTP requests, by status code, method and host.',
      labelNames: ['code', 'method', 'host'],
    }),
    retries: registry.counter({
      name: 'rest_client_request_retries_total',
      help: 'Number of HTTP requests that repeat a failed one, by status code, verb and host.',
      labelNames: ['code', 'verb', 'host'],
    }),
    duration: histogram(
      'request_duration_seconds',
      'Request latency in seconds, by verb and host.',
      SECONDS,
    ),
    throttled: histogram(
      'rate_limiter_duration_seconds',
      "Time that requests wait for the client's own rate limiter in seconds, by verb and host.",
      SECONDS,
    ),
    requestSize: histogram('request_size_bytes', 'Request size in bytes, by verb and host.', BYTES),
    responseSize: histogram(
      'response_size_bytes',
      'Response size in bytes, by verb and host.',
      BYTES,
    ),
  };
}

const VERB_AND_HOST = ['verb', 'host'] as const;

/** Returns the series of each verb; there are few, and they are used for every request. */
function byVerb(
  metric: Metric<'host' | 'verb', Histogram>,
  host: string,
): (verb: string) => Histogram {
  const known = new Map<string, Histogram>();
  return (verb) => {
    let series = known.get(verb);
    if (series === undefined) {
      series = metric.labels({ verb, host });
      known.set(verb, series);
    }
    return series;
  };
}

/** Methods come from callers: those that HTTP does not know share one series. */
function verbOf(method: string): string {
  return METHODS.has(method) ? method : 'other';
}

/** Returns the response with a body whose size is observed when it has been read to its end. */
function counted(response: TransportResponse, size: Histogram): TransportResponse {
  let bytes = 0;
  return observeBody(response, {
    chunk: ({ length }) => void (bytes += length),
    over: (ending) => {
      if (ending === 'read') size.observe(bytes);
    },
  });
}
