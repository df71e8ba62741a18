import { type Clock, systemClock } from '../lib/clock.ts';
import { checkNumbers } from '../lib/option-error.ts';
import { type Random, systemRandom } from '../lib/random.ts';

/** Options of {@link PerItemBackoff}. */
export interface PerItemBackoffOptions {
  /** The first delay of an item. */
  readonly initialMs: number;
  /** The maximum delay; only the jitter of the first delay may exceed it. */
  readonly maxMs: number;
  /** The maximum random addition to a delay, as a fraction of the previous one. Default 0. */
  readonly jitter?: number | undefined;
  /** The time without a failure after which an item starts over. Default twice `maxMs`. */
  readonly forgetAfterMs?: number | undefined;
  readonly clock?: Pick<Clock, 'monotonic'> | undefined;
  readonly random?: Pick<Random, 'next'> | undefined;
}

interface Delay {
  readonly ms: number;
  readonly updatedAt: number;
}

/**
 * An exponential back-off per item: `flowcontrol.Backoff` in client-go. Call `next` when an item
 * fails, and `isInBackoffSince` before trying it again. Times are on the clock's monotonic scale and
 * default to now. Entries stay until {@link PerItemBackoff.gc}, so call it periodically.
 */
export class PerItemBackoff {
  readonly #options: PerItemBackoffOptions;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #random: Pick<Random, 'next'>;
  readonly #delays = new Map<string, Delay>();

  constructor(options: PerItemBackoffOptions) {
    checkNumbers(options, {
      initialMs: 'duration',
      maxMs: 'duration',
      jitter: 'fraction',
      forgetAfterMs: 'duration',
    });
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? systemRandom;
  }

  /** The number of items with a delay. */
  get size(): number {
    return this.#delays.size;
  }

  /** Returns the current delay of an item in milliseconds; 0 if it has none. */
  get(id: string): number {
    return this.#delays.get(id)?.ms ?? 0;
  }

  /** Moves an item to its next delay: the initial one, or twice the current one. */
  next(id: string, eventTime: number = this.#clock.monotonic()): void {
    const { initialMs, maxMs } = this.#options;
    const current = this.#current(id, eventTime);
    const ms =
      current === undefined
        ? initialMs + this.#jitter(initialMs)
        : Math.min(maxMs, current.ms * 2 + this.#jitter(current.ms));
    this.#delays.set(id, { ms, updatedAt: this.#clock.monotonic() });
  }

  /** Resets the delay of an item. Call it after a success. */
  reset(id: string): void {
    this.#delays.delete(id);
  }

  /** Returns true if less than the item's delay has passed since `eventTime`. */
  isInBackoffSince(id: string, eventTime: number): boolean {
    const current = this.#current(id, eventTime);
    return current !== undefined && this.#clock.monotonic() - eventTime < current.ms;
  }

  /** Returns true if less than the item's delay lies between its last failure and `eventTime`. */
  isInBackoffSinceUpdate(id: string, eventTime: number = this.#clock.monotonic()): boolean {
    const current = this.#current(id, eventTime);
    return current !== undefined && eventTime - current.updatedAt < current.ms;
  }

  /** Removes the items that have expired. */
  gc(): void {
    const now = this.#clock.monotonic();
    for (const id of this.#delays.keys()) {
      if (this.#current(id, now) === undefined) this.#delays.delete(id);
    }
  }

  #current(id: string, time: number): Delay | undefined {
    const { maxMs, forgetAfterMs = 2 * maxMs } = this.#options;
    const delay = this.#delays.get(id);
    return delay !== undefined && time - delay.updatedAt <= forgetAfterMs ? delay : undefined;
  }

  #jitter(ms: number): number {
    return (this.#options.jitter ?? 0) * this.#random.next() * ms;
  }
}
