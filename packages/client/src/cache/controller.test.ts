import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deferred } from '../lib/deferred.ts';
import { quiescence } from '../testing/quiescence.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { Controller, type ControllerOptions } from './controller.ts';
import { metaNamespaceKeyFunc } from './key-func.ts';
import { RealFIFO } from './real-fifo.ts';
import type { TestObject } from './test-objects.ts';
import { describeDelta } from './test-queues.ts';
import { TestSource } from './test-source.ts';

function makeController(options: Partial<ControllerOptions<TestObject>> = {}) {
  const source = new TestSource();
  const queue = new RealFIFO<TestObject>({ keyFunc: metaNamespaceKeyFunc, batchSize: 1 });
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
  it('has processed what the reflector reads', async () => {
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

  it('reports what processing throws, and goes on', async () => {
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

  it('stops reading while too much waits', async () => {
    const gate = new Deferred();
    const { source, controller, queue, stop } = makeController({
      maxQueued: 3,
      process: () => gate.promise,
    });
    const running = controller.run({ signal: stop.signal });
    await quiescence();
    for (let index = 0; index < 20; index += 1) source.write(`o${index}`);
    await quiescence();
    assert.equal(queue.size, 3);
    gate.resolve();
    await quiescence();
    assert.equal(controller.lastSyncResourceVersion, '21');
    assert.equal(queue.size, 0);
    stop.abort();
    await running;
  });

  it('can be stopped while it is held up', async () => {
    const { source, controller, seen, stop } = makeController({
      waitForRoom: () => new Deferred().promise,
      maxQueued: 1,
    });
    const running = controller.run({ signal: stop.signal });
    await quiescence();
    source.write('a');
    source.write('b');
    await quiescence();
    stop.abort();
    await running;
    assert.deepEqual(seen, []);
    assert.equal(source.openWatches, 0);
  });

  it('ends as a whole if a part of it fails', async () => {
    const source = new TestSource();
    source.write('a');
    const { controller } = makeController({
      reflector: { listerWatcher: source, clock: new VirtualClock() },
      waitForRoom: () => {
        throw new Error('no idea of room');
      },
    });
    await assert.rejects(
      controller.run({ signal: new AbortController().signal }),
      /no idea of room/,
    );
    assert.equal(source.openWatches, 0);
  });

  it('lets others have their turn', async () => {
    let now = 0;
    const clock = new VirtualClock();
    clock.monotonic = () => now;
    const order: string[] = [];
    const { controller, stop, queue } = makeController({
      process: ([delta]) => {
        now += 6;
        order.push(delta?.type ?? '');
      },
      reflector: { listerWatcher: new TestSource(), clock },
    });
    for (const key of ['a', 'b', 'c', 'd']) {
      queue.add({ metadata: { name: key } });
    }
    setImmediate(() => order.push('other'));
    const running = controller.run({ signal: stop.signal });
    await quiescence();
    assert.deepEqual(order.slice(0, 5), ['Added', 'Added', 'other', 'Added', 'Added']);
    stop.abort();
    await running;
  });
});
