const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
export const SPACE = 0x20;
export const QUOTE = 0x22;
const PLUS = 0x2b;
export const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
export const COLON = 0x3a;
export const OPEN_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_BRACKET = 0x5d;
const LOWER_E = 0x65;
const LOWER_U = 0x75;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;

/** The result for bytes that are not JSON. */
export const MALFORMED = -1;

/** The characters after a backslash, besides `u`. */
const IS_ESCAPE = new Uint8Array(256);
for (const letter of '"\\/bfnrt') IS_ESCAPE[letter.charCodeAt(0)] = 1;

const IS_HEX = new Uint8Array(256);
for (const digit of '0123456789abcdefABCDEF') IS_HEX[digit.charCodeAt(0)] = 1;

const WORDS = new Map(
  ['true', 'false', 'null'].map((word) => [word.charCodeAt(0), Buffer.from(word)]),
);

/** Returns the position of the first byte that is not white space. */
export function endOfSpace(bytes: Uint8Array, start: number, limit: number): number {
  let position = start;
  while (position < limit) {
    const byte = bytes[position] as number;
    if (byte > SPACE) return position;
    if (byte !== SPACE && byte !== LINE_FEED && byte !== CARRIAGE_RETURN && byte !== TAB) {
      return position;
    }
    position++;
  }
  return position;
}

/**
 * Returns the position after the JSON value that begins at `start`, or {@link MALFORMED} if there
 * is none. It accepts exactly what `JSON.parse` accepts in UTF-8. It builds nothing, and the depth
 * of nesting is not limited by the stack.
 */
export function endOfValue(bytes: Uint8Array, start: number, limit: number): number {
  let position = start;
  let stack = closers;
  let depth = 0;
  /** The closing byte of the innermost object or list; 0 at the top level. */
  let close = 0;
  let isKeyNext = false;
  // Each iteration reads one value, or one key with its colon. White space is rare, and strings are
  // short, so calls are avoided.
  for (;;) {
    let first = position < limit ? (bytes[position] as number) : 0;
    if (first <= SPACE) {
      position = endOfSpace(bytes, position, limit);
      if (position >= limit) return MALFORMED;
      first = bytes[position] as number;
    }
    if (first === QUOTE) {
      position++;
      for (;;) {
        let byte = 0;
        // Most bytes are lower-case letters.
        while (position < limit) {
          byte = bytes[position++] as number;
          if (byte > BACKSLASH) continue;
          if (byte === QUOTE || byte === BACKSLASH || byte < SPACE) break;
        }
        if (byte === QUOTE) break;
        if (byte !== BACKSLASH) return MALFORMED;
        position = endOfEscape(bytes, position, limit);
      }
      if (isKeyNext) {
        if (bytes[position] !== COLON) position = endOfSpace(bytes, position, limit);
        if (position >= limit || bytes[position] !== COLON) return MALFORMED;
        position++;
        isKeyNext = false;
        continue;
      }
    } else if (isKeyNext) return MALFORMED;
    else if (first === OPEN_BRACE || first === OPEN_BRACKET) {
      if (depth === stack.length) stack = growClosers();
      stack[depth++] = close;
      close = first + 2;
      position++;
      if (position < limit && (bytes[position] as number) <= SPACE) {
        position = endOfSpace(bytes, position, limit);
      }
      if (position >= limit || bytes[position] !== close) {
        isKeyNext = close === CLOSE_BRACE;
        continue;
      }
    } else {
      position = endOfWord(bytes, position, limit, first);
      if (position === MALFORMED) return MALFORMED;
    }
    // After a value: close what ends here, and continue with the next member or item.
    for (;;) {
      if (depth === 0) return position;
      let byte = position < limit ? (bytes[position] as number) : 0;
      if (byte <= SPACE) {
        position = endOfSpace(bytes, position, limit);
        if (position >= limit) return MALFORMED;
        byte = bytes[position] as number;
      }
      position++;
      if (byte === COMMA) {
        isKeyNext = close === CLOSE_BRACE;
        break;
      }
      if (byte !== close) return MALFORMED;
      close = stack[--depth] as number;
    }
  }
}

/** The closing bytes of the enclosing objects and lists. Used by one call at a time. */
let closers: Uint8Array = new Uint8Array(256);

function growClosers(): Uint8Array {
  const larger = new Uint8Array(closers.length * 2);
  larger.set(closers);
  closers = larger;
  return larger;
}

/** Returns the position after a number, true, false or null. */
function endOfWord(bytes: Uint8Array, start: number, limit: number, first: number): number {
  if (first === MINUS || isDigit(first)) return endOfNumber(bytes, start, limit);
  const word = WORDS.get(first);
  if (word === undefined || start + word.length > limit) return MALFORMED;
  for (let index = 1; index < word.length; index++) {
    if (bytes[start + index] !== word[index]) return MALFORMED;
  }
  return start + word.length;
}

/** Returns the position after an escape, or `limit` if there is none: no string ends with an escape. */
function endOfEscape(bytes: Uint8Array, start: number, limit: number): number {
  const escaped = start < limit ? (bytes[start] as number) : 0;
  if (IS_ESCAPE[escaped] === 1) return start + 1;
  const end = start + 5;
  if (escaped !== LOWER_U || end > limit) return limit;
  for (let position = start + 1; position < end; position++) {
    if (IS_HEX[bytes[position] as number] === 0) return limit;
  }
  return end;
}

function endOfNumber(bytes: Uint8Array, start: number, limit: number): number {
  let position = start;
  if (bytes[position] === MINUS) position++;
  const first = position;
  position = endOfDigits(bytes, position, limit);
  const isPadded = bytes[first] === ZERO && position > first + 1;
  if (position === first || isPadded) return MALFORMED;
  if (position < limit && bytes[position] === DOT) {
    const fraction = position + 1;
    position = endOfDigits(bytes, fraction, limit);
    if (position === fraction) return MALFORMED;
  }
  if (position < limit && ((bytes[position] as number) | SPACE) === LOWER_E) {
    position++;
    const sign = position < limit ? bytes[position] : 0;
    if (sign === PLUS || sign === MINUS) position++;
    const exponent = position;
    position = endOfDigits(bytes, exponent, limit);
    if (position === exponent) return MALFORMED;
  }
  return position;
}

function endOfDigits(bytes: Uint8Array, start: number, limit: number): number {
  let position = start;
  while (position < limit && isDigit(bytes[position] as number)) position++;
  return position;
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}

/**
 * Like {@link endOfValue}, for a value that it has already accepted: examines only quotes and brackets,
 * and the end of a number or word.
 */
export function endOfKnown(bytes: Uint8Array, start: number): number {
  let depth = 0;
  let position = start;
  for (;;) {
    const byte = bytes[position++] as number;
    if (byte === QUOTE) {
      position = endOfKnownString(bytes, position);
      if (depth === 0) return position;
    } else if ((byte & 0xd9) === 0x59) {
      // Brackets and braces have these bits; hardly any other byte of JSON has.
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
      else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        // Of a word, the bracket is that of the object or list around it.
        if (depth === 0) return position - 1;
        if (--depth === 0) return position;
      }
    } else if (depth === 0 && (byte === COMMA || byte <= SPACE)) return position - 1;
  }
}

function endOfKnownString(bytes: Uint8Array, start: number): number {
  let position = start;
  for (;;) {
    const byte = bytes[position++] as number;
    if (byte === QUOTE) return position;
    if (byte === BACKSLASH) position++;
  }
}
