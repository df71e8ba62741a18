import { ClientError, defineErrors, getKey } from '../lib/index.ts';

/** The codes of {@link JSONPathError}. */
export const JSONPATH_ERRORS = {
  JSONPATH_INVALID: {
    retry: 'never',
    when: 'A JSONPath template has a syntax error, or does not fit the object.',
    hint: 'Check the JSONPath template.',
  },
} as const;

/**
 * A JSONPath template that cannot be parsed, or that cannot be applied to an object. The message is
 * kubectl's.
 */
export class JSONPathError extends ClientError {
  declare readonly code: keyof typeof JSONPATH_ERRORS;

  constructor(message: string) {
    super('JSONPATH_INVALID', message);
  }

  static {
    defineErrors(this, 'JSONPathError', 'JSONPATH', JSONPATH_ERRORS);
  }
}

/** The bounds of `[from:to:step]`; undefined where one is left out. */
export interface Slice {
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly step: number | undefined;
  /** True for `[3]`, which selects one element, in particular for `[-1]`. */
  readonly isIndex: boolean;
}

/** One step of a path: maps the values found so far to the next ones. */
export type Step =
  | { readonly type: 'field'; readonly name: string }
  | { readonly type: 'wildcard' }
  | { readonly type: 'recursive' }
  | { readonly type: 'slice'; readonly slice: Slice }
  | { readonly type: 'union'; readonly paths: readonly Path[] }
  | {
      readonly type: 'filter';
      readonly left: Path;
      /** Undefined for `exists`. */
      readonly right: Path | undefined;
      /** `exists`, or as written; an unknown operator fails on evaluation. */
      readonly operator: string;
    }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'number'; readonly value: number; readonly isFloat: boolean }
  | { readonly type: 'boolean'; readonly value: boolean }
  /** `range`, `end`, or any other identifier, which fails on evaluation. */
  | { readonly type: 'word'; readonly word: string };

/** Steps that are applied one after the other. */
export type Path = readonly Step[];

/** An action in braces, or the text between two actions. */
export type Part =
  | { readonly type: 'literal'; readonly text: string }
  | { readonly type: 'action'; readonly path: Path };

const letter = /[\p{L}\p{Nd}_]/u;
const terminator = /[ \t\r\n.,[\]$@{}]/;
const comparison = /^([^!<>=]+)([!<>=]+)(.+)$/;
const dictKey = /^'([^']*)'$/;
const slicePattern = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/;

/**
 * Parses a template in kubectl's dialect of JSONPath. Its quirks are kept because templates depend
 * on them: `['a.b']` is a path of two fields unless the dot is escaped, a filter has one comparison,
 * and a bracket ends at the first `]`.
 */
export function parseTemplate(text: string): Part[] {
  const parts: Part[] = [];
  let position = 0;
  while (position < text.length) {
    const open = text.indexOf('{', position);
    const end = open === -1 ? text.length : open;
    if (end > position) parts.push({ type: 'literal', text: text.slice(position, end) });
    if (open === -1) break;
    const action = new ActionParser(text, open + 1);
    parts.push({ type: 'action', path: action.parse() });
    position = action.position;
  }
  return parts;
}

/** Parses the text between braces. */
function parsePath(text: string): Path {
  const action = new ActionParser(`${text}}`, 0);
  return action.parse();
}

class ActionParser {
  position: number;
  readonly #text: string;
  readonly #steps: Step[] = [];

  constructor(text: string, position: number) {
    this.#text = text;
    this.position = position;
  }

  /** Parses up to and including the closing brace. */
  parse(): Path {
    while (!this.#takes('}')) this.#step();
    return this.#steps;
  }

  #step(): void {
    if (this.#takes('[?(')) return this.#filter();
    if (this.#takes('..')) return this.#recursive();
    const character = String.fromCodePoint(this.#text.codePointAt(this.position) ?? 0x0a);
    if (this.position >= this.#text.length || character === '\n' || character === '\r') {
      throw new JSONPathError('unclosed action');
    }
    switch (character) {
      case ' ':
      case '@':
      case '$':
        this.position += 1;
        return undefined;
      case '[':
        return this.#brackets();
      case '"':
      case "'":
        return this.#quote(character);
      case '.':
        this.position += 1;
        return this.#field();
      default:
        if (/[+\-\d]/.test(character)) return this.#number();
        if (letter.test(character)) return this.#word();
        throw new JSONPathError(
          `unrecognized character in action: ${codePointName(character)} '${character}'`,
        );
    }
  }

  #recursive(): void {
    if (this.#steps.at(-1)?.type === 'recursive') {
      throw new JSONPathError('invalid multiple recursive descent');
    }
    this.#steps.push({ type: 'recursive' });
    if (letter.test(this.#text[this.position] ?? '')) this.#field();
  }

  #field(): void {
    const start = this.position;
    while (!this.#isAtTerminator()) {
      this.position += this.#text[this.position] === '\\' ? 2 : 1;
    }
    const written = this.#text.slice(start, this.position);
    const name = written.replaceAll('\\', '');
    this.#steps.push(written === '*' ? { type: 'wildcard' } : { type: 'field', name });
  }

  #word(): void {
    const start = this.position;
    while (!this.#isAtTerminator()) this.position += 1;
    const word = this.#text.slice(start, this.position);
    const isBoolean = word === 'true' || word === 'false';
    this.#steps.push(
      isBoolean ? { type: 'boolean', value: word === 'true' } : { type: 'word', word },
    );
  }

  #number(): void {
    const [written = ''] = /^[+-]?[\d.]*/.exec(this.#text.slice(this.position)) ?? [];
    this.position += written.length;
    if (!/\d/.test(written) || written.split('.').length > 2) {
      throw new JSONPathError(`cannot parse number ${written}`);
    }
    const isFloat = written.includes('.');
    this.#steps.push({ type: 'number', value: Number(written), isFloat });
  }

  #quote(mark: string): void {
    const start = this.position;
    do {
      this.position += 1;
      if (this.position >= this.#text.length || this.#text[this.position] === '\n') {
        throw new JSONPathError('unterminated quoted string');
      }
    } while (this.#text[this.position] !== mark || this.#text[this.position - 1] === '\\');
    this.position += 1;
    const written = this.#text.slice(start, this.position);
    const text = quotedText(written);
    if (text === undefined) {
      throw new JSONPathError(`unquote string ${written} error invalid syntax`);
    }
    this.#steps.push({ type: 'text', text });
  }

  #brackets(): void {
    const inside = this.#until(']', 'unterminated array').slice(1);
    const members = inside.split(',');
    if (members.length > 1) {
      const paths = members.map((member) => parsePath(`[${member.replaceAll(/^ +| +$/g, '')}]`));
      this.#steps.push({ type: 'union', paths });
      return;
    }
    const key = dictKey.exec(inside)?.[1];
    if (key !== undefined) {
      this.#steps.push(...parsePath(`.${key}`));
      return;
    }
    this.#steps.push({ type: 'slice', slice: sliceOf(inside === '*' ? ':' : inside) });
  }

  /** A quoted string may contain a parenthesis; one pair of quotes is recognised. */
  #filter(): void {
    const start = this.position;
    let quote = '';
    let isClosed = true;
    for (; ; this.position += 1) {
      const character = this.#text[this.position];
      if (character === undefined || character === '\n') {
        throw new JSONPathError('unterminated filter');
      }
      if (character === '"' || character === "'") {
        if (quote === '') {
          quote = character;
          isClosed = false;
        } else if (character === quote && this.#text[this.position - 1] !== '\\') {
          isClosed = true;
        }
      }
      if (character === ')' && isClosed) break;
    }
    const inside = this.#text.slice(start, this.position);
    this.position += 1;
    if (!this.#takes(']')) throw new JSONPathError('unclosed array expect ]');
    const [, left, operator, right] = comparison.exec(inside) ?? [];
    this.#steps.push(
      left === undefined || operator === undefined || right === undefined
        ? { type: 'filter', left: parsePath(inside), right: undefined, operator: 'exists' }
        : { type: 'filter', left: parsePath(left), right: parsePath(right), operator },
    );
  }

  #takes(prefix: string): boolean {
    if (!this.#text.startsWith(prefix, this.position)) return false;
    this.position += prefix.length;
    return true;
  }

  /** Returns the text up to a character, and skips that character. */
  #until(end: string, complaint: string): string {
    const found = this.#text.indexOf(end, this.position);
    const text = this.#text.slice(this.position, found);
    if (found === -1 || text.includes('\n')) throw new JSONPathError(complaint);
    this.position = found + 1;
    return text;
  }

  #isAtTerminator(): boolean {
    const character = this.#text[this.position];
    return character === undefined || terminator.test(character);
  }
}

function sliceOf(text: string): Slice {
  const match = slicePattern.exec(text);
  if (match === null) throw new JSONPathError(`invalid array index ${text}`);
  const [, from = '', to, step] = match;
  return {
    from: from === '' ? undefined : indexOf(from),
    to: to === undefined || to === ':' ? undefined : indexOf(to.slice(1)),
    step: step === undefined || step === ':' ? undefined : indexOf(step.slice(1)),
    isIndex: to === undefined,
  };
}

function indexOf(text: string): number {
  const index = Number(text);
  if (!Number.isInteger(index)) throw new JSONPathError(`array index ${text} is not a number`);
  return index;
}

function codePointName(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  return `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
}

const named: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
};

const escape = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{3})|(.))|(.)/gsuy;

/**
 * Returns the text of a string in single or double quotes, with Go's escapes resolved. Only the
 * enclosing quote can be escaped. Undefined for an invalid escape.
 */
function quotedText(written: string): string | undefined {
  const quote = written[0];
  const inside = written.slice(1, -1);
  if (!inside.includes('\\')) return inside;
  let text = '';
  let end = 0;
  for (const match of inside.matchAll(escape)) {
    const [all, two, four, eight, octal, short, plain] = match;
    end = match.index + all.length;
    const hex = two ?? four ?? eight;
    const point = hex === undefined ? Number.parseInt(octal ?? '', 8) : Number.parseInt(hex, 16);
    if (plain !== undefined) {
      text += plain;
    } else if (short === undefined) {
      if (point > 0x10_ffff) return undefined;
      text += String.fromCodePoint(point);
    } else {
      const character = short === quote ? short : getKey(named, short);
      if (character === undefined) return undefined;
      text += character;
    }
  }
  return end === inside.length ? text : undefined;
}
