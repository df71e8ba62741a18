/** The initial capacity: a power of two, so that positions wrap with a mask. */
const smallestCapacity = 16;

/**
 * A FIFO queue in a circular array: adding and removing are O(1), where `Array.shift` moves
 * everything. It grows as needed and shrinks when it is mostly empty. Removed items are released
 * immediately.
 */
export class RingBuffer<T> {
  #slots: (T | undefined)[] = emptySlots(smallestCapacity);
  #head = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Adds an item at the end. */
  push(item: T): void {
    if (this.#size === this.#slots.length) this.#resize(this.#slots.length * 2);
    this.#slots[this.#position(this.#size)] = item;
    this.#size += 1;
  }

  /**
   * Removes and returns the first item. If `undefined` can be an item, check {@link
   * RingBuffer.size} first.
   */
  shift(): T | undefined {
    if (this.#size === 0) return undefined;
    const item = this.#slots[this.#head];
    this.#slots[this.#head] = undefined;
    this.#head = this.#position(1);
    this.#size -= 1;
    // Shrinks at a quarter, so that a size around a power of two does not resize each time.
    if (this.#slots.length > smallestCapacity && this.#size <= this.#slots.length / 4) {
      this.#resize(this.#slots.length / 2);
    }
    return item;
  }

  /** Returns the first item without removing it. */
  peek(): T | undefined {
    return this.#slots[this.#head];
  }

  clear(): void {
    this.#slots = emptySlots(smallestCapacity);
    this.#head = 0;
    this.#size = 0;
  }

  /** Iterates from first to last. Do not add or remove meanwhile. */
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
    for (let offset = 0; offset < this.#size; offset += 1) {
      slots[offset] = this.#slots[this.#position(offset)];
    }
    this.#slots = slots;
    this.#head = 0;
  }
}

function emptySlots<T>(capacity: number): (T | undefined)[] {
  return new Array<T | undefined>(capacity).fill(undefined);
}
