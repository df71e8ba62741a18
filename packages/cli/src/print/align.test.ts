import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Columns } from './align.ts';

test('columns are as wide as their widest cell and never shrink', () => {
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
