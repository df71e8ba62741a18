import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { jsPattern, needsBacktracking } from './pattern.ts';

describe('jsPattern', () => {
  const cases: readonly [string, readonly string[], readonly string[]][] = [
    ['^a.b$', ['a b', 'a\rb', 'a😀b'], ['a\nb', 'ab']],
    [String.raw`^\s$`, [' ', '\t'], ['\u00A0', '\v', 's']],
    [String.raw`^\S$`, ['\u00A0', 's'], [' ']],
    [String.raw`^[\s_]$`, [' ', '_'], ['s']],
    [String.raw`^[\w\-.]+\-\_\@$`, ['a-b.-_@'], ['a+-_@']],
    ['^[]a]$', [']', 'a'], ['b', '[]a]']],
    ['^[^]a]$', ['b'], [']', 'a']],
    ['^[[a]$', ['[', 'a'], ['b']],
    [String.raw`^\\d$`, [String.raw`\d`], ['1']],
    [String.raw`^(?:\d{2,3}|x)$`, ['12', '123', 'x'], ['1', '1234']],
    ['b', ['abc'], ['ac']],
  ];
  for (const [pattern, matching, others] of cases) {
    it(`translates ${pattern}`, () => {
      const expression = jsPattern(pattern);
      for (const text of matching) assert.equal(expression?.test(text), true, text);
      for (const text of others) assert.equal(expression?.test(text), false, text);
    });
  }

  it('leaves to the server what JavaScript does not have in the same sense', () => {
    const left = [
      '(?i)a',
      '(?P<x>a)',
      '^[[:alpha:]]$',
      String.raw`\Aa\z`,
      String.raw`\pL`,
      String.raw`\Qa.b\E`,
      String.raw`[^\S]`,
      'a{,2}',
    ];
    for (const pattern of left) assert.equal(jsPattern(pattern), undefined, pattern);
  });
});

describe('needsBacktracking', () => {
  it('is true for look-around and back references only', () => {
    const refused = ['(?=a)', '(?!a)', '(?<=a)', '(?<!a)', String.raw`(a)\1`, String.raw`\k<x>`];
    for (const pattern of refused) assert.equal(needsBacktracking(pattern), true, pattern);
    const accepted = ['(?:a)', '(?i)a', '(?<x>a)', String.raw`\\1`, String.raw`\(\?=`];
    for (const pattern of accepted) assert.equal(needsBacktracking(pattern), false, pattern);
  });
});
