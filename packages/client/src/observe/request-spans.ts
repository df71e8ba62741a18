import type { DiagnosticMessages } from '../transport/diagnostics.ts';
import { maskSecrets } from './mask-secrets.ts';
import { type OpenTelemetryApi, SPAN_ERROR, SPAN_KIND, type TraceSpan } from './open-telemetry.ts';
import { requestInfo } from './request-info.ts';

type Message<Name extends string> = DiagnosticMessages[Name & keyof DiagnosticMessages];

/** Client spans of requests, by the semantic conventions of OpenTelemetry for HTTP. */
export class RequestSpans {
  readonly #api: OpenTelemetryApi;
  readonly #tracer: ReturnType<OpenTelemetryApi['trace']['getTracer']>;
  readonly #propagate: boolean;
  /** By the id of the request. */
  readonly #spans = new Map<number, TraceSpan>();

  constructor(api: OpenTelemetryApi, propagate: boolean) {
    this.#api = api;
    this.#tracer = api.trace.getTracer('client-ts');
    this.#propagate = propagate;
  }

  started(request: Message<'client-ts:request:start'>): void {
    const { id, method, path, scheme, server, addHeader } = request;
    const { verb, resource, namespace, name } = requestInfo(request);
    const template = templateOf(path, namespace, name);
    const { address, port } = addressOf(server, scheme);
    const { context, trace, propagation } = this.#api;
    const active = context.active();
    const attributes = {
      'http.request.method': method,
      'url.full': `${scheme}://${server}${path}`,
      'url.template': template,
      'server.address': address,
      'server.port': port,
      'client_ts.verb': verb,
      'client_ts.resource': resource,
      ...(namespace !== '' && { 'k8s.namespace.name': namespace }),
      ...(name !== '' && { 'client_ts.name': name }),
    };
    const options = { kind: SPAN_KIND.client, attributes };
    const span = this.#tracer.startSpan(`${method} ${template}`, options, active);
    this.#spans.set(id, span);
    if (!this.#propagate) return;
    const carrier: Record<string, string> = {};
    propagation.inject(trace.setSpan(active, span), carrier);
    for (const [header, value] of Object.entries(carrier)) addHeader(header, value);
  }

  /** Notes an attempt that is repeated. */
  attempted({ id, attempt, outcome, retryInMs }: Message<'client-ts:request:attempt'>): void {
    if (retryInMs === undefined) return;
    const problem = 'status' in outcome ? String(outcome.status) : outcome.code;
    this.#spans.get(id)?.addEvent('retry', {
      'client_ts.attempt': attempt,
      'client_ts.retry_in_ms': retryInMs,
      'error.type': problem,
    });
  }

  sent({ id, protocol }: Message<'client-ts:request:sent'>): void {
    const version = protocol === 'h2' ? '2' : '1.1';
    this.#spans.get(id)?.setAttribute('network.protocol.version', version);
  }

  throttled({ id, waitMs }: Message<'client-ts:request:throttled'>): void {
    if (id !== undefined)
      this.#spans.get(id)?.addEvent('throttled', { 'client_ts.wait_ms': waitMs });
  }

  ended({ id, attempts, outcome }: Message<'client-ts:request:end'>): void {
    const span = this.#spans.get(id);
    if (span === undefined) return;
    this.#spans.delete(id);
    if (attempts > 1) span.setAttribute('http.request.resend_count', attempts - 1);
    if ('status' in outcome) {
      span.setAttribute('http.response.status_code', outcome.status);
      if (outcome.status >= 400) {
        span.setAttribute('error.type', String(outcome.status));
        span.setStatus({ code: SPAN_ERROR });
      }
    } else {
      span.setAttribute('error.type', outcome.code);
      span.setStatus({ code: SPAN_ERROR, message: maskedMessage(outcome.error) });
    }
    span.end();
  }

  endAll(): void {
    for (const span of this.#spans.values()) span.end();
    this.#spans.clear();
  }
}

/** Returns the message of an error for a span, without credentials that can be recognised. */
export function maskedMessage(error: unknown): string {
  return maskSecrets(error instanceof Error ? error.message : String(error)).slice(0, 1000);
}

/** Returns the path with placeholders for what differs from object to object. */
function templateOf(path: string, namespace: string, name: string): string {
  const parts = path.split('/');
  // `/api/v1/pods/web`, `/apis/apps/v1/namespaces/shop/deployments/web`
  let resource = parts[1] === 'apis' ? 4 : 3;
  if (namespace !== '') {
    parts[resource + 1] = '{namespace}';
    resource += 2;
  }
  // The name of an object that is created is not in the path.
  if (name !== '' && parts.length > resource + 1) parts[resource + 1] = '{name}';
  return parts.join('/');
}

function addressOf(
  server: string,
  scheme: string,
): { readonly address: string; readonly port: number } {
  const [, address = server, port] = /^(.*?)(?::(\d+))?$/.exec(server) ?? [];
  return { address, port: Number(port ?? (scheme === 'https' ? 443 : 80)) };
}
