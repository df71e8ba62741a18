import { systemRandom } from './random.ts';

/** The initial number of slots: a power of two, so that positions wrap with a mask. */
const SMALLEST_CAPACITY = 64;

/** Above this capacity the arrays are released when the last key is removed. */
const LARGEST_KEPT_CAPACITY = 4096;

/** How many characters of a key are hashed at first: the last ones, because keys mostly begin alike. */
const TAIL = 8;

/** A key that is placed behind more keys with its hash than this is one of many that end alike. */
const MOST_ALIKE = 4;

/** The slot of a key that has none. */
export const NO_SLOT = -1;

/** Fixed: with a random one in a thousand would cluster. */
const FACTOR = 0x9e3779b1;

/** Different in each process, so that it is not known in advance which names collide. */
const seed = Math.floor(systemRandom.next() * 2 ** 32) | 0;

/**
 * Numbers keys: each has a slot, a small integer, until it is removed, and slots are reused. Owners
 * keep what they know of a key in arrays by slot, so that only the first step of several needs a
 * search. Keys are compared as `Map` compares them.
 *
 * For strings it is an open-addressed hash table with linear probing and no tombstones. It replaces
 * `Map` where keys are made for one use, such as `namespace/name` of a change: V8 14 internalizes a
 * string when a `Map` first sees it, which costs five times as much as hashing it here.
 *
 * Most of that is reading characters, so only the last ones are hashed, until keys are added that end
 * alike, by accident or on purpose: then all characters of all keys are hashed from there on.
 *
 * Memory shrinks when the last key is removed.
 */
export class KeySlots<K> {
  /**
   * Slots by hash, counted from 1; 0 is an empty position. Twice the capacity. The bits above those of a
   * slot are of the hash: most other keys are recognized as such without a look at them, which
   * would be somewhere else in memory.
   */
  #table = new Int32Array(2 * SMALLEST_CAPACITY);
  /** The hash of a slot with a string; of a free slot the next free one. */
  #hashes = new Int32Array(SMALLEST_CAPACITY);
  #keys: (K | undefined)[] = [];
  /** The slots of keys that are not strings. */
  #others: Map<K, number> | undefined;
  /** Whether all characters of keys are hashed. Never again only the last ones: the next keys will be like these. */
  #isWhole = false;
  #firstFree = NO_SLOT;
  /** The slots from here on were never used. */
  #unused = 0;
  #size = 0;

  /** The number of keys. */
  get size(): number {
    return this.#size;
  }

  /** All slots are below this. 0 after memory was released: owners truncate their arrays then. */
  get span(): number {
    return this.#unused;
  }

  /** Returns the slot of a key, or {@link NO_SLOT}. */
  find(key: K): number {
    if (typeof key !== 'string') return this.#others?.get(key) ?? NO_SLOT;
    return this.#findHashed(key, hashOf(key, this.#isWhole));
  }

  /** Returns the slot of a key, which it gets if it has none: below {@link KeySlots.span}, or equal to it. */
  findOrAdd(key: K): number {
    if (typeof key !== 'string') return this.#others?.get(key) ?? this.#addOther(key);
    const hash = hashOf(key, this.#isWhole);
    const known = this.#findHashed(key, hash);
    if (known !== NO_SLOT) return known;
    const slot = this.#take(key);
    this.#hashes[slot] = hash;
    if (place(this.#table, slot, hash) > MOST_ALIKE && !this.#isWhole) this.#hashWhole();
    return slot;
  }

  /** Whether the slot has this key. Always false for a key that is not a string: one is undefined, as is that of a free slot. */
  isAt(slot: number, key: K): boolean {
    return typeof key === 'string' && this.#keys[slot] === key;
  }

  /** Returns the key of a slot; undefined if it is free. */
  keyOf(slot: number): K | undefined {
    return this.#keys[slot];
  }

  /** Returns the keys, in the order of their slots. */
  listKeys(): K[] {
    const keys: K[] = [];
    for (const [slot, key] of this.#keys.entries()) {
      // A free slot has no key, and undefined may be one.
      if (key !== undefined || this.#others?.get(key as K) === slot) keys.push(key as K);
    }
    return keys;
  }

  /** Removes the key of a slot that is in use. */
  remove(slot: number): void {
    const key = this.#keys[slot] as K;
    if (typeof key === 'string') this.#unplace(slot);
    else this.#others?.delete(key);
    this.#size -= 1;
    if (this.#size === 0 && this.#hashes.length > LARGEST_KEPT_CAPACITY) {
      this.clear();
      return;
    }
    this.#keys[slot] = undefined;
    this.#hashes[slot] = this.#firstFree;
    this.#firstFree = slot;
  }

  clear(): void {
    this.#table = new Int32Array(2 * SMALLEST_CAPACITY);
    this.#hashes = new Int32Array(SMALLEST_CAPACITY);
    this.#keys = [];
    this.#others = undefined;
    this.#firstFree = NO_SLOT;
    this.#unused = 0;
    this.#size = 0;
  }

  #findHashed(key: K, hash: number): number {
    const table = this.#table;
    const mask = table.length - 1;
    for (let position = hash & mask; ; position = (position + 1) & mask) {
      const entry = table[position] as number;
      if (entry === 0) return NO_SLOT;
      // Equal above the mask.
      if (((entry ^ hash) & ~mask) !== 0) continue;
      const slot = (entry & mask) - 1;
      if (this.#keys[slot] === key) return slot;
    }
  }

  #addOther(key: K): number {
    const slot = this.#take(key);
    this.#others ??= new Map();
    this.#others.set(key, slot);
    return slot;
  }

  /** Returns a free slot, now with this key. */
  #take(key: K): number {
    let slot = this.#firstFree;
    if (slot === NO_SLOT) {
      if (this.#unused === this.#hashes.length) this.#grow();
      slot = this.#unused;
      this.#unused += 1;
    } else this.#firstFree = this.#hashes[slot] as number;
    this.#keys[slot] = key;
    this.#size += 1;
    return slot;
  }

  /** Doubles the capacity. Called when no slot is free. */
  #grow(): void {
    const hashes = new Int32Array(2 * this.#hashes.length);
    hashes.set(this.#hashes);
    this.#hashes = hashes;
    this.#fillTable();
  }

  /** Hashes all characters of all keys, once. */
  #hashWhole(): void {
    this.#isWhole = true;
    for (const [slot, key] of this.#keys.entries()) {
      if (typeof key === 'string') this.#hashes[slot] = hashOf(key, true);
    }
    this.#fillTable();
  }

  /** Makes the table for the capacity, from the hashes. */
  #fillTable(): void {
    const table = new Int32Array(2 * this.#hashes.length);
    for (let slot = 0; slot < this.#unused; slot += 1) {
      if (typeof this.#keys[slot] === 'string') place(table, slot, this.#hashes[slot] as number);
    }
    this.#table = table;
  }

  /** Removes a slot from the table and moves back those that were placed behind it. */
  #unplace(slot: number): void {
    const table = this.#table;
    const hashes = this.#hashes;
    const mask = table.length - 1;
    let position = (hashes[slot] as number) & mask;
    while (((table[position] as number) & mask) !== slot + 1) position = (position + 1) & mask;
    let hole = position;
    for (;;) {
      position = (position + 1) & mask;
      const entry = table[position] as number;
      if (entry === 0) break;
      const home = (hashes[(entry & mask) - 1] as number) & mask;
      if (((position - home) & mask) < ((position - hole) & mask)) continue;
      table[hole] = entry;
      hole = position;
    }
    table[hole] = 0;
  }
}

/** Returns how many keys before it have the same hash, as far as the table shows. */
function place(table: Int32Array, slot: number, hash: number): number {
  const mask = table.length - 1;
  let alike = 0;
  let position = hash & mask;
  for (;;) {
    const entry = table[position] as number;
    if (entry === 0) break;
    if (((entry ^ hash) & ~mask) === 0) alike += 1;
    position = (position + 1) & mask;
  }
  table[position] = (hash & ~mask) | (slot + 1);
  return alike;
}

/** Returns the hash of all characters, or of the length and the last ones. Exported for tests. */
export function hashOf(key: string, isWhole: boolean): number {
  const { length } = key;
  let mixed = Math.imul(seed ^ length, FACTOR);
  if (isWhole || length < TAIL) {
    for (let index = 0; index < length; index += 1) {
      mixed = Math.imul(mixed ^ key.charCodeAt(index), FACTOR);
    }
  } else {
    // Written out: a loop takes longer for so few, most of all if the table is in no cache of the processor.
    mixed = Math.imul(mixed ^ key.charCodeAt(length - 8), FACTOR);
    mixed = Math.imul(mixed ^ key.charCodeAt(length - 7), FACTOR);
    mixed = Math.imul(mixed ^ key.charCodeAt(length - 6), FACTOR);
    mixed = Math.imul(mixed ^ key.charCodeAt(length - 5), FACTOR);
    mixed = Math.imul(mixed ^ key.charCodeAt(length - 4), FACTOR);
    mixed = Math.imul(mixed ^ key.charCodeAt(length - 3), FACTOR);
    mixed = Math.imul(mixed ^ key.charCodeAt(length - 2), FACTOR);
    mixed = Math.imul(mixed ^ key.charCodeAt(length - 1), FACTOR);
  }
  // Products carry upwards only, and positions are taken from the low bits: the final mix of MurmurHash3.
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
