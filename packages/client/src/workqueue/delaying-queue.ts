import { type Clock, type ScheduledCall, systemClock } from '../lib/clock.ts';
import { Heap, type HeapItem } from '../lib/heap.ts';
import { WorkQueue, type WorkQueueOptions } from './work-queue.ts';

/** So many items become ready in one go; the event loop gets its turn before the next. */
const SLICE = 5000;

interface Waiting<T> extends HeapItem {
  readonly key: unknown;
  /** Of items that are ready at the same time, the one that was added first comes first. */
  readonly order: number;
  item: T;
  readyAt: number;
}

/**
 * A {@link WorkQueue} that takes items for later. However many wait, there is one timer, and adding
 * one costs O(log n). It keeps the process alive while items wait; a shutdown drops them and it.
 */
export class DelayingQueue<T> extends WorkQueue<T> {
  readonly #clock: Clock;
  readonly #waiting = new Map<unknown, Waiting<T>>();
  #byTime = new Heap<Waiting<T>>(isBefore);
  #added = 0;
  #timer: { readonly readyAt: number; readonly call: ScheduledCall } | undefined;

  constructor(options: WorkQueueOptions<T> = {}) {
    super(options);
    this.#clock = options.clock ?? systemClock;
  }

  /** How many items wait for their time. They do not count in `len`. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Adds the item after a delay, at once if there is none. An item waits once: if it waits already,
   * the earlier time counts. That it is added directly meanwhile does not end its waiting.
   */
  addAfter(item: T, delayMs: number): void {
    if (this.shuttingDown) return;
    this.countRetry();
    if (delayMs > 0) this.#wait(item, this.#clock.monotonic() + delayMs);
    else this.add(item);
  }

  override shutDown(): void {
    super.shutDown();
    this.#dropWaiting();
  }

  override shutDownWithDrain(signal?: AbortSignal): Promise<void> {
    this.#dropWaiting();
    return super.shutDownWithDrain(signal);
  }

  #wait(item: T, readyAt: number): void {
    const key = this.keyOf(item);
    const known = this.#waiting.get(key);
    if (known === undefined) {
      const order = this.#added++;
      const waiting: Waiting<T> = { key, item, readyAt, order, heapIndex: -1 };
      this.#waiting.set(key, waiting);
      this.#byTime.push(waiting);
    } else {
      known.item = item;
      if (readyAt >= known.readyAt) return;
      known.readyAt = readyAt;
      this.#byTime.update(known);
    }
    this.#setTimer();
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
      this.add(first.item);
    }
    this.#setTimer();
  }

  #dropWaiting(): void {
    this.#timer?.call.cancel();
    this.#byTime = new Heap<Waiting<T>>(isBefore);
    this.#waiting.clear();
  }
}

function isBefore(left: Waiting<unknown>, right: Waiting<unknown>): boolean {
  return left.readyAt === right.readyAt ? left.order < right.order : left.readyAt < right.readyAt;
}
