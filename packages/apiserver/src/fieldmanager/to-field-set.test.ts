import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from 'client-ts/internal';
import { pathsOf } from './field-set.ts';
import { fieldTypeOf } from './field-type.ts';
import { formatPath } from './path-element.ts';
import { builtin, everything, schemaFrom } from './test-schema.ts';
import { toFieldSet } from './to-field-set.ts';

const custom = fieldTypeOf(schemaFrom(everything));

function fields(value: JsonObject, type = custom): string[] {
  return Array.from(pathsOf(toFieldSet(value, type)), formatPath);
}

describe('the fields that a value mentions', () => {
  test('are its scalars, null or not', () => {
    assert.deepEqual(fields({ text: 'a', number: null }), ['.number', '.text']);
  });

  test('are the fields of structs without the structs', () => {
    assert.deepEqual(fields({ struct: { inner: { b: '1' } } }), ['.struct.inner.b']);
  });

  test('are structs and maps that are empty or null', () => {
    assert.deepEqual(fields({ struct: {}, dict: null }), ['.dict', '.struct']);
  });

  test('are the keys of maps without the maps', () => {
    assert.deepEqual(fields({ dict: { a: '1', b: '2' } }), ['.dict.a', '.dict.b']);
  });

  test('are atomic values as a whole', () => {
    assert.deepEqual(fields({ atomicDict: { a: '1' }, atomicList: [] }), [
      '.atomicDict',
      '.atomicList',
    ]);
  });

  test('are the items of lists, and what is in them', () => {
    const value = { set: ['b', 'a'], items: [{ name: 'x', tags: [2, 10] }] };
    assert.deepEqual(fields(value), [
      '.items[name="x",protocol="TCP"]',
      '.items[name="x",protocol="TCP"].name',
      '.items[name="x",protocol="TCP"].tags[=2]',
      '.items[name="x",protocol="TCP"].tags[=10]',
      '.set[="a"]',
      '.set[="b"]',
    ]);
  });

  test('are not in empty lists', () => {
    assert.deepEqual(fields({ set: [], items: [] }), []);
  });

  test('are items with one key together', () => {
    const items = [{ name: 'x' }, { name: 'x', value: '1' }];
    assert.deepEqual(fields({ items }), ['.items[name="x",protocol="TCP"]']);
  });

  test('are every key of a value without a schema', () => {
    assert.deepEqual(fields({ free: { a: { b: [1] }, c: {} }, any: 1 }), [
      '.any',
      '.free.a',
      '.free.c',
      '.free.a.b',
    ]);
  });

  test('do not include what a built-in type always has', () => {
    const pod = fieldTypeOf(builtin('', 'Pod'));
    assert.deepEqual(fields({ spec: { containers: [{ name: 'a' }] } }, pod), [
      '.spec.containers[name="a"]',
      '.spec.containers[name="a"].name',
    ]);
  });
});
