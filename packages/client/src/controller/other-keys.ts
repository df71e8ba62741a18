import type { Clock } from '../lib/clock.ts';

/**
 * The keys of a controller that changed lately and belong to shards of other replicas. Whatever this
 * replica takes over soon was perhaps not reconciled by the last holder: an object that is deleted
 * meanwhile is in no cache, so that only its key is left.
 *
 * Keys are forgotten after one to two periods, so that memory stays bounded.
 */
export class OtherKeys {
  readonly #clock: Clock;
  readonly #periodMs: number;
  #recent = new Set<string>();
  #older = new Set<string>();
  #since: number;

  constructor(clock: Clock, periodMs: number) {
    this.#clock = clock;
    this.#periodMs = periodMs;
    this.#since = clock.monotonic();
  }

  add(key: string): void {
    this.#rotate();
    this.#recent.add(key);
  }

  /** Removes and returns the keys for which the predicate returns true. */
  take(isTaken: (key: string) => boolean): readonly string[] {
    this.#rotate();
    const taken = [...new Set([...this.#older, ...this.#recent])].filter(isTaken);
    for (const key of taken) {
      this.#older.delete(key);
      this.#recent.delete(key);
    }
    return taken;
  }

  #rotate(): void {
    const now = this.#clock.monotonic();
    const periods = Math.floor((now - this.#since) / this.#periodMs);
    if (periods < 1) return;
    this.#older = periods === 1 ? this.#recent : new Set();
    this.#recent = new Set();
    this.#since = now;
  }
}
