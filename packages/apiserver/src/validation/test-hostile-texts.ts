/** Fragments that make expressions with nested or adjacent repetitions backtrack. */
const parts: readonly string[] = [
  'a',
  '1',
  'a.',
  '1.',
  'a-',
  'a@',
  '1h',
  '1 ',
  ' ',
  '\t',
  '.',
  '-',
  ':',
  '/',
  '(',
  '<',
  '"',
  '\\',
  '"a" ',
  'a,',
  '%25',
  '=?utf-8?q?a?=',
  'ab:',
  'abcd.',
  'AAAA',
];

/** Endings that prevent a match. */
const ends: readonly string[] = ['', '!', '@', '\u2028', '\u0000'];

/**
 * Generates texts of about `length` characters on which a backtracking matcher takes quadratic or
 * exponential time. They end at different places, so that most formats and patterns reject them.
 */
export function* hostileTexts(length: number): Generator<string, void, undefined> {
  for (const part of parts) {
    const body = part.repeat(Math.ceil(length / part.length));
    for (const end of ends) {
      yield body + end;
      yield `<${body}${end}`;
      yield `a@b (${body}${end}`;
      yield `a:${body}${end}`;
    }
  }
}

/** Patterns that take exponential or high polynomial time with backtracking, but not with RE2. */
export const hostilePatterns: readonly string[] = [
  '^(a+)+$',
  '^(a|a)*$',
  '^(a|aa)+$',
  '(.*)*x$',
  String.raw`^(([a-z])+.)+[A-Z]([a-z])+$`,
  String.raw`(\w+\s*)+:`,
  '(a?){50}a{50}b',
];
