import { Backoff } from '../../lib/backoff.ts';
import { type Clock, sleep } from '../../lib/clock.ts';
import { type Logger, TroubleReporter, wantsDebug } from '../../lib/logger.ts';
import { getKey } from '../../lib/json.ts';
import type { Random } from '../../lib/random.ts';
import { requestedDelayMs } from '../../lib/requested-delay.ts';
import { anySignal } from '../../lib/signal.ts';
import type { Middleware, Next, RetryDelays } from '../config.ts';
import {
  type DiagnosedOutcome,
  type DiagnosedRequest,
  failedOutcome,
  haveRequestsSubscribers,
  pathWithoutQuery,
  publish,
  type RequestEnd,
  requestListeners,
} from '../diagnostics.ts';
import {
  type Attempts,
  describeAttempt,
  type FailedAttempt,
  TransportError,
} from '../transport-error.ts';
import type { RequestTrace, TransportRequest, TransportResponse } from '../transport.ts';
import { discard } from './body.ts';
import { followStream, isFollowed } from './followed-stream.ts';

/** True for methods that change nothing, so that they can be repeated. */
export function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

/** The one date format that servers may send; `Date.parse` accepts almost anything. */
const HTTP_DATE = /^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Returns the delay that the server requests before the next attempt, in milliseconds and at most
 * five minutes; undefined if it requests none. Only 429 and 5xx responses can, in seconds or
 * with a date; an invalid date is ignored.
 */
export function retryAfterMs(
  { status, headers }: Pick<TransportResponse, 'headers' | 'status'>,
  now: number,
): number | undefined {
  if (status !== 429 && status < 500) return undefined;
  const value = headers['retry-after'];
  if (typeof value !== 'string') return undefined;
  if (/^\d+$/.test(value)) return requestedDelayMs(Number(value) * 1000);
  const at = HTTP_DATE.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(at) ? undefined : requestedDelayMs(at - now);
}

export interface RetryOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly maxRetries: number;
  readonly retryBackoff?: RetryDelays | undefined;
  /** Host and port, for errors and log lines. */
  readonly server: string;
  readonly scheme: 'http' | 'https';
  readonly logger: Logger;
  /** Aborts when the transport closes. */
  readonly closing: AbortSignal;
}

type Attempt = { readonly response: TransportResponse } | { readonly error: unknown };

/** A request that retries longer than this is logged. */
const QUIET_MS = 2000;

/** The delay after a lost connection; also added to the delay that the server requests. */
const BACKOFF = { initialMs: 100, maxMs: 10_000, jitter: 1 };

let lastId = 0;

/**
 * Repeats a request when that can help and is safe: if the server requests it (429 or 5xx with
 * `Retry-After`, any verb), or by the `retry` of the error: `later` for any verb, `unsafe` for
 * verbs that change nothing. Failures after the head of a response are left to the caller.
 *
 * If no request has ever reached the server, a refused connection is not retried: a wrong address
 * is reported immediately.
 *
 * Retries that take longer than two seconds are logged, when they start to and when they end.
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
    // Invalid delays are refused with the config, not by the first retry.
    this.#backoff();
  }

  async request(request: TransportRequest, next: Next): Promise<TransportResponse> {
    const { clock, maxRetries } = this.#options;
    const shown = diagnosed(request, this.#options);
    const startedAt = clock.monotonic();
    const previous: FailedAttempt[] = [];
    // Made with the first retry, as most requests have none.
    let backoff: Backoff | undefined;
    let trouble: RetryTrouble | undefined;
    let { headers } = request;
    publish('client-ts:request:start', () => ({
      ...shown,
      addHeader: (name, value) => {
        if (getKey(headers, name) === undefined) headers = { ...headers, [name]: value };
      },
    }));
    const trace = tracedFor(request, shown);
    const sent = asSent(request, shown.id, headers, trace);
    const endOf = (attempts: number, outcome: DiagnosedOutcome): RequestEnd => ({
      attempts,
      outcome,
      durationMs: clock.monotonic() - startedAt,
    });
    for (;;) {
      const attemptedAt = clock.monotonic();
      if (trace !== undefined) trace.attempts = previous.length + 1;
      let attempt: Attempt;
      try {
        const response = await next(sent);
        this.#hasAnswered = true;
        attempt = { response };
      } catch (error) {
        attempt = { error };
      }
      const delays = (): Backoff => (backoff ??= this.#backoff());
      const retryInMs =
        previous.length < maxRetries ? this.#delay(request, attempt, delays) : undefined;
      publish('client-ts:request:attempt', () => ({
        ...shown,
        attempt: previous.length + 1,
        outcome: outcomeOf(attempt),
        durationMs: clock.monotonic() - attemptedAt,
        ...(retryInMs !== undefined && { retryInMs }),
      }));
      if (retryInMs === undefined) {
        const attempts = previous.length + 1;
        const end = endOf(attempts, outcomeOf(attempt));
        this.#log(shown, end);
        trouble?.over(attempt, attempts);
        if ('response' in attempt && isFollowed(request, attempt.response)) {
          opened(shown, end, trace);
          return followStream(attempt.response, request, (outcome) =>
            notifyEnd(shown, endOf(attempts, outcome), trace),
          );
        }
        ended(shown, end, trace);
        if ('response' in attempt) return attempt.response;
        throw this.#explained(attempt.error, shown, { attempts, previous });
      }
      const failure = failureOf(attempt);
      previous.push(failure);
      trouble ??= new RetryTrouble(this.#options, shown, startedAt);
      trouble.retrying(failure, previous.length, retryInMs);
      try {
        await this.#wait(retryInMs, attempt, request);
      } catch (error) {
        ended(shown, endOf(previous.length, failedOutcome(error)), trace);
        trouble.over({ error }, previous.length);
        throw this.#explained(error, shown, { attempts: previous.length, previous });
      }
    }
  }

  /** Logs every request, without headers, query and body. */
  #log(
    { method, path, stream, server }: DiagnosedRequest,
    { outcome, attempts, durationMs: milliseconds }: RequestEnd,
  ): void {
    const { logger } = this.#options;
    if (!wantsDebug(logger)) return;
    const durationMs = Math.round(milliseconds);
    const { status, code } = { status: undefined, code: undefined, ...outcome };
    const times = attempts === 1 ? '' : `, ${attempts} attempts`;
    logger.debug(`${method} ${path}: ${server}: ${status ?? code} in ${durationMs} ms${times}`, {
      event: 'request.end',
      method,
      path,
      server,
      stream,
      attempts,
      durationMs,
      ...(status === undefined ? { code } : { status }),
    });
  }

  #backoff(): Backoff {
    const { clock, random, retryBackoff = BACKOFF } = this.#options;
    return new Backoff({ ...retryBackoff, clock, random });
  }

  /** Returns the milliseconds until the next attempt; undefined if there is none. */
  #delay(request: TransportRequest, attempt: Attempt, delays: () => Backoff): number | undefined {
    if (!('error' in attempt)) {
      const waitMs = retryAfterMs(attempt.response, this.#options.clock.now());
      return waitMs === undefined ? undefined : waitMs + delays().next();
    }
    const { error } = attempt;
    if (request.signal?.aborted === true || !(error instanceof TransportError)) return undefined;
    // An upgraded GET may run a command.
    const isRepeatable = isSafe(request.method) && request.upgrade === undefined;
    if (error.retry === 'never' || (error.retry === 'unsafe' && !isRepeatable)) return undefined;
    // Failures before a server is involved, such as reading a token, are not retried.
    if (error.server === undefined) return undefined;
    const isRefused = error.code === 'TRANSPORT_STREAM_REFUSED';
    if (!this.#hasAnswered && !error.mayHaveBeenHandled && !isRefused) return undefined;
    const backoff = delays();
    const delay = backoff.next();
    // The first retry after a graceful shutdown is immediate: it reaches another server.
    return isRefused && backoff.attempts === 1 ? 0 : delay;
  }

  async #wait(delayMs: number, attempt: Attempt, request: TransportRequest): Promise<void> {
    const { clock, closing } = this.#options;
    using either = anySignal([request.signal, closing]);
    const sleeping = sleep(clock, delayMs, { signal: either.signal });
    if ('response' in attempt) await discard(attempt.response, sleeping);
    await sleeping;
  }

  /** An abort keeps the caller's reason; errors of ours get the attempts. */
  #explained(error: unknown, shown: DiagnosedRequest, tried: Attempts): unknown {
    if (!(error instanceof TransportError)) return error;
    const { method: verb, path } = shown;
    return error.withRequest({ verb, path, server: this.#options.server }, tried);
  }
}

/** Logs the retries of one request, if they take long. */
class RetryTrouble {
  readonly #clock: Clock;
  readonly #trouble: TroubleReporter;
  readonly #name: string;
  readonly #startedAt: number;

  constructor(
    { clock, logger, server }: RetryOptions,
    { method, path }: DiagnosedRequest,
    startedAt: number,
  ) {
    this.#clock = clock;
    this.#trouble = new TroubleReporter(logger, {
      start: 'request.retrying',
      end: 'request.settled',
      fields: { method, path, server },
    });
    this.#name = `${method} ${path}: ${server}`;
    this.#startedAt = startedAt;
  }

  retrying(failure: FailedAttempt, attempts: number, retryInMs: number): void {
    const untilNextMs = this.#clock.monotonic() - this.#startedAt + retryInMs;
    if (untilNextMs < QUIET_MS) return;
    const what = `attempt ${attempts} failed: ${describeAttempt(failure)}`;
    this.#trouble.start(`${this.#name}: ${what}; next attempt in ${seconds(retryInMs)}`);
  }

  over(attempt: Attempt, attempts: number): void {
    const spent = `${attempts} attempts in ${seconds(this.#clock.monotonic() - this.#startedAt)}`;
    const outcome =
      'error' in attempt
        ? `failed after ${spent}: ${describeAttempt(attempt)}`
        : `answered after ${spent}`;
    this.#trouble.end(`${this.#name}: ${outcome}`);
  }
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

function failureOf(attempt: Attempt): FailedAttempt {
  return 'error' in attempt ? { error: attempt.error } : { status: attempt.response.status };
}

function diagnosed(
  { method, path, stream = false, headers, client, createdName }: TransportRequest,
  { server, scheme }: RetryOptions,
): DiagnosedRequest {
  lastId += 1;
  const contentType = headers['content-type'];
  return {
    id: lastId,
    method,
    path: pathWithoutQuery(path),
    stream,
    server,
    scheme,
    ...(client !== undefined && { client }),
    ...(typeof contentType === 'string' && { contentType }),
    ...(createdName !== undefined && { createdName }),
  };
}

/** Returns the trace of a request if anything wants one: its own, or that of a listener. */
function tracedFor({ trace }: TransportRequest, shown: DiagnosedRequest): RequestTrace | undefined {
  let isWanted = false;
  for (const listener of requestListeners) isWanted = listener.started(shown) || isWanted;
  return trace ?? (isWanted ? { attempts: 0, throttledMs: 0 } : undefined);
}

/** Returns a request with what diagnostics need of it in the layers below. */
function asSent(
  request: TransportRequest,
  id: number,
  headers: TransportRequest['headers'],
  trace: RequestTrace | undefined,
): TransportRequest {
  const traced = trace === request.trace || trace === undefined ? request : { ...request, trace };
  return haveRequestsSubscribers() ? { ...traced, id, headers } : traced;
}

function opened(shown: DiagnosedRequest, end: RequestEnd, trace: RequestTrace | undefined): void {
  publish('client-ts:request:end', () => ({ ...shown, ...end }));
  for (const listener of requestListeners) listener.opened(shown, end, trace);
}

function ended(shown: DiagnosedRequest, end: RequestEnd, trace: RequestTrace | undefined): void {
  publish('client-ts:request:end', () => ({ ...shown, ...end }));
  notifyEnd(shown, end, trace);
}

function notifyEnd(
  shown: DiagnosedRequest,
  end: RequestEnd,
  trace: RequestTrace | undefined,
): void {
  for (const listener of requestListeners) listener.ended(shown, end, trace);
}

function outcomeOf(attempt: Attempt): DiagnosedOutcome {
  return 'error' in attempt ? failedOutcome(attempt.error) : { status: attempt.response.status };
}
