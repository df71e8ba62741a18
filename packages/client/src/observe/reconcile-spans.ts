import type { HandlerCall } from '../cache/diagnostics.ts';
import type { CachedObject } from '../cache/list-watch.ts';
import { metaNamespaceKeyFunc } from '../cache/store.ts';
import type {
  DiagnosedQueue,
  DiagnosedReconcile,
  QueueAdd,
  ReconcileOutcome,
} from '../workqueue/diagnostics.ts';
import {
  type OpenTelemetryApi,
  SPAN_ERROR,
  SPAN_KIND,
  type TraceSpan,
  type TraceSpanContext,
} from './open-telemetry.ts';
import { maskedMessage } from './request-spans.ts';

/** A span has at most this many links by default in the SDKs; more would be dropped. */
const MAX_LINKS = 128;

/** What the next reconcile of a key is linked to. */
interface Pending {
  readonly contexts: Set<TraceSpanContext>;
  /** Causes beyond {@link MAX_LINKS}. */
  unlinked: number;
}

/** Spans of changes that enqueue keys, and of the reconciles that handle them. */
export class ReconcileSpans {
  readonly #api: OpenTelemetryApi;
  readonly #tracer: ReturnType<OpenTelemetryApi['trace']['getTracer']>;
  /** By the id of the reconcile. */
  readonly #spans = new Map<number, TraceSpan>();
  readonly #pending = new WeakMap<DiagnosedQueue, Map<unknown, Pending>>();
  /** One span for a change, however many handlers it is delivered to. */
  readonly #changes = new WeakMap<CachedObject, Map<string, TraceSpanContext>>();

  constructor(api: OpenTelemetryApi) {
    this.#api = api;
    this.#tracer = api.trace.getTracer('client-ts');
  }

  /** A key was enqueued: its next reconcile is linked to the change. */
  added({ queue, key, cause }: QueueAdd): void {
    if (cause === undefined || !isHandlerCall(cause)) return;
    const { event, object } = cause;
    if (object === undefined || event === 'resync') return;
    const known = this.#changes.get(object) ?? new Map<string, TraceSpanContext>();
    this.#changes.set(object, known);
    const context = known.get(event) ?? this.#changeSpan(cause, object);
    known.set(event, context);
    this.#link(queue, key, context);
  }

  started({ id, queue, key, attempt, item }: DiagnosedReconcile): void {
    const pending = this.#pendingOf(queue).get(key);
    this.#pendingOf(queue).delete(key);
    const controller = queue.name ?? '';
    const span = this.#tracer.startSpan(`reconcile ${controller}`.trimEnd(), {
      kind: SPAN_KIND.consumer,
      // The causes are links: a reconcile may have many, and none of them waits for it.
      root: true,
      links: Array.from(pending?.contexts ?? [], (context) => ({ context })),
      attributes: {
        'client_ts.controller': controller,
        'client_ts.key': String(key),
        'client_ts.attempt': attempt,
        'client_ts.trigger': item?.cause?.kind ?? 'call',
        'client_ts.queued_ms': item?.queuedMs,
        ...(pending !== undefined &&
          pending.unlinked > 0 && { 'client_ts.unlinked_changes': pending.unlinked }),
      },
    });
    this.#spans.set(id, span);
  }

  /** Calls the reconcile in the context of its span. */
  run<R>({ id }: DiagnosedReconcile, work: () => R): R {
    const { context, trace } = this.#api;
    const span = this.#spans.get(id);
    return span === undefined ? work() : context.with(trace.setSpan(context.active(), span), work);
  }

  ended(end: DiagnosedReconcile & ReconcileOutcome): void {
    const { id, queue, key, result, error, requeueAfterMs } = end;
    const span = this.#spans.get(id);
    if (span === undefined) return;
    this.#spans.delete(id);
    span.setAttribute('client_ts.result', result);
    if (requeueAfterMs !== undefined) {
      span.setAttribute('client_ts.requeue_after_ms', requeueAfterMs);
    }
    if (error !== undefined) this.#fail(span, error);
    span.end();
    if (result !== 'success' && result !== 'terminal') this.#link(queue, key, span.spanContext());
  }

  endAll(): void {
    for (const span of this.#spans.values()) span.end();
    this.#spans.clear();
  }

  #fail(span: TraceSpan, error: unknown): void {
    const message = maskedMessage(error);
    const name = error instanceof Error ? error.name : 'Error';
    const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
    span.setAttribute('error.type', typeof code === 'string' ? code : name);
    span.recordException({ name, message });
    span.setStatus({ code: SPAN_ERROR, message });
  }

  #changeSpan({ event, informer, handler }: HandlerCall, object: CachedObject): TraceSpanContext {
    const span = this.#tracer.startSpan(`watch ${event} ${informer.name}`, {
      kind: SPAN_KIND.producer,
      root: true,
      attributes: {
        'client_ts.informer': informer.name,
        'client_ts.handler': handler,
        'client_ts.event': event,
        'client_ts.key': metaNamespaceKeyFunc(object),
        'client_ts.resource_version': object.metadata?.resourceVersion ?? '',
      },
    });
    span.end();
    return span.spanContext();
  }

  #link(queue: DiagnosedQueue, key: unknown, context: TraceSpanContext): void {
    const ofQueue = this.#pendingOf(queue);
    const pending = ofQueue.get(key) ?? { contexts: new Set(), unlinked: 0 };
    ofQueue.set(key, pending);
    if (pending.contexts.size < MAX_LINKS) pending.contexts.add(context);
    else if (!pending.contexts.has(context)) pending.unlinked += 1;
  }

  #pendingOf(queue: DiagnosedQueue): Map<unknown, Pending> {
    const known = this.#pending.get(queue);
    if (known !== undefined) return known;
    const created = new Map<unknown, Pending>();
    this.#pending.set(queue, created);
    return created;
  }
}

function isHandlerCall(cause: { readonly kind: string }): cause is HandlerCall {
  return cause.kind === 'change';
}
