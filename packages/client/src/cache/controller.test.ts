import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deferred } from '../lib/deferred.ts';
import { onAbort } from '../lib/signal.ts';
import { quiescence } from '../testing/quiescence.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { Controller, type ControllerOptions } from './controller.ts';
import { DeltaFIFO } from './delta-fifo.ts';
import type { ListedEvent, ListerWatcher } from './list-watch.ts';
import { RealFIFO } from './real-fifo.ts';
import { metaNamespaceKeyFunc } from './store.ts';
import { testObject, type TestObject } from './test-objects.ts';
import { describeDelta } from './test-queues.ts';
import { TestSource } from './test-source.ts';

function makeController(options: Partial<ControllerOptions<TestObject>> = {}) {
  const source = new TestSource();
  const queue = new RealFIFO<TestObject>({ keyFunc: metaNamespaceKeyFunc });
  const seen: string[] = [];
  const errors: unknown[] = [];
  const controller = new Controller<TestObject>({
    queue,
    process: (deltas) => {
      seen.push(...deltas.map(describeDelta));
    },
    onProcessError: (error) => errors.push(error),
    reflector: { listerWatcher: source, clock: new VirtualClock(), random: { next: () => 0 } },
    ...options,
  });
  const stop = new AbortController();
  return { source, queue, controller, seen, errors, stop };
}

describe('Controller', () => {
  it('processes what the reflector reads', async () => {
    const { source, controller, seen, stop, queue } = makeController();
    source.write('a');
    const running = controller.run({ signal: stop.signal });
    await controller.synced;
    assert.ok(controller.hasSynced);
    source.write('b');
    await quiescence();
    assert.deepEqual(seen, ['ReplacedAll a@2 @2', 'Added b@3']);
    assert.equal(controller.lastSyncResourceVersion, '3');
    assert.equal(controller.status.state, 'live');
    stop.abort();
    await running;
    assert.ok(queue.isClosed);
    await assert.rejects(controller.run({ signal: new AbortController().signal }), {
      code: 'CACHE_RUN_TWICE',
    });
  });

  it('reports errors of the process function and continues', async () => {
    const seen: string[] = [];
    const { source, controller, errors, stop } = makeController({
      process: ([delta]) => {
        if (delta?.type === 'Added') throw new Error('broken');
        seen.push(delta?.type ?? '');
      },
    });
    const running = controller.run({ signal: stop.signal });
    await quiescence();
    source.write('a');
    source.write('a');
    await quiescence();
    assert.deepEqual(errors.map(String), ['Error: broken']);
    assert.deepEqual(seen, ['ReplacedAll', 'Updated']);
    stop.abort();
    await running;
  });

  it('processes a write before the next event is read', async () => {
    const gate = new Deferred();
    const { source, controller, queue, seen, stop } = makeController({
      process: (deltas) => {
        seen.push(...deltas.map(describeDelta));
        return seen.length > 1 ? gate.promise : undefined;
      },
    });
    const running = controller.run({ signal: stop.signal });
    await quiescence();
    for (let index = 0; index < 20; index += 1) source.write(`o${index}`);
    await quiescence();
    assert.deepEqual(seen, ['ReplacedAll @1', 'Added o0@2']);
    assert.equal(controller.lastSyncResourceVersion, '2');
    assert.equal(queue.size, 0);
    gate.resolve();
    await quiescence();
    assert.equal(controller.lastSyncResourceVersion, '21');
    assert.equal(seen.length, 21);
    stop.abort();
    await running;
  });

  it('reads no more than one event while there is no room', async () => {
    let room: Deferred | undefined;
    const { source, controller, queue, seen, stop } = makeController({
      waitForRoom: () => room?.promise,
    });
    const running = controller.run({ signal: stop.signal });
    await quiescence();
    room = new Deferred();
    for (const key of ['a', 'b', 'c']) source.write(key);
    await quiescence();
    assert.equal(queue.size, 1);
    assert.equal(controller.lastSyncResourceVersion, '2');
    const { resolve } = room;
    room = undefined;
    resolve();
    await quiescence();
    assert.deepEqual(seen.slice(1), ['Added a@2', 'Added b@3', 'Added c@4']);
    stop.abort();
    await running;
  });

  it('processes a resync that comes while it waits for room', async () => {
    const clock = new VirtualClock();
    const source = new TestSource();
    let room: Deferred | undefined;
    const { controller, seen, stop } = makeController({
      waitForRoom: () => room?.promise,
      reflector: { listerWatcher: source, clock, resyncPeriodMs: 1000 },
    });
    const running = controller.run({ signal: stop.signal });
    await quiescence();
    room = new Deferred();
    source.write('a');
    await clock.advance(1000);
    const { resolve } = room;
    room = undefined;
    resolve();
    await quiescence();
    assert.deepEqual(seen.slice(1), ['Added a@2', 'SyncAll']);
    stop.abort();
    await running;
  });

  for (let microtasks = 0; microtasks <= 6; microtasks += 1) {
    it(`processes an event ${microtasks} microtasks after the end of a wait for room`, async () => {
      const clock = new VirtualClock();
      clock.monotonic = () => 0;
      const source = new TestSource();
      let room: Deferred | undefined;
      const { controller, queue, seen, stop } = makeController({
        waitForRoom: () => room?.promise,
        reflector: { listerWatcher: source, clock, resyncPeriodMs: 1000 },
      });
      const running = controller.run({ signal: stop.signal });
      await quiescence();
      room = new Deferred();
      // The reflector does not await the drain of a resync.
      await clock.advance(1000);
      const { resolve } = room;
      room = undefined;
      resolve();
      for (let passed = 0; passed < microtasks; passed += 1) await Promise.resolve();
      source.write('a');
      await quiescence();
      assert.deepEqual(seen.slice(1), ['SyncAll', 'Added a@2']);
      assert.equal(queue.size, 0);
      stop.abort();
      await running;
    });
  }

  it('stops while it waits for room, and leaves the rest unprocessed', async () => {
    const { source, controller, seen, stop } = makeController({
      waitForRoom: () => new Deferred().promise,
    });
    const running = controller.run({ signal: stop.signal });
    await quiescence();
    source.write('a');
    source.write('b');
    await quiescence();
    const synced = assert.rejects(controller.synced, { code: 'CACHE_STOPPED' });
    stop.abort();
    await running;
    await synced;
    assert.deepEqual(seen, []);
    assert.equal(source.openWatches, 0);
  });

  it('finishes the item that is being processed when it is stopped', async () => {
    const gate = new Deferred();
    const { controller, stop } = makeController({ process: () => gate.promise });
    let isEnded = false;
    const running = controller.run({ signal: stop.signal }).then(() => (isEnded = true));
    await quiescence();
    stop.abort();
    await quiescence();
    assert.equal(isEnded, false);
    gate.resolve();
    await running;
  });

  it('calls onProcessed after each item, and after a write without one', async () => {
    let calls = 0;
    const queue = new DeltaFIFO<TestObject>({ keyFunc: metaNamespaceKeyFunc });
    const { source, controller, stop } = makeController({ queue, onProcessed: () => (calls += 1) });
    const running = controller.run({ signal: stop.signal });
    await quiescence();
    assert.equal(calls, 1, 'an empty list');
    source.write('a');
    await quiescence();
    assert.equal(calls, 2);
    source.bookmark();
    await quiescence();
    assert.equal(calls, 3);
    stop.abort();
    await running;
  });

  it('calls onProcessed after an item whose processing takes several turns', async () => {
    const gate = new Deferred();
    let calls = 0;
    const { controller, errors, stop } = makeController({
      process: async () => {
        await gate.promise;
        throw new Error('broken');
      },
      onProcessed: () => (calls += 1),
    });
    const running = controller.run({ signal: stop.signal });
    await quiescence();
    assert.equal(calls, 0);
    gate.resolve();
    await quiescence();
    assert.equal(calls, 1);
    assert.deepEqual(errors.map(String), ['Error: broken']);
    stop.abort();
    await running;
  });

  it('yields to the event loop after 10 ms', async () => {
    let now = 0;
    const clock = new VirtualClock();
    clock.monotonic = () => now;
    const order: string[] = [];
    const queue = new DeltaFIFO<TestObject>({ keyFunc: metaNamespaceKeyFunc });
    const source = new TestSource();
    for (const key of ['a', 'b', 'c', 'd', 'e']) source.write(key);
    const { controller, stop } = makeController({
      queue,
      process: () => {
        if (order.length === 1) setImmediate(() => order.push('other'));
        now += 6;
        order.push('item');
      },
      reflector: { listerWatcher: source, clock },
    });
    const running = controller.run({ signal: stop.signal });
    await quiescence();
    assert.deepEqual(order, ['item', 'item', 'other', 'item', 'item', 'item']);
    stop.abort();
    await running;
  });

  it('does not yield after an idle time', async () => {
    const clock = new VirtualClock();
    const source = new TestSource();
    const { controller, seen, stop } = makeController({
      reflector: { listerWatcher: source, clock },
    });
    const running = controller.run({ signal: stop.signal });
    await quiescence();
    const idleTimes = { a: 1000, b: 1, c: 9, d: 1 };
    for (const [key, milliseconds] of Object.entries(idleTimes)) {
      await clock.advance(milliseconds);
      seen.length = 0;
      source.write(key);
      source.write(`${key}-next`);
      for (let microtasks = 0; microtasks < 50; microtasks += 1) await Promise.resolve();
      assert.equal(seen.length, 2, `after ${milliseconds} ms`);
    }
    stop.abort();
    await running;
  });

  it('never yields if the reflector had to wait for each event', async () => {
    const clock = new VirtualClock();
    const source = new TestSource();
    const arrived: ListedEvent<TestObject>[] = [];
    let arrival = new Deferred();
    const listerWatcher: ListerWatcher<TestObject> = {
      list: (request) => source.list(request),
      supportsWatchList: false,
      watch: async ({ signal }) => {
        onAbort(signal, () => arrival.resolve());
        const next = async () => ({ done: true as const, value: undefined });
        const events = {
          next,
          ready: () => arrived.shift(),
          arrival: () => (signal.aborted ? undefined : arrival.promise),
        };
        return { [Symbol.asyncIterator]: () => events };
      },
    };
    const { controller, seen, stop } = makeController({ reflector: { listerWatcher, clock } });
    const running = controller.run({ signal: stop.signal });
    await quiescence();
    for (let nth = 0; nth < 20; nth += 1) {
      await clock.advance(20);
      seen.length = 0;
      for (const name of [`object-${nth}`, `next-${nth}`]) {
        arrived.push({ type: 'ADDED', object: testObject(name, String(100 + nth)) });
      }
      const { resolve } = arrival;
      arrival = new Deferred();
      resolve();
      for (let microtasks = 0; microtasks < 50; microtasks += 1) await Promise.resolve();
      assert.equal(seen.length, 2, `events ${nth}`);
    }
    stop.abort();
    await running;
  });

  it('yields to the event loop during events that take long to read', async () => {
    const clock = new VirtualClock();
    let now = 0;
    clock.monotonic = () => now;
    const source = new TestSource();
    const order: string[] = [];
    const { controller, stop } = makeController({
      queue: new RealFIFO<TestObject>({
        keyFunc: (object) => {
          now += 3;
          return metaNamespaceKeyFunc(object);
        },
      }),
      process: ([delta]) => {
        if (delta?.type !== 'Added') return;
        if (order.length === 0) setImmediate(() => order.push('other'));
        order.push('item');
      },
      reflector: { listerWatcher: source, clock },
    });
    const running = controller.run({ signal: stop.signal });
    await quiescence();
    now = 1000;
    for (let index = 0; index < 20; index += 1) source.write(`object-${index}`);
    await quiescence();
    const before = order.indexOf('other');
    assert.ok(before < 8, `${before} items before others had a turn`);
    stop.abort();
    await running;
  });

  it('yields to the event loop during events that arrive together', async () => {
    const clock = new VirtualClock();
    let now = 0;
    clock.monotonic = () => now;
    const source = new TestSource();
    const order: string[] = [];
    const { controller, stop } = makeController({
      process: ([delta]) => {
        if (delta?.type !== 'Added') return;
        if (order.length === 0) setImmediate(() => order.push('other'));
        now += 6;
        order.push('item');
      },
      reflector: { listerWatcher: source, clock },
    });
    const running = controller.run({ signal: stop.signal });
    await quiescence();
    now = 1000;
    for (const key of ['a', 'b', 'c', 'd']) source.write(key);
    await quiescence();
    assert.deepEqual(order, ['item', 'item', 'other', 'item', 'item']);
    stop.abort();
    await running;
  });
});
