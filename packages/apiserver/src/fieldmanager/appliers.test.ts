import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from 'client-ts/internal';
import { hasPath } from './field-set.ts';
import { apply, contentOf, type Live, owned, second } from './test-apply.ts';

describe('any number of appliers', () => {
  const word = fc.constantFrom('a', 'b', 'c');
  const config: fc.Arbitrary<JsonObject> = fc
    .record(
      {
        text: word,
        dict: fc.dictionary(word, word, { minKeys: 1 }),
        set: fc.uniqueArray(word, { minLength: 1 }),
        items: fc.uniqueArray(fc.record({ name: word, value: word }, { requiredKeys: ['name'] }), {
          selector: ({ name }) => name,
          minLength: 1,
        }),
        struct: fc.record({ a: word, inner: fc.record({ b: word }) }, { requiredKeys: ['a'] }),
      },
      { requiredKeys: [] },
    )
    .map((value) => structuredClone(value));
  const applies = fc.array(fc.tuple(fc.constantFrom('x', 'y', 'z'), config), { minLength: 1 });

  test('find their own configuration in the object, and applying it again changes nothing', () => {
    fc.assert(
      fc.property(applies, (list) => {
        let live: Live;
        for (const [manager, wanted] of list) {
          live = apply(live, wanted, { manager, force: true });
          assertWithin(wanted, live as unknown as JsonObject);
          assert.deepEqual(apply(live, wanted, { manager, now: second }), live);
        }
      }),
    );
  });

  test('leave nothing behind after applying empty configurations', () => {
    fc.assert(
      fc.property(applies, (list) => {
        let live: Live;
        for (const [manager, wanted] of list) live = apply(live, wanted, { manager, force: true });
        for (const manager of ['x', 'y', 'z']) live = apply(live, {}, { manager });
        assert.ok(live);
        const left = Object.values(contentOf(live)).filter((value) => value !== null);
        assert.deepEqual(left, []);
        assert.equal(live.metadata?.managedFields, undefined);
      }),
    );
  });

  test('never co-own a field with different values', () => {
    fc.assert(
      fc.property(config, config, (mine, theirs) => {
        const live = apply(apply(undefined, mine), theirs, { manager: 'other', force: true });
        const [me, them] = [owned(live, 'm') ?? {}, owned(live, 'other') ?? {}];
        if (!hasPath(me, ['f:text']) || !hasPath(them, ['f:text'])) return;
        assert.equal(mine['text'], theirs['text']);
      }),
    );
  });
});

/** Asserts that every value of `part` is in `whole`; lists may have more items, keyed by name. */
function assertWithin(part: JsonObject, whole: JsonObject): void {
  for (const [key, value] of Object.entries(part)) {
    const actual = whole[key] as JsonValue;
    if (Array.isArray(value)) {
      for (const item of value) {
        assert.ok(
          (actual as JsonValue[]).some((other) => isWithin(item, other)),
          key,
        );
      }
    } else {
      assert.ok(isWithin(value ?? null, actual), key);
    }
  }
}

function isWithin(part: JsonValue, whole: JsonValue): boolean {
  if (typeof part !== 'object' || part === null) return part === whole;
  return Object.entries(part).every(([key, value]) =>
    isWithin(value as JsonValue, (whole as JsonObject)[key] as JsonValue),
  );
}
