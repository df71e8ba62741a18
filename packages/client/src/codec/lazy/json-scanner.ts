import type { JsonValue } from '../../lib/json.ts';
import { CodecError } from '../codec-error.ts';
import { parseJsonBytes } from '../json-text.ts';
import { textOf } from '../wire/wire-reader.ts';
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  endOfKnown,
  endOfSpace,
  endOfValue,
  MALFORMED,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
} from './json-grammar.ts';

/** The part of the bytes to scan. Default: all of them. */
export interface ScannedRange {
  readonly start?: number;
  readonly end?: number;
  /** True if a scanner has passed these bytes before, so that they need not be checked again. */
  readonly isKnown?: boolean;
}

/**
 * Moves through JSON in UTF-8 without building values, and checks all of it on the way: bytes that
 * are passed here are accepted by `JSON.parse`.
 */
export class JsonScanner {
  readonly bytes: Buffer;
  position: number;
  readonly limit: number;
  /** What the bytes are, for error messages. */
  readonly #what: string;

  readonly #isKnown: boolean;

  constructor(bytes: Buffer, what: string, range: ScannedRange = {}) {
    const { start = 0, end = bytes.length, isKnown = false } = range;
    this.bytes = bytes;
    this.position = start;
    this.limit = end;
    this.#what = what;
    this.#isKnown = isKnown;
  }

  /** The byte after any white space; -1 at the end. */
  peek(): number {
    const { bytes, limit } = this;
    this.position = endOfSpace(bytes, this.position, limit);
    return this.position < limit ? (bytes[this.position] as number) : -1;
  }

  get isAtObject(): boolean {
    return this.peek() === OPEN_BRACE;
  }

  get isAtList(): boolean {
    return this.peek() === OPEN_BRACKET;
  }

  /** Enters an object or list. */
  enter(): void {
    this.position++;
  }

  /**
   * The key of the next member, with the scanner at its value; undefined at the end of the object,
   * which is left. `isFirst` is for the comma.
   */
  nextKey(isFirst: boolean): string | undefined {
    const byte = this.#next(isFirst, CLOSE_BRACE);
    if (byte === CLOSE_BRACE) return undefined;
    if (byte !== QUOTE) throw this.malformed();
    const key = this.string();
    if (this.peek() !== COLON) throw this.malformed();
    this.position++;
    this.peek();
    return key;
  }

  /** True if another item follows, with the scanner at it; else the list is left. */
  nextItem(isFirst: boolean): boolean {
    return this.#next(isFirst, CLOSE_BRACKET) !== CLOSE_BRACKET;
  }

  /** The string that begins here. */
  string(): string {
    const start = this.position;
    this.skip();
    const { bytes, position } = this;
    return isPlain(bytes, start + 1, position - 1)
      ? textOf(bytes, start + 1, position - 1)
      : (this.parse(start, position) as string);
  }

  get isAtString(): boolean {
    return this.peek() === QUOTE;
  }

  /** Moves past the value that begins here; throws if there is none. */
  skip(): void {
    if (this.#isKnown) {
      const first = this.peek();
      if (first === OPEN_BRACE || first === OPEN_BRACKET) {
        this.position = endOfKnown(this.bytes, this.position);
        return;
      }
    }
    const end = endOfValue(this.bytes, this.position, this.limit);
    if (end === MALFORMED) throw this.malformed();
    this.position = end;
  }

  /** The value of a part of the bytes. */
  parse(start: number, end: number): JsonValue {
    return parseJsonBytes(this.bytes, this.#what, start, end);
  }

  malformed(): CodecError {
    return new CodecError('CODEC_MALFORMED_JSON', `${this.#what} is not valid JSON`);
  }

  /** The byte at which the next member or item begins, or the bracket after the last, passed. */
  #next(isFirst: boolean, close: number): number {
    let byte = this.peek();
    if (byte === close) {
      this.position++;
      return close;
    }
    if (isFirst) return byte;
    if (byte !== COMMA) throw this.malformed();
    this.position++;
    byte = this.peek();
    if (byte === close) throw this.malformed();
    return byte;
  }
}

/** Whether the inside of a string is its own text: without escapes, and without what needs one. */
function isPlain(bytes: Buffer, start: number, end: number): boolean {
  for (let position = start; position < end; position++) {
    const byte = bytes[position] as number;
    if (byte < SPACE || byte === BACKSLASH) return false;
  }
  return true;
}
