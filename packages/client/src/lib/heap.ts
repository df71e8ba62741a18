/** What a {@link Heap} can hold: it writes down in the item where the item is. */
export interface HeapItem {
  /** The place in the heap, -1 while in none. Only the heap writes it. */
  heapIndex: number;
}

/**
 * A binary heap that always knows its first item. Items know their places, so one in the middle can
 * be moved or taken out in O(log n). An item can be in one heap at a time.
 */
export class Heap<T extends HeapItem> {
  readonly #items: T[] = [];
  readonly #isBefore: (left: T, right: T) => boolean;

  /** `isBefore` must be a strict order; items of equal rank come out in any order. */
  constructor(isBefore: (left: T, right: T) => boolean) {
    this.#isBefore = isBefore;
  }

  get size(): number {
    return this.#items.length;
  }

  /** The first item, without taking it. */
  peek(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    if (item.heapIndex !== -1) throw new TypeError('the item is in a heap already');
    this.#items.push(item);
    this.#rise(item, this.#items.length - 1);
  }

  /** Takes the first item. */
  pop(): T | undefined {
    const first = this.#items[0];
    if (first !== undefined) this.remove(first);
    return first;
  }

  /** Takes an item from wherever it is; false if it is not here. */
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

  /** Puts an item into its right place after its rank has changed; false if it is not here. */
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
