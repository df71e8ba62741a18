import type { JsonValue } from '../../lib/json.ts';
import { CodecError } from '../codec-error.ts';
import { parseJsonBytes } from '../json-text.ts';
import { textOf } from '../wire/text-cache.ts';
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
import { LEFT, type ScanMemory, scanMemory } from './scan-memory.ts';

/** The range to scan. Default: all bytes. */
export interface ScannedRange {
  readonly start?: number;
  readonly end?: number;
  /** True if the bytes have been scanned before and need no further check. */
  readonly isKnown?: boolean;
  /** The memory that the bytes are in, if they can be scanned there. */
  readonly memory?: ScanMemory;
}

/**
 * Scans JSON in UTF-8 without building values, and validates it: `JSON.parse` accepts what it
 * accepts.
 */
export class JsonScanner {
  readonly bytes: Buffer;
  position: number;
  readonly limit: number;
  /** A name for the bytes in error messages. */
  readonly #what: string;

  readonly #isKnown: boolean;
  /** The memory that the bytes are in, if they are scanned there. */
  readonly memory: ScanMemory | undefined;

  constructor(bytes: Buffer, what: string, range: ScannedRange = {}) {
    const { start = 0, end = bytes.length, isKnown = false, memory } = range;
    this.bytes = bytes;
    this.position = start;
    this.limit = end;
    this.#what = what;
    this.#isKnown = isKnown;
    this.memory = memory;
  }

  /** Returns a scanner of a copy of the bytes, if that is faster. Valid until the next one is made. */
  static ofCopy(bytes: Buffer, what: string, first = 0, last: number = bytes.length): JsonScanner {
    const memory = scanMemory();
    const start = memory?.load(bytes, first, last) ?? LEFT;
    return memory === undefined || start === LEFT
      ? new JsonScanner(bytes, what, { start: first, end: last })
      : new JsonScanner(memory.bytes, what, { start, end: start + last - first, memory });
  }

  /** Returns the next byte that is not white space; -1 at the end. */
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
   * Returns the key of the next member and moves to its value; undefined at the end of the object.
   * `isFirst` controls the comma.
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

  /** Moves to the next item of a list; false at its end. */
  nextItem(isFirst: boolean): boolean {
    return this.#next(isFirst, CLOSE_BRACKET) !== CLOSE_BRACKET;
  }

  /** Returns the string at the position. */
  string(): string {
    const start = this.position;
    if (this.#skipPlain()) return textOf(this.bytes, start + 1, this.position - 1);
    this.skip();
    return this.parse(start, this.position) as string;
  }

  /** Skips the value at the position. Returns true if it is a string whose bytes are its text. */
  skipText(): boolean {
    if (this.#skipPlain()) return true;
    this.skip();
    return false;
  }

  get isAtString(): boolean {
    return this.peek() === QUOTE;
  }

  /** Skips the value at the position; throws if there is none. */
  skip(): void {
    if (this.#isKnown) {
      const first = this.peek();
      if (first === OPEN_BRACE || first === OPEN_BRACKET) {
        this.position = endOfKnown(this.bytes, this.position);
        return;
      }
    }
    const end =
      this.memory === undefined
        ? endOfValue(this.bytes, this.position, this.limit)
        : this.memory.endOfValue(this.position, this.limit);
    if (end === MALFORMED) throw this.malformed();
    this.position = end;
  }

  /** Parses a range of the bytes. */
  parse(start: number, end: number): JsonValue {
    return parseJsonBytes(this.bytes, this.#what, start, end);
  }

  malformed(): CodecError {
    return new CodecError('CODEC_MALFORMED_JSON', `${this.#what} is not valid JSON`);
  }

  /**
   * Returns the first byte of the next member or item, or the closing bracket, which is skipped.
   */
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

  /** Skips a string without escapes, whose bytes are its text. Returns false for any other value. */
  #skipPlain(): boolean {
    const { bytes, limit } = this;
    let position = this.position;
    if (position >= limit || bytes[position++] !== QUOTE) return false;
    while (position < limit) {
      const byte = bytes[position++] as number;
      if (byte === QUOTE) {
        this.position = position;
        return true;
      }
      if (byte < SPACE || byte === BACKSLASH) return false;
    }
    return false;
  }
}
