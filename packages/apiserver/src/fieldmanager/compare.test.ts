import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from 'client-ts/internal';
import { compare } from './compare.ts';
import { type FieldSet, pathsOf } from './field-set.ts';
import { fieldTypeOf } from './field-type.ts';
import { ListItemError } from './list-item.ts';
import { formatPath } from './path-element.ts';
import { builtin, everything, schemaFrom } from './test-schema.ts';

const custom = fieldTypeOf(schemaFrom(everything));

function show(set: FieldSet): string[] {
  return Array.from(pathsOf(set), formatPath);
}

function changes(
  before: JsonObject,
  after: JsonObject,
  type = custom,
): { added: string[]; modified: string[]; removed: string[] } {
  const { added, modified, removed } = compare(before, after, type);
  return { added: show(added), modified: show(modified), removed: show(removed) };
}

const none = { added: [], modified: [], removed: [] };

describe('comparing', () => {
  test('equal objects has no result', () => {
    const object = { text: 'a', items: [{ name: 'x', tags: [1] }], free: { a: [{ b: null }] } };
    assert.deepEqual(changes(object, structuredClone(object)), none);
  });

  test('scalars returns the field', () => {
    assert.deepEqual(changes({ text: 'a', number: 1 }, { text: 'b', flag: false }), {
      added: ['.flag'],
      modified: ['.text'],
      removed: ['.number'],
    });
  });

  test('a new map returns the map and its content', () => {
    assert.deepEqual(changes({}, { dict: { a: '1' }, struct: { inner: { b: 'x' } } }), {
      ...none,
      added: ['.dict', '.struct', '.dict.a', '.struct.inner', '.struct.inner.b'],
    });
    assert.deepEqual(changes({ dict: { a: '1' } }, {}), { ...none, removed: ['.dict', '.dict.a'] });
  });

  test('treats an empty map as a leaf', () => {
    assert.deepEqual(changes({}, { dict: {} }), { ...none, added: ['.dict'] });
    assert.deepEqual(changes({ dict: {} }, { dict: {} }), none);
    assert.deepEqual(changes({ dict: {} }, { dict: null }), { ...none, modified: ['.dict'] });
    assert.deepEqual(changes({ dict: {} }, { dict: { a: '1' } }), { ...none, added: ['.dict.a'] });
  });

  test('distinguishes null and absent', () => {
    assert.deepEqual(changes({ text: null }, {}), { ...none, removed: ['.text'] });
    assert.deepEqual(changes({ text: null }, { text: 'a' }), { ...none, modified: ['.text'] });
    assert.deepEqual(changes({ set: null }, { set: ['a'] }), { ...none, added: ['.set[="a"]'] });
    assert.deepEqual(changes({ set: [] }, { set: null }), { ...none, modified: ['.set'] });
  });

  test('returns atomic values as a whole', () => {
    const before = { atomicDict: { a: '1' }, atomicList: ['a', 'b'] };
    const after = { atomicDict: { b: '1' }, atomicList: ['b', 'a'] };
    assert.deepEqual(changes(before, after), {
      ...none,
      modified: ['.atomicDict', '.atomicList'],
    });
  });

  test('ignores the order of sets', () => {
    assert.deepEqual(changes({ set: ['a', 'b'] }, { set: ['c', 'a'] }), {
      ...none,
      added: ['.set[="c"]'],
      removed: ['.set[="b"]'],
    });
  });

  test('matches items of map lists by key, with defaults for the keys', () => {
    const before = {
      items: [
        { name: 'x', value: '1' },
        { name: 'y', protocol: 'UDP' },
      ],
    };
    const after = { items: [{ name: 'x', protocol: 'TCP', value: '2' }] };
    assert.deepEqual(changes(before, after), {
      added: ['.items[name="x",protocol="TCP"].protocol'],
      modified: ['.items[name="x",protocol="TCP"].value'],
      removed: [
        '.items[name="y",protocol="UDP"]',
        '.items[name="y",protocol="UDP"].name',
        '.items[name="y",protocol="UDP"].protocol',
      ],
    });
  });

  test('treats items with the same key as one', () => {
    const x = (...values: string[]): JsonObject => ({
      items: values.map((value) => ({ name: 'x', value })),
    });
    const key = '.items[name="x",protocol="TCP"]';
    assert.deepEqual(changes(x('1', '2'), x('1', '2')), none);
    assert.deepEqual(changes(x('1', '2'), x('2', '1')), { ...none, modified: [key] });
    assert.deepEqual(changes(x('1'), x('1', '2')), {
      ...none,
      added: [key],
      removed: [key, `${key}.name`, `${key}.value`],
    });
    assert.deepEqual(changes(x('1', '2'), x('1')), {
      ...none,
      added: [key, `${key}.name`, `${key}.value`],
      removed: [key],
    });
    assert.deepEqual(changes(x('1', '2'), x()), { ...none, removed: [key] });
  });

  test('rejects an item without a key', () => {
    const list = (item: JsonObject): JsonObject => ({ items: [item] });
    const keyed = schemaFrom({
      type: 'object',
      properties: {
        items: {
          type: 'array',
          listType: 'map',
          listMapKeys: ['id'],
          items: { type: 'object', properties: { id: { type: 'string' } } },
        },
      },
    });
    assert.throws(
      () => changes(list({ id: 'a' }), list({ other: 1 }), fieldTypeOf(keyed)),
      (error) =>
        error instanceof ListItemError && error.message.includes('omits all key fields ["id"]'),
    );
  });

  test('goes by key for values without a schema; lists are leaves', () => {
    const before = { free: { a: { b: 1, c: [1, 2] }, d: 'x' } };
    const after = { free: { a: { b: 2, c: [2, 1] }, e: {} } };
    assert.deepEqual(changes(before, after), {
      added: ['.free.e'],
      modified: ['.free.a.b', '.free.a.c'],
      removed: ['.free.d'],
    });
  });

  test('returns the field and its content if the form of a value changes', () => {
    assert.deepEqual(changes({ free: { a: 1 } }, { free: { a: { b: 1 } } }), {
      ...none,
      added: ['.free.a.b'],
      modified: ['.free.a'],
    });
    assert.deepEqual(changes({ free: { a: { b: 1 } } }, { free: { a: [1] } }), {
      ...none,
      modified: ['.free.a'],
      removed: ['.free.a.b'],
    });
  });

  test('treats the implied fields of a built-in type as present', () => {
    const deployment = fieldTypeOf(builtin('apps', 'Deployment'));
    const spec = { template: { spec: { containers: [{ name: 'a' }] } } };
    assert.deepEqual(changes({}, { spec, status: {} }, deployment), {
      ...none,
      added: [
        '.spec.template.spec.containers[name="a"]',
        '.spec.template.spec.containers[name="a"].name',
        '.spec.template.spec.containers[name="a"].resources',
      ],
    });
  });
});
