import type { Clock } from '../lib/clock.ts';

export interface ReloadedOptions<T> {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** What was loaded longer ago than this is loaded again when it is next asked for. */
  readonly maxAgeMs: number;
  readonly load: () => Promise<T>;
  /** Told when loading fails and an earlier value goes on being used. */
  readonly onFailure?: (error: unknown) => void;
}

/** A failed reload is tried again after this, also if the value is meant to last longer. */
const RETRY_MS = 1000;

/**
 * A value that comes from a file and follows it: loaded when first asked for, and again when it is
 * old. While loading fails, the last good value stays. Who asks at the same time shares one load.
 */
export class Reloaded<T> {
  readonly #options: ReloadedOptions<T>;
  #value: { readonly value: T } | undefined;
  #dueAt = -Infinity;
  #loading: Promise<T> | undefined;

  constructor(options: ReloadedOptions<T>) {
    this.#options = options;
  }

  /** Rejects only if there has never been a value. */
  get(): Promise<T> {
    if (this.#value !== undefined && this.#options.clock.monotonic() < this.#dueAt) {
      return Promise.resolve(this.#value.value);
    }
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /** The value is suspect: the next call of {@link get} loads it. */
  expire(): void {
    this.#dueAt = -Infinity;
  }

  async #load(): Promise<T> {
    const { clock, maxAgeMs, load, onFailure } = this.#options;
    try {
      const value = await load();
      this.#value = { value };
      this.#dueAt = clock.monotonic() + maxAgeMs;
      return value;
    } catch (error) {
      if (this.#value === undefined) throw error;
      this.#dueAt = clock.monotonic() + Math.min(maxAgeMs, RETRY_MS);
      onFailure?.(error);
      return this.#value.value;
    } finally {
      this.#loading = undefined;
    }
  }
}
