import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { trackCauses } from '../lib/diagnostic-channel.ts';
import type { DiagnosticMessages } from '../transport/diagnostics.ts';
import { reconcileEnds, reconcileStarts, queueAdds } from '../workqueue/diagnostics.ts';
import { loadOpenTelemetry, type OpenTelemetryApi } from './open-telemetry.ts';
import { ReconcileSpans } from './reconcile-spans.ts';
import { RequestSpans } from './request-spans.ts';

/** Options of {@link enableTracing}. */
export interface TracingOptions {
  /**
   * `import * as api from '@opentelemetry/api'`, for programs that bundle it. Default: the installed
   * package.
   */
  readonly api?: OpenTelemetryApi | undefined;
  /** Sends the trace context (`traceparent`) to the API server with each request. Default true. */
  readonly propagate?: boolean | undefined;
}

/** Tracing, until it is disposed. Spans that have started are ended. */
export interface Tracing extends Disposable {
  /** False if `@opentelemetry/api` is not installed: nothing is traced, and nothing is paid. */
  readonly isEnabled: boolean;
}

/**
 * Traces all clients, controllers and queues of this process with OpenTelemetry, until it is disposed:
 *
 * - requests as client spans, by the conventions for HTTP, in the context of their caller,
 * - reconciles, in whose context everything runs that they do: the requests they make are children,
 * - changes of objects that enqueue keys, to which the reconciles that handle them are linked. A retry
 *   is linked to the attempt that failed.
 *
 * Set up an SDK of OpenTelemetry with a context manager first; without one, spans go nowhere. Call it
 * once. Attributes name objects, and never contain them; URLs have no query.
 *
 * ```ts
 * import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
 *
 * new NodeTracerProvider({ spanProcessors: [processor] }).register();
 * using tracing = await enableTracing();
 * ```
 */
export async function enableTracing({
  api: given,
  propagate = true,
}: TracingOptions = {}): Promise<Tracing> {
  const api = given ?? (await loadOpenTelemetry());
  if (api === undefined) return { isEnabled: false, [Symbol.dispose]: () => undefined };
  const requests = new RequestSpans(api, propagate);
  const reconciles = new ReconcileSpans(api);
  const ties: readonly Disposable[] = [
    listen('client-ts:request:start', (message) => requests.started(message)),
    listen('client-ts:request:attempt', (message) => requests.attempted(message)),
    listen('client-ts:request:sent', (message) => requests.sent(message)),
    listen('client-ts:request:throttled', (message) => requests.throttled(message)),
    listen('client-ts:request:end', (message) => requests.ended(message)),
    trackCauses(),
    queueAdds.subscribe((add) => reconciles.added(add)),
    reconcileStarts.subscribe((reconcile) => reconciles.started(reconcile)),
    reconcileStarts.around((reconcile, work) => reconciles.run(reconcile, work)),
    reconcileEnds.subscribe((end) => reconciles.ended(end)),
  ];
  return {
    isEnabled: true,
    [Symbol.dispose]: () => {
      for (const tie of ties) tie[Symbol.dispose]();
      requests.endAll();
      reconciles.endAll();
    },
  };
}

function listen<Name extends keyof DiagnosticMessages>(
  name: Name,
  listener: (message: DiagnosticMessages[Name]) => void,
): Disposable {
  const listening = (message: unknown): void => listener(message as DiagnosticMessages[Name]);
  subscribe(name, listening);
  return { [Symbol.dispose]: () => void unsubscribe(name, listening) };
}
