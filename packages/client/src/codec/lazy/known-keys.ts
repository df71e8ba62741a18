import { systemRandom } from '../../lib/random.ts';
import { textOf } from '../wire/text-cache.ts';

const SLASH = 0x2f;
const smallestCapacity = 256;
/** Two mebibytes. A stream of more objects finds only some of their keys. */
const largestCapacity = 2 ** 18;

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
 */
export class KnownKeys {
  #slots: string[] = emptySlots(smallestCapacity);
  #size = 0;

  /**
   * Returns the key of an object; empty if it has no name. Undefined if the key would not tell the
   * name: there is a slash in it, or only a namespace.
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
    if (bits >= 0x80) return keyIn(ranges);
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (let known = slots[slot] as string; known !== ''; known = slots[slot] as string) {
      if (isKey(known, ranges)) return known;
      slot = (slot + 1) & mask;
    }
    const key = keyIn(ranges);
    slots[slot] = key;
    this.#size += 1;
    if (this.#size * 3 > slots.length * 2) this.#startOver();
    return key;
  }

  /** Keys that are still of interest come again; those of deleted objects do not. */
  #startOver(): void {
    this.#slots = emptySlots(Math.min(this.#slots.length * 2, largestCapacity));
    this.#size = 0;
  }
}

function emptySlots(capacity: number): string[] {
  return new Array<string>(capacity).fill('');
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

function keyIn(ranges: KeyRanges): string {
  const { bytes, namespaceStart, namespaceEnd, nameStart, nameEnd } = ranges;
  const name = bytes.toString('utf8', nameStart, nameEnd);
  if (namespaceEnd === namespaceStart) return name;
  return `${textOf(bytes, namespaceStart, namespaceEnd)}/${name}`;
}
