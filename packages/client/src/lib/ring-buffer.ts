/** Small enough to cost nothing, and a power of two, so that positions wrap by a mask. */
const smallestCapacity = 16;

/**
 * A first-in-first-out queue in one array that is used in circles: adding and taking are O(1)
 * however long it gets, where `Array.shift` moves everything. It grows as needed and gives memory
 * back when it has become mostly empty. Taken items are let go of at once.
 */
export class RingBuffer<T> {
  #slots: (T | undefined)[] = emptySlots(smallestCapacity);
  #head = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Adds to the end. */
  push(item: T): void {
    if (this.#size === this.#slots.length) this.#resize(this.#slots.length * 2);
    this.#slots[this.#position(this.#size)] = item;
    this.#size += 1;
  }

  /** Takes from the front. If `undefined` can be an item, ask {@link RingBuffer.size} first. */
  shift(): T | undefined {
    if (this.#size === 0) return undefined;
    const item = this.#slots[this.#head];
    this.#slots[this.#head] = undefined;
    this.#head = this.#position(1);
    this.#size -= 1;
    // At a quarter, not at a half: a queue that goes up and down by one must not resize each time.
    if (this.#slots.length > smallestCapacity && this.#size <= this.#slots.length / 4) {
      this.#resize(this.#slots.length / 2);
    }
    return item;
  }

  /** The front, without taking it. */
  peek(): T | undefined {
    return this.#slots[this.#head];
  }

  clear(): void {
    this.#slots = emptySlots(smallestCapacity);
    this.#head = 0;
    this.#size = 0;
  }

  /** From front to end. Do not add or take while iterating. */
  *[Symbol.iterator](): Generator<T, void, undefined> {
    for (let offset = 0; offset < this.#size; offset += 1) {
      yield this.#slots[this.#position(offset)] as T;
    }
  }

  #position(offset: number): number {
    return (this.#head + offset) & (this.#slots.length - 1);
  }

  #resize(capacity: number): void {
    const slots = emptySlots<T>(capacity);
    let offset = 0;
    for (const item of this) {
      slots[offset] = item;
      offset += 1;
    }
    this.#slots = slots;
    this.#head = 0;
  }
}

function emptySlots<T>(capacity: number): (T | undefined)[] {
  return Array.from({ length: capacity });
}
