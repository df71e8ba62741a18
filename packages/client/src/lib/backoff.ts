import { type Clock, systemClock } from './clock.ts';
import { checkNumbers, requireNumber } from './option-error.ts';
import { type Random, systemRandom } from './random.ts';

/** A sequence of delays: a {@link Backoff}, or anything of that shape. */
export interface Delays {
  /** Returns the delay before the next attempt, in milliseconds. */
  next(): number;
  /** Starts over with the first delay. */
  reset(): void;
  /** True if no delays are left. If omitted, the sequence is endless. */
  readonly isExhausted?: boolean | undefined;
}

/** How delays grow, and the sources of time and randomness. */
export interface BackoffOptions {
  /** The first delay. */
  readonly initialMs: number;
  /** The maximum delay, before jitter. Default: none. */
  readonly maxMs?: number | undefined;
  /** The factor between delays. Default 2; 1 for constant delays. */
  readonly factor?: number | undefined;
  /** The maximum jitter as a fraction of the delay: 1 adds up to the delay itself. Default 0. */
  readonly jitter?: number | undefined;
  /**
   * The sequence starts over after this time without a call of {@link Backoff.next}. Default:
   * never.
   */
  readonly resetAfterMs?: number | undefined;
  /** The number of delays until {@link Backoff.isExhausted}. Default: unlimited. */
  readonly steps?: number | undefined;
  /** Default: the machine's. */
  readonly clock?: Pick<Clock, 'monotonic'> | undefined;
  /** Default: the machine's. */
  readonly random?: Pick<Random, 'next'> | undefined;
}

/**
 * Computes delays before retries: exponential up to a limit, with jitter so that many clients do
 * not retry together. It does not wait itself.
 */
export class Backoff implements Delays {
  readonly #options: BackoffOptions;
  #attempts = 0;
  #lastCall = -Infinity;

  constructor(options: BackoffOptions) {
    requireNumber('initialMs', options.initialMs, 'duration');
    checkNumbers(options, {
      maxMs: 'duration',
      factor: 'fraction',
      jitter: 'fraction',
      resetAfterMs: 'duration',
      steps: 'countOrNone',
    });
    this.#options = options;
  }

  /** The number of delays since the last reset. */
  get attempts(): number {
    return this.#attempts;
  }

  get isExhausted(): boolean {
    return this.#attempts >= (this.#options.steps ?? Infinity);
  }

  next(): number {
    const { clock = systemClock, random = systemRandom, initialMs } = this.#options;
    const { maxMs = Infinity, factor = 2, jitter = 0, resetAfterMs = Infinity } = this.#options;
    const now = clock.monotonic();
    if (now - this.#lastCall > resetAfterMs) this.reset();
    this.#lastCall = now;
    // A large exponent yields Infinity, which the limit bounds.
    const delay = Math.min(maxMs, initialMs * factor ** this.#attempts);
    this.#attempts += 1;
    return delay * (1 + jitter * random.next());
  }

  /** Starts over with the first delay. Call it after a success. */
  reset(): void {
    this.#attempts = 0;
  }
}
