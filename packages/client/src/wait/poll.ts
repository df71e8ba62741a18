import type { Delays } from '../lib/backoff.ts';
import { type Clock, sleep, systemClock } from '../lib/clock.ts';
import { withDeadline } from '../lib/deadline.ts';
import { checkNumber, requireNumber } from '../lib/option-error.ts';
import { abortable } from '../lib/signal.ts';
import { WaitError } from './wait-error.ts';

/** Options of {@link pollUntil}. */
export interface PollOptions {
  /** Milliseconds between an answer and the next question, or delays that grow: a `Backoff`. */
  readonly intervalMs: Delays | number;
  /** Ask immediately instead of after the first interval. Default true. */
  readonly immediate?: boolean | undefined;
  /** Default: no timeout. */
  readonly timeoutMs?: number | undefined;
  /** The name of the condition in errors. Default `the condition`. */
  readonly what?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock | undefined;
}

/** What {@link pollUntil} resolves with. */
export type Polled<T> = Exclude<T, false | null | undefined>;

/**
 * Calls the condition until it returns something other than `false`, `null` or `undefined`, and
 * resolves with that. Rejects with what the condition throws, with `WAIT_TIMEOUT` after the timeout,
 * with `WAIT_EXHAUSTED` when the delays are used up, and with the reason of the signal. A call that
 * is still running at the timeout is abandoned; its signal aborts.
 *
 * ```ts
 * const node = await pollUntil(() => nodeOf(pod), { intervalMs: 500, timeoutMs: 60_000 });
 * ```
 *
 * For an object of the API use `waitFor`, which watches instead of polling.
 */
export async function pollUntil<T>(
  condition: (signal: AbortSignal) => Promise<T> | T,
  options: PollOptions,
): Promise<Polled<T>> {
  const delays = delaysOf(options);
  const { timeoutMs, signal, clock = systemClock, what = 'the condition' } = options;
  using either = withDeadline(signal, {
    clock,
    timeoutMs,
    reason: () => new WaitError('WAIT_TIMEOUT', `${what} was not met within ${timeoutMs} ms`),
  });
  either.signal.throwIfAborted();
  let isDue = options.immediate ?? true;
  for (;;) {
    if (!isDue) {
      if (delays.isExhausted === true) {
        throw new WaitError('WAIT_EXHAUSTED', `${what} was not met, and no attempts are left`);
      }
      await sleep(clock, delays.next(), { signal: either.signal });
    }
    isDue = false;
    const answer = await abortable(ask(condition, either.signal), either.signal);
    if (isPolled(answer)) return answer;
  }
}

/** JavaScript callers can leave out the options, or pass an interval that is not a number. */
function delaysOf(options: PollOptions): Delays {
  const { intervalMs, timeoutMs } = Object(options) as Partial<PollOptions>;
  checkNumber('timeoutMs', timeoutMs, 'duration');
  const delays = Object(intervalMs) as Partial<Delays>;
  if (typeof delays.next === 'function') return delays as Delays;
  requireNumber('intervalMs', intervalMs, 'duration');
  return { next: () => intervalMs as number, reset: () => undefined };
}

async function ask<T>(
  condition: (signal: AbortSignal) => Promise<T> | T,
  signal: AbortSignal,
): Promise<T> {
  return await condition(signal);
}

function isPolled<T>(answer: T): answer is T & Polled<T> {
  return answer !== false && answer !== undefined && answer !== null;
}
