import { formatGoNumber, getKey, isJsonObject, quoteGo } from 'client-ts/internal';

import { LONGEST_QUOTE, shorten } from '../schema/shorten.ts';

/** Deeper values are cut off there: no message needs them, and the stack does not have to hold them. */
const DEEPEST_QUOTE = 100;

/**
 * Writes a value the way the server quotes it in messages: strings quoted, the rest as JSON with
 * the keys in the order they have. Nothing is `null`, whatever its type. A long value is cut off.
 */
export function quoteValue(value: unknown): string {
  if (typeof value === 'string') return quoteText(value);
  if (typeof value === 'number') return formatGoNumber(value);
  if (value === undefined || value === null) return 'null';
  return shorten(JSON.stringify(excerpt(value)).replace(/[<>&\u2028\u2029]/g, escapeForHtml));
}

/** A text in quotes, cut off if it is long. */
export function quoteText(text: string): string {
  return text.length <= LONGEST_QUOTE
    ? quoteGo(text)
    : `${quoteGo(text.slice(0, LONGEST_QUOTE))}...`;
}

/** Go's JSON is safe to paste into HTML, so these never appear as they are. */
function escapeForHtml(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * The value itself if it can be quoted whole, and otherwise as much of its beginning as a message
 * repeats. Costs no more than that, however large the value is.
 */
export function excerpt<T>(value: T): T {
  const room = new Room();
  const copy = room.copy(value, 0);
  return room.isExceeded ? (copy as T) : value;
}

class Room {
  #left = LONGEST_QUOTE;
  isExceeded = false;

  copy(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.#text(value);
    if (typeof value !== 'object' || value === null) {
      this.#take(1);
      return value;
    }
    this.#take(2);
    if (depth === DEEPEST_QUOTE) {
      this.isExceeded = true;
      return null;
    }
    return Array.isArray(value) ? this.#list(value, depth) : this.#map(value, depth);
  }

  #list(list: readonly unknown[], depth: number): unknown[] {
    const copy: unknown[] = [];
    for (const item of list) {
      if (this.isExceeded) break;
      copy.push(this.copy(item, depth + 1));
    }
    return copy;
  }

  #map(map: object, depth: number): unknown {
    if (!isJsonObject(map)) return map;
    const copy: (readonly [string, unknown])[] = [];
    for (const key in map) {
      if (this.isExceeded) break;
      if (!Object.hasOwn(map, key)) continue;
      copy.push([this.#text(key), this.copy(getKey(map, key), depth + 1)]);
    }
    return Object.fromEntries(copy);
  }

  #text(text: string): string {
    this.#take(text.length + 2);
    return text.length <= LONGEST_QUOTE ? text : text.slice(0, LONGEST_QUOTE);
  }

  #take(characters: number): void {
    this.#left -= characters;
    if (this.#left < 0) this.isExceeded = true;
  }
}
