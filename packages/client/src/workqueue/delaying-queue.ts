import { type Clock, type ScheduledCall, systemClock } from '../lib/clock.ts';
import { BinaryHeap, type BinaryHeapItem } from '../lib/binary-heap.ts';
import { areCausesWanted, currentCause, withCause } from '../lib/diagnostic-channel.ts';
import { type QueueCause, queueAdds, type QueueStatistics, REQUEUE } from './diagnostics.ts';
import { type QueueWaitOptions, WorkQueue, type WorkQueueOptions } from './work-queue.ts';

/** The number of due items that are added before the event loop gets a turn. */
const SLICE = 5000;

interface Waiting<T> extends BinaryHeapItem {
  readonly key: unknown;
  /** The order of adding, which breaks ties between items that are due at the same time. */
  readonly order: number;
  item: T;
  readyAt: number;
  /** For diagnostics. */
  cause: QueueCause | undefined;
}

/**
 * A {@link WorkQueue} that can add items later. It uses one timer for all waiting items, and adding
 * one costs O(log n). The timer keeps the process alive; a shutdown drops it and the waiting items.
 */
export class DelayingQueue<T> extends WorkQueue<T> {
  readonly #clock: Clock;
  readonly #waiting = new Map<unknown, Waiting<T>>();
  #byTime = new BinaryHeap<Waiting<T>>(isBefore);
  #added = 0;
  #retries = 0;
  #timer: { readonly readyAt: number; readonly call: ScheduledCall } | undefined;

  constructor(options: WorkQueueOptions<T> = {}) {
    super(options);
    this.#clock = options.clock ?? systemClock;
  }

  /** The number of items that are not due yet. They are not part of `len`. */
  get waiting(): number {
    return this.#waiting.size;
  }

  override get statistics(): QueueStatistics {
    return { ...super.statistics, waiting: this.waiting, retries: this.#retries };
  }

  /**
   * Adds the item after a delay, or immediately if the delay is not positive. An item waits once: if
   * it is already waiting, the earlier time wins. A direct `add` does not cancel the wait.
   */
  addAfter(item: T, delayMs: number): void {
    if (this.shuttingDown) return;
    this.noteRetry();
    if (!(delayMs > 0)) {
      this.add(item);
      return;
    }
    const readyAt = this.#clock.monotonic() + delayMs;
    const key = this.keyFunc(item);
    const cause = (currentCause() as QueueCause | undefined) ?? REQUEUE;
    if (queueAdds.isWanted) this.#publishDelay(item, key, cause, delayMs);
    const known = this.#waiting.get(key);
    if (known === undefined) {
      const waiting = { key, item, readyAt, cause, order: this.#added++, heapIndex: -1 };
      this.#waiting.set(key, waiting);
      this.#byTime.push(waiting);
    } else {
      known.item = item;
      if (readyAt >= known.readyAt) return;
      known.readyAt = readyAt;
      known.cause = cause;
      this.#byTime.update(known);
    }
    this.#setTimer();
  }

  override shutDown(): void {
    super.shutDown();
    this.#dropWaiting();
  }

  override shutDownWithDrain(options: QueueWaitOptions = {}): Promise<void> {
    this.#dropWaiting();
    return super.shutDownWithDrain(options);
  }

  /** Counts an item that is added with a delay or a rate limit. */
  protected noteRetry(): void {
    this.#retries += 1;
    this.meter?.retried();
  }

  /** Adds an item whose delay has passed. */
  protected addDue(item: T): void {
    this.add(item);
  }

  /** Ends the wait of an item without adding it. */
  protected cancelWait(key: unknown): void {
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) return;
    this.#waiting.delete(key);
    this.#byTime.remove(waiting);
    if (this.#byTime.size > 0) return;
    // Without it a queue in which nothing waits would keep the process alive.
    this.#timer?.call.cancel();
    this.#timer = undefined;
  }

  #publishDelay(item: T, key: unknown, cause: QueueCause, delayMs: number): void {
    const priority = this.observedPriority(item);
    const isMerged = this.#waiting.has(key);
    queueAdds.publish({ queue: this, key, cause, delayMs, priority, isMerged });
  }

  #setTimer(): void {
    const first = this.#byTime.peek();
    if (first === undefined || first.readyAt === this.#timer?.readyAt) return;
    this.#timer?.call.cancel();
    const { readyAt } = first;
    const delayMs = readyAt - this.#clock.monotonic();
    this.#timer = { readyAt, call: this.#clock.schedule(delayMs, () => this.#addReady()) };
  }

  #addReady(): void {
    this.#timer = undefined;
    const now = this.#clock.monotonic();
    for (let count = 0; count < SLICE; count += 1) {
      const first = this.#byTime.peek();
      if (first === undefined || first.readyAt > now) break;
      this.#byTime.remove(first);
      this.#waiting.delete(first.key);
      if (areCausesWanted()) withCause(first.cause, () => this.addDue(first.item));
      else this.addDue(first.item);
    }
    this.#setTimer();
  }

  #dropWaiting(): void {
    this.#timer?.call.cancel();
    this.#byTime = new BinaryHeap<Waiting<T>>(isBefore);
    this.#waiting.clear();
  }
}

function isBefore(left: Waiting<unknown>, right: Waiting<unknown>): boolean {
  return left.readyAt === right.readyAt ? left.order < right.order : left.readyAt < right.readyAt;
}
