import assert from 'node:assert/strict';
import { test } from 'node:test';

import { goPattern, PatternError } from './go-pattern.ts';
import { hostilePatterns, hostileTexts } from './test-hostile-texts.ts';

test('patterns match the same texts as in Go', () => {
  const cases: [pattern: string, matching: string[], others: string[]][] = [
    ['^[a-z]+$', ['abc'], ['ABC', 'a\nb', '']],
    ['(?i)abc', ['ABC', 'xabcx'], ['ab']],
    ['[[:alpha:]]', ['a', 'Z'], ['1', 'é']],
    ['^[[:^digit:]x]$', ['a', 'x', 'é', '\n'], ['1']],
    [String.raw`^\pL+$`, ['é', 'Ω', 'a'], ['1']],
    [String.raw`\p{Greek}`, ['Ω'], ['a']],
    [String.raw`^\P{Greek}$`, ['a'], ['Ω']],
    ['^a{2,3}$', ['aa', 'aaa'], ['a', 'aaaa']],
    ['^a{,2}$', ['a{,2}'], ['aa']],
    ['^[]a]$', [']', 'a'], ['b']],
    [String.raw`^\Qa.b\E+$`, ['a.b', 'a.bb'], ['axb']],
    [String.raw`\Aab\z`, ['ab'], ['ab\n', 'xab']],
    ['^.$', ['a', '\r', '😀'], ['\n', 'ab']],
    ['(?s)^.$', ['\n'], []],
    [String.raw`^\s$`, [' ', '\t'], ['\u00a0', '\v']],
    [String.raw`^[\S]$`, ['\u00a0', 'a'], [' ']],
    [String.raw`^[\d-x]$`, ['1', '-', 'x'], ['a']],
    [String.raw`^\x{1F600}\_$`, ['😀_'], ['😀']],
    ['^*a', ['a', 'ba'], ['b']],
    ['(?P<name>a)(?:b)', ['ab'], ['b']],
    ['a(?i)b(?-i)c', ['aBc'], ['ABc', 'aBC']],
    ['(?i:k)', ['K', '\u212a'], ['x']],
  ];
  for (const [pattern, matching, others] of cases) {
    for (const text of matching) assert.ok(goPattern(pattern).test(text), `${pattern} ~ ${text}`);
    for (const text of others) assert.ok(!goPattern(pattern).test(text), `${pattern} !~ ${text}`);
  }
});

test('patterns that Go rejects are rejected with its message', () => {
  const nested = '('.repeat(1001) + ')'.repeat(1001);
  const cases: [pattern: string, problem: string, at: string][] = [
    ['(?=a)', 'invalid or unsupported Perl syntax', '(?='],
    ['(?<=a)', 'invalid named capture', '(?<=a)'],
    [String.raw`(a)\1`, 'invalid escape sequence', String.raw`\1`],
    [String.raw`\Z`, 'invalid escape sequence', String.raw`\Z`],
    ['a**', 'invalid nested repetition operator', '**'],
    ['*a', 'missing argument to repetition operator', '*'],
    ['a(b', 'missing closing )', 'a(b'],
    ['a)b', 'unexpected )', 'a)b'],
    ['x[a', 'missing closing ]', '[a'],
    ['[z-a]', 'invalid character class range', 'z-a'],
    ['[[:foo:]]', 'invalid character class range', '[:foo:]'],
    ['a{1001}', 'invalid repeat count', '{1001}'],
    ['a{3,2}', 'invalid repeat count', '{3,2}'],
    ['a\\', 'trailing backslash at end of expression', ''],
    ['((a{100}){100}){100}', 'invalid repeat count', '{100}'],
    [nested, 'expression nests too deeply', nested],
    ['a{1000}'.repeat(5000), 'expression too large', 'a{1000}'.repeat(5000)],
    [String.raw`\pX`, 'invalid character class range', String.raw`\pX`],
  ];
  for (const [pattern, problem, at] of cases) {
    assert.throws(() => goPattern(pattern), new PatternError(problem, at), pattern);
  }
});

test('matching takes linear time for ambiguous patterns', () => {
  for (const pattern of hostilePatterns) {
    const compiled = goPattern(pattern);
    for (const text of hostileTexts(10_000)) {
      assert.equal(typeof compiled.test(text), 'boolean');
    }
    assert.ok(!compiled.test(`${'a'.repeat(100_000)}!`), pattern);
  }
});
