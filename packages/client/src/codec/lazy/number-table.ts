const fewestSlots = 128;
/** Stands where a number was removed: others may have been placed behind it. */
const removed = -1;

/**
 * Numbers from 1 by hash; several may have the same one. A slot is two integers, the number and its hash: another hash is
 * recognized without a look at what the number stands for, somewhere else in memory.
 *
 * The table does not grow. When it {@link NumberTable.isFull}, a larger one takes its place, step by step.
 */
export class NumberTable {
  readonly #slots: Int32Array;
  readonly #mask: number;
  /** Slots with a number, and where one was removed. */
  #used = 0;

  /** `size` is a power of two. */
  constructor(size: number = fewestSlots) {
    this.#slots = new Int32Array(2 * size);
    this.#mask = size - 1;
  }

  /** The number of slots. */
  get size(): number {
    return this.#mask + 1;
  }

  /**
   * Returns an empty table for that many numbers and as many again: twice as large, or not if much of this one was removed.
   * It is never much smaller: numbers are added while those of this one are moved.
   */
  successor(numbers: number): NumberTable {
    let size = Math.max(this.size / 2, fewestSlots);
    while (numbers > (size * 3) / 8) size *= 2;
    return new NumberTable(size);
  }

  /** True if three of four slots are used: searches take longer from here on. */
  get isFull(): boolean {
    return this.#used >= (this.size * 3) / 4;
  }

  /**
   * Returns the next slot that has a number with this hash, or -1. Begin with the hash as `slot`; continue behind the
   * slot that was returned.
   */
  find(hash: number, slot: number = hash): number {
    const slots = this.#slots;
    const mask = this.#mask;
    for (let at = slot & mask; ; at = (at + 1) & mask) {
      const number = slots[2 * at] as number;
      if (number === 0) return -1;
      if (slots[2 * at + 1] === hash && number !== removed) return at;
    }
  }

  /** Returns the number in a slot; less than 1 if there is none. */
  numberAt(slot: number): number {
    return this.#slots[2 * slot] as number;
  }

  add(hash: number, number: number): void {
    const slots = this.#slots;
    const mask = this.#mask;
    let at = hash & mask;
    while (slots[2 * at] !== 0) at = (at + 1) & mask;
    slots[2 * at] = number;
    slots[2 * at + 1] = hash;
    this.#used += 1;
  }

  remove(slot: number): void {
    this.#slots[2 * slot] = removed;
  }

  /** Adds the numbers in some slots of another table. */
  move(from: NumberTable, start: number, end: number): void {
    const slots = from.#slots;
    for (let slot = start; slot < end; slot++) {
      const number = slots[2 * slot] as number;
      if (number > 0) this.add(slots[2 * slot + 1] as number, number);
    }
  }
}
