import { OptionError } from '../lib/option-error.ts';
import type { GaugeMetric, MetricsProvider, QueueMetrics } from './metrics.ts';
import { PriorityOrder } from './priority-order.ts';
import { RateLimitingQueue, type RateLimitingQueueOptions } from './rate-limiting-queue.ts';
import type { QueueWaitOptions } from './work-queue.ts';

/** Options of {@link PriorityQueue}. */
export type PriorityQueueOptions<T> = Omit<RateLimitingQueueOptions<T>, 'queue'>;

/** Options of the methods that add to a {@link PriorityQueue}. */
export interface PriorityOptions {
  /** Higher is handed out first; any number but NaN. */
  readonly priority?: number | undefined;
}

/**
 * The priority of work that can wait, such as the objects of the initial list and resyncs: changes,
 * which have priority 0, are processed first. The value of controller-runtime.
 */
export const LOW_PRIORITY = -100;

/**
 * A {@link RateLimitingQueue} that hands out items of a higher priority first, and items of one
 * priority in the order in which they became ready: that of controller-runtime. `runWorkers` runs on
 * it as on any other. There is no ageing: low priorities wait as long as higher ones are queued.
 *
 * An item is in the queue once, with the highest priority and the earliest time of all its adds:
 *
 * - Adding it with a higher priority raises it, behind the items that have that priority already.
 *   Adding it with a lower one changes nothing.
 * - Adding it while it waits for a delay ends the wait. Adding it with a delay while it is queued
 *   does not delay it. A {@link RateLimitingQueue} would hand it out twice in both cases.
 * - A worker that adds its item again with a delay or a rate limit keeps the item's priority.
 *
 * `add` and `get` take O(log n).
 */
export class PriorityQueue<T> extends RateLimitingQueue<T> {
  readonly #order: PriorityOrder<T>;

  constructor(options: PriorityQueueOptions<T> = {}) {
    const { keyFunc = (item) => item, metrics } = options;
    const order = new PriorityOrder<T>(keyFunc);
    super({ ...options, queue: order, metrics: metrics && depthByPriority(metrics, order) });
    this.#order = order;
  }

  /** Marks the item as needing processing, by default with priority 0. */
  override add(item: T, { priority = 0 }: PriorityOptions = {}): void {
    checkPriority(priority);
    if (this.shuttingDown) return;
    this.cancelWait(this.keyFunc(item));
    this.#order.mark(item, priority, true);
    super.add(item);
  }

  /**
   * Adds the item after a delay, or immediately if the delay is not positive. Default priority: the
   * one with which a worker got the item; 0 if none has it.
   */
  override addAfter(item: T, delayMs: number, options: PriorityOptions = {}): void {
    const { priority = this.#order.takenPriority(item) ?? 0 } = options;
    checkPriority(priority);
    if (this.shuttingDown) return;
    if (!(delayMs > 0) || this.#order.isReady(item)) {
      this.noteRetry();
      this.add(item, { priority });
      return;
    }
    this.#order.mark(item, priority, false);
    super.addAfter(item, delayMs);
  }

  /** Adds the item after the delay of the rate limiter, with the priority of {@link addAfter}. */
  override addRateLimited(item: T, options: PriorityOptions = {}): void {
    this.retry(() => this.addAfter(item, this.nextDelayMs(item), options));
  }

  /**
   * Returns the priority of an item that is queued or waits for a delay; if it is neither, the one
   * with which a worker got it. Undefined if the queue does not have it.
   */
  priorityOf(item: T): number | undefined {
    return this.#order.priorityOf(item);
  }

  override done(item: T): void {
    this.#order.done(item);
    super.done(item);
  }

  override shutDown(): void {
    super.shutDown();
    this.#order.dropDelayed();
  }

  override shutDownWithDrain(options: QueueWaitOptions = {}): Promise<void> {
    this.#order.dropDelayed();
    return super.shutDownWithDrain(options);
  }

  protected override observedPriority(item: T): number | undefined {
    return this.#order.priorityOf(item);
  }

  protected override addDue(item: T): void {
    this.add(item, { priority: this.#order.priorityOf(item) });
  }
}

function checkPriority(priority: number): void {
  if (Number.isNaN(priority)) throw new OptionError('priority', 'NaN is not a priority');
}

/** Measures the depth per priority instead of in total, if the provider can. */
function depthByPriority<T>(provider: MetricsProvider, order: PriorityOrder<T>): MetricsProvider {
  const ignored: GaugeMetric = { set: () => undefined };
  return {
    forQueue: (name): QueueMetrics => {
      const metrics = provider.forQueue(name);
      if (metrics.depthOf === undefined) return metrics;
      order.depthOf = (priority) => metrics.depthOf?.(priority) ?? ignored;
      const { adds, queueLatency, workDuration, retries, unfinishedWork, longestRunning } = metrics;
      const rest = { adds, queueLatency, workDuration, retries, unfinishedWork, longestRunning };
      return { ...rest, depth: ignored };
    },
  };
}
