import { quotedText } from './quoted-text.ts';
import { JsonPathError, type Part, type Path, type Slice, type Step } from './template.ts';

const letter = /[\p{L}\p{Nd}_]/u;
const terminator = /[ \t\r\n.,[\]$@{}]/;
const comparison = /^([^!<>=]+)([!<>=]+)(.+)$/;
const dictKey = /^'([^']*)'$/;
const slicePattern = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/;

/**
 * Reads a template in kubectl's dialect of JSONPath. Its quirks are kept, because templates depend
 * on them: `['a.b']` is a path of two fields unless the dot is escaped, a filter compares once, and
 * a bracket ends at the first `]`.
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

/** Reads what stands between braces. */
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

  /** Reads to the closing brace and past it. */
  parse(): Path {
    while (!this.#takes('}')) this.#step();
    return this.#steps;
  }

  #step(): void {
    if (this.#takes('[?(')) return this.#filter();
    if (this.#takes('..')) return this.#recursive();
    const character = String.fromCodePoint(this.#text.codePointAt(this.position) ?? 0x0a);
    if (this.position >= this.#text.length || character === '\n' || character === '\r') {
      throw new JsonPathError('unclosed action');
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
        throw new JsonPathError(
          `unrecognized character in action: ${codePointName(character)} '${character}'`,
        );
    }
  }

  #recursive(): void {
    if (this.#steps.at(-1)?.type === 'recursive') {
      throw new JsonPathError('invalid multiple recursive descent');
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
      throw new JsonPathError(`cannot parse number ${written}`);
    }
    const isFloat = written.includes('.');
    this.#steps.push({ type: 'number', value: Number(written), isFloat });
  }

  #quote(mark: string): void {
    const start = this.position;
    do {
      this.position += 1;
      if (this.position >= this.#text.length || this.#text[this.position] === '\n') {
        throw new JsonPathError('unterminated quoted string');
      }
    } while (this.#text[this.position] !== mark || this.#text[this.position - 1] === '\\');
    this.position += 1;
    const written = this.#text.slice(start, this.position);
    const text = quotedText(written);
    if (text === undefined) {
      throw new JsonPathError(`unquote string ${written} error invalid syntax`);
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

  /** A quoted text may hold a parenthesis; there can be one pair of quotes. */
  #filter(): void {
    const start = this.position;
    let quote = '';
    let isClosed = true;
    for (; ; this.position += 1) {
      const character = this.#text[this.position];
      if (character === undefined || character === '\n') {
        throw new JsonPathError('unterminated filter');
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
    if (!this.#takes(']')) throw new JsonPathError('unclosed array expect ]');
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

  /** The text from here to a character, which is skipped. */
  #until(end: string, complaint: string): string {
    const found = this.#text.indexOf(end, this.position);
    const text = this.#text.slice(this.position, found);
    if (found === -1 || text.includes('\n')) throw new JsonPathError(complaint);
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
  if (match === null) throw new JsonPathError(`invalid array index ${text}`);
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
  if (!Number.isInteger(index)) throw new JsonPathError(`array index ${text} is not a number`);
  return index;
}

function codePointName(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  return `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
}
