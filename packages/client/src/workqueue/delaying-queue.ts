import { type Clock, type ScheduledCall, systemClock } from '../lib/clock.ts';
import { KeySlots, NO_SLOT } from '../lib/key-slots.ts';
import { areCausesWanted, currentCause, withCause } from '../lib/diagnostic-channel.ts';
import { type QueueCause, queueAdds, type QueueStatistics, REQUEUE } from './diagnostics.ts';
import { type Due, DueOrder } from './due-order.ts';
import { type QueueWaitOptions, WorkQueue, type WorkQueueOptions } from './work-queue.ts';

/** The number of due items that are added before the event loop gets a turn. */
const SLICE = 5000;

interface Waiting<T> extends Due {
  readonly slot: number;
  item: T;
  /** For diagnostics. */
  cause: QueueCause | undefined;
}

/**
 * A {@link WorkQueue} that can add items later. It uses one timer for all waiting items, and adding
 * one costs O(log n). The timer keeps the process alive; a shutdown drops it and the waiting items.
 */
export class DelayingQueue<T> extends WorkQueue<T> {
  readonly #clock: Clock;
  /** The keys of the items that are not due yet. */
  readonly #slots = new KeySlots<unknown>();
  /** By slot. */
  readonly #waiting: (Waiting<T> | undefined)[] = [];
  #byTime = new DueOrder<Waiting<T>>();
  #added = 0;
  #retries = 0;
  #timer: { readonly readyAt: number; readonly call: ScheduledCall } | undefined;

  constructor(options: WorkQueueOptions<T> = {}) {
    super(options);
    this.#clock = options.clock ?? systemClock;
  }

  /** The number of items that are not due yet. They are not part of `len`. */
  get waiting(): number {
    return this.#slots.size;
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
    const slot = this.#slots.findOrAdd(key);
    const known = this.#waiting[slot];
    if (known === undefined) this.#wait(slot, item, readyAt, cause);
    else {
      known.item = item;
      if (readyAt >= known.readyAt) return;
      known.cause = cause;
      if (!this.#byTime.advance(known, readyAt)) this.#wait(slot, item, readyAt, cause);
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
    if (this.#slots.size === 0) return;
    const slot = this.#slots.find(key);
    if (slot === NO_SLOT) return;
    this.#forget(this.#waiting[slot] as Waiting<T>);
    if (this.#byTime.size > 0) return;
    // Without it a queue in which nothing waits would keep the process alive.
    this.#timer?.call.cancel();
    this.#timer = undefined;
  }

  #publishDelay(item: T, key: unknown, cause: QueueCause, delayMs: number): void {
    const priority = this.observedPriority(item);
    const isMerged = this.#slots.find(key) !== NO_SLOT;
    queueAdds.publish({ queue: this, key, cause, delayMs, priority, isMerged });
  }

  #wait(slot: number, item: T, readyAt: number, cause: QueueCause): void {
    const order = this.#added++;
    const waiting = { slot, item, readyAt, cause, order, heapIndex: -1, isDropped: false };
    this.#waiting[slot] = waiting;
    this.#byTime.push(waiting);
  }

  #forget(waiting: Waiting<T>): void {
    this.#byTime.remove(waiting);
    this.#waiting[waiting.slot] = undefined;
    this.#slots.remove(waiting.slot);
    if (this.#slots.span === 0) this.#waiting.length = 0;
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
      this.#forget(first);
      if (areCausesWanted()) withCause(first.cause, () => this.addDue(first.item));
      else this.addDue(first.item);
    }
    this.#setTimer();
  }

  #dropWaiting(): void {
    this.#timer?.call.cancel();
    this.#byTime = new DueOrder<Waiting<T>>();
    this.#slots.clear();
    this.#waiting.length = 0;
  }
}
