import { BinaryHeap, type BinaryHeapItem } from '../lib/binary-heap.ts';
import { KeySlots, NO_SLOT } from '../lib/key-slots.ts';
import type { GaugeMetric } from './metrics.ts';
import type { UnderlyingQueue } from './work-queue.ts';

/** An item that waits, that a worker has, or both. */
interface Entry<T> extends BinaryHeapItem {
  readonly slot: number;
  /** True if it was added and not handed out since; the next four fields are of that. */
  isPending: boolean;
  item: T;
  priority: number;
  /** Breaks ties between items of one priority. */
  order: number;
  /** False while the item waits for its delay. */
  isReady: boolean;
  /** With which a worker got it; undefined if none has it. */
  takenPriority: number | undefined;
}

/**
 * Orders items by priority, and items of one priority by the time at which they became ready. It
 * knows an item from its first `mark` until it is popped, so that one which is delayed, or added
 * while a worker has it, is known too.
 */
export class PriorityOrder<T> implements UnderlyingQueue<T> {
  readonly #keyFunc: (item: T) => unknown;
  readonly #slots = new KeySlots<unknown>();
  /** By slot. */
  readonly #entries: (Entry<T> | undefined)[] = [];
  readonly #heap = new BinaryHeap<Entry<T>>(isBefore);
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
    const slot = this.#slots.findOrAdd(this.#keyFunc(item));
    const known = this.#entries[slot];
    if (known === undefined) {
      this.#entries[slot] = {
        slot,
        isPending: true,
        item,
        priority,
        order: this.#marks++,
        isReady,
        takenPriority: undefined,
        heapIndex: -1,
      };
      if (isReady) this.#count(priority, 1);
    } else if (known.isPending) this.#raise(known, item, priority, isReady);
    else this.#markAgain(known, item, priority, isReady);
  }

  /** Returns true if the item is queued, or goes into the queue when its worker is done. */
  isReady(item: T): boolean {
    const known = this.#find(item);
    return known !== undefined && known.isPending && known.isReady;
  }

  /** Returns the priority of an item that waits or, if it does not, that a worker has. */
  priorityOf(item: T): number | undefined {
    const known = this.#find(item);
    return known?.isPending === true ? known.priority : known?.takenPriority;
  }

  /** Returns the priority with which a worker got the item. */
  takenPriority(item: T): number | undefined {
    return this.#find(item)?.takenPriority;
  }

  push(item: T): void {
    let known = this.#find(item);
    if (known?.isPending !== true) {
      // An item that its worker returned without processing it was not marked.
      this.mark(item, known?.takenPriority ?? 0, true);
      known = this.#find(item) as Entry<T>;
    }
    known.takenPriority = undefined;
    this.#heap.push(known);
  }

  pop(): T {
    const first = this.#heap.pop() as Entry<T>;
    first.isPending = false;
    first.takenPriority = first.priority;
    this.#count(first.priority, -1);
    return first.item;
  }

  touch(item: T): void {
    const known = this.#find(item);
    if (known !== undefined) this.#heap.update(known);
  }

  /** Forgets that a worker had the item. */
  done(item: T): void {
    const known = this.#find(item);
    if (known === undefined) return;
    known.takenPriority = undefined;
    if (!known.isPending) this.#remove(known);
  }

  /** Forgets the items that wait for their delay. */
  dropDelayed(): void {
    for (const known of this.#entries) {
      if (known === undefined || !known.isPending || known.isReady) continue;
      known.isPending = false;
      if (known.takenPriority === undefined) this.#remove(known);
    }
  }

  #find(item: T): Entry<T> | undefined {
    const slot = this.#slots.find(this.#keyFunc(item));
    return slot === NO_SLOT ? undefined : this.#entries[slot];
  }

  #raise(known: Entry<T>, item: T, priority: number, isReady: boolean): void {
    known.item = item;
    const becomesReady = isReady && !known.isReady;
    if (!becomesReady && priority <= known.priority) return;
    if (known.isReady) this.#count(known.priority, -1);
    known.priority = Math.max(priority, known.priority);
    known.order = this.#marks++;
    known.isReady ||= isReady;
    if (known.isReady) this.#count(known.priority, 1);
  }

  #markAgain(known: Entry<T>, item: T, priority: number, isReady: boolean): void {
    known.isPending = true;
    known.item = item;
    known.priority = priority;
    known.order = this.#marks++;
    known.isReady = isReady;
    if (isReady) this.#count(priority, 1);
  }

  #remove({ slot }: Entry<T>): void {
    this.#entries[slot] = undefined;
    this.#slots.remove(slot);
    if (this.#slots.span === 0) this.#entries.length = 0;
  }

  #count(priority: number, change: 1 | -1): void {
    if (this.depthOf === undefined) return;
    const depth = (this.#depths.get(priority) ?? 0) + change;
    if (depth === 0) this.#depths.delete(priority);
    else this.#depths.set(priority, depth);
    this.depthOf(priority).set(depth);
  }
}

function isBefore(left: Entry<unknown>, right: Entry<unknown>): boolean {
  return left.priority === right.priority
    ? left.order < right.order
    : left.priority > right.priority;
}
