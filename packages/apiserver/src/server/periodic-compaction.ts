import type { Clock, ScheduledCall } from 'client-ts/internal';

import type { Store } from '../store/store.ts';

/**
 * Forgets history in regular intervals, each time up to what was the newest revision the time
 * before. So every version stays readable for one interval at least, and for two at most.
 */
export class PeriodicCompaction implements Disposable {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #intervalMs: number;
  #next: ScheduledCall;

  constructor(store: Store, clock: Clock, intervalMs: number) {
    if (!(intervalMs > 0)) {
      throw new RangeError(`compactionInterval must be above 0, not ${intervalMs}`);
    }
    this.#store = store;
    this.#clock = clock;
    this.#intervalMs = intervalMs;
    this.#next = this.#schedule();
  }

  [Symbol.dispose](): void {
    this.#next.cancel();
  }

  #schedule(): ScheduledCall {
    const { revision } = this.#store;
    return this.#clock.schedule(this.#intervalMs, () => {
      this.#store.compact({ revision });
      this.#next = this.#schedule();
    });
  }
}
