import { checkNumber } from '../lib/option-error.ts';
import type { RateLimiter } from './rate-limiter.ts';

/**
 * The longest of several delays. Every limiter is asked every time, so each counts the failure and
 * each bucket gives a token, also when another one decides.
 */
export class MaxOfRateLimiter<T> implements RateLimiter<T> {
  readonly #limiters: readonly RateLimiter<T>[];

  constructor(limiters: readonly RateLimiter<T>[]) {
    this.#limiters = limiters;
  }

  when(item: T): number {
    return Math.max(0, ...this.#limiters.map((limiter) => limiter.when(item)));
  }

  forget(item: T): void {
    for (const limiter of this.#limiters) limiter.forget(item);
  }

  numRequeues(item: T): number {
    return Math.max(0, ...this.#limiters.map((limiter) => limiter.numRequeues(item)));
  }
}

/**
 * What another limiter says, but never longer than a limit: a bucket that many have taken from may
 * ask for hours otherwise.
 */
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
}
