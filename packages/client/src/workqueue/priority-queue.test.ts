import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OptionError } from '../lib/option-error.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { type GaugeMetric, InMemoryMetricsProvider, type MetricsProvider } from './metrics.ts';
import { LOW_PRIORITY, PriorityQueue } from './priority-queue.ts';
import { ItemExponentialFailureRateLimiter } from './rate-limiters.ts';
import { requeueAfter } from './reconcile.ts';
import { runWorkers } from './run-workers.ts';

function makeQueue(): { queue: PriorityQueue<string>; clock: VirtualClock } {
  const clock = new VirtualClock();
  const rateLimiter = new ItemExponentialFailureRateLimiter<string>({
    baseDelayMs: 5,
    maxDelayMs: 1000,
  });
  return { clock, queue: new PriorityQueue<string>({ clock, rateLimiter }) };
}

async function takeAll(queue: PriorityQueue<string>): Promise<string[]> {
  const items: string[] = [];
  while (queue.len > 0) {
    const next = await queue.get();
    if (next.done === true) break;
    items.push(next.value);
    queue.done(next.value);
  }
  return items;
}

describe('PriorityQueue', () => {
  it('hands out higher priorities first, and one priority in the order of adding', async () => {
    const { queue } = makeQueue();
    queue.add('listed 1', { priority: LOW_PRIORITY });
    queue.add('changed 1');
    queue.add('listed 2', { priority: LOW_PRIORITY });
    queue.add('urgent', { priority: 1 });
    queue.add('changed 2');
    assert.deepEqual(await takeAll(queue), [
      'urgent',
      'changed 1',
      'changed 2',
      'listed 1',
      'listed 2',
    ]);
  });

  it('raises an item behind those of its new priority, and never lowers it', async () => {
    const { queue } = makeQueue();
    queue.add('a', { priority: LOW_PRIORITY });
    queue.add('b');
    queue.add('c');
    queue.add('a');
    queue.add('b', { priority: LOW_PRIORITY });
    assert.deepEqual(await takeAll(queue), ['b', 'c', 'a']);
  });

  it('retries an item with the priority it was handed out with', async () => {
    const { queue, clock } = makeQueue();
    queue.add('listed', { priority: LOW_PRIORITY });
    await queue.get();
    queue.addRateLimited('listed');
    queue.done('listed');
    assert.equal(queue.priorityOf('listed'), LOW_PRIORITY);
    await clock.advance(5);
    queue.add('changed');
    assert.deepEqual(await takeAll(queue), ['changed', 'listed']);
    assert.equal(queue.priorityOf('listed'), undefined);
  });

  it('ends the delay of an item that is added, and does not hand it out twice', async () => {
    const { queue, clock } = makeQueue();
    queue.addAfter('a', 1000, { priority: 3 });
    queue.add('a');
    assert.equal(queue.priorityOf('a'), 3);
    assert.equal(clock.pending, 0);
    assert.deepEqual(await takeAll(queue), ['a']);
    await clock.advance(2000);
    assert.equal(queue.len, 0);
  });

  it('does not delay an item that is queued, or that was added while a worker has it', async () => {
    const { queue, clock } = makeQueue();
    queue.add('a');
    await queue.get();
    queue.add('a');
    queue.addRateLimited('a');
    assert.equal(queue.numRequeues('a'), 1);
    queue.done('a');
    queue.addAfter('a', 1000);
    assert.equal(clock.pending, 0);
    assert.deepEqual(await takeAll(queue), ['a']);
  });

  it('keeps the order of adding for an item that a worker had meanwhile', async () => {
    const { queue } = makeQueue();
    queue.add('a');
    await queue.get();
    queue.add('a');
    queue.add('b');
    queue.done('a');
    assert.deepEqual(await takeAll(queue), ['a', 'b']);
  });

  it('returns an item of an abandoned loop with its priority', async () => {
    const { queue } = makeQueue();
    const loop = queue[Symbol.asyncIterator]();
    const next = loop.next();
    queue.add('listed', { priority: LOW_PRIORITY });
    // The queue hands out in a microtask: the item is assigned, and the loop has not continued yet.
    await Promise.resolve();
    await loop.return?.();
    await next;
    assert.equal(queue.len, 1);
    assert.equal(queue.priorityOf('listed'), LOW_PRIORITY);
    queue.add('changed');
    assert.deepEqual(await takeAll(queue), ['changed', 'listed']);
  });

  it('drains, and forgets what is delayed, at a shutdown', async () => {
    const { queue, clock } = makeQueue();
    queue.addAfter('late', 1000);
    queue.add('a', { priority: 1 });
    const drained = queue.shutDownWithDrain();
    queue.add('b');
    assert.equal(queue.priorityOf('late'), undefined);
    assert.deepEqual(await takeAll(queue), ['a']);
    await drained;
    assert.equal(clock.pending, 0);
  });

  it('compares items by keyFunc and hands out the newest', async () => {
    interface Item {
      readonly id: number;
      readonly version: string;
    }
    const queue = new PriorityQueue<Item>({ keyFunc: ({ id }) => id });
    queue.add({ id: 1, version: 'old' }, { priority: LOW_PRIORITY });
    queue.add({ id: 2, version: 'other' }, { priority: LOW_PRIORITY });
    queue.add({ id: 1, version: 'new' });
    assert.deepEqual((await queue.get()).value, { id: 1, version: 'new' });
  });

  it('rejects NaN', () => {
    const { queue } = makeQueue();
    assert.throws(() => queue.add('a', { priority: NaN }), OptionError);
    assert.throws(() => queue.addAfter('a', 5, { priority: NaN }), OptionError);
    assert.equal(queue.len + queue.waiting, 0);
  });

  it('is a queue of runWorkers', async () => {
    const { queue, clock } = makeQueue();
    const stop = new AbortController();
    const order: string[] = [];
    queue.add('listed', { priority: LOW_PRIORITY });
    queue.add('changed');
    const workers = runWorkers(queue, { signal: stop.signal, clock, onError: () => {} }, (key) => {
      order.push(key);
      if (order.length === 2) throw new Error('not yet');
      if (order.length === 3) return requeueAfter(50);
      if (order.length === 4) stop.abort();
      return undefined;
    });
    await clock.advance(5);
    assert.deepEqual(order, ['changed', 'listed', 'listed']);
    assert.equal(queue.priorityOf('listed'), LOW_PRIORITY);
    await clock.advance(50);
    await workers;
    assert.deepEqual(order, ['changed', 'listed', 'listed', 'listed']);
    queue.shutDown();
  });

  it('measures the depth of each priority if the provider can, else the total', async () => {
    const depths = new Map<number, number>();
    const inMemory = new InMemoryMetricsProvider();
    const depthOf = (priority: number): GaugeMetric => ({
      set: (value) => depths.set(priority, value),
    });
    const metrics: MetricsProvider = {
      forQueue: (name) => ({ ...inMemory.forQueue(name), depthOf }),
    };
    for (const provider of [metrics, inMemory]) {
      const queue = new PriorityQueue<string>({ metrics: provider, name: 'test' });
      queue.add('a', { priority: LOW_PRIORITY });
      queue.add('b', { priority: LOW_PRIORITY });
      queue.addAfter('c', 1000, { priority: 5 });
      queue.add('a');
      await queue.get();
      queue.add('a', { priority: 2 });
      queue.shutDown();
    }
    assert.deepEqual(Object.fromEntries(depths), { '-100': 1, '0': 0, '2': 1 });
    assert.equal(inMemory.snapshot('test')?.depth, 2);
    assert.equal(inMemory.snapshot('test')?.adds, 6);
  });
});
