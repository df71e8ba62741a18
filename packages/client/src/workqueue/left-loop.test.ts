import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WorkQueue } from './work-queue.ts';

describe('a loop that is left while it waits', () => {
  const over = { done: true, value: undefined };

  it('ends, and takes no item from the others', async () => {
    const queue = new WorkQueue<string>();
    const left = queue[Symbol.asyncIterator]();
    const waiting = left.next();
    assert.deepEqual(await left.return?.(), over);
    assert.deepEqual(await waiting, over);
    queue.add('a');
    assert.deepEqual(await queue.get(), { done: false, value: 'a' });
  });

  it('gives back an item that was on its way', async () => {
    const queue = new WorkQueue<string>();
    const left = queue[Symbol.asyncIterator]();
    const waiting = left.next();
    queue.add('a');
    // The queue hands out in a microtask: the item is with the loop, which does not know it yet.
    await Promise.resolve();
    const leaving = left.return?.();
    assert.deepEqual([await leaving, await waiting], [over, over]);
    assert.equal(queue.len, 1);
    const drained = queue.shutDownWithDrain();
    for await (const item of queue) assert.equal(item, 'a');
    await drained;
  });

  it('is done with the item of its last round', async () => {
    const queue = new WorkQueue<string>();
    queue.add('a');
    const loop = queue[Symbol.asyncIterator]();
    assert.equal((await loop.next()).value, 'a');
    queue.add('a');
    await loop.return?.();
    assert.equal(queue.len, 1);
  });
});
