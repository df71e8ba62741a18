import assert from 'node:assert/strict';
import { test } from 'node:test';

import { relaxedPath } from '../print/output-format.ts';
import { sortByPath } from './sort.ts';

function sorted(values: readonly unknown[]): unknown[] {
  const items = values.map((v) => (v === undefined ? {} : { v }));
  return sortByPath(items, relaxedPath('.v'), (item) => item).map(({ v }) => v);
}

test('sorts numbers, quantities and strings, missing values first', () => {
  assert.deepEqual(sorted([10, 9, undefined, 1.5]), [undefined, 1.5, 9, 10]);
  assert.deepEqual(sorted(['1Gi', '500Mi', '2G', '100']), ['100', '500Mi', '1Gi', '2G']);
  assert.deepEqual(sorted(['b', 'a', 'B', '10', '9']), ['9', '10', 'B', 'a', 'b']);
  assert.deepEqual(sorted(['1.2.3', '1.10']), ['1.10', '1.2.3']);
  assert.deepEqual(sorted([true, false, null]), [null, false, true]);
  assert.deepEqual(sorted([]), []);
});

test('sorts stably', () => {
  const items = [3, 1, 3, 1].map((v, index) => ({ v, index }));
  const order = sortByPath(items, relaxedPath('v'), (item) => item).map(({ index }) => index);
  assert.deepEqual(order, [1, 3, 0, 2]);
});

test('rejects unordered and missing fields', () => {
  assert.throws(() => sorted([{}, {}]), { code: 'CLI_SORT_FIELD_UNORDERED' });
  assert.throws(() => sorted([1, 'a']), /has no order/);
  assert.throws(() => sorted([undefined, undefined]), /no object has the field/);
});
