import { messageOf } from '../lib/errors.ts';

/*
 * The part of `@opentelemetry/api` that tracing uses. It is described here instead of imported, so
 * that programs without the package can be compiled and bundled.
 */

/** The value of an attribute. */
export type TraceAttributes = Readonly<Record<string, boolean | number | string | undefined>>;

/** Identifies a span across processes. */
export interface TraceSpanContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}

/** A span of `@opentelemetry/api`. */
export interface TraceSpan {
  spanContext(): TraceSpanContext;
  setAttribute(key: string, value: boolean | number | string): unknown;
  addEvent(name: string, attributes?: TraceAttributes): unknown;
  setStatus(status: { readonly code: 0 | 1 | 2; readonly message?: string }): unknown;
  recordException(exception: { readonly name: string; readonly message: string }): void;
  isRecording(): boolean;
  end(): void;
}

/** A context of `@opentelemetry/api`. */
export interface TraceContext {
  getValue(key: symbol): unknown;
  setValue(key: symbol, value: unknown): TraceContext;
  deleteValue(key: symbol): TraceContext;
}

/** What `import * as api from '@opentelemetry/api'` provides, as far as tracing uses it. */
export interface OpenTelemetryApi {
  readonly trace: {
    getTracer(name: string): {
      startSpan(
        name: string,
        options?: {
          readonly kind?: 0 | 1 | 2 | 3 | 4;
          readonly root?: boolean;
          readonly attributes?: TraceAttributes;
          readonly links?: { readonly context: TraceSpanContext }[];
        },
        context?: TraceContext,
      ): TraceSpan;
    };
    setSpan(context: TraceContext, span: TraceSpan): TraceContext;
  };
  readonly context: {
    active(): TraceContext;
    with<R>(context: TraceContext, work: () => R): R;
  };
  readonly propagation: {
    inject(context: TraceContext, carrier: Record<string, string>): void;
  };
}

/** The numbers of `SpanKind` and `SpanStatusCode`. */
export const SPAN_KIND = { client: 2, consumer: 4, producer: 3 } as const;
export const SPAN_ERROR = 2;

/** A variable, so that bundlers do not look for a package that is optional. */
const PACKAGE = '@opentelemetry/api';

/** Returns the package if it is installed. */
export async function loadOpenTelemetry(
  load: (name: string) => Promise<unknown> = (name) => import(name),
): Promise<OpenTelemetryApi | undefined> {
  try {
    return (await load(PACKAGE)) as OpenTelemetryApi;
  } catch (error) {
    // Anything else than its absence is a fault that must be seen.
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  const isNotFound = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
  // Bun and Deno have other codes, and name the package.
  return (isNotFound || code === undefined) && messageOf(error).includes(PACKAGE);
}
