import type { MachineEvent, MachineOperation, WatchSummary } from './reflector-machine.ts';

/** A number that only grows. */
interface Counter {
  inc(): void;
}

/** A distribution of values. */
interface Distribution {
  observe(value: number): void;
}

/** The metrics of one reflector. All times are in seconds. */
export interface ReflectorMetrics {
  /** Readings of the whole state, listed or streamed, that were started. */
  readonly lists: Counter;
  readonly listDuration: Distribution;
  /** The number of objects in a list. */
  readonly itemsPerList: Distribution;
  /** Watches that were opened. */
  readonly watches: Counter;
  /** Watches that ended within a second and without an event: something closes them. */
  readonly shortWatches: Counter;
  readonly watchDuration: Distribution;
  /** The number of events of a watch. */
  readonly itemsPerWatch: Distribution;
  /** Called when the reflector has stopped. */
  ended(): void;
}

/** Provides the metrics of reflectors, as client-go's `MetricsProvider` of `cache` does. */
export interface ReflectorMetricsProvider {
  /** Called once by each reflector, with its name, and itself to read its version. */
  forReflector(
    name: string,
    reflector: { readonly lastSyncResourceVersion: string },
  ): ReflectorMetrics;
}

/** A watch that ends sooner, and without an event, is short; as in client-go. */
const SHORT_MS = 1000;

/** Updates the metrics of one reflector from its operations and how they end. */
export class ReflectorMeter {
  readonly #metrics: ReflectorMetrics;
  /** When the state began to be streamed, on the monotonic clock. */
  #streamingSince = 0;

  constructor(metrics: ReflectorMetrics) {
    this.#metrics = metrics;
  }

  started(operation: MachineOperation, now: number): void {
    if (operation.type === 'list') this.#metrics.lists.inc();
    if (operation.type !== 'open') return;
    this.#metrics.watches.inc();
    if (!operation.isInitial) return;
    this.#metrics.lists.inc();
    this.#streamingSince = now;
  }

  ended(event: MachineEvent, startedAt: number, now: number): void {
    if (event.type === 'listed') this.#listed(event.items, now - startedAt);
    else if (event.type === 'streamed') this.#listed(event.items, now - this.#streamingSince);
    else if (event.type === 'watch-ended') this.#watched(event.watch);
  }

  stopped(): void {
    this.#metrics.ended();
  }

  #watched({ events, durationMs }: Pick<WatchSummary, 'durationMs' | 'events'>): void {
    if (events === 0 && durationMs < SHORT_MS) this.#metrics.shortWatches.inc();
    this.#metrics.watchDuration.observe(durationMs / 1000);
    this.#metrics.itemsPerWatch.observe(events);
  }

  #listed(items: number, durationMs: number): void {
    this.#metrics.listDuration.observe(durationMs / 1000);
    this.#metrics.itemsPerList.observe(items);
  }
}
