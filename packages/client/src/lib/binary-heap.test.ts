import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { BinaryHeap, type BinaryHeapItem } from './binary-heap.ts';

interface Item extends BinaryHeapItem {
  rank: number;
}

const item = (rank: number): Item => ({ rank, heapIndex: -1 });
const byRank = (left: Item, right: Item): boolean => left.rank < right.rank;

function drain(heap: BinaryHeap<Item>): number[] {
  const ranks: number[] = [];
  for (let next = heap.pop(); next !== undefined; next = heap.pop()) ranks.push(next.rank);
  return ranks;
}

describe('BinaryHeap', () => {
  it('returns items in order', () => {
    const heap = new BinaryHeap(byRank);
    for (const rank of [5, 1, 4, 1, 3]) heap.push(item(rank));
    assert.equal(heap.peek()?.rank, 1);
    assert.equal(heap.size, 5);
    assert.deepEqual(drain(heap), [1, 1, 3, 4, 5]);
    assert.equal(heap.peek(), undefined);
    assert.equal(heap.pop(), undefined);
  });

  it('takes items out of the middle', () => {
    const heap = new BinaryHeap(byRank);
    const middle = item(4);
    for (const one of [item(5), item(1), middle, item(2), item(3)]) heap.push(one);
    assert.ok(heap.remove(middle));
    assert.equal(middle.heapIndex, -1);
    assert.equal(heap.remove(middle), false);
    assert.deepEqual(drain(heap), [1, 2, 3, 5]);
  });

  it('rejects items of another heap', () => {
    const heap = new BinaryHeap(byRank);
    const other = new BinaryHeap(byRank);
    const foreign = item(1);
    other.push(foreign);
    heap.push(item(2));
    assert.equal(heap.remove(foreign), false);
    assert.equal(heap.update(foreign), false);
    assert.throws(() => heap.push(foreign), TypeError);
    assert.equal(heap.size, 1);
    assert.equal(foreign.heapIndex, 0);
  });

  it('moves an item whose rank changed, in either direction', () => {
    const heap = new BinaryHeap(byRank);
    const items = [1, 2, 3, 4, 5, 6, 7].map(item);
    for (const one of items) heap.push(one);
    const [first, , , , , , last] = items as [Item, Item, Item, Item, Item, Item, Item];
    last.rank = 0;
    assert.ok(heap.update(last));
    assert.equal(heap.peek(), last);
    first.rank = 9;
    assert.ok(heap.update(first));
    assert.deepEqual(drain(heap), [0, 2, 3, 4, 5, 6, 9]);
  });

  it('behaves like a sorted list', () => {
    const action = fc.oneof(
      fc.record({ kind: fc.constant('push' as const), rank: fc.nat(20) }),
      fc.record({ kind: fc.constant('pop' as const) }),
      fc.record({ kind: fc.constant('remove' as const), which: fc.nat(9) }),
      fc.record({ kind: fc.constant('update' as const), which: fc.nat(9), rank: fc.nat(20) }),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
        const heap = new BinaryHeap(byRank);
        const model = new Set<Item>();
        const pick = (which: number): Item | undefined => [...model][which % (model.size || 1)];
        const least = (): number => Math.min(...[...model].map(({ rank }) => rank));
        for (const step of actions) {
          if (step.kind === 'push') {
            const added = item(step.rank);
            heap.push(added);
            model.add(added);
          } else if (step.kind === 'pop') {
            const expected = model.size === 0 ? undefined : least();
            const popped = heap.pop();
            assert.equal(popped?.rank, expected);
            if (popped !== undefined) model.delete(popped);
          } else {
            const chosen = pick(step.which);
            if (chosen === undefined) continue;
            if (step.kind === 'remove') {
              assert.ok(heap.remove(chosen));
              model.delete(chosen);
            } else {
              chosen.rank = step.rank;
              assert.ok(heap.update(chosen));
            }
          }
          assert.equal(heap.size, model.size);
          if (model.size > 0) assert.equal(heap.peek()?.rank, least());
        }
        const rest = [...model].map(({ rank }) => rank).toSorted((a, b) => a - b);
        assert.deepEqual(drain(heap), rest);
      }),
    );
  });
});
