import type { RequestInfo } from 'client-ts/meta';

/** A failure to inject. Durations are in milliseconds of the server's clock. */
export type Fault =
  /** Delays the request before it is handled. A range draws a new delay for each request. */
  | { readonly kind: 'latency'; readonly ms: number | readonly [min: number, max: number] }
  /** Breaks the connection. The bytes or events that `after…` counts reach the client first. */
  | ({ readonly kind: 'reset' } & BreakingPoint)
  /** Keeps the connection open and sends nothing more, like a peer that lost power. */
  | ({ readonly kind: 'stall' } & BreakingPoint)
  /** Answers with an error Status. */
  | {
      readonly kind: 'status';
      readonly code: number;
      /** Default: the usual reason of the code. */
      readonly reason?: string | undefined;
      readonly message?: string | undefined;
      /** Also sent as the `Retry-After` header. */
      readonly retryAfterSeconds?: number | undefined;
      /** True: the request is handled and only its response is replaced. Default: false. */
      readonly takesEffect?: boolean | undefined;
    }
  /** Drops watch events silently: those of `types` (default: all), the `first` (default: all). */
  | {
      readonly kind: 'drop-events';
      readonly types?: readonly string[] | undefined;
      readonly first?: number | undefined;
    }
  /** Delays watch events, keeping their order. */
  | {
      readonly kind: 'delay-events';
      readonly ms: number;
      readonly types?: readonly string[] | undefined;
    }
  /** Ends the watch cleanly after this many events, as at its timeout. */
  | { readonly kind: 'end-stream'; readonly afterEvents: number }
  /** Sends an ERROR event after this many events and ends the watch: 410 for an expired version. */
  | {
      readonly kind: 'error-event';
      readonly afterEvents: number;
      readonly code: number;
      readonly reason?: string | undefined;
      readonly message?: string | undefined;
    };

/**
 * When a connection breaks. `before-handling`: the request has no effect. `after-handling`: it takes
 * effect, but the client gets no response. `after-headers`: the client has seen the status. Or after
 * a number of bytes or watch events.
 */
export type BreakingPoint =
  | { readonly at: 'after-handling' | 'after-headers' | 'before-handling' }
  | { readonly afterBytes: number }
  | { readonly afterEvents: number };

/** Selects requests. All fields that are set must match; a list matches any of its values. */
export interface FaultMatch {
  readonly verb?: string | readonly string[] | undefined;
  readonly group?: string | readonly string[] | undefined;
  readonly resource?: string | readonly string[] | undefined;
  readonly subresource?: string | readonly string[] | undefined;
  readonly namespace?: string | readonly string[] | undefined;
  readonly name?: string | readonly string[] | undefined;
  /** The path without the query: equal to the string, or matched by the expression. */
  readonly path?: RegExp | string | undefined;
  /** The name of the user, after impersonation. */
  readonly user?: string | readonly string[] | undefined;
  /** Any other condition on the request. */
  readonly where?: ((info: RequestInfo) => boolean) | undefined;
}

/** A fault and the requests that it hits. */
export interface FaultOptions {
  /** Default: every request. */
  readonly match?: FaultMatch | undefined;
  readonly fault: Fault;
  /** The probability that a matching request is hit. Default: 1. */
  readonly probability?: number | undefined;
  /** Seeds the draws of this fault, so that they repeat. Default: the server's random source. */
  readonly seed?: number | undefined;
  /** How many matching requests pass before the first hit. Default: 0. */
  readonly after?: number | undefined;
  /** How many requests are hit at most. Default: no limit. */
  readonly count?: number | undefined;
}
