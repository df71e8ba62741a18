import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { cloneJson } from '../lib/json.ts';
import type { DeepReadonly } from '../meta/types.ts';
import {
  type FieldPath,
  getNested,
  nestedBoolean,
  nestedList,
  nestedNumber,
  nestedObject,
  nestedString,
  nestedStringList,
  nestedStringMap,
  removeNested,
  setNested,
} from './nested.ts';
import type { Unstructured } from './unstructured.ts';

const widget: DeepReadonly<Unstructured> = {
  kind: 'Widget',
  metadata: { name: 'one', labels: { app: 'web' } },
  spec: { size: 3, isOn: false, parts: [{ name: 'a' }, { name: 'b' }], tags: ['x'], empty: null },
};

describe('fields of unstructured objects', () => {
  it('are read by path', () => {
    assert.equal(getNested(widget, ['spec', 'parts', 1, 'name']), 'b');
    assert.equal(getNested(widget, []), widget);
    assert.equal(nestedString(widget, ['metadata', 'name']), 'one');
    assert.equal(nestedNumber(widget, ['spec', 'size']), 3);
    assert.equal(nestedBoolean(widget, ['spec', 'isOn']), false);
    assert.deepEqual(nestedList(widget, ['spec', 'parts']), [{ name: 'a' }, { name: 'b' }]);
    assert.deepEqual(nestedStringList(widget, ['spec', 'tags']), ['x']);
    assert.deepEqual(nestedObject(widget, ['spec', 'parts', 0]), { name: 'a' });
    assert.deepEqual(nestedStringMap(widget, ['metadata', 'labels']), { app: 'web' });
  });

  it('are undefined if they are not there', () => {
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
    for (const path of missing) assert.equal(getNested(widget, path), undefined, path.join('.'));
    assert.equal(getNested(widget, ['spec', 'empty']), null);
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
    ['spec.size is a number, not an object', () => getNested(widget, ['spec', 'size', 'unit'])],
    ['spec is an object, not a list', () => getNested(widget, ['spec', 0])],
    ['spec.parts is a list, not an object', () => getNested(widget, ['spec', 'parts', 'name'])],
    [
      'spec.parts[0].name is a string, not a list',
      () => getNested(widget, ['spec', 'parts', 0, 'name', 0]),
    ],
    ['the object is an object, not a list', () => getNested(widget, [0])],
    ['spec.size is a number, not an object', () => setNested(widget, ['spec', 'size', 'x'], 1)],
    [
      'spec.parts is a list of 2, which has no place for item 3',
      () => setNested(widget, ['spec', 'parts', 3], 1),
    ],
    [
      'spec.parts is a list of 2, which has no place for item -1',
      () => setNested(widget, ['spec', 'parts', -1], 1),
    ],
  ];
  for (const [message, read] of wrong) {
    it(`are refused: ${message}`, () => {
      assert.throws(read, { name: 'DynamicError', code: 'DYNAMIC_FIELD_TYPE', message });
    });
  }

  it('are set in a copy that shares what did not change', () => {
    const before = cloneJson(widget);
    const after = setNested(widget, ['spec', 'parts', 0, 'name'], 'z');
    assert.deepEqual(widget, before);
    assert.equal(getNested(after, ['spec', 'parts', 0, 'name']), 'z');
    assert.equal(after.metadata, widget.metadata);
    assert.equal(getNested(after, ['spec', 'parts', 1]), getNested(widget, ['spec', 'parts', 1]));
  });

  it('are set where nothing was', () => {
    assert.deepEqual(setNested({}, ['status', 'conditions', 0, 'type'], 'Ready'), {
      status: { conditions: [{ type: 'Ready' }] },
    });
    assert.deepEqual(setNested({ list: [1] }, ['list', 1], 2), { list: [1, 2] });
    assert.deepEqual(setNested({ list: [1] }, ['list', 0], 2), { list: [2] });
    const evil = setNested({}, ['__proto__', 'polluted'], true);
    assert.equal(Reflect.get({}, 'polluted'), undefined);
    assert.equal(getNested(evil, ['__proto__', 'polluted']), true);
  });

  it('are removed in a copy', () => {
    const after = removeNested(widget, ['spec', 'parts', 0]);
    assert.deepEqual(getNested(after, ['spec', 'parts']), [{ name: 'b' }]);
    assert.deepEqual(removeNested({ a: { b: 1, c: 2 } }, ['a', 'b']), { a: { c: 2 } });
    assert.deepEqual(removeNested({ a: null }, ['a']), {});
    assert.equal(removeNested(widget, ['status', 'phase']), widget);
    assert.equal(nestedList(widget, ['spec', 'parts'])?.length, 2);
  });

  it('read back what was set, and nothing else changes', () => {
    const path = fc.array(fc.oneof(fc.string(), fc.nat(2)), { minLength: 1, maxLength: 4 });
    const property = fc.property(fc.object(), path, fc.jsonValue(), (object, place, value) => {
      const before = cloneJson(object);
      let after: object;
      try {
        after = setNested(object, place, value);
      } catch (error) {
        assert.equal(Reflect.get(error as object, 'code'), 'DYNAMIC_FIELD_TYPE');
        return;
      }
      assert.deepEqual(object, before);
      assert.equal(getNested(after, place), value);
      assert.equal(getNested(removeNested(after, place), place) === value, false);
    });
    fc.assert(property, { examples: [[{}, ['a', 0], 1]] });
  });
});
