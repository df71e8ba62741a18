/** What a program that uses little of a processor may record at least, as a part of the full rate. */
const LEAST = 0.2;

/**
 * How many records of each kind are granted as time passes. With the processor time of the program, the
 * rate is per second of it: then a feed takes the same share of a program that has a processor to itself
 * and of one that gets little of it.
 */
export class RecordRate {
  readonly #maxPerSecond: number;
  readonly #processorTimeMs: (() => number) | undefined;
  #usedMs: number;

  constructor(maxPerSecond: number, processorTimeMs: (() => number) | undefined) {
    this.#maxPerSecond = maxPerSecond;
    this.#processorTimeMs = processorTimeMs;
    this.#usedMs = processorTimeMs?.() ?? 0;
  }

  /** Returns how many more records of each kind there may be after so much time. */
  grant(elapsedMs: number): number {
    if (this.#processorTimeMs === undefined) return this.#perMs(elapsedMs);
    const usedMs = this.#processorTimeMs();
    const sinceMs = usedMs - this.#usedMs;
    this.#usedMs = usedMs;
    return this.#perMs(Math.min(elapsedMs, Math.max(sinceMs, LEAST * elapsedMs)));
  }

  #perMs(milliseconds: number): number {
    return (Math.max(0, milliseconds) / 1000) * this.#maxPerSecond;
  }
}

/** The records of one kind that there may still be. What is not used is saved for bursts, up to `most`. */
export class Allowance {
  readonly #most: number;
  #left: number;

  constructor(most: number, first: number) {
    this.#most = most;
    this.#left = Math.max(1, first);
  }

  get left(): number {
    return Math.floor(this.#left);
  }

  take(): void {
    this.#left = Math.max(0, this.#left - 1);
  }

  /** Adds what is granted, and returns how many records there may be now. */
  add(granted: number): number {
    this.#left = Math.min(Math.max(1, this.#most), this.#left + granted);
    return this.left;
  }
}
