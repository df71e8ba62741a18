import { defaultControllerRateLimiter } from './default-rate-limiters.ts';
import { DelayingQueue } from './delaying-queue.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { WorkQueueOptions } from './work-queue.ts';

/** What a {@link RateLimitingQueue} can be told. */
export interface RateLimitingQueueOptions<T> extends WorkQueueOptions<T> {
  /** Default {@link defaultControllerRateLimiter}, with the clock and the keys of the queue. */
  readonly rateLimiter?: RateLimiter<T>;
}

/**
 * A {@link DelayingQueue} that knows by itself when to try an item again. A worker whose attempt has
 * failed calls `addRateLimited`, one that has succeeded or gives up calls `forget`; both call `done`.
 */
export class RateLimitingQueue<T> extends DelayingQueue<T> {
  readonly #limiter: RateLimiter<T>;

  constructor(options: RateLimitingQueueOptions<T> = {}) {
    super(options);
    this.#limiter = options.rateLimiter ?? defaultControllerRateLimiter(options);
  }

  /** Adds the item when the rate limiter says that it may come. */
  addRateLimited(item: T): void {
    this.addAfter(item, this.#limiter.when(item));
  }

  /** Starts the item's delays over. It is not `done`, and does not take the item out of the queue. */
  forget(item: T): void {
    this.#limiter.forget(item);
  }

  /** How often the item was added by {@link RateLimitingQueue.addRateLimited} since it was forgotten. */
  numRequeues(item: T): number {
    return this.#limiter.numRequeues(item);
  }
}
