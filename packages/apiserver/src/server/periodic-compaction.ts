import { type Clock, OptionError, type ScheduledCall } from 'client-ts/internal';

import type { Store } from '../store/store.ts';

/**
 * Compacts the store at a fixed interval, each time up to the newest revision of the time before.
 * Every version stays readable for at least one interval and at most two.
 */
export class PeriodicCompaction implements Disposable {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #intervalMs: number;
  #next: ScheduledCall;

  constructor(store: Store, clock: Clock, intervalMs: number) {
    if (!(intervalMs > 0)) {
      throw new OptionError('compactionIntervalMs', `${intervalMs} is not greater than 0`);
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
