import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Columns } from './align.ts';

test('fits columns to their widest cell, and never shrinks them', () => {
  const columns = new Columns();
  assert.deepEqual(
    columns.align([
      ['NAME', 'A', 'LAST'],
      ['web-0', '', ''],
      ['grüße', 'x', 'y'],
    ]),
    ['NAME    A     LAST', 'web-0         ', 'grüße   x     y'],
  );
  assert.deepEqual(columns.align([['a', 'b', 'c']]), ['a       b     c']);
  assert.deepEqual(columns.align([['longer-name', 'b', 'c']]), ['longer-name   b     c']);
  assert.deepEqual(columns.align([['a', 'b', 'c']]), ['a             b     c']);
});

test('prints cells as one escaped line', () => {
  const lines = new Columns().align([['a\nb', '\u001B[31mred', '\u009B2J\u202E']]);
  assert.deepEqual(lines, [String.raw`a\nb   ^[[31mred   \u009b2J\u202e`]);
});
