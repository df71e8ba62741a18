import type { Call, Expression, LiteralValue } from './expression.ts';
import { CelError } from './cel-error.ts';
import type { Issues } from './issues.ts';
import { unescapeBytes, unescapeString } from './escapes.ts';
import { expandMacro } from './macros.ts';
import { type Token, type TokenKind, tokenize } from './tokens.ts';
import { Uint } from './uint.ts';

/** Limits of a genuine server. */
const MAX_DEPTH = 250;
const MAX_LENGTH = 100_000;

const RESERVED: ReadonlySet<string> = new Set(
  'as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

const STARTS = [
  '[', '{', '(', '.', '-', '!', 'true', 'false', 'null', 'NUM_FLOAT', 'NUM_INT', 'NUM_UINT',
  'STRING', 'BYTES', 'IDENTIFIER',
] as const; // prettier-ignore

const RELATIONS: ReadonlyMap<TokenKind, string> = new Map([
  ['<', '_<_'],
  ['<=', '_<=_'],
  ['>', '_>_'],
  ['>=', '_>=_'],
  ['==', '_==_'],
  ['!=', '_!=_'],
  ['in', '@in'],
]);
const SUMS: ReadonlyMap<TokenKind, string> = new Map([
  ['+', '_+_'],
  ['-', '_-_'],
]);
const PRODUCTS: ReadonlyMap<TokenKind, string> = new Map([
  ['*', '_*_'],
  ['/', '_/_'],
  ['%', '_%_'],
]);

/** Parses an expression. Returns undefined if it cannot be one; the issues say why. */
export function parse(source: string, issues: Issues): Expression | undefined {
  const length = Array.from(source).length;
  if (length > MAX_LENGTH) {
    const message = `expression code point size exceeds limit: size: ${length}, limit ${MAX_LENGTH}`;
    issues.add(0, message);
    return undefined;
  }
  try {
    return new Parser(tokenize(source, issues), issues).parse();
  } catch (error) {
    if (error instanceof CelError) return undefined;
    throw error;
  }
}

class Parser {
  readonly #tokens: readonly Token[];
  readonly #issues: Issues;
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], issues: Issues) {
    this.#tokens = tokens;
    this.#issues = issues;
  }

  parse(): Expression {
    const expression = this.#expression();
    if (this.#kind !== '<EOF>') {
      const isLast = this.#peek(1).kind === '<EOF>';
      this.#fail(`${isLast ? 'extraneous' : 'mismatched'} input`, '<EOF>');
    }
    return expression;
  }

  get #kind(): TokenKind {
    return this.#peek(0).kind;
  }

  #peek(ahead: number): Token {
    const token = this.#tokens[this.#next + ahead] ?? this.#tokens.at(-1);
    if (token === undefined) throw new RangeError('there is no token');
    return token;
  }

  #take(): Token {
    const token = this.#peek(0);
    this.#next++;
    return token;
  }

  #accept(kind: TokenKind): Token | undefined {
    return this.#kind === kind ? this.#take() : undefined;
  }

  /** Takes a token of this kind. `others` could stand here too, which only the message says. */
  #expect(kind: TokenKind, others: readonly TokenKind[] = []): Token {
    if (this.#kind === kind) return this.#take();
    if (others.length > 0) return this.#fail('mismatched input', kind, ...others);
    if (this.#peek(1).kind === kind) return this.#fail('extraneous input', kind);
    if (this.#kind === '<EOF>' || kind === ':') {
      if (kind !== ':' || this.#kind !== '<EOF>') {
        return this.#problem(`Syntax error: missing '${kind}' at '${this.#peek(0).text}'`);
      }
    }
    return this.#fail('mismatched input', kind);
  }

  #fail(what: string, ...expected: readonly TokenKind[]): never {
    const names = expected.map((kind) => (/^(?:<EOF>|[A-Z_]+)$/.test(kind) ? kind : `'${kind}'`));
    const listed = names.length === 1 ? names[0] : `{${names.join(', ')}}`;
    return this.#problem(`Syntax error: ${what} '${this.#peek(0).text}' expecting ${listed}`);
  }

  #problem(message: string): never {
    return this.#fault(this.#peek(0).at, message);
  }

  /** Reports a fault and ends parsing. */
  #fault(at: number, message: string): never {
    this.#issues.add(at, message);
    throw new CelError('APISERVER_CEL_SYNTAX', message);
  }

  #expression(): Expression {
    if (++this.#depth > MAX_DEPTH) {
      this.#fault(0, `expression recursion limit exceeded: ${MAX_DEPTH}`);
    }
    const condition = this.#logical('||', '_||_', () =>
      this.#logical('&&', '_&&_', () =>
        this.#binary(RELATIONS, () =>
          this.#binary(SUMS, () => this.#binary(PRODUCTS, () => this.#unary())),
        ),
      ),
    );
    const question = this.#accept('?');
    let whole = condition;
    if (question !== undefined) {
      const yes = this.#logical('||', '_||_', () => this.#noChoice());
      this.#expect(':');
      whole = call(question.at, '_?_:_', [condition, yes, this.#expression()]);
    }
    this.#depth--;
    return whole;
  }

  #noChoice(): Expression {
    return this.#logical('&&', '_&&_', () =>
      this.#binary(RELATIONS, () =>
        this.#binary(SUMS, () => this.#binary(PRODUCTS, () => this.#unary())),
      ),
    );
  }

  /** Operands of `&&` or `||`, as a tree that is no deeper than it has to be. */
  #logical(sign: '&&' | '||', name: string, operand: () => Expression): Expression {
    const operands = [operand()];
    const places: number[] = [];
    for (let token = this.#accept(sign); token !== undefined; token = this.#accept(sign)) {
      places.push(token.at);
      operands.push(operand());
    }
    return balanced(name, operands, places);
  }

  #binary(operators: ReadonlyMap<TokenKind, string>, operand: () => Expression): Expression {
    let left = operand();
    for (;;) {
      const name = operators.get(this.#kind);
      if (name === undefined) return left;
      const { at } = this.#take();
      left = call(at, name, [left, operand()]);
    }
  }

  #unary(): Expression {
    const first = this.#peek(0);
    const sign = first.kind;
    if ((sign !== '!' && sign !== '-') || this.#isNegativeLiteral()) {
      return this.#member(this.#primary());
    }
    let count = 0;
    while (this.#accept(sign) !== undefined) count++;
    const operand = this.#member(this.#primary());
    if (count % 2 === 0) return operand;
    return call(first.at, sign === '!' ? '!_' : '-_', [operand]);
  }

  /** Whether a minus belongs to the number after it. */
  #isNegativeLiteral(): boolean {
    const next = this.#peek(1).kind;
    return this.#kind === '-' && (next === 'NUM_INT' || next === 'NUM_FLOAT');
  }

  #member(start: Expression): Expression {
    let operand = start;
    for (;;) {
      const dot = this.#accept('.');
      if (dot !== undefined) {
        operand = this.#selection(operand, dot);
        continue;
      }
      const bracket = this.#accept('[');
      if (bracket === undefined) return operand;
      const isOptional = this.#accept('?') !== undefined;
      if (!isOptional && !isStart(this.#kind)) {
        this.#fail('mismatched input', ...STARTS.slice(0, 6), '?', ...STARTS.slice(6));
      }
      const index = this.#expression();
      this.#expect(']');
      operand = call(bracket.at, isOptional ? '_[?_]' : '_[_]', [operand, index]);
    }
  }

  #selection(operand: Expression, dot: Token): Expression {
    const isOptional = this.#accept('?') !== undefined;
    if (this.#kind === 'ESC_IDENTIFIER') return this.#problem("unsupported syntax: '`'");
    if (this.#kind !== 'IDENTIFIER') {
      const { text } = this.#peek(0);
      const input = text === '<EOF>' ? '.' : `.${text}`;
      return this.#problem(`Syntax error: no viable alternative at input '${input}'`);
    }
    const { text: name } = this.#take();
    if (isOptional) {
      const field: Expression = { kind: 'literal', at: dot.at, value: name };
      return call(dot.at, '_?._', [operand, field]);
    }
    const open = this.#accept('(');
    if (open === undefined) {
      return { kind: 'select', at: dot.at, operand, field: name, isTest: false };
    }
    return this.#call(open.at, name, operand);
  }

  #primary(): Expression {
    const token = this.#peek(0);
    switch (token.kind) {
      case '(': {
        this.#take();
        const inner = this.#expression();
        this.#expect(')');
        return inner;
      }
      case '[':
        return this.#list();
      case '{':
        return this.#map();
      case '.':
      case 'IDENTIFIER':
        return this.#named();
      default:
        return this.#literal();
    }
  }

  /** A variable, a function, or a message such as `a.b.C{}`. */
  #named(): Expression {
    const dot = this.#accept('.');
    const { text, at } = this.#expect('IDENTIFIER');
    if (RESERVED.has(text)) this.#issues.add(at, `reserved identifier: ${text}`);
    const name = dot === undefined ? text : `.${text}`;
    const open = this.#accept('(');
    if (open !== undefined) return this.#call(open.at, name, undefined);
    const path = this.#typeName();
    if (path === undefined) return { kind: 'identifier', at, name };
    return this.#struct(path === '' ? name : `${name}.${path}`);
  }

  /** Takes what follows the first name of a message, up to its brace; undefined if there is none. */
  #typeName(): string | undefined {
    let ahead = 0;
    const parts: string[] = [];
    while (this.#peek(ahead).kind === '.' && this.#peek(ahead + 1).kind === 'IDENTIFIER') {
      parts.push(this.#peek(ahead + 1).text);
      ahead += 2;
    }
    if (this.#peek(ahead).kind !== '{') return undefined;
    this.#next += ahead;
    return parts.join('.');
  }

  #call(at: number, name: string, target: Expression | undefined): Expression {
    const args: Expression[] = [];
    if (this.#kind !== ')') {
      if (!isStart(this.#kind)) {
        this.#fail('mismatched input', ...STARTS.slice(0, 3), ')', ...STARTS.slice(3));
      }
      do args.push(this.#expression());
      while (this.#accept(',') !== undefined);
    }
    this.#expect(')');
    return expandMacro({ kind: 'call', at, name, target, args }, this.#issues);
  }

  #list(): Expression {
    const { at } = this.#take();
    const elements: { value: Expression; isOptional: boolean }[] = [];
    while (this.#kind !== ']') {
      const isOptional = this.#accept('?') !== undefined;
      if (this.#kind === ',' && elements.length > 0) this.#fail('mismatched input', ']');
      elements.push({ value: this.#expression(), isOptional });
      if (this.#accept(',') === undefined) break;
    }
    this.#expect(']', [',']);
    return { kind: 'list', at, elements };
  }

  #map(): Expression {
    const { at } = this.#take();
    const entries: { at: number; key: Expression; value: Expression; isOptional: boolean }[] = [];
    while (this.#kind !== '}') {
      const isOptional = this.#accept('?') !== undefined;
      const key = this.#expression();
      const colon = this.#expect(':');
      entries.push({ at: colon.at, key, value: this.#expression(), isOptional });
      if (this.#accept(',') === undefined) break;
    }
    this.#expect('}', [',']);
    return { kind: 'map', at, entries };
  }

  #struct(typeName: string): Expression {
    const { at } = this.#expect('{');
    const fields: { at: number; name: string; value: Expression; isOptional: boolean }[] = [];
    while (this.#kind !== '}') {
      const isOptional = this.#accept('?') !== undefined;
      if (!isOptional && fields.length === 0 && this.#kind !== 'IDENTIFIER') {
        this.#fail('mismatched input', '}', ',', '?', 'IDENTIFIER', 'ESC_IDENTIFIER');
      }
      const { text: name } = this.#expect('IDENTIFIER');
      const colon = this.#expect(':');
      fields.push({ at: colon.at, name, value: this.#expression(), isOptional });
      if (this.#accept(',') === undefined) break;
    }
    this.#expect('}', [',']);
    return { kind: 'struct', at, typeName, fields };
  }

  #literal(): Expression {
    const { at } = this.#peek(0);
    const minus = this.#accept('-') === undefined ? '' : '-';
    const { kind, text } = this.#peek(0);
    const value = this.#literalValue(kind, text, minus);
    if (value === undefined) {
      const isExtra = isStart(this.#peek(1).kind);
      return this.#fail(`${isExtra ? 'extraneous' : 'mismatched'} input`, ...STARTS);
    }
    this.#take();
    return { kind: 'literal', at, value };
  }

  #literalValue(kind: TokenKind, text: string, minus: string): LiteralValue | undefined {
    switch (kind) {
      case 'true':
        return true;
      case 'false':
        return false;
      case 'null':
        return null;
      case 'NUM_INT': {
        const value = minus === '' ? BigInt(text) : -BigInt(text);
        if (BigInt.asIntN(64, value) !== value) return this.#problem('invalid int literal');
        return value;
      }
      case 'NUM_UINT': {
        const value = BigInt(text.slice(0, -1));
        if (BigInt.asUintN(64, value) !== value) return this.#problem('invalid uint literal');
        return new Uint(value);
      }
      case 'NUM_FLOAT': {
        const value = Number(minus + text);
        if (!Number.isFinite(value)) return this.#problem('invalid double literal');
        return value;
      }
      case 'STRING':
        return unescapeString(text) ?? this.#problem(`unable to unescape string`);
      case 'BYTES':
        return unescapeBytes(text.slice(1)) ?? this.#problem(`unable to unescape string`);
      default:
        return undefined;
    }
  }
}

function isStart(kind: TokenKind): boolean {
  return (STARTS as readonly TokenKind[]).includes(kind);
}

function call(at: number, name: string, args: readonly Expression[]): Call {
  return { kind: 'call', at, name, target: undefined, args };
}

function balanced(
  name: string,
  operands: readonly Expression[],
  places: readonly number[],
): Expression {
  const [only] = operands;
  if (only === undefined) throw new RangeError('there is no operand');
  if (operands.length === 1) return only;
  const middle = Math.ceil(operands.length / 2);
  const left = balanced(name, operands.slice(0, middle), places.slice(0, middle - 1));
  const right = balanced(name, operands.slice(middle), places.slice(middle));
  return call(places[middle - 1] ?? 0, name, [left, right]);
}
