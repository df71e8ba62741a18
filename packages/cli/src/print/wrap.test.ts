import assert from 'node:assert/strict';
import { test } from 'node:test';

import { indent, wrap } from './wrap.ts';

test('breaks lines at the last space that fits', () => {
  assert.equal(wrap('one two three four', 9), 'one two\nthree\nfour');
  assert.equal(wrap('one two', 7), 'one two');
  assert.equal(wrap('one\n\ntwo three', 5), 'one\n\ntwo\nthree');
});

test('keeps words that are longer than a line, and non-breaking spaces', () => {
  assert.equal(wrap('a http://example.com b', 8), 'a\nhttp://example.com\nb');
  assert.equal(wrap('http://example.com', 8), 'http://example.com');
  assert.equal(wrap('one\u00A0two three', 5), 'one\u00A0two\nthree');
});

test('drops the spaces at a break, and keeps those that fit', () => {
  assert.equal(wrap('one    two', 5), 'one\ntwo');
  assert.equal(wrap('  one  two ', 20), '  one  two ');
  assert.equal(wrap('one two     ', 8), 'one two');
});

test('counts characters, not code units', () => {
  assert.equal(wrap('😀😀 😀😀', 5), '😀😀 😀😀');
});

test('indents every line', () => {
  assert.equal(indent('a\n\nb', 2), '  a\n  \n  b');
});
