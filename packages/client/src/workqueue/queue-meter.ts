import type { Clock, ScheduledCall } from '../lib/clock.ts';
import type { QueueMetrics } from './metrics.ts';

/** How often the age of unfinished work is looked at, as in client-go. */
const SAMPLE_PERIOD_MS = 500;

/**
 * Turns what happens to the items of a queue into metrics. Times are counted on the monotonic scale,
 * so a clock that is set back makes no negative durations.
 */
export class QueueMeter {
  readonly #metrics: QueueMetrics;
  readonly #clock: Clock;
  readonly #addedAt = new Map<unknown, number>();
  readonly #startedAt = new Map<unknown, number>();
  #sampling: ScheduledCall | undefined;
  #isStopped = false;

  constructor(metrics: QueueMetrics, clock: Clock) {
    this.#metrics = metrics;
    this.#clock = clock;
  }

  added(key: unknown): void {
    this.#addedAt.set(key, this.#clock.monotonic());
    this.#metrics.adds.inc();
    this.#metrics.depth.set(this.#addedAt.size);
  }

  taken(key: unknown): void {
    const now = this.#clock.monotonic();
    const addedAt = this.#addedAt.get(key) ?? now;
    this.#addedAt.delete(key);
    this.#startedAt.set(key, now);
    this.#metrics.depth.set(this.#addedAt.size);
    this.#metrics.queueLatency.observe((now - addedAt) / 1000);
    if (this.#sampling === undefined) this.#sampleLater();
  }

  finished(key: unknown): void {
    const now = this.#clock.monotonic();
    this.#metrics.workDuration.observe((now - (this.#startedAt.get(key) ?? now)) / 1000);
    this.#startedAt.delete(key);
    // Not left to the next sample: after a stop there is none, and the last value would stay.
    if (this.#startedAt.size === 0) this.#sample();
  }

  retried(): void {
    this.#metrics.retries.inc();
  }

  /** Ends the sampling; what happens to items is still counted. */
  stop(): void {
    this.#isStopped = true;
    this.#sampling?.cancel();
  }

  #sampleLater(): void {
    if (this.#isStopped) return;
    const sample = (): void => {
      this.#sampling = undefined;
      if (this.#startedAt.size === 0) return;
      this.#sample();
      this.#sampleLater();
    };
    this.#sampling = this.#clock.schedule(SAMPLE_PERIOD_MS, sample, { background: true });
  }

  #sample(): void {
    const now = this.#clock.monotonic();
    let total = 0;
    let longest = 0;
    for (const startedAt of this.#startedAt.values()) {
      const age = now - startedAt;
      total += age;
      longest = Math.max(longest, age);
    }
    this.#metrics.unfinishedWork.set(total / 1000);
    this.#metrics.longestRunning.set(longest / 1000);
  }
}
