import { BinaryHeap, type BinaryHeapItem } from '../lib/binary-heap.ts';
import type { GaugeMetric } from './metrics.ts';
import type { UnderlyingQueue } from './work-queue.ts';

/** An item that was added and not handed out since. */
interface Pending<T> extends BinaryHeapItem {
  readonly key: unknown;
  item: T;
  priority: number;
  /** Breaks ties between items of one priority. */
  order: number;
  /** False while the item waits for its delay. */
  isReady: boolean;
}

/**
 * Orders items by priority, and items of one priority by the time at which they became ready. It
 * knows an item from its first `mark` until it is popped, so that one which is delayed, or added
 * while a worker has it, is known too.
 */
export class PriorityOrder<T> implements UnderlyingQueue<T> {
  readonly #keyFunc: (item: T) => unknown;
  readonly #pending = new Map<unknown, Pending<T>>();
  readonly #heap = new BinaryHeap<Pending<T>>(isBefore);
  /** The priorities of the items that workers have. */
  readonly #taken = new Map<unknown, number>();
  readonly #depths = new Map<number, number>();
  #marks = 0;
  /** Returns the gauge of a priority, if it is measured. */
  depthOf: ((priority: number) => GaugeMetric) | undefined;

  constructor(keyFunc: (item: T) => unknown) {
    this.#keyFunc = keyFunc;
  }

  get len(): number {
    return this.#heap.size;
  }

  /** Records that an item was added with this priority: it never sinks. */
  mark(item: T, priority: number, isReady: boolean): void {
    const key = this.#keyFunc(item);
    const known = this.#pending.get(key);
    if (known === undefined) {
      const order = this.#marks++;
      this.#pending.set(key, { key, item, priority, order, isReady, heapIndex: -1 });
      if (isReady) this.#count(priority, 1);
      return;
    }
    known.item = item;
    const becomesReady = isReady && !known.isReady;
    if (!becomesReady && priority <= known.priority) return;
    if (known.isReady) this.#count(known.priority, -1);
    known.priority = Math.max(priority, known.priority);
    known.order = this.#marks++;
    known.isReady ||= isReady;
    if (known.isReady) this.#count(known.priority, 1);
  }

  /** Returns true if the item is queued, or goes into the queue when its worker is done. */
  isReady(item: T): boolean {
    return this.#pending.get(this.#keyFunc(item))?.isReady === true;
  }

  /** Returns the priority of an item that waits or, if it does not, that a worker has. */
  priorityOf(item: T): number | undefined {
    const key = this.#keyFunc(item);
    return this.#pending.get(key)?.priority ?? this.#taken.get(key);
  }

  /** Returns the priority with which a worker got the item. */
  takenPriority(item: T): number | undefined {
    return this.#taken.get(this.#keyFunc(item));
  }

  push(item: T): void {
    const key = this.#keyFunc(item);
    // An item that its worker returned without processing it was not marked.
    if (!this.#pending.has(key)) this.mark(item, this.#taken.get(key) ?? 0, true);
    this.#taken.delete(key);
    this.#heap.push(this.#pending.get(key) as Pending<T>);
  }

  pop(): T {
    const { key, item, priority } = this.#heap.pop() as Pending<T>;
    this.#pending.delete(key);
    this.#taken.set(key, priority);
    this.#count(priority, -1);
    return item;
  }

  touch(item: T): void {
    const known = this.#pending.get(this.#keyFunc(item));
    if (known !== undefined) this.#heap.update(known);
  }

  /** Forgets that a worker had the item. */
  done(item: T): void {
    this.#taken.delete(this.#keyFunc(item));
  }

  /** Forgets the items that wait for their delay. */
  dropDelayed(): void {
    for (const [key, { isReady }] of this.#pending) if (!isReady) this.#pending.delete(key);
  }

  #count(priority: number, change: 1 | -1): void {
    if (this.depthOf === undefined) return;
    const depth = (this.#depths.get(priority) ?? 0) + change;
    if (depth === 0) this.#depths.delete(priority);
    else this.#depths.set(priority, depth);
    this.depthOf(priority).set(depth);
  }
}

function isBefore(left: Pending<unknown>, right: Pending<unknown>): boolean {
  return left.priority === right.priority
    ? left.order < right.order
    : left.priority > right.priority;
}
