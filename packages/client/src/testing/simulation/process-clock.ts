import type { Clock, ScheduledCall } from '../../lib/clock.ts';
import type { StepOwner, Timeline } from './timeline.ts';

/** The wall clock at the start of every simulation: 2026-01-01T00:00:00Z. */
export const START_MS: number = Date.UTC(2026, 0, 1);

const nothing: ScheduledCall = { cancel: () => undefined, [Symbol.dispose]: () => undefined };

/**
 * The clock of one process. Its timers end with the process and wait while it is paused; its wall
 * clock can be set without that of the others.
 */
export class ProcessClock implements Clock {
  readonly #timeline: Timeline;
  readonly #owner: StepOwner | undefined;
  readonly #enter: (callback: () => void) => void;
  #offsetMs = 0;

  /** `enter` calls a callback as part of the process. */
  constructor(
    timeline: Timeline,
    owner?: StepOwner,
    enter: (callback: () => void) => void = (callback) => callback(),
  ) {
    this.#timeline = timeline;
    this.#owner = owner;
    this.#enter = enter;
  }

  now(): number {
    return START_MS + this.#offsetMs + this.#timeline.nowMs;
  }

  monotonic(): number {
    return this.#timeline.nowMs;
  }

  schedule(delayMs: number, callback: () => void): ScheduledCall {
    if (this.#owner?.isAlive === false) return nothing;
    return this.#timeline.schedule(delayMs, () => this.#enter(callback), this.#owner);
  }

  /** Sets the wall clock forward or back. */
  jump(ms: number): void {
    this.#offsetMs += ms;
  }
}
