/** A pattern that Go's regexp package refuses; the message is its own. */
export class PatternError extends Error {
  override readonly name = 'PatternError';

  constructor(problem: string, at: string, cause?: unknown) {
    super(`error parsing regexp: ${problem}: \`${at}\``, { cause });
  }
}

const compiled = new Map<string, RegExp>();
const MOST_COMPILED = 1000;

/**
 * A pattern of a CRD as a JavaScript expression. CRDs write patterns in the syntax of Go, which
 * knows neither look-around nor back references; those are refused with a {@link PatternError}.
 * Matching is by backtracking, not in the linear time that Go guarantees.
 */
export function goPattern(pattern: string): RegExp {
  let expression = compiled.get(pattern);
  if (expression === undefined) {
    const { source, flags } = new PatternTranslator(pattern).translate();
    try {
      expression = new RegExp(source, `u${flags}`);
    } catch (error) {
      throw new PatternError('syntax that this server does not support', pattern, error);
    }
    if (compiled.size >= MOST_COMPILED) compiled.clear();
    compiled.set(pattern, expression);
  }
  return expression;
}

type Range = readonly [low: number, high: number];

const DIGITS: Range = [0x30, 0x39];
const UPPER: Range = [0x41, 0x5a];
const LOWER: Range = [0x61, 0x7a];
const SPACES: readonly Range[] = [
  [0x09, 0x0a],
  [0x0c, 0x0d],
  [0x20, 0x20],
];
const LAST_POINT = 0x10ffff;

const posixClasses: Readonly<Record<string, readonly Range[]>> = {
  alnum: [DIGITS, UPPER, LOWER],
  alpha: [UPPER, LOWER],
  ascii: [[0x00, 0x7f]],
  blank: [
    [0x09, 0x09],
    [0x20, 0x20],
  ],
  cntrl: [
    [0x00, 0x1f],
    [0x7f, 0x7f],
  ],
  digit: [DIGITS],
  graph: [[0x21, 0x7e]],
  lower: [LOWER],
  print: [[0x20, 0x7e]],
  punct: [
    [0x21, 0x2f],
    [0x3a, 0x40],
    [0x5b, 0x60],
    [0x7b, 0x7e],
  ],
  space: [
    [0x09, 0x0d],
    [0x20, 0x20],
  ],
  upper: [UPPER],
  word: [DIGITS, UPPER, [0x5f, 0x5f], LOWER],
  xdigit: [DIGITS, [0x41, 0x46], [0x61, 0x66]],
};

/** Everything that is in none of the ranges, which must be in order. */
function complement(ranges: readonly Range[]): Range[] {
  const gaps: Range[] = [];
  let next = 0;
  for (const [low, high] of ranges) {
    if (low > next) gaps.push([next, low - 1]);
    next = high + 1;
  }
  return [...gaps, [next, LAST_POINT]];
}

/** Ranges as they stand between the brackets of a class. */
function members(ranges: readonly Range[]): string {
  const point = (code: number): string => `\\u{${code.toString(16)}}`;
  return ranges.map(([low, high]) => `${point(low)}-${point(high)}`).join('');
}

const SYNTAX_CHARACTERS = '^$\\.*+?()[]{}|/';
const MOST_REPETITIONS = 1000;
/** Escapes that stand for several characters, and so begin and end no range. */
const classEscape = /^\\[dDpPsSwW]/;

class PatternTranslator {
  readonly #pattern: string;
  #at = 0;
  #depth = 0;
  #flags = '';
  /** What a repetition would apply to: nothing, an atom, or something repeated already. */
  #before: 'atom' | 'none' | 'repetition' = 'none';
  #repetitionAt = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  translate(): { source: string; flags: string } {
    let source = '';
    while (this.#at < this.#pattern.length) source += this.#next();
    if (this.#depth > 0) throw new PatternError('missing closing )', this.#pattern);
    return {
      source,
      flags: [...new Set(this.#flags)].filter((flag) => 'im'.includes(flag)).join(''),
    };
  }

  #next(): string {
    const character = this.#character();
    switch (character) {
      case '(':
        return this.#open();
      case ')':
        if (this.#depth-- === 0) throw new PatternError('unexpected )', this.#pattern);
        return this.#atom(this.#take(1));
      case '|':
      case '^':
      case '$':
        this.#before = character === '|' ? 'none' : 'atom';
        return character === '|' ? this.#take(1) : this.#assertion(this.#take(1));
      case '.':
        this.#take(1);
        return this.#atom(this.#flags.includes('s') ? String.raw`[\s\S]` : String.raw`[^\n]`);
      case '[':
        return this.#atom(this.#class());
      case '*':
      case '+':
      case '?':
        return this.#repeat(this.#take(1));
      case '{': {
        const count = /^\{(\d+)(?:,(\d*))?\}/.exec(this.#rest());
        return count === null ? this.#atom(`\\${this.#take(1)}`) : this.#count(count);
      }
      case '\\':
        return this.#atom(this.#escape(false));
      default:
        this.#at += character.length;
        return this.#atom(literal(character));
    }
  }

  #open(): string {
    this.#before = 'none';
    const special = /^\(\?(?:P?<(\w+)>|([imsU]*)(?:-[imsU]*)?([:)]))/.exec(this.#rest());
    if (special !== null) {
      this.#at += special[0].length;
      const [, name, flags = '', end] = special;
      // JavaScript has flags for a whole expression only, so a flag counts from the start.
      this.#flags += flags;
      if (end === ')') return '';
      this.#depth++;
      return name === undefined ? '(?:' : `(?<${name}>`;
    }
    const named = /^\(\?P?<[^>]*>?/.exec(this.#rest())?.[0];
    if (named !== undefined) throw new PatternError('invalid named capture', named);
    if (this.#rest().startsWith('(?')) {
      throw new PatternError('invalid or unsupported Perl syntax', this.#rest().slice(0, 3));
    }
    this.#depth++;
    return this.#take(1);
  }

  #repeat(operator: string): string {
    const start = this.#at - operator.length;
    const lazy = this.#character() === '?' ? this.#take(1) : '';
    if (this.#before === 'none') {
      throw new PatternError('missing argument to repetition operator', operator + lazy);
    }
    if (this.#before === 'repetition') {
      const both = this.#pattern.slice(this.#repetitionAt, this.#at);
      throw new PatternError('invalid nested repetition operator', both);
    }
    this.#before = 'repetition';
    this.#repetitionAt = start;
    return operator + lazy;
  }

  #count([text, least, most]: RegExpExecArray): string {
    const [low, high] = [Number(least), most === undefined || most === '' ? 0 : Number(most)];
    if (
      low > MOST_REPETITIONS ||
      high > MOST_REPETITIONS ||
      (most !== undefined && most !== '' && high < low)
    ) {
      throw new PatternError('invalid repeat count', text);
    }
    this.#at += text.length;
    return this.#repeat(text);
  }

  #class(): string {
    const start = this.#at;
    let source = this.#take(1);
    if (this.#character() === '^') source += this.#take(1);
    for (let first = true; first || this.#character() !== ']'; first = false) {
      if (this.#at >= this.#pattern.length) {
        throw new PatternError('missing closing ]', this.#pattern.slice(start));
      }
      const posix = /^\[:(\^?)(\w+):\]/.exec(this.#rest());
      if (posix !== null) source += this.#posix(posix);
      else source += this.#range();
    }
    return source + this.#take(1);
  }

  #posix([text, negated, name = '']: RegExpExecArray): string {
    const ranges = posixClasses[name];
    if (ranges === undefined) throw new PatternError('invalid character class range', text);
    this.#at += text.length;
    return members(negated === '' ? ranges : complement(ranges));
  }

  #range(): string {
    const start = this.#at;
    const low = this.#member();
    const isSet = classEscape.test(this.#pattern.slice(start, this.#at));
    const isRange =
      !isSet && this.#character() === '-' && !['', ']'].includes(this.#pattern[this.#at + 1] ?? '');
    if (!isRange) return low === '-' ? String.raw`\-` : low;
    this.#take(1);
    const escape = classEscape.exec(this.#rest())?.[0];
    if (escape !== undefined) throw new PatternError('invalid escape sequence', escape);
    const high = this.#member();
    if (low.length === 1 && high.length === 1 && low > high) {
      throw new PatternError('invalid character class range', this.#pattern.slice(start, this.#at));
    }
    return `${low}-${high === '-' ? String.raw`\-` : high}`;
  }

  #member(): string {
    const character = this.#character();
    if (character === '\\') return this.#escape(true);
    this.#at += character.length;
    return '[]^\\'.includes(character) ? `\\${character}` : character;
  }

  #escape(inClass: boolean): string {
    const rest = this.#rest();
    if (rest.length < 2) throw new PatternError('trailing backslash at end of expression', '');
    const quoted = /^\\Q([\s\S]*?)(?:\\E|$)/.exec(rest);
    if (quoted !== null && !inClass) {
      this.#at += quoted[0].length;
      return Array.from(quoted[1] ?? '', literal).join('');
    }
    const property = /^\\([pP])(?:\{(\^?)(\w+)\}|([A-Z]))/.exec(rest);
    if (property !== null) return this.#property(property);
    const point = /^\\x(?:\{([0-9A-Fa-f]+)\}|([0-9A-Fa-f]{2}))/.exec(rest);
    if (point !== null) {
      this.#at += point[0].length;
      return `\\u{${point[1] ?? point[2]}}`;
    }
    const character = String.fromCodePoint(rest.codePointAt(1) ?? 0);
    this.#at += 1 + character.length;
    switch (character) {
      case 's':
        return inClass ? members(SPACES) : `[${members(SPACES)}]`;
      case 'S':
        return inClass ? members(complement(SPACES)) : `[^${members(SPACES)}]`;
      case 'a':
        return String.raw`\x07`;
      case 'A':
        if (!inClass) return this.#assertion(String.raw`(?<![\s\S])`);
        break;
      case 'z':
        if (!inClass) return this.#assertion(String.raw`(?![\s\S])`);
        break;
      case 'b':
      case 'B':
        if (!inClass) return this.#assertion(`\\${character}`);
        break;
      default:
        if ('dDwWfnrtv'.includes(character)) return `\\${character}`;
        if (!/[0-9A-Za-z]/.test(character)) {
          return inClass && character === '-' ? String.raw`\-` : literal(character);
        }
    }
    throw new PatternError('invalid escape sequence', `\\${character}`);
  }

  #property([text, letter, negated, name, short]: RegExpExecArray): string {
    this.#at += text.length;
    const is = (letter === 'p') === (negated !== '^') ? 'p' : 'P';
    const wanted = name ?? short ?? '';
    for (const property of [wanted, `Script=${wanted}`]) {
      try {
        return new RegExp(`\\${is}{${property}}`, 'u').source;
      } catch {
        // Not a general category; perhaps a script.
      }
    }
    throw new PatternError('invalid character class range', text);
  }

  /** JavaScript repeats no assertions, only groups. */
  #assertion(source: string): string {
    return /^[*+?{]/.test(this.#rest()) ? `(?:${source})` : source;
  }

  #atom(source: string): string {
    this.#before = 'atom';
    return source;
  }

  #character(): string {
    const point = this.#pattern.codePointAt(this.#at);
    return point === undefined ? '' : String.fromCodePoint(point);
  }

  #rest(): string {
    return this.#pattern.slice(this.#at);
  }

  #take(length: number): string {
    this.#at += length;
    return this.#pattern.slice(this.#at - length, this.#at);
  }
}

function literal(character: string): string {
  return SYNTAX_CHARACTERS.includes(character) ? `\\${character}` : character;
}
