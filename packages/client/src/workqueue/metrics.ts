import type { Clock, ScheduledCall } from '../lib/clock.ts';

/** A number that goes up and down. */
export interface GaugeMetric {
  set(value: number): void;
}

/** A number that only grows. */
export interface CounterMetric {
  inc(): void;
}

/** A distribution of values. */
export interface HistogramMetric {
  observe(value: number): void;
}

/** The metrics of one named queue. All times are in seconds. */
export interface QueueMetrics {
  /** Items waiting for a worker, including those re-added while they are processed. */
  readonly depth: GaugeMetric;
  /** Returns the depth of one priority. A `PriorityQueue` sets these, if present, and not `depth`. */
  readonly depthOf?: ((priority: number) => GaugeMetric) | undefined;
  /** Items added; an item that is already waiting is not counted again. */
  readonly adds: CounterMetric;
  /** Time from the first `add` until a worker gets the item. */
  readonly queueLatency: HistogramMetric;
  /** Time from `get` to `done`. */
  readonly workDuration: HistogramMetric;
  /** Calls of `addAfter` and `addRateLimited`. */
  readonly retries: CounterMetric;
  /** The sum of the ages of all items being processed: grows steadily while workers hang. */
  readonly unfinishedWork: GaugeMetric;
  /** The age of the item that has been processed longest. */
  readonly longestRunning: GaugeMetric;
}

/**
 * Provides the metrics of queues. Metrics of prom-client fit (`gauge.labels(name)` and so on). A
 * queue without a name or without a provider measures nothing.
 */
export interface MetricsProvider {
  /** Called once by each queue. Queues of one process should have different names. */
  forQueue(name: string): QueueMetrics;
}

/** How often the age of unfinished work is sampled; the period of client-go. */
const SAMPLE_PERIOD_MS = 500;

/** The start of an item that no worker has. */
const NEVER = -Infinity;

/**
 * Updates the metrics of one queue, which numbers its keys. Durations are measured on the monotonic
 * clock, so setting the wall clock back makes none of them negative.
 */
export class QueueMeter {
  readonly #metrics: QueueMetrics;
  readonly #clock: Clock;
  /** By slot; kept until the slot is added again. */
  readonly #addedAt: number[] = [];
  /** By slot, or {@link NEVER}. */
  readonly #startedAt: number[] = [];
  #depth = 0;
  #running = 0;
  #sampling: ScheduledCall | undefined;
  #isStopped = false;

  constructor(metrics: QueueMetrics, clock: Clock) {
    this.#metrics = metrics;
    this.#clock = clock;
  }

  added(slot: number): void {
    // The queue uses slots in order, so neither array gets holes.
    if (slot === this.#startedAt.length) this.#startedAt.push(NEVER);
    this.#addedAt[slot] = this.#clock.monotonic();
    this.#depth += 1;
    this.#metrics.adds.inc();
    this.#metrics.depth.set(this.#depth);
  }

  taken(slot: number): void {
    const now = this.#clock.monotonic();
    this.#startedAt[slot] = now;
    this.#depth -= 1;
    this.#running += 1;
    this.#metrics.depth.set(this.#depth);
    this.#metrics.queueLatency.observe((now - (this.#addedAt[slot] ?? now)) / 1000);
    if (this.#sampling === undefined) this.#scheduleSample();
  }

  finished(slot: number): void {
    const now = this.#clock.monotonic();
    this.#metrics.workDuration.observe((now - (this.#startedAt[slot] ?? now)) / 1000);
    this.#startedAt[slot] = NEVER;
    this.#running -= 1;
    // Sampling may have stopped: without this the gauges would keep their last values.
    if (this.#running > 0) return;
    this.#metrics.unfinishedWork.set(0);
    this.#metrics.longestRunning.set(0);
  }

  /** Releases memory. Called when the queue starts again with its first slot. */
  reset(): void {
    this.#addedAt.length = 0;
    this.#startedAt.length = 0;
  }

  retried(): void {
    this.#metrics.retries.inc();
  }

  /** Stops sampling; adds, gets and dones are still counted. */
  stop(): void {
    this.#isStopped = true;
    this.#sampling?.cancel();
  }

  #scheduleSample(): void {
    if (this.#isStopped) return;
    const sample = (): void => {
      this.#sampling = undefined;
      if (this.#running === 0) return;
      this.#sample();
      this.#scheduleSample();
    };
    this.#sampling = this.#clock.schedule(SAMPLE_PERIOD_MS, sample, { background: true });
  }

  #sample(): void {
    const now = this.#clock.monotonic();
    let total = 0;
    let longest = 0;
    for (const startedAt of this.#startedAt) {
      if (startedAt === NEVER) continue;
      const age = now - startedAt;
      total += age;
      longest = Math.max(longest, age);
    }
    this.#metrics.unfinishedWork.set(total / 1000);
    this.#metrics.longestRunning.set(longest / 1000);
  }
}

/** Upper bounds in seconds, those of Kubernetes components: 10 ns to 1000 s. */
const BOUNDS: readonly number[] = [
  1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 1e1, 1e2, 1e3,
];

/** The state of a histogram. */
export interface HistogramSnapshot {
  readonly count: number;
  readonly sum: number;
  /** Cumulative counts; values above the last bound are in `count` only. */
  readonly buckets: readonly { readonly upTo: number; readonly count: number }[];
}

/** The state of the metrics of one queue; see {@link QueueMetrics}. */
export interface QueueMetricsSnapshot {
  readonly depth: number;
  readonly adds: number;
  readonly queueLatency: HistogramSnapshot;
  readonly workDuration: HistogramSnapshot;
  readonly retries: number;
  readonly unfinishedWork: number;
  readonly longestRunning: number;
}

class Gauge implements GaugeMetric {
  value = 0;

  set(value: number): void {
    this.value = value;
  }
}

class Counter implements CounterMetric {
  value = 0;

  inc(): void {
    this.value += 1;
  }
}

class Histogram implements HistogramMetric {
  readonly #counts = BOUNDS.map(() => 0);
  #count = 0;
  #sum = 0;

  observe(value: number): void {
    this.#count += 1;
    this.#sum += value;
    const index = BOUNDS.findIndex((bound) => value <= bound);
    if (index !== -1) this.#counts[index] = (this.#counts[index] ?? 0) + 1;
  }

  snapshot(): HistogramSnapshot {
    let cumulative = 0;
    const buckets = this.#counts.map((count, index) => {
      cumulative += count;
      return { upTo: BOUNDS[index] ?? Infinity, count: cumulative };
    });
    return { count: this.#count, sum: this.#sum, buckets };
  }
}

class InMemoryQueueMetrics implements QueueMetrics {
  readonly depth: Gauge = new Gauge();
  readonly adds: Counter = new Counter();
  readonly queueLatency: Histogram = new Histogram();
  readonly workDuration: Histogram = new Histogram();
  readonly retries: Counter = new Counter();
  readonly unfinishedWork: Gauge = new Gauge();
  readonly longestRunning: Gauge = new Gauge();

  snapshot(): QueueMetricsSnapshot {
    return {
      depth: this.depth.value,
      adds: this.adds.value,
      queueLatency: this.queueLatency.snapshot(),
      workDuration: this.workDuration.snapshot(),
      retries: this.retries.value,
      unfinishedWork: this.unfinishedWork.value,
      longestRunning: this.longestRunning.value,
    };
  }
}

/**
 * Keeps the metrics of queues in memory. A queue that is replaced by one with the same name
 * continues its counts.
 */
export class InMemoryMetricsProvider implements MetricsProvider {
  readonly #queues = new Map<string, InMemoryQueueMetrics>();

  forQueue(name: string): QueueMetrics {
    const known = this.#queues.get(name);
    if (known !== undefined) return known;
    const metrics = new InMemoryQueueMetrics();
    this.#queues.set(name, metrics);
    return metrics;
  }

  /** The names of all queues. */
  get names(): string[] {
    return [...this.#queues.keys()];
  }

  /** Returns the current metrics of a queue; undefined if there is no queue with this name. */
  snapshot(name: string): QueueMetricsSnapshot | undefined {
    return this.#queues.get(name)?.snapshot();
  }
}
