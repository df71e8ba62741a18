import type { JsonValue } from '../../lib/json.ts';
import { CodecError } from '../codec-error.ts';
import { parseJsonBytes } from '../json-text.ts';
import { textOf } from '../wire/short-texts.ts';

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Finds its way through JSON in UTF-8 without making anything of it. Bytes of characters beyond
 * ASCII never look like punctuation. It looks at quotes and brackets only: what is between them may
 * be broken, and is found out when it is parsed.
 */
export class JsonScanner {
  readonly bytes: Buffer;
  position: number;
  readonly limit: number;
  /** What the bytes are, for error messages. */
  readonly #what: string;

  constructor(bytes: Buffer, what: string, position = 0, limit: number = bytes.length) {
    this.bytes = bytes;
    this.position = position;
    this.limit = limit;
    this.#what = what;
  }

  /** The byte after any space; -1 at the end. */
  peek(): number {
    const { bytes, limit } = this;
    let { position } = this;
    while (position < limit) {
      const byte = bytes[position] as number;
      if (byte !== SPACE && byte !== LINE_FEED && byte !== CARRIAGE_RETURN && byte !== TAB) {
        this.position = position;
        return byte;
      }
      position++;
    }
    this.position = position;
    return -1;
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

  /** Moves past the value that begins here. */
  skip(): void {
    const first = this.peek();
    const { bytes, position, limit } = this;
    let end: number;
    if (first === QUOTE) end = endOfString(bytes, position + 1, limit);
    else if (first === OPEN_BRACE || first === OPEN_BRACKET) {
      end = endOfNested(bytes, position, limit);
    } else end = endOfWord(bytes, position, limit);
    if (end > limit || end === position) throw this.malformed();
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

/** After the quote at the end of a string; beyond the limit if there is none. */
function endOfString(bytes: Buffer, start: number, limit: number): number {
  let position = start;
  while (position < limit) {
    const byte = bytes[position++] as number;
    if (byte === QUOTE) return position;
    if (byte === BACKSLASH) position++;
  }
  return limit + 1;
}

/** After the bracket at the end of an object or list; beyond the limit if there is none. */
function endOfNested(bytes: Buffer, start: number, limit: number): number {
  let depth = 0;
  let position = start;
  while (position < limit) {
    const byte = bytes[position++] as number;
    if (byte === QUOTE) position = endOfString(bytes, position, limit);
    // Brackets and braces have these bits, and next to nothing else in JSON has.
    else if ((byte & 0xd9) === 0x59) {
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
      else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && --depth === 0) return position;
    }
  }
  return limit + 1;
}

/** After a number, true, false or null: at whatever cannot be part of one. */
function endOfWord(bytes: Buffer, start: number, limit: number): number {
  let position = start;
  while (position < limit) {
    const byte = bytes[position] as number;
    if (byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || byte <= SPACE) break;
    position++;
  }
  return position;
}

/** Whether the inside of a string is its own text: without escapes, and without what needs one. */
function isPlain(bytes: Buffer, start: number, end: number): boolean {
  for (let position = start; position < end; position++) {
    const byte = bytes[position] as number;
    if (byte < SPACE || byte === BACKSLASH) return false;
  }
  return true;
}
