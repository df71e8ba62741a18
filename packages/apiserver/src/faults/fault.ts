import type { RequestInfo } from '../endpoints/request-info.ts';

/** What goes wrong. Times are in milliseconds of the server's clock. */
export type Fault =
  /** The request waits before anything happens to it. A range is drawn from anew each time. */
  | { readonly kind: 'latency'; readonly ms: number | readonly [min: number, max: number] }
  /** The connection breaks. What "after" counts has reached the client before. */
  | ({ readonly kind: 'reset' } & BreakingPoint)
  /** The connection stays open and nothing comes any more: a peer that lost its power or route. */
  | ({ readonly kind: 'stall' } & BreakingPoint)
  /** An error instead of an answer. */
  | {
      readonly kind: 'status';
      readonly code: number;
      /** Default: what the code stands for. */
      readonly reason?: string;
      readonly message?: string;
      /** Also sent as `Retry-After`. */
      readonly retryAfterSeconds?: number;
      /** True: the request takes effect all the same, and only its answer is lost. */
      readonly takesEffect?: boolean;
    }
  /** Watch events that never arrive. Nothing tells the client that something is missing. */
  | { readonly kind: 'drop-events'; readonly types?: readonly string[]; readonly first?: number }
  /** Watch events that arrive late, in their order. */
  | { readonly kind: 'delay-events'; readonly ms: number; readonly types?: readonly string[] }
  /** The watch ends properly after that many events, as at its timeout. */
  | { readonly kind: 'end-stream'; readonly afterEvents: number }
  /** The watch reports an error after that many events and ends: 410 is how versions expire. */
  | {
      readonly kind: 'error-event';
      readonly afterEvents: number;
      readonly code: number;
      readonly reason?: string;
      readonly message?: string;
    };

/**
 * `before-handling`: the request has no effect. `after-handling`: it has, and the client does not
 * know. `after-headers`: the client has seen the status. Or after some bytes or watch events.
 */
export type BreakingPoint =
  | { readonly at: 'after-handling' | 'after-headers' | 'before-handling' }
  | { readonly afterBytes: number }
  | { readonly afterEvents: number };

/** Which requests; everything that is given has to fit. Several values: any of them. */
export interface FaultMatch {
  readonly verb?: string | readonly string[];
  readonly group?: string | readonly string[];
  readonly resource?: string | readonly string[];
  readonly subresource?: string | readonly string[];
  readonly namespace?: string | readonly string[];
  readonly name?: string | readonly string[];
  /** The path without the query: equal, or matched by the expression. */
  readonly path?: RegExp | string;
  /** The name of the user, after impersonation. */
  readonly user?: string | readonly string[];
  /** Anything else that can be read from the request. */
  readonly where?: (info: RequestInfo) => boolean;
}

export interface FaultOptions {
  /** Default: every request. */
  readonly match?: FaultMatch;
  readonly fault: Fault;
  /** Of being hit, for each request that matches. Default 1. */
  readonly probability?: number;
  /** Makes the draws of this fault repeatable on their own. Default: the server's randomness. */
  readonly seed?: number;
  /** Lets this many matching requests pass first. Default 0. */
  readonly after?: number;
  /** Hits this often, then never again. Default: without end. */
  readonly count?: number;
}
