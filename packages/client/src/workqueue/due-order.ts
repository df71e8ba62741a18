import { BinaryHeap, type BinaryHeapItem } from '../lib/binary-heap.ts';
import { RingBuffer } from '../lib/ring-buffer.ts';

/** An item of a {@link DueOrder}. */
export interface Due extends BinaryHeapItem {
  /** Changed only by {@link DueOrder.advance}. */
  readyAt: number;
  /** The order of adding, which breaks ties between items that are due at the same time. */
  readonly order: number;
  /** True after the item was removed from the middle of the run. */
  isDropped: boolean;
}

/** Below this many dropped items the run is not rebuilt. */
const FEWEST_DROPPED = 64;

/**
 * Orders items by the time at which they are due. An item that is due no earlier than the last one
 * goes to the end of a run, in O(1), as do all with one delay; the others go into a heap, in
 * O(log n). The first item is the first of both.
 */
export class DueOrder<D extends Due> {
  #run = new RingBuffer<D>();
  readonly #heap = new BinaryHeap<D>(isBefore);
  /** When the last item of the run is due. */
  #lastAt = -Infinity;
  /** The number of items of the run that were removed. */
  #dropped = 0;

  get size(): number {
    return this.#run.size - this.#dropped + this.#heap.size;
  }

  push(item: D): void {
    if (item.readyAt >= this.#lastAt) {
      this.#run.push(item);
      this.#lastAt = item.readyAt;
    } else this.#heap.push(item);
  }

  /** Returns the first item without removing it. */
  peek(): D | undefined {
    const run = this.#run.peek();
    const heap = this.#heap.peek();
    if (run === undefined || heap === undefined) return run ?? heap;
    return isBefore(heap, run) ? heap : run;
  }

  remove(item: D): void {
    if (this.#heap.remove(item)) return;
    if (this.#run.peek() === item) {
      this.#run.shift();
      this.#trim();
      return;
    }
    item.isDropped = true;
    this.#dropped += 1;
    if (this.#dropped > FEWEST_DROPPED && this.#dropped > this.#run.size / 2) this.#rebuild();
  }

  /**
   * Moves an item to an earlier time. Returns false if it cannot: then it was removed, and a copy has
   * to be pushed.
   */
  advance(item: D, readyAt: number): boolean {
    if (item.heapIndex === -1) {
      this.remove(item);
      return false;
    }
    item.readyAt = readyAt;
    return this.#heap.update(item);
  }

  /** Ensures that the run does not begin with items that were removed. */
  #trim(): void {
    while (this.#run.peek()?.isDropped === true) {
      this.#run.shift();
      this.#dropped -= 1;
    }
    if (this.#run.size === 0) this.#lastAt = -Infinity;
  }

  #rebuild(): void {
    const run = new RingBuffer<D>();
    for (const item of this.#run) if (!item.isDropped) run.push(item);
    this.#run = run;
    this.#dropped = 0;
    if (run.size === 0) this.#lastAt = -Infinity;
  }
}

function isBefore(left: Due, right: Due): boolean {
  return left.readyAt === right.readyAt ? left.order < right.order : left.readyAt < right.readyAt;
}
