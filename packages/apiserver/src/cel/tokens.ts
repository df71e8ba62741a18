import type { Issues } from './issues.ts';

/** What a token is; operators and words of the language are their own kind. */
export type TokenKind =
  | 'BYTES'
  | 'ESC_IDENTIFIER'
  | 'IDENTIFIER'
  | 'NUM_FLOAT'
  | 'NUM_INT'
  | 'NUM_UINT'
  | 'STRING'
  | (typeof OPERATORS)[number]
  | '<EOF>'
  | 'false'
  | 'null'
  | 'true';

/** A token and its place. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly at: number;
}

// Longer ones first: `<=` is not `<` and `=`.
const OPERATORS = [
  '==', '!=', 'in', '<=', '>=', '&&', '||', '<', '>', '[', ']', '{', '}', '(', ')', '.', ',', '-',
  '!', '?', ':', '+', '*', '/', '%',
] as const; // prettier-ignore

const ESCAPE = String.raw`\\(?:[abfnrtv"'\\?\x60]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2})`;
const QUOTED = [
  String.raw`"""(?:${ESCAPE}|[^\\])*?"""`,
  String.raw`'''(?:${ESCAPE}|[^\\])*?'''`,
  String.raw`"(?:${ESCAPE}|[^\\"\n\r])*"`,
  String.raw`'(?:${ESCAPE}|[^\\'\n\r])*'`,
].join('|');
const RAW = String.raw`[rR](?:"""[^]*?"""|'''[^]*?'''|"[^"\n\r]*"|'[^'\n\r]*')`;
const STRING = `(?:${RAW}|${QUOTED})`;

const RULES: readonly (readonly [TokenKind | undefined, RegExp])[] = [
  [undefined, /[\t\n\f\r ]+|\/\/[^\n]*/y],
  ['BYTES', new RegExp(`[bB]${STRING}`, 'y')],
  ['STRING', new RegExp(STRING, 'y')],
  ['NUM_FLOAT', /\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?/y],
  ['NUM_UINT', /(?:0x[0-9a-fA-F]+|\d+)[uU]/y],
  ['NUM_INT', /0x[0-9a-fA-F]+|\d+/y],
  ['IDENTIFIER', /[A-Za-z_]\w*/y],
  ['ESC_IDENTIFIER', /`[\w.\-/ ]+`/y],
];

/** Splits an expression into tokens; the last one is `<EOF>`. Reports what is none and goes on. */
export function tokenize(source: string, issues: Issues): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < source.length;) {
    const token = tokenAt(source, at);
    if (token === undefined) {
      const text = unknownText(source, at);
      issues.add(at, `Syntax error: token recognition error at: '${text}'`);
      at += text.length;
      continue;
    }
    if (token.kind !== undefined) tokens.push({ ...token, kind: token.kind, at });
    at += token.text.length;
  }
  return [...tokens, { kind: '<EOF>', text: '<EOF>', at: source.length }];
}

function tokenAt(
  source: string,
  at: number,
): { readonly kind: TokenKind | undefined; readonly text: string } | undefined {
  for (const [kind, pattern] of RULES) {
    pattern.lastIndex = at;
    const text = pattern.exec(source)?.[0];
    if (text !== undefined) return { kind: kind === 'IDENTIFIER' ? wordKind(text) : kind, text };
  }
  const operator = OPERATORS.find((sign) => source.startsWith(sign, at));
  return operator === undefined ? undefined : { kind: operator, text: operator };
}

function wordKind(word: string): TokenKind {
  return word === 'true' || word === 'false' || word === 'null' || word === 'in'
    ? word
    : 'IDENTIFIER';
}

/** Text that is no token: an open string to its end, or half an operator and what follows it. */
function unknownText(source: string, at: number): string {
  const [first = ''] = source.slice(at);
  if (first === '"' || first === "'") {
    return (
      /^(?:\\[^abfnrtv"'\\?`xXuU0-3\n]|[^\n\\]|\\.)*?(?=\\[^abfnrtv"'\\?`xXuU0-3]|\n|$)(?:\\.)?/.exec(
        source.slice(at),
      )?.[0] || first
    );
  }
  if (first === '&' || first === '|' || first === '=') return source.slice(at, at + 2);
  return String.fromCodePoint(source.codePointAt(at) ?? 0);
}
