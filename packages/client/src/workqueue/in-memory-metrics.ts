import type {
  CounterMetric,
  GaugeMetric,
  HistogramMetric,
  MetricsProvider,
  QueueMetrics,
} from './metrics.ts';

/** Upper bounds in seconds, as Kubernetes components have them: ten nanoseconds to 1000 s. */
const BOUNDS: readonly number[] = [
  1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 1e1, 1e2, 1e3,
];

/** A distribution at one moment. */
export interface HistogramSnapshot {
  readonly count: number;
  readonly sum: number;
  /** How many values were at most so large; the largest values are only in `count`. */
  readonly buckets: readonly { readonly upTo: number; readonly count: number }[];
}

/** The metrics of one queue at one moment; see {@link QueueMetrics} for what they mean. */
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
    let atMost = 0;
    const buckets = this.#counts.map((count, index) => {
      atMost += count;
      return { upTo: BOUNDS[index] ?? Infinity, count: atMost };
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

/** Keeps the metrics of queues to be looked at. Counts go on when a queue of the same name follows. */
export class InMemoryMetricsProvider implements MetricsProvider {
  readonly #queues = new Map<string, InMemoryQueueMetrics>();

  forQueue(name: string): QueueMetrics {
    const known = this.#queues.get(name);
    if (known !== undefined) return known;
    const metrics = new InMemoryQueueMetrics();
    this.#queues.set(name, metrics);
    return metrics;
  }

  /** The names of the queues that have reported. */
  get names(): string[] {
    return [...this.#queues.keys()];
  }

  /** The metrics of a queue as they are now; undefined if there is none of that name. */
  snapshot(name: string): QueueMetricsSnapshot | undefined {
    return this.#queues.get(name)?.snapshot();
  }
}
