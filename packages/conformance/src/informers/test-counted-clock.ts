import type { Clock, ScheduledCall, ScheduleOptions } from 'client-ts/internal';

/** A clock that counts the calls that were scheduled through it. */
export class CountedClock implements Clock {
  readonly #clock: Clock;
  readonly #pending = new Set<object>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many calls are scheduled. */
  get pending(): number {
    return this.#pending.size;
  }

  now(): number {
    return this.#clock.now();
  }

  monotonic(): number {
    return this.#clock.monotonic();
  }

  schedule(delayMs: number, callback: () => void, options?: ScheduleOptions): ScheduledCall {
    const mark = {};
    this.#pending.add(mark);
    const call = this.#clock.schedule(
      delayMs,
      () => {
        this.#pending.delete(mark);
        callback();
      },
      options,
    );
    const cancel = (): void => {
      this.#pending.delete(mark);
      call.cancel();
    };
    return { cancel, [Symbol.dispose]: cancel };
  }
}
