import type { Clock } from './clock.ts';

/** Options of a {@link TokenBucket}. */
export interface TokenBucketOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** The number of tokens added per second. */
  readonly qps: number;
  /** The maximum number of tokens in the bucket. */
  readonly burst: number;
}

/**
 * A rate limiter: tokens are added at a constant rate, up to `burst`. Taking a token from an empty
 * bucket reserves a future one, in the order of the calls.
 */
export class TokenBucket {
  readonly #options: TokenBucketOptions;
  #tokens: number;
  #countedAt: number;

  constructor(options: TokenBucketOptions) {
    this.#options = options;
    this.#tokens = options.burst;
    this.#countedAt = options.clock.monotonic();
  }

  /** Takes a token and returns the milliseconds until it is available; 0 if it is now. */
  take(): number {
    const { clock, qps, burst } = this.#options;
    const now = clock.monotonic();
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#countedAt) / 1000) * qps);
    this.#countedAt = now;
    this.#tokens -= 1;
    return Math.max(0, (-this.#tokens / qps) * 1000);
  }

  /** Returns the milliseconds until a token would be available, and takes none. */
  waitMs(): number {
    const { clock, qps, burst } = this.#options;
    const elapsedMs = clock.monotonic() - this.#countedAt;
    const tokens = Math.min(burst, this.#tokens + (elapsedMs / 1000) * qps);
    return Math.max(0, ((1 - tokens) / qps) * 1000);
  }

  /** Returns an unused token, for instance after an abort. */
  giveBack(): void {
    this.#tokens = Math.min(this.#options.burst, this.#tokens + 1);
  }
}
