/** A step of a path: what it makes of the values that the steps before it found. */
export type PathNode =
  | { readonly type: 'field'; readonly name: string }
  | { readonly type: 'wildcard' }
  | { readonly type: 'recursive' }
  | { readonly type: 'slice'; readonly bounds: SliceBounds }
  | { readonly type: 'union'; readonly branches: readonly (readonly PathNode[])[] }
  | {
      readonly type: 'filter';
      readonly left: readonly PathNode[];
      /** Absent: whether the left side finds anything. */
      readonly operator?: string;
      readonly right: readonly PathNode[];
    }
  | { readonly type: 'literal'; readonly value: boolean | string }
  | { readonly type: 'number'; readonly value: number; readonly isFloat: boolean }
  /** A word that means something in templates, but leads nowhere in a path. */
  | { readonly type: 'word'; readonly name: string };

/** `[start:end:step]`; what is absent was not written. */
export interface SliceBounds {
  readonly start?: number;
  readonly end?: number;
  readonly step?: number;
  /** Only an index was written: one item is wanted, counted from the end if below zero. */
  readonly isIndex: boolean;
}

/** A path that cannot be read. */
export class JsonPathError extends Error {
  override readonly name = 'JsonPathError';
  readonly code = 'JSON_PATH_INVALID';
}

/**
 * Reads a path in the dialect of Kubernetes, such as `.status.conditions[?(@.type=="Ready")].status`.
 * Throws {@link JsonPathError}.
 */
export function parseJsonPath(text: string): readonly PathNode[] {
  return new PathParser(text).parse();
}

const WORD_END = new Set(['', ' ', '\t', '\r', '\n', '.', ',', '[', ']', '$', '@', '{', '}']);
const LETTER_OR_DIGIT = /^[\p{L}\p{Nd}_]/u;
const SLICE = /^(-?\d*)(?::(-?\d*))?(?::(-?\d*))?$/;
const COMPARISON = /^([^!<>=]+)([!<>=]+)(.+)$/s;

class PathParser {
  readonly #text: string;
  readonly #nodes: PathNode[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): readonly PathNode[] {
    // Paths stand in braces in templates, and a closing one ends them here too.
    while (this.#at < this.#text.length && this.#text.charAt(this.#at) !== '}') this.#step();
    return this.#nodes;
  }

  #step(): void {
    const rest = this.#text.slice(this.#at);
    const next = rest.charAt(0);
    if (rest.startsWith('[?(')) this.#filter();
    else if (rest.startsWith('..')) this.#recursive();
    // The object itself, and room between steps.
    else if (next === ' ' || next === '@' || next === '$') this.#at++;
    else if (next === '[') this.#brackets();
    else if (next === '"' || next === "'") this.#quoted(next);
    else if (next === '.') this.#field(this.#at + 1);
    else if (/^[+\-\d]/.test(rest)) this.#number();
    else if (LETTER_OR_DIGIT.test(rest)) this.#word();
    else throw new JsonPathError(`unexpected ${JSON.stringify(next)} in ${this.#text}`);
  }

  #field(start: number): void {
    this.#at = start;
    const name = this.#take();
    this.#nodes.push(
      name === '*' ? { type: 'wildcard' } : { type: 'field', name: name.replaceAll('\\', '') },
    );
  }

  /** Up to the end of a word; a backslash makes the next character part of it. */
  #take(): string {
    const start = this.#at;
    while (!WORD_END.has(this.#text.charAt(this.#at))) {
      this.#at += this.#text.charAt(this.#at) === '\\' ? 2 : 1;
    }
    this.#at = Math.min(this.#at, this.#text.length);
    return this.#text.slice(start, this.#at);
  }

  #recursive(): void {
    if (this.#nodes.at(-1)?.type === 'recursive') {
      throw new JsonPathError(`".." twice in a row in ${this.#text}`);
    }
    this.#nodes.push({ type: 'recursive' });
    this.#at += 2;
    if (LETTER_OR_DIGIT.test(this.#text.slice(this.#at))) this.#field(this.#at);
  }

  #word(): void {
    const name = this.#take();
    this.#nodes.push(
      name === 'true' || name === 'false'
        ? { type: 'literal', value: name === 'true' }
        : { type: 'word', name },
    );
  }

  #number(): void {
    const [digits = ''] = /^[+-]?[\d.]*/.exec(this.#text.slice(this.#at)) ?? [];
    const isFloat = digits.includes('.');
    if (!/\d/.test(digits) || !Number.isFinite(Number(digits))) {
      throw new JsonPathError(`${digits} is not a number in ${this.#text}`);
    }
    this.#at += digits.length;
    this.#nodes.push({ type: 'number', value: Number(digits), isFloat });
  }

  #quoted(quote: string): void {
    const start = this.#at;
    let end = start + 1;
    while (this.#text.charAt(end) !== quote || this.#text.charAt(end - 1) === '\\') {
      if (end >= this.#text.length) throw new JsonPathError(`no closing ${quote} in ${this.#text}`);
      end++;
    }
    this.#at = end + 1;
    this.#nodes.push({ type: 'literal', value: unquote(this.#text.slice(start + 1, end), quote) });
  }

  #brackets(): void {
    const end = this.#text.indexOf(']', this.#at);
    if (end === -1) throw new JsonPathError(`no closing ] in ${this.#text}`);
    const inside = this.#text.slice(this.#at + 1, end);
    this.#at = end + 1;
    const choices = inside.split(',');
    if (choices.length > 1) {
      const branches = choices.map((choice) => parseJsonPath(`[${choice.trim()}]`));
      this.#nodes.push({ type: 'union', branches });
      return;
    }
    const key = /^'([^']*)'$/.exec(inside);
    if (key !== null) this.#nodes.push(...parseJsonPath(`.${key[1] ?? ''}`));
    else this.#nodes.push({ type: 'slice', bounds: parseSlice(inside === '*' ? ':' : inside) });
  }

  #filter(): void {
    const start = this.#at + 3;
    const end = filterEnd(this.#text, start);
    this.#at = end + 2;
    const [, left, operator, right] = COMPARISON.exec(this.#text.slice(start, end)) ?? [];
    this.#nodes.push(
      left === undefined || operator === undefined || right === undefined
        ? { type: 'filter', left: parseJsonPath(this.#text.slice(start, end)), right: [] }
        : { type: 'filter', left: parseJsonPath(left), operator, right: parseJsonPath(right) },
    );
  }
}

/** Where the condition of a filter ends: at the first `)` that is not in quotes. */
function filterEnd(text: string, start: number): number {
  let quote = '';
  let isOver = false;
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"' || character === "'") {
      if (quote === '') quote = character;
      else if (character === quote && text.charAt(at - 1) !== '\\') isOver = true;
    } else if (character === ')' && (quote === '') === !isOver) {
      if (text.charAt(at + 1) !== ']') throw new JsonPathError(`no ] after the filter in ${text}`);
      return at;
    }
  }
  throw new JsonPathError(`a filter has no end in ${text}`);
}

const ESCAPE = /\\(x[\da-fA-F]{2}|u[\da-fA-F]{4}|[0-7]{3}|.)/gs;
const ESCAPED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: '\x07',
    b: '\b',
    f: '\f',
    n: '\n',
    r: '\r',
    t: '\t',
    v: '\v',
    '\\': '\\',
  }),
);

/** Takes escapes out of a quoted text; only its own quote may be escaped. */
function unquote(text: string, quote: string): string {
  return text.replaceAll(ESCAPE, (whole, escape: string) => {
    const kind = escape.charAt(0);
    if (escape.length > 1) {
      const isOctal = kind !== 'x' && kind !== 'u';
      return String.fromCharCode(
        Number.parseInt(isOctal ? escape : escape.slice(1), isOctal ? 8 : 16),
      );
    }
    const character = kind === quote ? quote : ESCAPED.get(kind);
    if (character === undefined) throw new JsonPathError(`${whole} means nothing in "${text}"`);
    return character;
  });
}

function parseSlice(text: string): SliceBounds {
  const found = SLICE.exec(text);
  if (found === null) throw new JsonPathError(`[${text}] is neither an index nor a key`);
  const [, start = '', end, step] = found;
  const bound = (part: string | undefined): number | undefined => {
    if (part === undefined || part === '') return undefined;
    if (part === '-') throw new JsonPathError(`[${text}] is not a number`);
    return Number(part);
  };
  return {
    ...spread('start', bound(start)),
    ...spread('end', bound(end)),
    ...spread('step', bound(step)),
    isIndex: end === undefined,
  };
}

function spread<Key extends string>(key: Key, value: number | undefined): { [K in Key]?: number } {
  return (value === undefined ? {} : { [key]: value }) as { [K in Key]?: number };
}
