import { type Clock, systemClock } from '../lib/clock.ts';
import { checkNumbers } from '../lib/option-error.ts';
import { type Random, systemRandom } from '../lib/random.ts';

/** How long the delays of a {@link PerItemBackoff} are. */
export interface PerItemBackoffOptions {
  /** The first delay of an item. */
  readonly initialMs: number;
  /** Delays stop growing here; only jitter on the first one may exceed it. */
  readonly maxMs: number;
  /** How much chance may add to a delay, as a part of the one before. Default 0. */
  readonly jitter?: number;
  /** An item starts over when it was left alone for longer than this. Default twice `maxMs`. */
  readonly forgetAfterMs?: number;
  readonly clock?: Pick<Clock, 'monotonic'>;
  readonly random?: Pick<Random, 'next'>;
}

interface Delay {
  readonly ms: number;
  readonly updatedAt: number;
}

/**
 * A back-off for each of many things, `flowcontrol.Backoff` in client-go: the caller says when one
 * fails and asks whether it is too early to try again. Times are on the clock's monotonic scale, and
 * mean now unless given. Old entries stay until {@link PerItemBackoff.gc}, so call it now and then.
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

  /** How many items are remembered. */
  get size(): number {
    return this.#delays.size;
  }

  /** The current delay of an item in milliseconds; 0 if it has none. */
  get(id: string): number {
    return this.#delays.get(id)?.ms ?? 0;
  }

  /** Moves an item to its next delay: the first one, or twice the one it has. */
  next(id: string, eventTime: number = this.#clock.monotonic()): void {
    const { initialMs, maxMs } = this.#options;
    const current = this.#current(id, eventTime);
    const ms =
      current === undefined
        ? initialMs + this.#jitter(initialMs)
        : Math.min(maxMs, current.ms * 2 + this.#jitter(current.ms));
    this.#delays.set(id, { ms, updatedAt: this.#clock.monotonic() });
  }

  /** Forgets an item: call it when things work again. */
  reset(id: string): void {
    this.#delays.delete(id);
  }

  /** Whether less time than the item's delay has passed since something happened. */
  isInBackoffSince(id: string, eventTime: number): boolean {
    const current = this.#current(id, eventTime);
    return current !== undefined && this.#clock.monotonic() - eventTime < current.ms;
  }

  /** Whether less time than the item's delay lies between its last failure and the given time. */
  isInBackoffSinceUpdate(id: string, eventTime: number = this.#clock.monotonic()): boolean {
    const current = this.#current(id, eventTime);
    return current !== undefined && eventTime - current.updatedAt < current.ms;
  }

  /** Lets go of items that would start over anyway. */
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
