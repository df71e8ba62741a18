import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readOnlyCodecFor } from '../codec/lazy/read-only-codec.ts';
import { deepFreeze } from '../lib/deep-freeze.ts';
import { cloneJson } from '../lib/json.ts';
import type { DeepReadonly } from '../meta/types.ts';
import {
  type FieldPath,
  nestedField,
  nestedBoolean,
  nestedList,
  nestedNumber,
  nestedObject,
  nestedString,
  nestedStringList,
  nestedStringMap,
  removeNestedField,
  setNestedField,
} from './nested.ts';
import type { Unstructured } from './unstructured.ts';

const widget: DeepReadonly<Unstructured> = {
  kind: 'Widget',
  metadata: { name: 'one', labels: { app: 'web' } },
  spec: { size: 3, isOn: false, parts: [{ name: 'a' }, { name: 'b' }], tags: ['x'], empty: null },
};

describe('fields of unstructured objects', () => {
  it('are read by path', () => {
    assert.equal(nestedField(widget, ['spec', 'parts', 1, 'name']), 'b');
    assert.equal(nestedField(widget, []), widget);
    assert.equal(nestedString(widget, ['metadata', 'name']), 'one');
    assert.equal(nestedNumber(widget, ['spec', 'size']), 3);
    assert.equal(nestedBoolean(widget, ['spec', 'isOn']), false);
    assert.deepEqual(nestedList(widget, ['spec', 'parts']), [{ name: 'a' }, { name: 'b' }]);
    assert.deepEqual(nestedStringList(widget, ['spec', 'tags']), ['x']);
    assert.deepEqual(nestedObject(widget, ['spec', 'parts', 0]), { name: 'a' });
    assert.deepEqual(nestedStringMap(widget, ['metadata', 'labels']), { app: 'web' });
  });

  it('are undefined if they are missing', () => {
    const missing: readonly FieldPath[] = [
      ['status'],
      ['status', 'phase'],
      ['spec', 'empty', 'further', 'down'],
      ['spec', 'parts', 2],
      ['spec', 'parts', 2, 'name'],
      ['spec', 'parts', -1],
      ['constructor'],
      ['spec', 'toString'],
    ];
    for (const path of missing) assert.equal(nestedField(widget, path), undefined, path.join('.'));
    assert.equal(nestedField(widget, ['spec', 'empty']), null);
    assert.equal(nestedString(widget, ['spec', 'empty']), undefined);
  });

  const wrong: readonly (readonly [string, () => unknown])[] = [
    ['spec.size is a number, not a string', () => nestedString(widget, ['spec', 'size'])],
    ['kind is a string, not a number', () => nestedNumber(widget, ['kind'])],
    ['spec is an object, not a boolean', () => nestedBoolean(widget, ['spec'])],
    ['spec is an object, not a list', () => nestedList(widget, ['spec'])],
    [
      'spec.parts is a list, not a list of strings',
      () => nestedStringList(widget, ['spec', 'parts']),
    ],
    ['spec.parts is a list, not an object', () => nestedObject(widget, ['spec', 'parts'])],
    ['spec is an object, not an object with strings', () => nestedStringMap(widget, ['spec'])],
    ['spec.size is a number, not an object', () => nestedField(widget, ['spec', 'size', 'unit'])],
    ['spec is an object, not a list', () => nestedField(widget, ['spec', 0])],
    ['spec.parts is a list, not an object', () => nestedField(widget, ['spec', 'parts', 'name'])],
    [
      'spec.parts[0].name is a string, not a list',
      () => nestedField(widget, ['spec', 'parts', 0, 'name', 0]),
    ],
    ['the object is an object, not a list', () => nestedField(widget, [0])],
    [
      'spec.size is a number, not an object',
      () => setNestedField(widget, ['spec', 'size', 'x'], 1),
    ],
    [
      'spec.parts is a list of 2, which has no place for item 3',
      () => setNestedField(widget, ['spec', 'parts', 3], 1),
    ],
    [
      'spec.parts is a list of 2, which has no place for item -1',
      () => setNestedField(widget, ['spec', 'parts', -1], 1),
    ],
  ];
  for (const [message, read] of wrong) {
    it(`are refused: ${message}`, () => {
      assert.throws(read, { name: 'DynamicError', code: 'DYNAMIC_FIELD_TYPE', message });
    });
  }

  it('are set in place', () => {
    const object = cloneJson(widget);
    setNestedField(object, ['spec', 'parts', 0, 'name'], 'z');
    assert.equal(nestedField(object, ['spec', 'parts', 0, 'name']), 'z');
    assert.deepEqual(nestedField(object, ['spec', 'parts', 1]), { name: 'b' });
  });

  it('are created with their missing parents', () => {
    const set = (object: object, path: FieldPath, value: unknown): object => {
      setNestedField(object, path, value);
      return object;
    };
    assert.deepEqual(set({}, ['status', 'conditions', 0, 'type'], 'Ready'), {
      status: { conditions: [{ type: 'Ready' }] },
    });
    assert.deepEqual(set({ status: null }, ['status', 'phase'], 'Up'), { status: { phase: 'Up' } });
    assert.deepEqual(set({ list: [1] }, ['list', 1], 2), { list: [1, 2] });
    assert.deepEqual(set({ list: [1] }, ['list', 0], 2), { list: [2] });
    const evil = set({}, ['__proto__', 'polluted'], true);
    assert.equal(Reflect.get({}, 'polluted'), undefined);
    assert.equal(nestedField(evil, ['__proto__', 'polluted']), true);
  });

  it('are not set at an invalid path, and leave the object unchanged', () => {
    for (const [object, path] of [
      [{ list: [1] }, ['list', 2]],
      [{ list: [1] }, ['list', -1]],
      [{}, ['a', 'b', 1, 'c']],
      [{ a: 'text' }, ['a', 'b']],
      [{}, []],
    ] as [object, FieldPath][]) {
      const before = cloneJson(object);
      assert.throws(() => setNestedField(object, path, 1), { code: 'DYNAMIC_FIELD_TYPE' });
      assert.deepEqual(object, before);
    }
  });

  it('are removed in place', () => {
    const object = cloneJson(widget);
    removeNestedField(object, ['spec', 'parts', 0]);
    assert.deepEqual(nestedField(object, ['spec', 'parts']), [{ name: 'b' }]);
    const nested = { a: { b: 1, c: 2 } };
    removeNestedField(nested, ['a', 'b']);
    assert.deepEqual(nested, { a: { c: 2 } });
    const empty = { a: null };
    removeNestedField(empty, ['a']);
    removeNestedField(empty, ['b', 'c']);
    assert.deepEqual(empty, {});
  });

  it('cannot be set in cached objects', async () => {
    const bytes = Buffer.from(
      '{"kind":"List","items":[{"metadata":{"name":"a"},"spec":{"x":[1]}}]}',
    );
    const list = await readOnlyCodecFor('application/json').decodeList<{ items: object[] }>(bytes);
    for (const object of [
      ...list.items,
      deepFreeze({ metadata: { name: 'a' }, spec: { x: [1] } }),
    ]) {
      const readOnly = { name: 'DynamicError', code: 'DYNAMIC_READ_ONLY' };
      assert.throws(() => setNestedField(object, ['metadata', 'name'], 'b'), readOnly);
      assert.throws(() => setNestedField(object, ['spec', 'x', 0], 2), readOnly);
      assert.throws(() => removeNestedField(object, ['spec', 'x']), readOnly);
      assert.throws(() => removeNestedField(object, ['spec', 'x', 0]), readOnly);
    }
  });

  it('read back what was set', () => {
    const path = fc.array(fc.oneof(fc.string(), fc.nat(2)), { minLength: 1, maxLength: 4 });
    const property = fc.property(fc.object(), path, fc.jsonValue(), (object, place, value) => {
      const before = cloneJson(object);
      try {
        setNestedField(object, place, value);
      } catch (error) {
        assert.equal(Reflect.get(error as object, 'code'), 'DYNAMIC_FIELD_TYPE');
        assert.deepEqual(object, before);
        return;
      }
      assert.equal(nestedField(object, place), value);
    });
    fc.assert(property, { examples: [[{}, ['a', 0], 1]] });
  });
});
