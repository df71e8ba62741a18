import { type Clock, systemClock } from './clock.ts';
import { type Random, systemRandom } from './random.ts';

/** Says how long to wait each time: a {@link Backoff}, or anything of that shape. */
export interface Delays {
  /** The delay before the next attempt, in milliseconds. */
  next(): number;
  /** Starts over with the first delay. */
  reset(): void;
  /** True if there is no next: whoever tries should give up. Left out, there always is. */
  readonly isExhausted?: boolean | undefined;
}

/** How delays grow, and where time and chance come from. */
export interface BackoffOptions {
  /** The first delay. */
  readonly initialMs: number;
  /** Delays stop growing here. Jitter comes on top. Default: never. */
  readonly maxMs?: number | undefined;
  /** By how much each delay is longer than the one before; 2 unless told, 1 for a steady rhythm. */
  readonly factor?: number | undefined;
  /** How much chance may add, as a part of the delay: 1 gives up to twice the delay. Default 0. */
  readonly jitter?: number | undefined;
  /** After this long without a call of {@link Backoff.next} it starts over. Default: never. */
  readonly resetAfterMs?: number | undefined;
  /** How many delays there are until {@link Backoff.isExhausted}. Default: no end of them. */
  readonly steps?: number | undefined;
  /** Default: the machine's. */
  readonly clock?: Pick<Clock, 'monotonic'> | undefined;
  /** Default: the machine's. */
  readonly random?: Pick<Random, 'next'> | undefined;
}

/**
 * How long to wait before the next attempt: exponentially longer up to a limit, with jitter so that
 * many clients do not come back together. It only counts; waiting is the caller's business.
 */
export class Backoff implements Delays {
  readonly #options: BackoffOptions;
  #attempts = 0;
  #lastCall = -Infinity;

  constructor(options: BackoffOptions) {
    this.#options = options;
  }

  /** How many delays were handed out since the last reset. */
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
    // An exponent too large gives Infinity, and a limit holds all the same.
    const delay = Math.min(maxMs, initialMs * factor ** this.#attempts);
    this.#attempts += 1;
    return delay * (1 + jitter * random.next());
  }

  /** Call it when things work again. */
  reset(): void {
    this.#attempts = 0;
  }
}
