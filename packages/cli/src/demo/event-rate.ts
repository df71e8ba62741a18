import type { Clock } from 'client-ts/internal';

/** The length of the history, in seconds. */
const historySeconds = 60;
/** Seconds in the average: fewer would fluctuate, more would lag. */
const rateSeconds = 10;

/** Counts events per second. */
export class EventRate {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #startedAt: number;
  /** Counts per second since the start, limited to the history. */
  readonly #counts = new Map<number, number>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
    this.#startedAt = clock.monotonic();
  }

  add(count = 1): void {
    const second = this.#second();
    this.#counts.set(second, (this.#counts.get(second) ?? 0) + count);
    for (const old of this.#counts.keys()) {
      if (old >= second - historySeconds) break;
      this.#counts.delete(old);
    }
  }

  /** Events in each of the last seconds, newest last. The current second is incomplete. */
  get history(): number[] {
    const second = this.#second();
    const length = Math.min(historySeconds, second + 1);
    return Array.from({ length }, (_, index) => this.#counts.get(second - length + 1 + index) ?? 0);
  }

  /** The average of the last ten seconds, or since the start. */
  get perSecond(): number {
    const recent = this.history.slice(-rateSeconds);
    const elapsed = (this.#clock.monotonic() - this.#startedAt) / 1000;
    const sum = recent.reduce((total, count) => total + count, 0);
    const past = recent.length - 1 + (elapsed % 1);
    return past < 1 ? sum : sum / past;
  }

  #second(): number {
    return Math.floor((this.#clock.monotonic() - this.#startedAt) / 1000);
  }
}
