/** An item of a {@link BinaryHeap}, which records its position in it. */
export interface BinaryHeapItem {
  /** The position in the heap; -1 if it is in none. Only the heap writes it. */
  heapIndex: number;
}

/**
 * A binary heap. Items record their position, so that any item can be moved or removed in O(log n).
 * An item can be in one heap at a time.
 */
export class BinaryHeap<T extends BinaryHeapItem> {
  readonly #items: T[] = [];
  readonly #isBefore: (left: T, right: T) => boolean;

  /** `isBefore` must be a strict order; equal items are in any order. */
  constructor(isBefore: (left: T, right: T) => boolean) {
    this.#isBefore = isBefore;
  }

  get size(): number {
    return this.#items.length;
  }

  /** Returns the first item without removing it. */
  peek(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    if (item.heapIndex !== -1) throw new TypeError('the item is already in a heap');
    this.#items.push(item);
    this.#rise(item, this.#items.length - 1);
  }

  /** Removes and returns the first item. */
  pop(): T | undefined {
    const first = this.#items[0];
    if (first !== undefined) this.remove(first);
    return first;
  }

  /** Removes an item from any position; false if it is not in this heap. */
  remove(item: T): boolean {
    const index = item.heapIndex;
    if (this.#items[index] !== item) return false;
    const last = this.#items.pop();
    item.heapIndex = -1;
    if (last !== undefined && last !== item) {
      last.heapIndex = index;
      this.#settle(last);
    }
    return true;
  }

  /** Restores the position of an item whose rank has changed; false if it is not in this heap. */
  update(item: T): boolean {
    if (this.#items[item.heapIndex] !== item) return false;
    this.#settle(item);
    return true;
  }

  #settle(item: T): void {
    this.#rise(item, item.heapIndex);
    this.#sink(item, item.heapIndex);
  }

  #rise(item: T, from: number): void {
    let index = from;
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = this.#items[parentIndex];
      if (parent === undefined || !this.#isBefore(item, parent)) break;
      this.#place(parent, index);
      index = parentIndex;
    }
    this.#place(item, index);
  }

  #sink(item: T, from: number): void {
    let index = from;
    for (;;) {
      const child = this.#firstChild(index);
      if (child === undefined || !this.#isBefore(child, item)) break;
      const childIndex = child.heapIndex;
      this.#place(child, index);
      index = childIndex;
    }
    this.#place(item, index);
  }

  #firstChild(index: number): T | undefined {
    const left = this.#items[2 * index + 1];
    const right = this.#items[2 * index + 2];
    if (left === undefined || right === undefined) return left;
    return this.#isBefore(right, left) ? right : left;
  }

  #place(item: T, index: number): void {
    this.#items[index] = item;
    item.heapIndex = index;
  }
}
