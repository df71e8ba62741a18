import type { Delays } from '../lib/backoff.ts';
import { type Clock, sleep, systemClock } from '../lib/clock.ts';
import { ClientError, type ClientErrorOptions, defineErrors } from '../lib/errors.ts';
import { abortable, anySignal } from '../lib/signal.ts';

/** Every way in which polling ends without a result, and what to do about it. */
export const POLL_ERRORS = {
  WAIT_EXHAUSTED: {
    retry: 'later',
    hint: 'The condition did not come true in as many attempts; allow more steps.',
  },
  WAIT_TIMEOUT: {
    retry: 'later',
    hint: 'The condition did not come true in time; allow more, or look what holds it up.',
  },
} as const;

/** The codes of {@link PollError}. */
export type PollErrorCode = keyof typeof POLL_ERRORS;

/** A condition that was polled did not come true. */
export class PollError extends ClientError {
  declare readonly code: PollErrorCode;

  constructor(code: PollErrorCode, message: string, options: ClientErrorOptions = {}) {
    super(code, message, options);
  }

  static {
    defineErrors(this, 'PollError', 'WAIT', POLL_ERRORS);
  }
}

/** How {@link pollUntil} asks. */
export interface PollOptions {
  /** Milliseconds from an answer to the next question, or delays that grow. */
  readonly interval: Delays | number;
  /** Ask at once, not after the first interval. Default true. */
  readonly immediate?: boolean | undefined;
  /** In milliseconds. Default: as long as it takes. */
  readonly timeoutMs?: number | undefined;
  /** What is waited for, as errors say it. Default `the condition`. */
  readonly what?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock | undefined;
}

/** What a condition says when it has come true. */
export type Truth<T> = Exclude<T, false | null | undefined>;

/**
 * Asks again and again, until the answer is something else than `false`, `null` or `undefined`; that
 * is the result. Rejects with what the condition throws, with `WAIT_TIMEOUT` when the time is up,
 * with `WAIT_EXHAUSTED` when the delays are used up, and with the reason of the signal. A question
 * that is not answered in time is not waited for; its signal tells it.
 *
 * ```ts
 * const node = await pollUntil(() => nodeOf(pod), { interval: 500, timeoutMs: 60_000 });
 * ```
 *
 * To wait for an object of the API, `waitFor` of `client-ts/rest` does better: it does not poll.
 */
export async function pollUntil<T>(
  condition: (signal: AbortSignal) => Promise<T> | T,
  options: PollOptions,
): Promise<Truth<T>> {
  const { interval, timeoutMs, signal, clock = systemClock, what = 'the condition' } = options;
  const delays: Delays =
    typeof interval === 'number' ? { next: () => interval, reset: () => undefined } : interval;
  const late = new AbortController();
  using either = anySignal([signal, late.signal]);
  using _timer =
    timeoutMs === undefined
      ? undefined
      : clock.schedule(timeoutMs, () =>
          late.abort(new PollError('WAIT_TIMEOUT', `waited ${timeoutMs} ms in vain for ${what}`)),
        );
  either.signal.throwIfAborted();
  let isDue = options.immediate ?? true;
  for (;;) {
    if (!isDue) {
      if (delays.isExhausted === true) {
        throw new PollError(
          'WAIT_EXHAUSTED',
          `waited in vain for ${what}, and no attempts are left`,
        );
      }
      await sleep(clock, delays.next(), { signal: either.signal });
    }
    isDue = false;
    const answer = await abortable(ask(condition, either.signal), either.signal);
    if (isTruth(answer)) return answer;
  }
}

async function ask<T>(
  condition: (signal: AbortSignal) => Promise<T> | T,
  signal: AbortSignal,
): Promise<T> {
  return await condition(signal);
}

function isTruth<T>(answer: T): answer is T & Truth<T> {
  return answer !== false && answer !== undefined && answer !== null;
}
