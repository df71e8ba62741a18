import { areCausesWanted, withCause } from '../lib/diagnostic-channel.ts';
import { DelayingQueue } from './delaying-queue.ts';
import { type QueueStatistics, RETRY } from './diagnostics.ts';
import { defaultControllerRateLimiter, type RateLimiter } from './rate-limiters.ts';
import type { WorkQueueOptions } from './work-queue.ts';

/** Options of {@link RateLimitingQueue}. */
export interface RateLimitingQueueOptions<T> extends WorkQueueOptions<T> {
  /** Default {@link defaultControllerRateLimiter}, with the clock and the `keyFunc` of the queue. */
  readonly rateLimiter?: RateLimiter<T> | undefined;
}

/**
 * A {@link DelayingQueue} that computes the delay of a retry. A worker calls `addRateLimited` after a
 * failed attempt and `forget` after a success or when it stops retrying; then `done` in either case.
 */
export class RateLimitingQueue<T> extends DelayingQueue<T> {
  readonly #limiter: RateLimiter<T>;

  constructor(options: RateLimitingQueueOptions<T> = {}) {
    super(options);
    this.#limiter = options.rateLimiter ?? defaultControllerRateLimiter(options);
  }

  override get statistics(): QueueStatistics {
    return { ...super.statistics, rateLimiter: this.#limiter.state?.() };
  }

  /** Adds the item after the delay that the rate limiter returns for it. */
  addRateLimited(item: T): void {
    this.retry(() => this.addAfter(item, this.nextDelayMs(item)));
  }

  /** Resets the back-off of the item. It neither marks it done nor removes it from the queue. */
  forget(item: T): void {
    this.#limiter.forget(item);
  }

  /** Returns how often the item was added by `addRateLimited` since the last `forget`. */
  numRequeues(item: T): number {
    return this.#limiter.numRequeues(item);
  }

  /** Calls a function that adds an item again because its attempt failed. */
  protected retry(add: () => void): void {
    if (areCausesWanted()) withCause(RETRY, add);
    else add();
  }

  /** Counts a failure of the item and returns the delay until its next attempt. */
  protected nextDelayMs(item: T): number {
    return this.#limiter.when(item);
  }
}
