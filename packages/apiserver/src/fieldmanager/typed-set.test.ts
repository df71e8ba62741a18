import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import type { JsonObject } from 'client-ts/internal';

import { pathsOf, setOf } from './field-set.ts';
import { fieldTypeOf } from './field-type.ts';
import { fieldElement, formatPath, keyElement, type PathElement } from './path-element.ts';
import { builtin, everything, schemaFrom } from './test-schema.ts';
import { reconcileSet, toFieldSet, withNamedFields } from './typed-set.ts';

const custom = fieldTypeOf(schemaFrom(everything));

function fields(value: JsonObject, type = custom): string[] {
  return Array.from(pathsOf(toFieldSet(value, type)), formatPath);
}

describe('the field set of a value', () => {
  test('has its scalars, null or not', () => {
    assert.deepEqual(fields({ text: 'a', number: null }), ['.number', '.text']);
  });

  test('has the fields of structs without the structs', () => {
    assert.deepEqual(fields({ struct: { inner: { b: '1' } } }), ['.struct.inner.b']);
  });

  test('has structs and maps that are empty or null', () => {
    assert.deepEqual(fields({ struct: {}, dict: null }), ['.dict', '.struct']);
  });

  test('has the keys of maps without the maps', () => {
    assert.deepEqual(fields({ dict: { a: '1', b: '2' } }), ['.dict.a', '.dict.b']);
  });

  test('has atomic values as a whole', () => {
    assert.deepEqual(fields({ atomicDict: { a: '1' }, atomicList: [] }), [
      '.atomicDict',
      '.atomicList',
    ]);
  });

  test('has the items of lists, and their content', () => {
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

  test('has nothing for empty lists', () => {
    assert.deepEqual(fields({ set: [], items: [] }), []);
  });

  test('has items with the same key once', () => {
    const items = [{ name: 'x' }, { name: 'x', value: '1' }];
    assert.deepEqual(fields({ items }), ['.items[name="x",protocol="TCP"]']);
  });

  test('has every key of a value without a schema', () => {
    assert.deepEqual(fields({ free: { a: { b: [1] }, c: {} }, any: 1 }), [
      '.any',
      '.free.a',
      '.free.c',
      '.free.a.b',
    ]);
  });

  test('does not have implied fields of built-in types', () => {
    const pod = fieldTypeOf(builtin('', 'Pod'));
    assert.deepEqual(fields({ spec: { containers: [{ name: 'a' }] } }, pod), [
      '.spec.containers[name="a"]',
      '.spec.containers[name="a"].name',
    ]);
  });
});

const pathOf = (...names: string[]): PathElement[] => names.map(fieldElement);

test('struct fields on the way to a member become members, keys and items do not', () => {
  const item = keyElement([
    ['name', 'x'],
    ['protocol', 'TCP'],
  ]);
  const set = setOf(
    pathOf('struct', 'inner', 'b'),
    pathOf('free', 'key', 'a'),
    pathOf('unknown', 'a'),
    [fieldElement('items'), item, fieldElement('value')],
  );
  const named = withNamedFields(set, fieldTypeOf(schemaFrom(everything)));
  assert.deepEqual(
    Array.from(pathsOf(named), formatPath).toSorted(),
    [
      '.struct',
      '.struct.inner',
      '.struct.inner.b',
      '.free',
      '.free.key.a',
      '.unknown.a',
      '.items',
      '.items[name="x",protocol="TCP"].value',
    ].toSorted(),
  );
});

const schema = schemaFrom(everything);
const type = fieldTypeOf(schema);

describe('reconciling a set with a schema', () => {
  test('returns the same set if it fits, so that it is not encoded again', () => {
    const set = {
      'f:text': {},
      'f:struct': { 'f:inner': { 'f:b': {} } },
      'f:dict': { '.': {}, 'f:a': {} },
      'f:items': { 'k:{"name":"x","protocol":"TCP"}': { '.': {}, 'f:tags': { 'v:1': {} } } },
      'f:set': { 'v:"a"': {} },
    };
    assert.equal(reconcileSet(set, type), set);
    assert.equal(reconcileSet(set, type), set);
  });

  test('makes the owner of a part the owner of a value that became atomic, at any depth', () => {
    const item = 'k:{"name":"x","protocol":"TCP"}';
    const atomic = schemaFrom({
      type: 'object',
      properties: {
        items: {
          type: 'array',
          listType: 'map',
          listMapKeys: ['name', 'protocol'],
          items: {
            type: 'object',
            properties: { tags: { type: 'array', items: { type: 'integer' } } },
          },
        },
      },
    });
    assert.deepEqual(
      reconcileSet({ 'f:items': { [item]: { 'f:tags': { 'v:1': {} } } } }, fieldTypeOf(atomic)),
      { 'f:items': { [item]: { 'f:tags': {} } } },
    );
  });

  test('keeps what the schema leaves open or does not know', () => {
    const part = { 'k:{"name":"x"}': { '.': {}, 'f:name': {} } };
    const set = {
      'f:free': { 'f:list': part },
      'f:any': part,
      'f:text': { 'f:a': {} },
      'f:set': { 'v:"a"': { 'f:a': {} }, 'i:0': { 'f:a': {} } },
    };
    assert.deepEqual(reconcileSet(set, type), set);
  });

  test('is repeated for another schema', () => {
    const set = { 'f:dict': { 'f:a': {} } };
    assert.equal(reconcileSet(set, type), set);
    const atomic = schemaFrom({
      type: 'object',
      properties: { dict: { type: 'object', mapType: 'atomic' } },
    });
    assert.deepEqual(reconcileSet(set, fieldTypeOf(atomic)), { 'f:dict': {} });
  });
});
