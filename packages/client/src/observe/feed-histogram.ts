import type { ObservedHistogram } from './observed-record.ts';

/** Upper bounds in seconds: those of Kubernetes components, from 100 µs on. */
const BOUNDS: readonly number[] = [
  0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
  300, 1000,
];

/** Counts durations. */
export class FeedHistogram {
  readonly #counts = BOUNDS.map(() => 0);
  #count = 0;
  #sum = 0;

  observe(milliseconds: number): void {
    const seconds = milliseconds / 1000;
    this.#count += 1;
    this.#sum += seconds;
    for (let index = 0; index < BOUNDS.length; index += 1) {
      if (seconds > (BOUNDS[index] ?? 0)) continue;
      this.#counts[index] = (this.#counts[index] ?? 0) + 1;
      return;
    }
  }

  get current(): ObservedHistogram {
    let cumulative = 0;
    const buckets = BOUNDS.map((upTo, index) => {
      cumulative += this.#counts[index] ?? 0;
      return { upTo, count: cumulative };
    });
    return { count: this.#count, sum: this.#sum, buckets };
  }
}
