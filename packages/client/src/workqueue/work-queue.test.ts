import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextTurn } from '../lib/next-turn.ts';
import { queueAdds } from './diagnostics.ts';
import { WorkQueue } from './work-queue.ts';

/** Returns the result of `get`; undefined if it would wait. */
async function takeNow<T>(queue: WorkQueue<T>): Promise<IteratorResult<T, undefined> | undefined> {
  const giveUp = new AbortController();
  const getting = queue.get({ signal: giveUp.signal }).catch(() => undefined);
  await nextTurn();
  giveUp.abort();
  return await getting;
}

const over = { done: true, value: undefined };
const got = (value: string): { done: false; value: string } => ({ done: false, value });

/** Returns true if the promise has settled. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const note = (): void => {
    settled = true;
  };
  promise.then(note, note);
  await nextTurn();
  return settled;
}

describe('WorkQueue', () => {
  for (const shutDown of ['shutDown', 'shutDownWithDrain'] as const) {
    it(`serves many producers and consumers until ${shutDown}`, async () => {
      const queue = new WorkQueue<number>();
      const seen: number[] = [];
      const held = new Set<number>();
      const worker = async (): Promise<void> => {
        for await (const item of queue) {
          assert.ok(!held.has(item), 'one worker has an item at a time');
          held.add(item);
          seen.push(item);
          await nextTurn();
          held.delete(item);
        }
      };
      const workers = Array.from({ length: 10 }, worker);
      const producer = async (_: unknown, index: number): Promise<void> => {
        for (let count = 0; count < 20; count += 1) {
          queue.add(index);
          await nextTurn();
        }
      };
      await Promise.all(Array.from({ length: 50 }, producer));
      await queue[shutDown]();
      queue.add(1000);
      await Promise.all(workers);
      assert.equal(new Set(seen).size, 50);
      assert.ok(!seen.includes(1000), 'items are rejected after the shutdown');
      assert.equal(queue.len, 0);
    });
  }

  it('hands out each item once, in the order of adding', async () => {
    const queue = new WorkQueue<string>();
    for (const item of ['b', 'a', 'b', 'c', 'a']) queue.add(item);
    assert.equal(queue.len, 3);
    assert.deepEqual(await queue.get(), got('b'));
    assert.deepEqual(await queue.get(), got('a'));
    assert.deepEqual(await queue.get(), got('c'));
    assert.equal(await takeNow(queue), undefined);
  });

  it('does not count items being processed in len', async () => {
    const queue = new WorkQueue<string>();
    queue.add('a');
    queue.add('b');
    assert.equal(queue.len, 2);
    await queue.get();
    assert.equal(queue.len, 1);
    queue.add('a');
    assert.equal(queue.len, 1);
    queue.done('a');
    assert.equal(queue.len, 2);
  });

  it('collapses adds of a waiting item', async () => {
    const queue = new WorkQueue<string>();
    queue.add('a');
    queue.add('a');
    assert.deepEqual(await queue.get(), got('a'));
    queue.done('a');
    assert.equal(queue.len, 0);
  });

  it('collapses adds during processing into one more run after done', async () => {
    const queue = new WorkQueue<string>();
    queue.add('a');
    assert.deepEqual(await queue.get(), got('a'));
    queue.add('a');
    queue.add('a');
    const second = queue.get();
    assert.equal(await isSettled(second), false);
    queue.done('a');
    assert.deepEqual(await second, got('a'));
    queue.done('a');
    assert.equal(queue.len, 0);
    assert.equal(await takeNow(queue), undefined);
  });

  it('puts a re-added item behind the waiting ones', async () => {
    const queue = new WorkQueue<string>();
    queue.add('a');
    queue.add('b');
    await queue.get();
    queue.add('a');
    queue.add('c');
    queue.done('a');
    assert.deepEqual(
      [await queue.get(), await queue.get(), await queue.get()],
      ['b', 'c', 'a'].map(got),
    );
  });

  it('collapses consecutive adds while a worker is idle', async () => {
    const queue = new WorkQueue<string>();
    const idle = queue.get();
    queue.add('a');
    queue.add('a');
    queue.add('a');
    assert.deepEqual(await idle, got('a'));
    queue.done('a');
    assert.equal(queue.len, 0);
  });

  it('wakes one idle worker per item', async () => {
    const queue = new WorkQueue<string>();
    const idle = [queue.get(), queue.get(), queue.get()] as const;
    queue.add('a');
    queue.add('b');
    assert.deepEqual(await idle[0], got('a'));
    assert.deepEqual(await idle[1], got('b'));
    assert.equal(await isSettled(idle[2]), false);
    queue.shutDown();
    assert.deepEqual(await idle[2], over);
  });

  it('yields to the event loop while workers without I/O process many items', async () => {
    const queue = new WorkQueue<number>();
    let inThisTurn = 0;
    let most = 0;
    const worker = async (): Promise<void> => {
      for await (const _ of queue) most = Math.max(most, (inThisTurn += 1));
    };
    for (let item = 0; item < 20_000; item += 1) queue.add(item);
    const workers = Array.from({ length: 7 }, worker);
    const drained = queue.shutDownWithDrain();
    while (queue.len > 0) {
      inThisTurn = 0;
      await nextTurn();
    }
    await drained;
    await Promise.all(workers);
    // Two slices may fall into one turn of this test.
    assert.ok(most <= 2000, `${most} items in one turn`);
  });

  it('ignores done for an item that waits again', () => {
    const queue = new WorkQueue<string>();
    queue.add('a');
    queue.tryGet();
    queue.add('a');
    queue.done('a');
    queue.done('a');
    assert.equal(queue.len, 1);
    assert.deepEqual(queue.tryGet(), got('a'));
    assert.equal(queue.tryGet(), undefined);
  });

  it('queues an item once that a subscriber adds while it is added', () => {
    const queue = new WorkQueue<string>();
    using _subscription = queueAdds.sample(1, () => {
      queue.add('b');
      queue.add('a');
    });
    queue.add('a');
    assert.deepEqual([queue.tryGet(), queue.tryGet()], [got('b'), got('a')]);
    assert.equal(queue.tryGet(), undefined);
  });

  it('ignores done for an item that no worker has', async () => {
    const queue = new WorkQueue<string>();
    queue.add('a');
    queue.done('a');
    queue.done('never added');
    queue.add('a');
    assert.equal(queue.len, 1);
    assert.deepEqual(await queue.get(), got('a'));
    assert.equal(await takeNow(queue), undefined);
  });

  it('accepts undefined and NaN as items', async () => {
    const queue = new WorkQueue<number | undefined>();
    for (const item of [undefined, NaN, undefined, NaN]) queue.add(item);
    assert.deepEqual(await queue.get(), { done: false, value: undefined });
    assert.deepEqual(await queue.get(), { done: false, value: NaN });
    queue.done(undefined);
    queue.done(NaN);
    assert.equal(queue.len, 0);
  });
});

describe('WorkQueue with a keyFunc', () => {
  interface Request {
    readonly name: string;
    readonly reason: string;
  }

  it('distinguishes objects by identity without a keyFunc', () => {
    const queue = new WorkQueue<Request>();
    const request = { name: 'a', reason: 'first' };
    queue.add(request);
    queue.add(request);
    queue.add({ ...request });
    assert.equal(queue.len, 2);
  });

  it('is done with an item whose key is undefined', async () => {
    const queue = new WorkQueue<string | undefined>();
    queue.add(undefined);
    queue.add('other');
    for (const _ of ['both', 'taken']) await queue.get();
    queue.done('other');
    queue.done(undefined);
    assert.equal(queue.statistics.busy, 0);
  });

  it('distinguishes objects by key and hands out the newest', async () => {
    const queue = new WorkQueue<Request>({ keyFunc: ({ name }) => name });
    queue.add({ name: 'a', reason: 'first' });
    queue.add({ name: 'a', reason: 'second' });
    assert.equal(queue.len, 1);
    const { value } = await queue.get();
    assert.equal(value?.reason, 'second');
    queue.add({ name: 'a', reason: 'third' });
    queue.add({ name: 'a', reason: 'fourth' });
    queue.done({ name: 'a', reason: 'another object' });
    assert.equal((await queue.get()).value?.reason, 'fourth');
  });
});

describe('WorkQueue.get', () => {
  it('rejects with the reason of an aborted signal and takes no item', async () => {
    const queue = new WorkQueue<string>();
    queue.add('a');
    await assert.rejects(queue.get({ signal: AbortSignal.abort(new Error('stopped')) }), /stopped/);
    assert.equal(queue.len, 1);
  });

  it('hands the item to another worker when the first has stopped waiting', async () => {
    const queue = new WorkQueue<string>();
    const stop = new AbortController();
    const first = queue.get({ signal: stop.signal });
    const second = queue.get();
    queue.add('a');
    stop.abort(new Error('stopped'));
    await assert.rejects(first, /stopped/);
    assert.deepEqual(await second, got('a'));
  });

  it('keeps the item with the worker when the signal aborts after it was handed out', async () => {
    const queue = new WorkQueue<string>();
    const stop = new AbortController();
    const getting = queue.get({ signal: stop.signal });
    queue.add('a');
    // Runs after the queue has handed out the item and before the worker continues.
    queueMicrotask(() => stop.abort(new Error('stopped')));
    assert.deepEqual(await getting, got('a'));
  });
});

describe('shutDown', () => {
  it('hands out the waiting items, then ends', async () => {
    const queue = new WorkQueue<string>();
    queue.add('a');
    queue.add('b');
    assert.equal(queue.shuttingDown, false);
    queue.shutDown();
    assert.equal(queue.shuttingDown, true);
    queue.add('c');
    assert.deepEqual(
      [await queue.get(), await queue.get(), await queue.get()],
      [got('a'), got('b'), over],
    );
  });

  it('ends idle workers after the items that were just added', async () => {
    const queue = new WorkQueue<string>();
    const idle = [queue.get(), queue.get()];
    queue.add('a');
    queue[Symbol.dispose]();
    assert.deepEqual(await Promise.all(idle), [got('a'), over]);
  });

  it('ignores adds of an item being processed', async () => {
    const queue = new WorkQueue<string>();
    queue.add('a');
    await queue.get();
    queue.shutDown();
    queue.add('a');
    queue.done('a');
    assert.deepEqual(await queue.get(), over);
  });

  it('does not wait for workers', async () => {
    const queue = new WorkQueue<string>();
    queue.add('a');
    await queue.get();
    queue.shutDown();
    assert.deepEqual(await queue.get(), over);
  });
});

describe('shutDownWithDrain', () => {
  it('waits until all workers are done', async () => {
    const queue = new WorkQueue<string>();
    queue.add('a');
    queue.add('b');
    await queue.get();
    await queue.get();
    const drained = queue.shutDownWithDrain();
    assert.deepEqual(await queue.get(), over);
    queue.done('a');
    assert.equal(await isSettled(drained), false);
    queue.done('b');
    await drained;
    await queue.shutDownWithDrain();
  });

  it('waits for an item that runs once more', async () => {
    const queue = new WorkQueue<string>();
    queue.add('a');
    await queue.get();
    queue.add('a');
    const drained = queue.shutDownWithDrain();
    assert.deepEqual(await queue.get(), over);
    queue.done('a');
    assert.equal(await isSettled(drained), false);
    assert.deepEqual(await queue.get(), got('a'));
    queue.done('a');
    await drained;
    assert.deepEqual(await queue.get(), over);
  });

  it('waits for items that no worker has taken yet', async () => {
    const queue = new WorkQueue<string>();
    queue.add('a');
    queue.add('b');
    await queue.get();
    const drained = queue.shutDownWithDrain();
    queue.done('a');
    assert.equal(await isSettled(drained), false);
    await queue.get();
    queue.done('b');
    await drained;
  });

  it('is ended by shutDown', async () => {
    const queue = new WorkQueue<string>();
    queue.add('a');
    await queue.get();
    const drained = queue.shutDownWithDrain();
    assert.equal(await isSettled(drained), false);
    queue.shutDown();
    await drained;
  });

  it('is ended by its signal and can be awaited again', async () => {
    const queue = new WorkQueue<string>();
    queue.add('a');
    await queue.get();
    const stop = new AbortController();
    const drained = queue.shutDownWithDrain({ signal: stop.signal });
    stop.abort(new Error('too long'));
    await assert.rejects(drained, /too long/);
    const again = queue.shutDownWithDrain();
    queue.done('a');
    await again;
  });

  it('resolves immediately when the queue is empty', async () => {
    const queue = new WorkQueue<string>();
    await queue.shutDownWithDrain();
    assert.equal(queue.shuttingDown, true);
  });
});

describe('a loop over a queue', () => {
  it('marks an item done at the end of its body', async () => {
    const queue = new WorkQueue<string>();
    queue.add('a');
    const seen: string[] = [];
    for await (const item of queue) {
      seen.push(item);
      if (seen.length < 3) queue.add(item);
      else queue.shutDown();
    }
    assert.deepEqual(seen, ['a', 'a', 'a']);
    await queue.shutDownWithDrain();
  });

  it('marks an item done when its body throws or breaks', async () => {
    const queue = new WorkQueue<string>();
    for (const item of ['a', 'b', 'c']) queue.add(item);
    await assert.rejects(async () => {
      for await (const item of queue) throw new Error(`no ${item}`);
    }, /no a/);
    for await (const item of queue) {
      assert.equal(item, 'b');
      break;
    }
    const drained = queue.shutDownWithDrain();
    for await (const item of queue) assert.equal(item, 'c');
    await drained;
  });
});

describe('a loop that is left while it waits', () => {
  it('ends and takes no item', async () => {
    const queue = new WorkQueue<string>();
    const left = queue[Symbol.asyncIterator]();
    const waiting = left.next();
    assert.deepEqual(await left.return?.(), over);
    assert.deepEqual(await waiting, over);
    queue.add('a');
    assert.deepEqual(await queue.get(), { done: false, value: 'a' });
  });

  it('returns an item that was already handed out', async () => {
    const queue = new WorkQueue<string>();
    const left = queue[Symbol.asyncIterator]();
    const waiting = left.next();
    queue.add('a');
    // The queue hands out in a microtask: the item is assigned, and the loop has not continued yet.
    await Promise.resolve();
    const leaving = left.return?.();
    assert.deepEqual([await leaving, await waiting], [over, over]);
    assert.equal(queue.len, 1);
    const drained = queue.shutDownWithDrain();
    for await (const item of queue) assert.equal(item, 'a');
    await drained;
  });

  it('marks the item of its last iteration done', async () => {
    const queue = new WorkQueue<string>();
    queue.add('a');
    const loop = queue[Symbol.asyncIterator]();
    assert.equal((await loop.next()).value, 'a');
    queue.add('a');
    await loop.return?.();
    assert.equal(queue.len, 1);
  });

  it('tryGet returns an item or the end, and undefined instead of waiting', () => {
    const queue = new WorkQueue<string>();
    assert.equal(queue.tryGet(), undefined);
    queue.add('a');
    assert.deepEqual(queue.tryGet(), got('a'));
    assert.equal(queue.tryGet(), undefined);
    queue.shutDown();
    assert.deepEqual(queue.tryGet(), over);
  });

  it('tryGet hands out nothing until the event loop had its turn', async () => {
    const queue = new WorkQueue<number>();
    for (let item = 0; item < 1500; item += 1) queue.add(item);
    let taken = 0;
    while (queue.tryGet() !== undefined) taken += 1;
    assert.equal(taken, 1000);
    assert.deepEqual(await queue.get(), { done: false, value: 1000 });
  });
});
