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

/** What one named queue tells about itself. All times are in seconds. */
export interface QueueMetrics {
  /** Items that wait for a worker, those included that run once more after the current run. */
  readonly depth: GaugeMetric;
  /** Items taken in; an item that waits already is not counted again. */
  readonly adds: CounterMetric;
  /** From the first `add` until a worker has the item. */
  readonly queueLatency: HistogramMetric;
  /** From the moment a worker has the item until `done`. */
  readonly workDuration: HistogramMetric;
  /** Calls of `addAfter` and `addRateLimited`. */
  readonly retries: CounterMetric;
  /** The ages of all items being processed, added up: it grows steadily when workers hang. */
  readonly unfinishedWork: GaugeMetric;
  /** The age of the item that has been processed longest. */
  readonly longestRunning: GaugeMetric;
}

/**
 * Where queues report to. The metrics of prom-client fit as they are (`gauge.labels(name)` and so
 * on). A queue without a name or without a provider measures nothing, and pays nothing.
 */
export interface MetricsProvider {
  /** Called once by each queue. Queues of one process should have different names. */
  forQueue(name: string): QueueMetrics;
}
