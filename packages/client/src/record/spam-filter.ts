import type { Event } from '../api/core/v1.ts';
import type { Clock } from '../lib/clock.ts';
import { TokenBucket } from '../lib/token-bucket.ts';
import { LruCache } from './lru-cache.ts';

/** What an {@link EventSourceObjectSpamFilter} lets through. */
export interface SpamFilterOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** How many budgets are remembered. */
  readonly cacheSize: number;
  /** How many events may come at once. */
  readonly burst: number;
  /** How many more each second. */
  readonly qps: number;
  /** Events with the same key share one budget. */
  readonly spamKeyFunc: (event: Event) => string;
}

/** Keeps a source that has gone wild about an object from flooding the server. */
export class EventSourceObjectSpamFilter {
  readonly #options: SpamFilterOptions;
  readonly #buckets: LruCache<TokenBucket>;

  constructor(options: SpamFilterOptions) {
    this.#options = options;
    this.#buckets = new LruCache(options.cacheSize);
  }

  /** True if the event is too much. Whatever passes takes from the budget. */
  filter(event: Event): boolean {
    const key = this.#options.spamKeyFunc(event);
    let bucket = this.#buckets.get(key);
    if (bucket === undefined) {
      bucket = new TokenBucket(this.#options);
      this.#buckets.set(key, bucket);
    }
    if (bucket.take() === 0) return false;
    bucket.giveBack();
    return true;
  }
}
