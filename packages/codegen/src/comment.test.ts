import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';

import { docComment } from './comment.ts';
import { hardline, indent, print } from './doc.ts';

function comment(text: string): string {
  return print(docComment(text));
}

test('keeps one line on one line', () => {
  assert.equal(comment('How big.'), '/** How big. */\n');
});

test('keeps line breaks, without blank lines at the ends', () => {
  assert.equal(comment('\n\nFirst.\r\n\r\nSecond.  \n\n'), '/**\n * First.\n *\n * Second.\n */\n');
});

test('returns nothing for an empty text', () => {
  assert.equal(comment(''), '');
  assert.equal(comment(' \n\t\n'), '');
});

test('indents a comment with its declaration', () => {
  const text = print(['{', indent(hardline, docComment('a\nb'), 'x: 1'), hardline, '}']);
  assert.equal(text, '{\n  /**\n   * a\n   * b\n   */\n  x: 1\n}');
});

test('wraps long lines and keeps their indentation', () => {
  const lines = comment(`  - ${'word '.repeat(40)}`)
    .trimEnd()
    .split('\n');
  assert.ok(lines.length > 3);
  assert.equal(lines[1]?.startsWith(' *   - word'), true);
  assert.equal(lines[2]?.startsWith(' *   word'), true);
  for (const line of lines) assert.ok(line.length <= 100, line);
});

test('does not let the text end the comment', () => {
  assert.equal(comment('a */ b'), '/** a *\\/ b */\n');
  // Dropping the control character must not form the end mark.
  assert.equal(comment('a *\u0000/ b'), '/** a *\\/ b */\n');
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('*', '/', '\n', '\r', '\u2028', ' ', 'x', '\u0000', '\u202E', '\\')),
      (parts) => {
        const text = comment(parts.join('')).trimEnd();
        if (text === '') return;
        assert.equal(text.indexOf('*/'), text.length - 2);
        assert.equal(text.indexOf('/**'), 0);
      },
    ),
  );
});
