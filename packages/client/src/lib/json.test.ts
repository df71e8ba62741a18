import assert from 'node:assert/strict';
import { test } from 'node:test';

import { cloneJson, getKey, type JsonObject, type JsonValue, jsonEqual, setKey } from './json.ts';

test('a copy keeps a key named __proto__ as a key', () => {
  const value = JSON.parse('{"a":{"__proto__":{"polluted":true}}}') as JsonObject;
  const copy = cloneJson(value);
  assert.equal(JSON.stringify(copy), JSON.stringify(value));
  assert.equal((copy['a'] as JsonObject)['polluted'], undefined);
});

test('setting a key never changes the prototype', () => {
  const object: JsonObject = {};
  setKey(object, '__proto__', { a: 1 });
  setKey(object, 'b', 2);
  assert.equal(Object.getPrototypeOf(object), Object.prototype);
  assert.deepEqual(Object.keys(object), ['__proto__', 'b']);
});

test('equality ignores the order of keys and undefined', () => {
  assert.ok(jsonEqual({ a: [1, { b: null }], c: undefined }, { a: [1, { b: null }] }));
  assert.ok(jsonEqual({ a: 1, b: 2 }, { b: 2, a: 1 }));
  assert.ok(!jsonEqual({ a: [1, 2] }, { a: [2, 1] }));
  assert.ok(!jsonEqual({ a: 1 }, { a: 1, b: 2 }));
  assert.ok(!jsonEqual([], {}));
  assert.ok(!jsonEqual({ a: null }, {}));
});

test('equality sees keys that every object inherits', () => {
  for (const key of ['__proto__', 'constructor', 'toString']) {
    const object = JSON.parse(`{"${key}":""}`) as JsonObject;
    assert.ok(!jsonEqual({}, object), key);
    assert.ok(!jsonEqual(object, {}), key);
    assert.ok(jsonEqual(object, { ...object }), key);
  }
});

test('reading a key finds only own ones', () => {
  assert.equal(getKey({ a: 1 }, 'a'), 1);
  assert.equal(getKey({}, 'constructor'), undefined);
  assert.equal(getKey(JSON.parse('{"__proto__":1}') as Record<string, number>, '__proto__'), 1);
});

/** Objects in objects, so many levels deep. */
function nested(levels: number): JsonValue {
  let value: JsonValue = 'leaf';
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? { value } : [value];
  return value;
}

test('deep values are copied and compared without overflowing the stack', () => {
  const value = nested(10_000);
  assert.ok(jsonEqual(cloneJson(value), value));
  assert.ok(!jsonEqual(nested(10_000), nested(9_998)));
});

test('a value that is too deep or contains itself is refused with a clear error', () => {
  const own: JsonObject = {};
  own['list'] = [own, own];
  const same: JsonObject = {};
  same['list'] = [same, same];
  const refusal = {
    code: 'OPTION_INVALID',
    message: /nested more than 10000 levels deep, or contains itself/,
  };
  for (const value of [own, nested(10_002)]) assert.throws(() => cloneJson(value), refusal);
  assert.throws(() => jsonEqual(nested(10_002), nested(10_002)), refusal);
  assert.throws(() => jsonEqual(own, same), refusal);
});
