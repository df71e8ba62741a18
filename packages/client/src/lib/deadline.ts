import type { Clock } from './clock.ts';
import { anySignal, onAbort, type OwnedSignal } from './signal.ts';

/** A time limit, and the error when it is exceeded. */
export interface Deadline {
  readonly clock: Pick<Clock, 'schedule'>;
  /** Undefined for no deadline. */
  readonly timeoutMs: number | undefined;
  readonly reason: () => Error;
  /** False if the timer keeps the process alive. Default true: the awaited I/O does. */
  readonly background?: boolean | undefined;
}

/**
 * Returns a signal that aborts with the given one, or with the deadline's reason when the time is
 * up. The timer is cleared on abort and on dispose.
 */
export function withDeadline(
  signal: AbortSignal | undefined,
  { clock, timeoutMs, reason, background = true }: Deadline,
): OwnedSignal {
  if (timeoutMs === undefined) return anySignal([signal]);
  const late = new AbortController();
  const timer = clock.schedule(timeoutMs, () => late.abort(reason()), { background });
  const either = anySignal([signal, late.signal]);
  const tie = onAbort(either.signal, () => timer.cancel());
  return {
    signal: either.signal,
    [Symbol.dispose]: () => {
      timer.cancel();
      tie[Symbol.dispose]();
      either[Symbol.dispose]();
    },
  };
}
