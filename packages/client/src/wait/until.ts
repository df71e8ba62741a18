import { type Clock, systemClock } from '../lib/clock.ts';
import { abortable } from '../lib/signal.ts';
import { withDeadline } from '../lib/deadline.ts';
import { RestError } from '../rest/rest-error.ts';

/** How long to wait. */
export interface UntilOptions {
  /** In milliseconds. Default: as long as it takes. */
  readonly timeout?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * The first event that the condition says yes to. Rejects with `REST_WAIT_TIMEOUT` when the time is up,
 * with `REST_WAIT_CLOSED` when the events end before, and with the reason of the signal. The events are
 * given up in every case.
 */
export async function untilWithoutRetry<E>(
  events: AsyncIterable<E>,
  condition: (event: E) => boolean,
  options: UntilOptions = {},
): Promise<E> {
  const { timeout, clock = systemClock, signal } = options;
  using limited = withDeadline(signal, {
    clock,
    timeoutMs: timeout,
    reason: () => new RestError('REST_WAIT_TIMEOUT', `no such event within ${timeout} ms`),
  });
  const iterator = events[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await abortable(iterator.next(), limited.signal);
      if (done === true) break;
      if (condition(value)) return value;
    }
  } finally {
    const left = leave(iterator);
    // After an abort there is a `next` that may never answer, and `return` may wait for it.
    if (!limited.signal.aborted) await left;
  }
  throw new RestError('REST_WAIT_CLOSED', 'the events ended before the one that was waited for');
}

async function leave(iterator: AsyncIterator<unknown>): Promise<void> {
  try {
    await iterator.return?.();
  } catch {
    // Nobody wants these events any more, nor what is wrong with them.
  }
}
