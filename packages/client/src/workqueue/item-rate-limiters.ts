import { checkNumbers } from '../lib/option-error.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** What all limiters that count per item can be told. */
export interface ItemRateLimiterOptions<T> {
  /** What makes two items the same, as for the queue. Default: as a `Map` tells its keys apart. */
  readonly keyOf?: ((item: T) => unknown) | undefined;
}

/**
 * Counts the failures of each item. An item that is never forgotten is never let go of: forget what
 * has succeeded and what is given up.
 */
class FailureCounts<T> {
  readonly #keyOf: (item: T) => unknown;
  readonly #counts = new Map<unknown, number>();

  constructor({ keyOf }: ItemRateLimiterOptions<T>) {
    this.#keyOf = keyOf ?? ((item) => item);
  }

  /** Counts one more; gives how many there were before. */
  increment(item: T): number {
    const key = this.#keyOf(item);
    const before = this.#counts.get(key) ?? 0;
    this.#counts.set(key, before + 1);
    return before;
  }

  of(item: T): number {
    return this.#counts.get(this.#keyOf(item)) ?? 0;
  }

  forget(item: T): void {
    this.#counts.delete(this.#keyOf(item));
  }
}

/** Where the delays of an {@link ItemExponentialFailureRateLimiter} start and end. */
export interface ItemExponentialFailureOptions<T> extends ItemRateLimiterOptions<T> {
  /** The delay after the first failure. */
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
}

/** Doubles the delay of an item with every failure, up to a limit. Forget items that succeed. */
export class ItemExponentialFailureRateLimiter<T> implements RateLimiter<T> {
  readonly #options: ItemExponentialFailureOptions<T>;
  readonly #failures: FailureCounts<T>;

  constructor(options: ItemExponentialFailureOptions<T>) {
    checkNumbers(options, { baseDelayMs: 'duration', maxDelayMs: 'duration' });
    this.#options = options;
    this.#failures = new FailureCounts(options);
  }

  when(item: T): number {
    const { baseDelayMs, maxDelayMs } = this.#options;
    // Too many failures give Infinity, and the limit holds all the same.
    return Math.min(maxDelayMs, baseDelayMs * 2 ** this.#failures.increment(item));
  }

  forget(item: T): void {
    this.#failures.forget(item);
  }

  numRequeues(item: T): number {
    return this.#failures.of(item);
  }
}

/** The two delays of an {@link ItemFastSlowRateLimiter}, and when the second begins. */
export interface ItemFastSlowOptions<T> extends ItemRateLimiterOptions<T> {
  readonly fastDelayMs: number;
  readonly slowDelayMs: number;
  /** So many failures of an item get the fast delay. */
  readonly maxFastAttempts: number;
}

/** A few quick attempts, then slow ones. Forget items that succeed. */
export class ItemFastSlowRateLimiter<T> implements RateLimiter<T> {
  readonly #options: ItemFastSlowOptions<T>;
  readonly #failures: FailureCounts<T>;

  constructor(options: ItemFastSlowOptions<T>) {
    checkNumbers(options, {
      fastDelayMs: 'duration',
      slowDelayMs: 'duration',
      maxFastAttempts: 'countOrNone',
    });
    this.#options = options;
    this.#failures = new FailureCounts(options);
  }

  when(item: T): number {
    const { fastDelayMs, slowDelayMs, maxFastAttempts } = this.#options;
    return this.#failures.increment(item) < maxFastAttempts ? fastDelayMs : slowDelayMs;
  }

  forget(item: T): void {
    this.#failures.forget(item);
  }

  numRequeues(item: T): number {
    return this.#failures.of(item);
  }
}
