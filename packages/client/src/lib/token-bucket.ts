import type { Clock } from './clock.ts';

/** How a {@link TokenBucket} fills. */
export interface TokenBucketOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Tokens that come in per second. */
  readonly qps: number;
  /** Tokens that can lie in it. */
  readonly burst: number;
}

/**
 * A bucket that fills at a steady rate up to a limit. Who takes a token from an empty bucket gets
 * one that is still to come, after those who came before.
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

  /** Takes a token, and says how many milliseconds to wait until it is there. */
  take(): number {
    const { clock, qps, burst } = this.#options;
    const now = clock.monotonic();
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#countedAt) / 1000) * qps);
    this.#countedAt = now;
    this.#tokens -= 1;
    return Math.max(0, (-this.#tokens / qps) * 1000);
  }

  /** Puts a token back that was not used after all. */
  giveBack(): void {
    this.#tokens = Math.min(this.#options.burst, this.#tokens + 1);
  }
}
