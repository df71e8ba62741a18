import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { isJsonObject, type JsonObject, type JsonValue } from 'client-ts/internal';
import { compare } from './compare.ts';
import { below, type FieldSet, intersection, isEmpty, isMember } from './field-set.ts';
import { type FieldType, fieldTypeOf, typeOfField } from './field-type.ts';
import { itemElement } from './list-item.ts';
import { merge } from './merge.ts';
import { fieldElement } from './path-element.ts';
import { removeItems } from './prune.ts';
import { everything, schemaFrom } from './test-schema.ts';
import { toFieldSet } from './typed-set.ts';

const type = fieldTypeOf(schemaFrom(everything));

const word = fc.constantFrom('a', 'b', 'c', 'd');
const dict = fc.dictionary(word, fc.constantFrom('1', '2'), { maxKeys: 3 });
const parts = fc.record(
  {
    text: word,
    number: fc.integer({ min: 0, max: 3 }),
    struct: fc.record({ a: word, inner: fc.record({ b: word, c: word }, { requiredKeys: [] }) }),
    dict,
    atomicDict: dict,
    atomicList: fc.array(word, { maxLength: 3 }),
    set: fc.uniqueArray(word, { minLength: 1 }),
    items: fc.uniqueArray(
      fc.record(
        {
          name: word,
          protocol: fc.constantFrom('TCP', 'UDP'),
          value: word,
          tags: fc.uniqueArray(fc.integer({ min: 0, max: 4 }), { minLength: 1 }),
        },
        { requiredKeys: ['name'] },
      ),
      { selector: ({ name, protocol = 'TCP' }) => name + protocol, minLength: 1, maxLength: 4 },
    ),
    free: fc.dictionary(word, fc.oneof(word, dict, fc.array(word, { maxLength: 2 }))),
  },
  { requiredKeys: [] },
);

/** fast-check generates objects without a prototype, which deep equality distinguishes. */
const config: fc.Arbitrary<JsonObject> = parts.map((value) => structuredClone(value));

const names = (...list: string[]): JsonObject => ({ items: list.map((name) => ({ name })) });

describe('merging', () => {
  test('prefers the configuration and keeps the rest', () => {
    assert.deepEqual(
      merge(
        { text: 'a', dict: { x: '1', y: '2' }, atomicDict: { x: '1' } },
        { text: 'b', dict: { y: '3' }, atomicDict: { y: '2' } },
        type,
      ),
      { text: 'b', dict: { x: '1', y: '3' }, atomicDict: { y: '2' } },
    );
  });

  test('sets scalars to null, but keeps the content of maps and lists', () => {
    assert.deepEqual(
      merge(
        { text: 'a', dict: { a: '1' }, set: ['a'], atomicList: ['a'] },
        { text: null, dict: null, set: null, atomicList: null },
        type,
      ),
      { text: null, dict: { a: '1' }, set: ['a'], atomicList: null },
    );
  });

  test('distinguishes empty and null', () => {
    assert.deepEqual(merge({ dict: {}, set: null }, { dict: null, set: [] }, type), {
      dict: null,
      set: [],
    });
  });

  const orders: readonly [live: string[], config: string[], merged: string[]][] = [
    [['a', 'b'], ['c'], ['a', 'b', 'c']],
    [
      ['a', 'b', 'c'],
      ['c', 'a'],
      ['b', 'c', 'a'],
    ],
    [
      ['a', 'b', 'c'],
      ['b', 'x'],
      ['a', 'b', 'c', 'x'],
    ],
    [
      ['a', 'b', 'c', 'd'],
      ['d', 'x', 'b'],
      ['a', 'c', 'd', 'x', 'b'],
    ],
    [
      ['a', 'b'],
      ['x', 'a', 'y', 'b'],
      ['x', 'a', 'y', 'b'],
    ],
    [
      ['a', 'b', 'z'],
      ['a', 'x', 'b'],
      ['a', 'x', 'b', 'z'],
    ],
    [[], ['b', 'a'], ['b', 'a']],
    [['b', 'a'], [], ['b', 'a']],
  ];
  for (const [live, wanted, merged] of orders) {
    test(`orders ${live.join()} with ${wanted.join()} as ${merged.join()}`, () => {
      assert.deepEqual(merge(names(...live), names(...wanted), type), names(...merged));
      assert.deepEqual(merge({ set: live }, { set: wanted }, type), { set: merged });
    });
  }

  test('keeps items with the same key unless the configuration has that key', () => {
    const live = { items: [{ name: 'x', value: '1' }, { name: 'y' }, { name: 'x', value: '2' }] };
    assert.deepEqual(merge(live, names('y'), type), live);
    assert.deepEqual(merge(live, names('x'), type), {
      items: [{ name: 'x' }, { name: 'y' }],
    });
  });

  test('twice is the same as once', () => {
    fc.assert(
      fc.property(config, config, (live, applied) => {
        const once = merge(live, applied, type);
        assert.deepEqual(merge(once, applied, type), once);
        const { added, modified, removed } = compare(once, merge(once, applied, type), type);
        assert.ok(isEmpty(added) && isEmpty(modified) && isEmpty(removed));
      }),
    );
  });

  test('removes nothing and modifies neither side', () => {
    fc.assert(
      fc.property(config, config, (live, applied) => {
        const before = structuredClone({ live, applied });
        const merged = merge(live, applied, type);
        assert.deepEqual({ live, applied }, before);
        // Without a schema a scalar can replace a map and its content.
        const [{ free: _, ...old }, { free: __, ...latest }] = [live, merged];
        assert.ok(isEmpty(compare(old, latest, type).removed));
      }),
    );
  });
});

describe('the part of an object that a set names', () => {
  test('is the applied configuration', () => {
    fc.assert(
      fc.property(config, (applied) => {
        const extracted = extractItems(merge({}, applied, type), toFieldSet(applied, type));
        assert.deepEqual(extracted, applied);
      }),
    );
  });

  test('is gone after its removal', () => {
    fc.assert(
      fc.property(config, config, (live, applied) => {
        const set = toFieldSet(applied, type);
        const left = removeItems(merge(live, applied, type), set, type);
        assert.ok(isEmpty(intersection(toFieldSet(left, type), set)));
      }),
    );
  });
});

/** Extracts the part of an object that a set names, as clients do to find their own fields. */
function extractItems(value: JsonObject, set: FieldSet): JsonObject {
  const part = extractBelow(value, set, type);
  return isJsonObject(part) ? part : {};
}

function extractBelow(value: JsonValue, set: FieldSet, of: FieldType): JsonValue {
  if (Array.isArray(value) && of.list !== undefined && !of.list.atomic) {
    const { list } = of;
    return value.flatMap((item) => {
      const element = itemElement(list, item);
      const inner = below(set, element);
      if (!isEmpty(inner)) return [extractBelow(item, inner, list.item)];
      return isMember(set, element) ? [item] : [];
    });
  }
  if (isJsonObject(value) && of.map !== undefined && !of.map.atomic) {
    const part: JsonObject = {};
    for (const [name, field] of Object.entries(value)) {
      const element = fieldElement(name);
      const inner = below(set, element);
      if (field === undefined) continue;
      if (!isEmpty(inner)) part[name] = extractBelow(field, inner, typeOfField(of.map, name));
      else if (isMember(set, element)) part[name] = field;
    }
    return part;
  }
  return value;
}
