import { type Clock, systemClock } from '../lib/clock.ts';
import { KeySlots, NO_SLOT } from '../lib/key-slots.ts';
import { checkNumber, checkNumbers } from '../lib/option-error.ts';
import { TokenBucket } from '../lib/token-bucket.ts';
import type { RateLimiterState } from './diagnostics.ts';

/** Decides how long an item waits before its next attempt. */
export interface RateLimiter<T> {
  /** Returns the delay in milliseconds. Each call counts as a failure of the item. */
  when(item: T): number;
  /** Resets the failures of the item: it succeeded, or will not be retried. */
  forget(item: T): void;
  /** Returns the number of failures since the last {@link RateLimiter.forget}. */
  numRequeues(item: T): number;
  /** Returns the state for diagnostics. Optional. */
  state?(): RateLimiterState;
}

/** Options of the rate limiters that count failures per item. */
export interface ItemRateLimiterOptions<T> {
  /**
   * Returns the identity of an item; must be the `keyFunc` of the queue. Default: the item itself,
   * compared as `Map` compares keys.
   */
  readonly keyFunc?: ((item: T) => unknown) | undefined;
}

/** Counts failures per item. An entry stays until `forget`, so forget items that are deleted too. */
abstract class ItemRateLimiter<T> implements RateLimiter<T> {
  readonly #keyFunc: (item: T) => unknown;
  /** The keys that have failed. */
  readonly #slots = new KeySlots<unknown>();
  /** By slot; 0 if it is free. */
  readonly #failures: number[] = [];

  constructor({ keyFunc = (item) => item }: ItemRateLimiterOptions<T>) {
    this.#keyFunc = keyFunc;
  }

  when(item: T): number {
    const slot = this.#slots.findOrAdd(this.#keyFunc(item));
    const failures = this.#failures[slot] ?? 0;
    this.#failures[slot] = failures + 1;
    return this.delayAfter(failures);
  }

  forget(item: T): void {
    if (this.#slots.size === 0) return;
    const slot = this.#slots.find(this.#keyFunc(item));
    if (slot === NO_SLOT) return;
    this.#failures[slot] = 0;
    this.#slots.remove(slot);
    if (this.#slots.span === 0) this.#failures.length = 0;
  }

  numRequeues(item: T): number {
    if (this.#slots.size === 0) return 0;
    const slot = this.#slots.find(this.#keyFunc(item));
    return slot === NO_SLOT ? 0 : (this.#failures[slot] ?? 0);
  }

  state(): RateLimiterState {
    const failures = new Map<unknown, number>();
    this.#failures.forEach((count, slot) => {
      if (count > 0) failures.set(this.#slots.keyOf(slot), count);
    });
    return { failures };
  }

  /** Returns the delay of an item that has failed before this many times. */
  protected abstract delayAfter(failures: number): number;
}

/** Options of {@link ItemExponentialFailureRateLimiter}. */
export interface ItemExponentialFailureOptions<T> extends ItemRateLimiterOptions<T> {
  /** The delay after the first failure. */
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
}

/** Doubles the delay of an item with each failure, up to `maxDelayMs`. */
export class ItemExponentialFailureRateLimiter<T> extends ItemRateLimiter<T> {
  readonly #options: ItemExponentialFailureOptions<T>;

  constructor(options: ItemExponentialFailureOptions<T>) {
    super(options);
    checkNumbers(options, { baseDelayMs: 'duration', maxDelayMs: 'duration' });
    this.#options = options;
  }

  protected delayAfter(failures: number): number {
    // The power overflows to Infinity, and the minimum still holds.
    return Math.min(this.#options.maxDelayMs, this.#options.baseDelayMs * 2 ** failures);
  }
}

/** Options of {@link ItemFastSlowRateLimiter}. */
export interface ItemFastSlowOptions<T> extends ItemRateLimiterOptions<T> {
  readonly fastDelayMs: number;
  readonly slowDelayMs: number;
  /** The number of failures of an item that get the fast delay. */
  readonly maxFastAttempts: number;
}

/** Retries an item after a short delay for the first attempts, then after a long one. */
export class ItemFastSlowRateLimiter<T> extends ItemRateLimiter<T> {
  readonly #options: ItemFastSlowOptions<T>;

  constructor(options: ItemFastSlowOptions<T>) {
    super(options);
    checkNumbers(options, {
      fastDelayMs: 'duration',
      slowDelayMs: 'duration',
      maxFastAttempts: 'countOrNone',
    });
    this.#options = options;
  }

  protected delayAfter(failures: number): number {
    const { fastDelayMs, slowDelayMs, maxFastAttempts } = this.#options;
    return failures < maxFastAttempts ? fastDelayMs : slowDelayMs;
  }
}

/** Options of {@link BucketRateLimiter}. */
export interface BucketRateLimiterOptions {
  /** Tokens per second. */
  readonly qps: number;
  /** The size of the bucket: this many items pass without a delay after a pause. */
  readonly burst: number;
  readonly clock?: Pick<Clock, 'monotonic'> | undefined;
}

/**
 * One token bucket for all items together. It counts no failures per item, and `forget` returns no
 * token.
 */
export class BucketRateLimiter<T> implements RateLimiter<T> {
  readonly #bucket: TokenBucket;

  constructor({ qps, burst, clock = systemClock }: BucketRateLimiterOptions) {
    checkNumber('qps', qps, 'rate');
    checkNumber('burst', burst, 'countOrNone');
    this.#bucket = new TokenBucket({ qps, burst, clock });
  }

  when(_item: T): number {
    return this.#bucket.take();
  }

  forget(_item: T): void {
    // Nothing is kept per item.
  }

  numRequeues(_item: T): number {
    return 0;
  }

  state(): RateLimiterState {
    return { delayMs: this.#bucket.waitMs(), failures: new Map() };
  }
}

/**
 * Returns the longest delay of several limiters. Each limiter is called each time, so each counts
 * the failure and each bucket spends a token.
 */
export class MaxOfRateLimiter<T> implements RateLimiter<T> {
  readonly #limiters: readonly RateLimiter<T>[];

  constructor(limiters: readonly RateLimiter<T>[]) {
    this.#limiters = limiters;
  }

  when(item: T): number {
    let longest = 0;
    for (const limiter of this.#limiters) longest = Math.max(longest, limiter.when(item));
    return longest;
  }

  forget(item: T): void {
    for (const limiter of this.#limiters) limiter.forget(item);
  }

  numRequeues(item: T): number {
    let most = 0;
    for (const limiter of this.#limiters) most = Math.max(most, limiter.numRequeues(item));
    return most;
  }

  state(): RateLimiterState {
    const states = this.#limiters.flatMap((limiter) => limiter.state?.() ?? []);
    const delays = states.flatMap(({ delayMs }) => delayMs ?? []);
    const [{ failures } = { failures: new Map<unknown, number>() }] = states
      .map((state) => state)
      .sort((left, right) => right.failures.size - left.failures.size);
    return { ...(delays.length > 0 && { delayMs: Math.max(...delays) }), failures };
  }
}

/** Caps the delay of another limiter: an overdrawn bucket may otherwise ask for hours. */
export class WithMaxWaitRateLimiter<T> implements RateLimiter<T> {
  readonly #limiter: RateLimiter<T>;
  readonly #maxDelayMs: number;

  constructor(limiter: RateLimiter<T>, { maxDelayMs }: { readonly maxDelayMs: number }) {
    checkNumber('maxDelayMs', maxDelayMs, 'duration');
    this.#limiter = limiter;
    this.#maxDelayMs = maxDelayMs;
  }

  when(item: T): number {
    return Math.min(this.#maxDelayMs, this.#limiter.when(item));
  }

  forget(item: T): void {
    this.#limiter.forget(item);
  }

  numRequeues(item: T): number {
    return this.#limiter.numRequeues(item);
  }

  state(): RateLimiterState {
    const state = this.#limiter.state?.() ?? { failures: new Map<unknown, number>() };
    const { delayMs } = state;
    return delayMs === undefined
      ? state
      : { ...state, delayMs: Math.min(this.#maxDelayMs, delayMs) };
  }
}

/** Options of {@link defaultControllerRateLimiter}. */
export interface DefaultRateLimiterOptions<T> extends ItemRateLimiterOptions<T> {
  readonly clock?: Pick<Clock, 'monotonic'> | undefined;
}

/**
 * Returns the rate limiter of controllers: per item 5 ms after the first failure, doubling up to
 * 1000 s; over all items 10 per second after a burst of 100.
 */
export function defaultControllerRateLimiter<T>({
  keyFunc,
  clock,
}: DefaultRateLimiterOptions<T> = {}): RateLimiter<T> {
  return new MaxOfRateLimiter([
    new ItemExponentialFailureRateLimiter<T>({ baseDelayMs: 5, maxDelayMs: 1_000_000, keyFunc }),
    new BucketRateLimiter<T>({ qps: 10, burst: 100, clock }),
  ]);
}

/** Returns a rate limiter per item only: 1 ms after the first failure, doubling up to 1000 s. */
export function defaultItemBasedRateLimiter<T>({
  keyFunc,
}: ItemRateLimiterOptions<T> = {}): RateLimiter<T> {
  return new ItemExponentialFailureRateLimiter<T>({
    baseDelayMs: 1,
    maxDelayMs: 1_000_000,
    keyFunc,
  });
}
