import { type Clock, systemClock } from 'client-ts/internal';

/** How much faster the clock of the embedded server runs in a replay. */
export const EMBEDDED_SPEED = 4;

/**
 * Returns a clock that runs faster than the machine's, starting now. A server and its clients agree
 * on every duration as long as they share it, and tests do not wait a minute for a bookmark.
 */
export function fastClock(factor: number): Clock {
  const startedAt = systemClock.now();
  const startedMonotonic = systemClock.monotonic();
  return {
    now: () => startedAt + (systemClock.now() - startedAt) * factor,
    monotonic: () => startedMonotonic + (systemClock.monotonic() - startedMonotonic) * factor,
    schedule: (delayMs, callback, options) =>
      systemClock.schedule(delayMs / factor, callback, options),
  };
}
