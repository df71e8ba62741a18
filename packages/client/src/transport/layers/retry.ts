import { Backoff } from '../../lib/backoff.ts';
import { type Clock, sleep } from '../../lib/clock.ts';
import type { Random } from '../../lib/random.ts';
import { anySignal } from '../../lib/signal.ts';
import type { Middleware } from '../config.ts';
import {
  type DiagnosedOutcome,
  type DiagnosedRequest,
  failedOutcome,
  pathWithoutQuery,
  publish,
} from '../diagnostics.ts';
import { type FailedAttempt, TransportError } from '../transport-error.ts';
import type { TransportRequest, TransportResponse } from '../transport.ts';
import { discard } from './body.ts';
import type { Next } from './compose.ts';
import { isConnectionFailure, isSafe, retryAfterMs } from './retry-rules.ts';

export interface RetryOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly maxRetries: number;
  /** Aborts when the transport closes. */
  readonly closing: AbortSignal;
}

type Attempt = { readonly response: TransportResponse } | { readonly error: unknown };

/** Added to what the server asks for, and waited for after a lost connection. */
const BACKOFF = { initialMs: 100, maxMs: 10_000, jitter: 1 };

let lastId = 0;

/**
 * Makes a request again when that can do no harm and may help: the server asks to come back later
 * (429 or 5xx with `Retry-After`, any verb), or the connection was lost before there was an answer
 * (safe verbs, and every verb if the server has certainly not seen the request). What comes after
 * the head of an answer is the caller's.
 *
 * A server that cannot be reached at all is waited for only if it has answered before: an address
 * that was wrong from the start is reported at once.
 */
export function retry(options: RetryOptions): Middleware {
  const state = new Retrier(options);
  return (request, next) => state.request(request, next);
}

class Retrier {
  readonly #options: RetryOptions;
  #hasAnswered = false;

  constructor(options: RetryOptions) {
    this.#options = options;
  }

  async request(request: TransportRequest, next: Next): Promise<TransportResponse> {
    const { clock, random, maxRetries } = this.#options;
    const shown = diagnosed(request);
    const startedAt = clock.monotonic();
    const backoff = new Backoff({ ...BACKOFF, clock, random });
    const previous: FailedAttempt[] = [];
    publish('client-ts:request:start', () => shown);
    for (;;) {
      const attemptedAt = clock.monotonic();
      const attempt = await this.#attempt(request, next);
      const retryInMs =
        previous.length < maxRetries ? this.#delay(request, attempt, backoff) : undefined;
      publish('client-ts:request:attempt', () => ({
        ...shown,
        attempt: previous.length + 1,
        outcome: outcomeOf(attempt),
        durationMs: clock.monotonic() - attemptedAt,
        ...(retryInMs !== undefined && { retryInMs }),
      }));
      if (retryInMs === undefined) {
        publish('client-ts:request:end', () => ({
          ...shown,
          attempts: previous.length + 1,
          outcome: outcomeOf(attempt),
          durationMs: clock.monotonic() - startedAt,
        }));
        return settle(attempt, previous);
      }
      previous.push(
        'error' in attempt ? { error: attempt.error } : { status: attempt.response.status },
      );
      await this.#wait(retryInMs, attempt, request, previous);
    }
  }

  async #attempt(request: TransportRequest, next: Next): Promise<Attempt> {
    try {
      const response = await next(request);
      this.#hasAnswered = true;
      return { response };
    } catch (error) {
      return { error };
    }
  }

  /** Milliseconds until the next attempt; undefined if there shall be none. */
  #delay(request: TransportRequest, attempt: Attempt, backoff: Backoff): number | undefined {
    if (!('error' in attempt)) {
      const waitMs = retryAfterMs(attempt.response, this.#options.clock.now());
      return waitMs === undefined ? undefined : waitMs + backoff.next();
    }
    const { error } = attempt;
    if (request.signal?.aborted === true || !(error instanceof TransportError)) return undefined;
    if (error.mayHaveBeenHandled && !isSafe(request.method)) return undefined;
    switch (error.code) {
      case 'REFUSED_BEFORE_HANDLING': {
        // A server that is on its way out sends us to another one: the first time, go at once.
        const delay = backoff.next();
        return backoff.attempts === 1 ? 0 : delay;
      }
      case 'CONNECTION_LOST':
      case 'CONNECTION_RESET':
        return backoff.next();
      default:
        return this.#hasAnswered && isConnectionFailure(error.code) ? backoff.next() : undefined;
    }
  }

  async #wait(
    delayMs: number,
    attempt: Attempt,
    request: TransportRequest,
    previous: readonly FailedAttempt[],
  ): Promise<void> {
    const { clock, closing } = this.#options;
    using either = anySignal([request.signal, closing]);
    const sleeping = sleep(clock, delayMs, either.signal);
    if ('response' in attempt) await discard(attempt.response, sleeping);
    try {
      await sleeping;
    } catch (error) {
      throw withPrevious(error, previous);
    }
  }
}

function settle(attempt: Attempt, previous: readonly FailedAttempt[]): TransportResponse {
  if ('response' in attempt) return attempt.response;
  throw withPrevious(attempt.error, previous);
}

/** The reason of somebody's abort stays what it is; an error of ours tells what was tried. */
function withPrevious(error: unknown, previous: readonly FailedAttempt[]): unknown {
  return error instanceof TransportError ? error.withPrevious(previous) : error;
}

function diagnosed({ method, path, stream = false }: TransportRequest): DiagnosedRequest {
  lastId += 1;
  return { id: lastId, method, path: pathWithoutQuery(path), stream };
}

function outcomeOf(attempt: Attempt): DiagnosedOutcome {
  return 'error' in attempt ? failedOutcome(attempt.error) : { status: attempt.response.status };
}
