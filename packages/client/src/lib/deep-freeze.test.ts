import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deepFreeze } from './deep-freeze.ts';

test('everything in a value is frozen, and the value is given back', () => {
  const value = { list: [{ deep: true }], nothing: null, text: 'a' };
  assert.equal(deepFreeze(value), value);
  assert.throws(() => value.list.push({ deep: false }), TypeError);
  assert.throws(() => Object.assign(value.list[0] as object, { deep: false }), TypeError);
  assert.throws(() => Object.assign(value, { text: 'b' }), TypeError);
  assert.equal(deepFreeze('text'), 'text');
});
