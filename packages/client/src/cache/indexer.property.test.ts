import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { Indexer } from './indexer.ts';

interface Item {
  readonly key: string;
  readonly tags: readonly string[];
}

const keys = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const tags = fc.array(fc.constantFrom('red', 'green', 'blue', ''), { maxLength: 4 });
const items = fc.record({ key: keys, tags });

const operations = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('set' as const), item: items }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('delete' as const), item: items }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constantFrom('replace' as const, 'slow replace' as const),
      items: fc.array(items, { maxLength: 6 }),
    }),
  },
);

const byTag = (item: Item): readonly string[] => item.tags;
const byCount = (item: Item): readonly number[] => [item.tags.length];

/** Returns every index, computed from the objects. */
function recompute<V>(objects: readonly Item[], values: (item: Item) => readonly V[]) {
  const index = new Map<V, Set<string>>();
  for (const item of objects) {
    for (const value of values(item)) {
      index.set(value, (index.get(value) ?? new Set()).add(item.key));
    }
  }
  return index;
}

it('indices agree with the objects after any history', () => {
  const history = fc.array(operations, { maxLength: 60 });
  fc.assert(
    fc.property(history, fc.nat(60), (steps, indexedAt) => {
      const store = new Indexer<Item>({ keyFunc: ({ key }) => key }).addIndexers({ byTag });
      const model = new Map<string, Item>();
      let second: Indexer<Item, { byCount: typeof byCount }> | undefined;

      for (const [position, step] of steps.entries()) {
        const slow = step.type === 'slow replace' ? store.replacement() : undefined;
        if (position === indexedAt) second = store.addIndexers({ byCount });
        if (step.type === 'set') {
          store.update(step.item);
          model.set(step.item.key, step.item);
        } else if (step.type === 'delete') {
          store.delete(step.item);
          model.delete(step.item.key);
        } else {
          if (slow === undefined) store.replace(step.items, '1');
          for (const item of step.items) slow?.set(item.key, item);
          slow?.commit('1');
          model.clear();
          for (const item of step.items) model.set(item.key, item);
        }

        assert.deepEqual(new Map(store.list().map((item) => [item.key, item])), model);
        const tagged = recompute(store.list(), byTag);
        assert.deepEqual(new Set(store.listIndexFuncValues('byTag')), new Set(tagged.keys()));
        for (const [tag, expected] of tagged) {
          assert.deepEqual(store.indexKeys('byTag', tag), [...expected].sort());
          assert.equal(store.countByIndex('byTag', tag), expected.size);
          assert.deepEqual(new Set(store.byIndex('byTag', tag).map(({ key }) => key)), expected);
        }
        if (second !== undefined) {
          const counted = recompute(store.list(), byCount);
          assert.deepEqual(new Set(second.listIndexFuncValues('byCount')), new Set(counted.keys()));
          for (const [count, expected] of counted) {
            assert.deepEqual(second.indexKeys('byCount', count), [...expected].sort());
          }
        }
      }
    }),
  );
});
