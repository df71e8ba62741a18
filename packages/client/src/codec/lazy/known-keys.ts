import { systemRandom } from '../../lib/random.ts';

const SLASH = 0x2f;
const smallestCapacity = 128;

/** That of FNV-1a. */
const prime = 0x01000193;
/** Different in each process, so that it is not known in advance which names collide. */
const seed = Math.floor(systemRandom.next() * 2 ** 32) | 0;

/** Where the namespace and the name of an object are in its bytes. Empty ranges for none. */
export interface KeyRanges {
  readonly bytes: Buffer;
  readonly namespaceStart: number;
  readonly namespaceEnd: number;
  readonly nameStart: number;
  readonly nameEnd: number;
}

/**
 * The keys of the objects of one stream, `namespace/name`, found by their bytes. Most events are
 * about an object that the stream has shown before: it gets the same string again. That is less to
 * allocate, and a `Map` finds a string that it has seen much faster than another one that is equal.
 *
 * There is a key for each object that has not been deleted, however many there are: the store of a large cache would
 * otherwise be asked with new strings only.
 */
export class KnownKeys {
  /**
   * Numbers of keys, from 1, by hash; 0 is an empty position. Twice as many as there can be keys. The bits above those of a
   * number are of the hash: other keys are recognized as such without a look at them, somewhere else in memory.
   */
  #table = new Int32Array(2 * smallestCapacity);
  /** In the order of their numbers. Empty where a key was forgotten. */
  #keys: string[] = [];
  #hashes = new Int32Array(smallestCapacity);
  #forgotten = 0;

  /** The number of keys. */
  get size(): number {
    return this.#keys.length - this.#forgotten;
  }

  /**
   * Returns the key of an object; empty if it has no name. Undefined if the name would not follow
   * from the key: there is a slash in it, or only a namespace.
   */
  find(ranges: KeyRanges): string | undefined {
    const { bytes, namespaceStart, namespaceEnd, nameStart, nameEnd } = ranges;
    if (nameEnd === nameStart) return namespaceEnd === namespaceStart ? '' : undefined;
    let hash = seed;
    let bits = 0;
    for (let at = namespaceStart; at < namespaceEnd; at++) {
      const byte = bytes[at] as number;
      if (byte === SLASH) return undefined;
      bits |= byte;
      hash = Math.imul(hash ^ byte, prime);
    }
    for (let at = nameStart; at < nameEnd; at++) {
      const byte = bytes[at] as number;
      if (byte === SLASH) return undefined;
      bits |= byte;
      hash = Math.imul(hash ^ byte, prime);
    }
    // It would not be found again: other characters have more than one byte.
    if (bits >= 0x80) return keyIn(ranges, 'utf8');
    hash ^= hash >>> 15;
    const table = this.#table;
    const mask = table.length - 1;
    for (let position = hash & mask; ; position = (position + 1) & mask) {
      const entry = table[position] as number;
      if (entry === 0) return this.#add(keyIn(ranges, 'latin1'), hash, position);
      if (((entry ^ hash) & ~mask) !== 0) continue;
      const known = this.#keys[(entry & mask) - 1] as string;
      if (isKey(known, ranges)) return known;
    }
  }

  /** Call it with the key of an object that was deleted. */
  forget(key: string): void {
    let hash = seed;
    for (let at = 0; at < key.length; at++) {
      const code = key.charCodeAt(at);
      if (code !== SLASH) hash = Math.imul(hash ^ code, prime);
    }
    hash ^= hash >>> 15;
    const table = this.#table;
    const mask = table.length - 1;
    for (let position = hash & mask; ; position = (position + 1) & mask) {
      const entry = table[position] as number;
      if (entry === 0) return;
      const index = (entry & mask) - 1;
      if (key === '' || this.#keys[index] !== key) continue;
      // The entry stays until the table is made again: others may have been placed behind it.
      this.#keys[index] = '';
      this.#forgotten += 1;
      return;
    }
  }

  #add(key: string, hash: number, position: number): string {
    const count = this.#keys.push(key);
    this.#hashes[count - 1] = hash;
    const mask = this.#table.length - 1;
    this.#table[position] = (hash & ~mask) | count;
    if (count === this.#hashes.length) this.#makeRoom();
    return key;
  }

  /** Leaves out what was forgotten, and grows if that was not much. */
  #makeRoom(): void {
    const before = this.#keys;
    const hashesBefore = this.#hashes;
    const left = before.length - this.#forgotten;
    const capacity = left > before.length / 2 ? 2 * before.length : before.length;
    const table = new Int32Array(2 * capacity);
    const hashes = new Int32Array(capacity);
    const mask = table.length - 1;
    if (this.#forgotten > 0) this.#keys = [];
    let count = 0;
    for (let index = 0; index < before.length; index++) {
      const key = before[index] as string;
      if (key === '') continue;
      const hash = hashesBefore[index] as number;
      if (this.#keys !== before) this.#keys.push(key);
      hashes[count] = hash;
      count += 1;
      let position = hash & mask;
      while (table[position] !== 0) position = (position + 1) & mask;
      table[position] = (hash & ~mask) | count;
    }
    this.#table = table;
    this.#hashes = hashes;
    this.#forgotten = 0;
  }
}

/** For keys in ASCII. */
function isKey(key: string, ranges: KeyRanges): boolean {
  const { bytes, namespaceStart, namespaceEnd, nameStart, nameEnd } = ranges;
  const namespaceLength = namespaceEnd - namespaceStart;
  const prefix = namespaceLength === 0 ? 0 : namespaceLength + 1;
  if (key.length !== prefix + nameEnd - nameStart) return false;
  // From the end: names often differ in their last characters.
  for (let at = key.length - 1, byteAt = nameEnd - 1; at >= prefix; at--, byteAt--) {
    if (key.charCodeAt(at) !== bytes[byteAt]) return false;
  }
  for (let at = 0; at < namespaceLength; at++) {
    if (key.charCodeAt(at) !== bytes[namespaceStart + at]) return false;
  }
  return prefix === 0 || key.charCodeAt(namespaceLength) === SLASH;
}

/** A key is put together here: what `+` returns is two strings until V8 has copied it. */
const scratch = Buffer.allocUnsafeSlow(1024);

function keyIn(ranges: KeyRanges, encoding: 'latin1' | 'utf8'): string {
  const { bytes, namespaceStart, namespaceEnd, nameStart, nameEnd } = ranges;
  if (namespaceEnd === namespaceStart) return bytes.toString(encoding, nameStart, nameEnd);
  const length = namespaceEnd - namespaceStart + 1 + nameEnd - nameStart;
  const target = length > scratch.length ? Buffer.allocUnsafe(length) : scratch;
  let end = 0;
  for (let at = namespaceStart; at < namespaceEnd; at++) target[end++] = bytes[at] as number;
  target[end++] = SLASH;
  for (let at = nameStart; at < nameEnd; at++) target[end++] = bytes[at] as number;
  return target.toString(encoding, 0, end);
}
