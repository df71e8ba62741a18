import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject, JsonValue } from 'client-ts/internal';
import fc from 'fast-check';
import { type ListMerge, mergeLists, orderItems } from './strategic-list.ts';

const byName: ListMerge = {
  mergeKey: 'name',
  isDeleteList: false,
  itemKind: 'struct',
  mergeItems: (original, patch) => ({ ...original, ...patch }),
};

/** Items without a position go to the front, others after the last one with a smaller position. */
function insertOneByOne(items: readonly string[], places: ReadonlyMap<string, number>): string[] {
  const result: string[] = [];
  for (const item of items) {
    const place = places.get(item);
    const target =
      place === undefined
        ? 0
        : result.findLastIndex((other) => (places.get(other) ?? Infinity) <= place) + 1;
    result.splice(target, 0, item);
  }
  return result;
}

describe('lists of a strategic merge patch', () => {
  it('read each key a few times, however many items are deleted', () => {
    let reads = 0;
    const item = (index: number, fields: JsonObject): JsonObject =>
      Object.defineProperty({ ...fields }, 'name', {
        enumerable: true,
        get: () => {
          reads += 1;
          return `n${index}`;
        },
      });
    const count = 2000;
    const original = Array.from({ length: count }, (_, index) => item(index, {}));
    const patch = Array.from({ length: count - 1 }, (_, index) =>
      item(index, { $patch: 'delete' }),
    );
    const merged = mergeLists(original, patch, byName);
    assert.deepEqual(merged, [original.at(-1)]);
    assert.ok(reads < 20 * count, `${reads} reads of ${count} keys`);
  });

  it('order items without a position like a server that inserts them one by one', () => {
    const letters = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'), {
      maxLength: 7,
    });
    fc.assert(
      fc.property(letters, letters, (items, original) => {
        const places = new Map(original.map((item, place) => [item, place]));
        assert.deepEqual(
          orderItems(
            items,
            [],
            original,
            items.length + original.length === 0 ? ['x'] : items,
            undefined,
          ),
          insertOneByOne(items, places),
        );
      }),
    );
  });

  it('order a hundred thousand items that the order of the patch does not name', () => {
    const items: JsonValue[] = Array.from({ length: 100_000 }, (_, index) => `n${index}`);
    const ordered = orderItems(items, [], ['n7'], items, undefined);
    assert.equal(ordered[0], 'n99999');
    assert.equal(ordered.length, items.length);
  });
});
