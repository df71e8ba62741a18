import type { Clock } from '../lib/clock.ts';
import { BucketRateLimiter } from './bucket-rate-limiter.ts';
import { MaxOfRateLimiter } from './combined-rate-limiters.ts';
import {
  ItemExponentialFailureRateLimiter,
  type ItemRateLimiterOptions,
} from './item-rate-limiters.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** What {@link defaultControllerRateLimiter} can be told. */
export interface DefaultRateLimiterOptions<T> extends ItemRateLimiterOptions<T> {
  readonly clock?: Pick<Clock, 'monotonic'>;
}

/**
 * What controllers use: each item waits 5 ms after its first failure, then twice as long every time
 * up to 1000 s, and all items together come back at 10 per second after a burst of 100.
 */
export function defaultControllerRateLimiter<T>({
  keyOf,
  clock,
}: DefaultRateLimiterOptions<T> = {}): RateLimiter<T> {
  return new MaxOfRateLimiter([
    new ItemExponentialFailureRateLimiter<T>({ baseDelayMs: 5, maxDelayMs: 1_000_000, keyOf }),
    new BucketRateLimiter<T>({ qps: 10, burst: 100, ...(clock && { clock }) }),
  ]);
}

/** Each item by itself: 1 ms after its first failure, then twice as long every time up to 1000 s. */
export function defaultItemBasedRateLimiter<T>({
  keyOf,
}: ItemRateLimiterOptions<T> = {}): RateLimiter<T> {
  return new ItemExponentialFailureRateLimiter<T>({
    baseDelayMs: 1,
    maxDelayMs: 1_000_000,
    keyOf,
  });
}
