import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Heap } from './heap.ts';

interface Item {
  readonly name: string;
  readonly rank: number;
}

function makeHeap(...items: readonly (readonly [string, number])[]): Heap<Item> {
  const heap = new Heap<Item>({
    keyFunc: ({ name }) => name,
    isBefore: (left, right) => left.rank < right.rank,
  });
  heap.addAll(items.map(([name, rank]) => ({ name, rank })));
  return heap;
}

function drain(heap: Heap<Item>): string[] {
  const names: string[] = [];
  for (let item = heap.tryPop(); item !== undefined; item = heap.tryPop()) names.push(item.name);
  return names;
}

describe('Heap', () => {
  it('pops in order, whatever the order of adding', () => {
    const heap = makeHeap(['c', 3], ['a', 1], ['d', 4], ['b', 2]);
    assert.equal(heap.peek()?.name, 'a');
    assert.equal(heap.size, 4);
    assert.deepEqual(drain(heap), ['a', 'b', 'c', 'd']);
    assert.equal(heap.peek(), undefined);
    assert.equal(heap.size, 0);
  });

  it('moves an object that is added again', () => {
    const heap = makeHeap(['a', 1], ['b', 2], ['c', 3]);
    heap.add({ name: 'a', rank: 9 });
    heap.update({ name: 'c', rank: 0 });
    assert.equal(heap.size, 3);
    assert.deepEqual(drain(heap), ['c', 'b', 'a']);
  });

  it('addIfNotPresent leaves a present object unchanged', () => {
    const heap = makeHeap(['a', 1]);
    assert.equal(heap.addIfNotPresent({ name: 'a', rank: 9 }), false);
    assert.equal(heap.addIfNotPresent({ name: 'b', rank: 2 }), true);
    assert.equal(heap.getByKey('a')?.rank, 1);
    assert.deepEqual(drain(heap), ['a', 'b']);
  });

  it('removes from any place', () => {
    const heap = makeHeap(['a', 1], ['b', 2], ['c', 3], ['d', 4]);
    assert.equal(heap.delete({ name: 'b', rank: 0 }), true);
    assert.equal(heap.deleteByKey('d'), true);
    assert.equal(heap.delete({ name: 'b', rank: 2 }), false);
    assert.deepEqual(drain(heap), ['a', 'c']);
    heap.add({ name: 'b', rank: 5 });
    assert.deepEqual(drain(heap), ['b']);
  });

  it('finds objects by key', () => {
    const heap = makeHeap(['b', 2], ['a', 1]);
    assert.equal(heap.get({ name: 'a', rank: 7 })?.rank, 1);
    assert.equal(heap.getByKey('c'), undefined);
    assert.equal(heap.has('b'), true);
    assert.deepEqual(heap.listKeys(), ['b', 'a']);
    assert.deepEqual(heap.list(), [
      { name: 'b', rank: 2 },
      { name: 'a', rank: 1 },
    ]);
  });

  it('makes pops wait for objects, and serves them in order', async () => {
    const heap = makeHeap();
    const first = heap.pop();
    const second = heap.pop();
    heap.addAll([
      { name: 'b', rank: 2 },
      { name: 'a', rank: 1 },
    ]);
    assert.equal((await first).name, 'a');
    assert.equal((await second).name, 'b');
  });

  it('does not pop an object twice', async () => {
    const heap = makeHeap();
    const first = heap.pop();
    const second = heap.pop();
    heap.add({ name: 'a', rank: 1 });
    assert.equal((await first).name, 'a');
    assert.equal(heap.size, 0);
    heap.add({ name: 'b', rank: 2 });
    assert.equal((await second).name, 'b');
  });

  it('stops waiting when the signal aborts', async () => {
    const heap = makeHeap();
    const stop = new AbortController();
    const popped = heap.pop({ signal: stop.signal });
    stop.abort(new Error('enough'));
    await assert.rejects(popped, /enough/);
    heap.add({ name: 'a', rank: 1 });
    assert.equal(heap.size, 1);
  });

  it('refuses writes once it is closed, and can still be popped', async () => {
    const heap = makeHeap(['a', 1]);
    const closed = { code: 'CACHE_QUEUE_CLOSED' };
    assert.equal(heap.isClosed, false);
    heap.close();
    assert.equal(heap.isClosed, true);
    assert.throws(() => heap.add({ name: 'b', rank: 1 }), closed);
    assert.throws(() => heap.addIfNotPresent({ name: 'b', rank: 1 }), closed);
    assert.equal((await heap.pop()).name, 'a');
    await assert.rejects(heap.pop(), closed);
  });

  it('rejects waiting pops when it is closed', async () => {
    const heap = makeHeap();
    const popped = assert.rejects(heap.pop(), { code: 'CACHE_QUEUE_CLOSED' });
    heap[Symbol.dispose]();
    await popped;
  });

  it('is a sorted map after any history', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
    const operation = fc.oneof(
      fc.record({ type: fc.constant('add' as const), name, rank: fc.nat(9) }),
      fc.record({ type: fc.constant('delete' as const), name }),
      fc.record({ type: fc.constant('take' as const) }),
    );
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
        const heap = makeHeap();
        const model = new Map<string, number>();
        for (const step of operations) {
          if (step.type === 'add') {
            heap.add(step);
            model.set(step.name, step.rank);
          } else if (step.type === 'delete') {
            assert.equal(heap.deleteByKey(step.name), model.delete(step.name));
          } else {
            const taken = heap.tryPop();
            const least = model.size === 0 ? undefined : Math.min(...model.values());
            assert.equal(taken?.rank, least);
            if (taken !== undefined) assert.equal(model.delete(taken.name), true);
          }
          assert.equal(heap.size, model.size);
        }
      }),
    );
  });
});
