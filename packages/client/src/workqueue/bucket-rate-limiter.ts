import { type Clock, systemClock } from '../lib/clock.ts';
import { checkNumber } from '../lib/option-error.ts';
import { TokenBucket } from '../lib/token-bucket.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** How much a {@link BucketRateLimiter} lets through. */
export interface BucketRateLimiterOptions {
  /** So many per second in the long run. */
  readonly qps: number;
  /** So many at once after a pause. */
  readonly burst: number;
  readonly clock?: Pick<Clock, 'monotonic'>;
}

/**
 * One limit for all items together: a token bucket. It does not care which item asks, so it counts
 * no failures, and forgetting an item gives no token back.
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
}
