import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';

import {
  bracketed,
  type Doc,
  group,
  hardline,
  ifBroken,
  indent,
  join,
  line,
  print,
} from './doc.ts';

const list = bracketed('[', ["'one'", "'two'", "'three'"], ']');

test('a group that fits stays on one line', () => {
  assert.equal(print(['const x = ', list, ';'], 40), "const x = ['one', 'two', 'three'];");
});

test('a group that does not fit breaks at all of its lines, with a trailing comma', () => {
  assert.equal(
    print(['const x = ', list, ';'], 30),
    "const x = [\n  'one',\n  'two',\n  'three',\n];",
  );
});

test('text after a group, up to the next break, counts as part of its line', () => {
  const exact = "const x = ['one', 'two', 'three'];".length;
  assert.equal(print(['const x = ', list, ';'], exact).split('\n').length, 1);
  assert.equal(print(['const x = ', list, ';'], exact - 1).split('\n').length, 5);
});

test('outer groups break before inner ones', () => {
  const inner = bracketed('{', ['a: 1', 'b: 2'], '}', ' ');
  assert.equal(
    print(bracketed('[', [inner, inner], ']'), 20),
    '[\n  { a: 1, b: 2 },\n  { a: 1, b: 2 },\n]',
  );
});

test('a hard line breaks the groups around it', () => {
  assert.equal(print(group('a', line, 'b', hardline, 'c')), 'a\nb\nc');
});

test('a choice depends on the group around it', () => {
  const doc = group(indent(line, ifBroken('| '), join([line, '| '], ['aaaa', 'bbbb'])));
  assert.equal(print(['x:', doc]), 'x: aaaa | bbbb');
  assert.equal(print(['x:', doc], 8), 'x:\n  | aaaa\n  | bbbb');
});

test('empty lines carry no spaces', () => {
  assert.equal(print(indent('a', hardline, hardline, 'b')), 'a\n\n  b');
});

test('prints the same words at every width, and keeps lines within it where possible', () => {
  const word = fc.stringMatching(/^[a-z]{1,8}$/);
  const { doc } = fc.letrec<{ doc: Doc }>((tie) => ({
    doc: fc.oneof(
      { depthSize: 'small' },
      word,
      fc
        .array(tie('doc'), { minLength: 1, maxLength: 4 })
        .map((items) => bracketed('[', items, ']')),
    ),
  }));
  fc.assert(
    fc.property(doc, fc.integer({ min: 20, max: 80 }), (doc, width) => {
      const text = print(doc, width);
      const words = (text: string): string[] => text.match(/[a-z]+/g) ?? [];
      assert.deepEqual(words(text), words(print(doc, Infinity)));
      for (const line of text.split('\n')) {
        // A line is too long only if it has no place to break.
        if (line.length > width) assert.ok(!line.includes(', '), line);
      }
    }),
  );
});
