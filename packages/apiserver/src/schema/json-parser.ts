import { ClientError, defineErrors, quoteGo, setKey } from 'client-ts/internal';

/**
 * A parsed JSON value that preserves how it was written: a number that is not a plain integer is a
 * {@link JsonNumber}, an object with a duplicate key is a {@link RepeatedObject}. Everything else
 * is what `JSON.parse` returns, so an ordinary JSON value is a `JsonNode`, too.
 */
export type JsonNode =
  | string
  | number
  | boolean
  | null
  | undefined
  | JsonNumber
  | RepeatedObject
  | readonly JsonNode[]
  | { readonly [key: string]: JsonNode };

/** A number as written: `2.0`, `1e3`, `12345678901234567890`. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** An object with a duplicate key. */
export class RepeatedObject {
  readonly entries: (readonly [key: string, value: JsonNode])[];

  constructor(entries: (readonly [string, JsonNode])[]) {
    this.entries = entries;
  }
}

/** Text that is not JSON, with the message of Go's parser, which API servers pass on. */
export class JsonSyntaxError extends ClientError {
  constructor(message: string) {
    super('APISERVER_JSON_INVALID', message);
  }

  static {
    defineErrors(this, 'JsonSyntaxError', 'APISERVER', {
      APISERVER_JSON_INVALID: { retry: 'never' },
    });
  }
}

/**
 * The maximum nesting. A real server allows 10,000 levels; this limit leaves stack for everything
 * that walks objects recursively.
 */
export const MAX_DEPTH = 500;

const plainInteger = /^-?[0-9]{1,15}$/;

type MutableObject = Record<string, JsonNode>;

type Frame =
  | { readonly kind: 'array'; readonly items: JsonNode[] }
  | { readonly kind: 'object'; object: MutableObject | RepeatedObject; key: string };

/**
 * Parses a JSON text without losing anything. Several times slower than `JSON.parse`; `parseJson`
 * uses it only where needed. Throws a {@link JsonSyntaxError}.
 */
export function parseJsonExactly(text: string): JsonNode {
  return new JsonParser(text).parse();
}

class JsonParser {
  readonly #text: string;
  #at = 0;
  /** Open containers, from the outside in; not the call stack, which deep texts would exhaust. */
  readonly #open: Frame[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  parse(): JsonNode {
    for (;;) {
      let value = this.#begin();
      if (value === undefined) continue;
      for (;;) {
        const frame = this.#open.at(-1);
        if (frame === undefined) return this.#end(value);
        if (this.#attach(frame, value)) break;
        this.#open.pop();
        value = frame.kind === 'array' ? frame.items : frame.object;
      }
    }
  }

  /** Reads a complete value; undefined after opening a container with content. */
  #begin(): JsonNode {
    const character = this.#peek();
    switch (character) {
      case '{': {
        this.#enter({ kind: 'object', object: {}, key: '' });
        if (this.#take('}')) return this.#leave();
        this.#key();
        return undefined;
      }
      case '[':
        this.#enter({ kind: 'array', items: [] });
        return this.#take(']') ? this.#leave() : undefined;
      case '"':
        return this.#string();
      case 't':
        return this.#literal('true', true);
      case 'f':
        return this.#literal('false', false);
      case 'n':
        return this.#literal('null', null);
      default:
        if (character === '-' || isDigit(character)) return this.#number();
        return this.#fail('looking for beginning of value');
    }
  }

  /** Adds a complete value to its container; true if another value follows. */
  #attach(frame: Frame, value: JsonNode): boolean {
    if (frame.kind === 'array') {
      frame.items.push(value);
      if (this.#take(',')) return true;
      if (this.#take(']')) return false;
      return this.#fail('after array element');
    }
    addEntry(frame, value);
    if (this.#take(',')) {
      this.#key();
      return true;
    }
    if (this.#take('}')) return false;
    return this.#fail('after object key:value pair');
  }

  #end(value: JsonNode): JsonNode {
    this.#skipSpace();
    if (this.#at < this.#text.length) this.#fail('after top-level value');
    return value;
  }

  #enter(frame: Frame): void {
    if (this.#open.length >= MAX_DEPTH) this.#fail('exceeded max depth');
    this.#open.push(frame);
    this.#at++;
  }

  #leave(): JsonNode {
    const frame = this.#open.pop();
    return frame?.kind === 'array' ? frame.items : frame?.object;
  }

  #key(): void {
    if (this.#peek() !== '"') this.#fail('looking for beginning of object key string');
    const key = this.#string();
    const frame = this.#open.at(-1);
    if (frame?.kind === 'object') frame.key = key;
    if (!this.#take(':')) this.#fail('after object key');
  }

  #string(): string {
    const start = this.#at++;
    let escaped = false;
    for (;;) {
      const character = this.#text[this.#at];
      if (character === '"') break;
      if (character === '\\') {
        escaped = true;
        this.#escape();
      } else if (character === undefined || character < ' ') {
        this.#fail('in string literal');
      } else {
        this.#at++;
      }
    }
    this.#at++;
    if (!escaped) return this.#text.slice(start + 1, this.#at - 1);
    const value = JSON.parse(this.#text.slice(start, this.#at)) as string;
    // A lone surrogate is not a character and cannot be encoded in UTF-8.
    return value.replaceAll(/\p{Surrogate}/gu, '\ufffd');
  }

  #escape(): void {
    this.#at++;
    const character = this.#text[this.#at];
    if (character === undefined || !'"\\/bfnrtu'.includes(character)) {
      this.#failInToken('in string escape code');
    }
    this.#at++;
    if (character !== 'u') return;
    for (let digit = 0; digit < 4; digit++, this.#at++) {
      if (!/^[0-9a-fA-F]$/.test(this.#text[this.#at] ?? '')) {
        this.#failInToken(String.raw`in \u hexadecimal character escape`);
      }
    }
  }

  #literal<T>(word: string, value: T): T {
    for (const letter of word) {
      if (this.#text[this.#at] !== letter) {
        this.#failInToken(`in literal ${word} (expecting '${letter}')`);
      }
      this.#at++;
    }
    return value;
  }

  #number(): JsonNode {
    const start = this.#at;
    if (this.#text[this.#at] === '-') this.#at++;
    if (this.#text[this.#at] === '0') this.#at++;
    else this.#digits('in numeric literal');
    if (this.#text[this.#at] === '.') {
      this.#at++;
      this.#digits('after decimal point in numeric literal');
    }
    if (this.#text[this.#at] === 'e' || this.#text[this.#at] === 'E') {
      this.#at++;
      if (this.#text[this.#at] === '+' || this.#text[this.#at] === '-') this.#at++;
      this.#digits('in exponent of numeric literal');
    }
    const text = this.#text.slice(start, this.#at);
    return plainInteger.test(text) ? Number(text) : new JsonNumber(text);
  }

  #digits(context: string): void {
    if (!isDigit(this.#text[this.#at])) this.#failInToken(context);
    while (isDigit(this.#text[this.#at])) this.#at++;
  }

  #skipSpace(): void {
    while (' \t\r\n'.includes(this.#text[this.#at] ?? '!')) this.#at++;
  }

  #peek(): string | undefined {
    this.#skipSpace();
    return this.#text[this.#at];
  }

  #take(wanted: string): boolean {
    if (this.#peek() !== wanted) return false;
    this.#at++;
    return true;
  }

  #fail(context: string): never {
    const character = this.#text.codePointAt(this.#at);
    if (character === undefined) throw new JsonSyntaxError('unexpected end of JSON input');
    throw new JsonSyntaxError(`invalid character ${quoteByte(character)} ${context}`);
  }

  /** The same inside a token, where Go's parser treats the end of the text as a space. */
  #failInToken(context: string): never {
    if (this.#at >= this.#text.length) {
      throw new JsonSyntaxError(`invalid character ' ' ${context}`);
    }
    return this.#fail(context);
  }
}

function addEntry(frame: Frame & { kind: 'object' }, value: JsonNode): void {
  const { key, object } = frame;
  if (object instanceof RepeatedObject) object.entries.push([key, value]);
  else if (Object.hasOwn(object, key)) {
    frame.object = new RepeatedObject([...Object.entries(object), [key, value]]);
  } else setKey(object, key, value);
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9';
}

/** Go's parser sees bytes: it shows only the first byte of a non-ASCII character. */
function quoteByte(point: number): string {
  const byte = Buffer.from(String.fromCodePoint(point), 'utf8')[0] ?? 0;
  if (byte === 0x27) return String.raw`'\''`;
  if (byte === 0x22) return `'"'`;
  return `'${quoteGo(String.fromCodePoint(byte)).slice(1, -1)}'`;
}
