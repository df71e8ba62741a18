import { systemRandom } from '../../lib/random.ts';
import { NumberTable } from './number-table.ts';

const SLASH = 0x2f;
/** So many slots are moved with each call that the new table cannot answer: all of them long before it is full. */
const movedPerCall = 16;

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
 * otherwise be asked with new strings only. When their table is full, the calls that follow move them to another one, a few each:
 * to move a million in one call would stop the event loop for 70 ms.
 */
export class KnownKeys {
  /** By number, from 1. Empty where a key was forgotten. */
  readonly #keys: string[] = [];
  /** The numbers of forgotten keys, which are given again. */
  readonly #free: number[] = [];
  /** The numbers of keys by the hashes of their bytes. */
  #slots = new NumberTable();
  /** The table before that, while slots of it are moved, and the first that was not. Moved ones stay in both. */
  #before: NumberTable | undefined;
  #moved = 0;

  /** The number of keys. */
  get size(): number {
    return this.#keys.length - this.#free.length;
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
    const known = this.#keyIn(this.#slots, hash, ranges);
    if (known !== undefined) return known;
    const before = this.#before;
    if (before !== undefined) {
      const notMoved = this.#keyIn(before, hash, ranges);
      this.#moveSome(before);
      if (notMoved !== undefined) return notMoved;
    }
    return this.#add(keyIn(ranges, 'latin1'), hash);
  }

  /** Call it with the key of an object that was deleted. */
  forget(key: string): void {
    let hash = seed;
    for (let at = 0; at < key.length; at++) {
      const code = key.charCodeAt(at);
      if (code !== SLASH) hash = Math.imul(hash ^ code, prime);
    }
    hash ^= hash >>> 15;
    const before = this.#before;
    const numberBefore = before && this.#forgetIn(before, hash, key);
    const number = this.#forgetIn(this.#slots, hash, key) ?? numberBefore;
    if (before !== undefined) this.#moveSome(before);
    if (number === undefined) return;
    this.#keys[number - 1] = '';
    this.#free.push(number);
  }

  #keyIn(slots: NumberTable, hash: number, ranges: KeyRanges): string | undefined {
    for (let slot = slots.find(hash); slot !== -1; slot = slots.find(hash, slot + 1)) {
      const key = this.#keys[slots.numberAt(slot) - 1] as string;
      if (isKey(key, ranges)) return key;
    }
    return undefined;
  }

  #forgetIn(slots: NumberTable, hash: number, key: string): number | undefined {
    for (let slot = slots.find(hash); slot !== -1; slot = slots.find(hash, slot + 1)) {
      const number = slots.numberAt(slot);
      if (this.#keys[number - 1] !== key) continue;
      slots.remove(slot);
      return number;
    }
    return undefined;
  }

  #add(key: string, hash: number): string {
    let number = this.#free.pop();
    if (number === undefined) number = this.#keys.push(key);
    else this.#keys[number - 1] = key;
    this.#slots.add(hash, number);
    if (this.#slots.isFull) {
      this.#before = this.#slots;
      this.#slots = this.#before.successor(this.size);
      this.#moved = 0;
    }
    return key;
  }

  #moveSome(before: NumberTable): void {
    const end = Math.min(this.#moved + movedPerCall, before.size);
    this.#slots.move(before, this.#moved, end);
    this.#moved = end;
    if (end === before.size) this.#before = undefined;
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
