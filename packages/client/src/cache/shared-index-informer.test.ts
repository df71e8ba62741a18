import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deferred } from '../lib/deferred.ts';
import { RecordingHandler, TestInformer } from './test-informer.ts';
import { failures } from './test-failures.ts';
import { type TestObject, testObject } from './test-objects.ts';
import { TestSource } from './test-source.ts';

for (const queue of ['in-order', 'delta'] as const) {
  describe(`SharedIndexInformer on the ${queue} queue`, () => {
    it('delivers the first list, then changes, in order', async () => {
      const world = new TestInformer({ queue });
      const handler = world.record();
      world.source.write('ns/a');
      world.source.write('b');
      await world.start();
      assert.deepEqual(handler.take(), ['+ns/a@2 first', '+b@3 first']);
      world.source.write('ns/a');
      await world.settle();
      world.source.remove('b');
      world.source.write('c');
      await world.settle();
      assert.deepEqual(handler.take(), ['~ns/a@2→4', '-b@5', '+c@6']);
      world.assertEqual();
      await world.stop();
    });

    it('delivers what was missed as changes, with tombstones', async () => {
      const world = new TestInformer({ queue });
      const handler = world.record();
      for (const key of ['same', 'changed', 'gone', 'again']) world.source.write(key);
      await world.start();
      handler.take();
      await world.missing(() => {
        world.source.write('changed');
        world.source.remove('gone');
        world.source.remove('again');
        world.source.write('again');
        world.source.write('new');
      });
      assert.deepEqual(handler.take().sort(), [
        '+new@10',
        '-gone@4 missed',
        '~again@5→9',
        '~changed@3→6',
      ]);
      world.assertEqual();
      await world.stop();
    });

    it('replays the cache to a late handler, then delivers changes', async () => {
      const world = new TestInformer({ queue });
      world.source.write('a');
      world.source.write('b');
      await world.start();
      world.source.write('a');
      await world.settle();
      const late = new RecordingHandler();
      const registration = world.informer.addEventHandler(late);
      assert.equal(registration.hasSynced, false);
      world.source.remove('b');
      await world.settle();
      assert.deepEqual(late.take(), ['+a@4 first', '+b@3 first', '-b@5']);
      await registration.synced;
      await world.stop();
    });

    it('has synced when the first list is in the store', async () => {
      const world = new TestInformer({ queue });
      const gate = new Deferred();
      const registration = world.informer.addEventHandler({ onAdd: () => gate.promise });
      world.source.marksEnd = false;
      world.source.write('a');
      await world.start();
      assert.deepEqual([world.informer.hasSynced, registration.hasSynced], [false, false]);
      const annotations = { 'k8s.io/initial-events-end': 'true' };
      world.source.send({
        type: 'BOOKMARK',
        object: { metadata: { resourceVersion: '2', annotations } },
      });
      await world.informer.synced;
      await world.settle();
      assert.deepEqual([world.informer.hasSynced, registration.hasSynced], [true, false]);
      gate.resolve();
      await registration.synced;
      await world.stop();
    });

    it('syncs an empty list', async () => {
      const world = new TestInformer({ queue });
      const registration = world.informer.addEventHandler({});
      await world.start();
      assert.ok(world.informer.hasSynced && registration.hasSynced);
      const late = world.informer.addEventHandler({});
      assert.ok(late.hasSynced);
      await world.stop();
    });

    it('has the state of every call in its store', async () => {
      const world = new TestInformer({ queue });
      const seen: boolean[] = [];
      const { indexer } = world.informer.addIndexers({ name: (o) => [o.metadata?.name ?? ''] });
      const isThere = ({ metadata }: TestObject): boolean =>
        Number(indexer.byIndex('name', metadata?.name ?? '')[0]?.metadata?.resourceVersion) >=
        Number(metadata?.resourceVersion);
      world.informer.addEventHandler({
        onAdd: (object) => void seen.push(isThere(object)),
        onUpdate: (_old, object) => void seen.push(isThere(object)),
      });
      world.source.write('a');
      await world.start();
      for (let turn = 0; turn < 5; turn += 1) world.source.write('a');
      await world.settle();
      assert.ok(seen.length >= 2);
      assert.ok(seen.every(Boolean));
      await world.stop();
    });

    it('transforms what it stores and delivers', async () => {
      const world = new TestInformer({
        queue,
        transform: (object) => ({ ...object, metadata: { ...object.metadata, labels: {} } }),
      });
      world.source.write('a', { big: 'label' });
      await world.start();
      world.source.write('b', { big: 'label' });
      await world.settle();
      assert.deepEqual(world.informer.indexer.list(), [testObject('a', '2'), testObject('b', '3')]);
      await world.stop();
    });

    it('reached() waits until the store has the version', async () => {
      const world = new TestInformer({ queue });
      await world.start();
      const { metadata } = world.source.write('a');
      await world.informer.reached(metadata?.resourceVersion ?? '');
      assert.ok(world.informer.indexer.has('a'));
      await world.informer.reached('1');
      const stop = new AbortController();
      const never = world.informer.reached('10', { signal: stop.signal });
      stop.abort(new Error('enough'));
      await assert.rejects(never, /enough/);
      const bookmarked = world.informer.reached('9');
      world.source.send({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '10' } } });
      if (queue === 'delta') world.source.send({ type: 'MODIFIED', object: testObject('a', '11') });
      await bookmarked;
      await assert.rejects(world.informer.reached('newest'), {
        code: 'META_RESOURCE_VERSION_INVALID',
      });
      await world.stop();
    });

    it('has not reached a version that is still queued', async () => {
      const world = new TestInformer({ queue });
      const gate = new Deferred();
      world.informer.addEventHandler({ onAdd: () => gate.promise }, { maxPending: 1 });
      await world.start();
      world.source.write('a');
      await world.settle();
      const { metadata } = world.source.write('b');
      await world.settle();
      assert.equal(world.informer.lastSyncResourceVersion, metadata?.resourceVersion);
      let isThere = false;
      const reaching = world.informer
        .reached(metadata?.resourceVersion ?? '')
        .then(() => (isThere = true));
      await world.settle();
      assert.deepEqual([isThere, world.informer.indexer.has('b')], [false, false]);
      gate.resolve();
      await reaching;
      assert.ok(world.informer.indexer.has('b'));
      await world.stop();
    });

    it('resyncs each handler at its own period', async () => {
      const world = new TestInformer({ queue });
      const slow = new RecordingHandler();
      const fast = new RecordingHandler();
      const never = world.record();
      world.informer.addEventHandler(slow, { resyncPeriodMs: 3000 });
      world.informer.addEventHandler(fast, { resyncPeriodMs: 10 });
      world.source.write('a');
      await world.start();
      for (const handler of [slow, fast, never]) handler.take();
      await world.clock.advance(1000);
      await world.settle();
      assert.deepEqual([slow.take(), fast.take()], [[], ['~a@2→2']]);
      await world.clock.advance(2000);
      await world.settle();
      assert.deepEqual([slow.take(), fast.take()], [['~a@2→2'], ['~a@2→2', '~a@2→2']]);
      assert.deepEqual(never.take(), []);
      const late = new RecordingHandler();
      world.informer.addEventHandler(late, { resyncPeriodMs: 100 });
      await world.clock.advance(1000);
      await world.settle();
      assert.deepEqual(late.take(), ['+a@2 first', '~a@2→2']);
      await world.stop();
    });

    it('can be stopped and run again, and delivers what has changed meanwhile', async () => {
      const world = new TestInformer({ queue });
      const handler = world.record();
      world.source.write('a');
      world.source.write('b');
      assert.equal(world.informer.isStopped, false);
      await world.start();
      world.source.write('b');
      await world.settle();
      assert.ok(world.informer.isRunning);
      await assert.rejects(world.informer.run({ signal: new AbortController().signal }), {
        code: 'CACHE_RUN_TWICE',
      });
      await world.informer.stop();
      assert.deepEqual([world.informer.isRunning, world.informer.isStopped], [false, true]);
      assert.equal(world.clock.pending, 0);
      assert.equal(world.source.openWatches, 0);
      handler.take();
      world.source.remove('a');
      world.source.write('b');
      await world.settle();
      assert.deepEqual(handler.take(), []);
      world.source.write('c');
      const asked = world.source.requests.length;
      await world.start();
      // Changes are not part of the first list, and no older state may be delivered.
      assert.deepEqual(handler.take().sort(), ['+c@7', '-a@2 missed', '~b@4→6']);
      assert.deepEqual(world.source.requests.slice(asked), ['stream rv=4']);
      assert.equal(world.informer.isStopped, false);
      await world.stop();
      await world.informer.stop();
    });
  });
}

describe('SharedIndexInformer', () => {
  it('keeps its resync period while it runs, whatever later handlers request', async () => {
    const world = new TestInformer({ resyncPeriodMs: 5000 });
    world.source.write('a');
    await world.start();
    const handler = world.record();
    const quick: string[] = [];
    world.informer.addEventHandler(
      { onUpdate: () => void quick.push('resync') },
      { resyncPeriodMs: 1000 },
    );
    const slow: string[] = [];
    world.informer.addEventHandler(
      { onUpdate: () => void slow.push('resync') },
      { resyncPeriodMs: 20_000 },
    );
    await world.clock.advance(10_000);
    assert.deepEqual(quick, ['resync', 'resync']);
    assert.deepEqual(handler.take(), ['+a@2 first', '~a@2→2', '~a@2→2']);
    assert.deepEqual(slow, []);
    await world.clock.advance(10_000);
    assert.deepEqual(slow, ['resync']);
    await world.stop();
  });

  it('has reached every version if its selectors match no object', async () => {
    const source = Object.assign(new TestSource(), { selectsNothing: true });
    const world = new TestInformer({ listerWatcher: source });
    await assert.doesNotReject(world.informer.reached('5000'));
    await assert.rejects(world.informer.reached('newest'), { name: 'ResourceVersionError' });
  });

  it('isolates handlers that fail or are slow', async () => {
    const world = new TestInformer();
    const gate = new Deferred();
    world.informer.addEventHandler({ onAdd: () => gate.promise }, { name: 'slow' });
    world.informer.addEventHandler({
      onAdd: () => {
        throw new Error('broken');
      },
    });
    const good = world.record();
    for (const key of ['a', 'b']) world.source.write(key);
    await world.start();
    assert.deepEqual(good.take(), ['+a@2 first', '+b@3 first']);
    assert.deepEqual(
      world.errors.map(({ code }) => code),
      ['CACHE_HANDLER_FAILED', 'CACHE_HANDLER_FAILED'],
    );
    gate.resolve();
    await world.stop();
  });

  it('does not call a removed handler', async () => {
    const world = new TestInformer();
    const handler = new RecordingHandler();
    const stop = new AbortController();
    const tied = new RecordingHandler();
    const registration = world.informer.addEventHandler(handler);
    world.informer.addEventHandler(tied, { signal: stop.signal });
    await world.start();
    await registration.remove();
    await registration.remove();
    stop.abort();
    world.source.write('a');
    await world.settle();
    assert.deepEqual([handler.calls, tied.calls], [[], []]);
    assert.ok(registration.isRemoved);
    await world.stop();
  });

  it('stops reading while a handler with maxPending cannot keep up', async () => {
    const world = new TestInformer();
    const gate = new Deferred();
    const registration = world.informer.addEventHandler(
      { onAdd: () => gate.promise },
      { maxPending: 2 },
    );
    await world.start();
    for (const key of ['a', 'b', 'c', 'd', 'e']) {
      world.source.write(key);
      await world.settle();
    }
    assert.equal(registration.pending, 2);
    assert.equal(world.informer.indexer.size, 2);
    gate.resolve();
    await world.settle();
    world.assertEqual();
    assert.equal(registration.pending, 0);
    assert.ok(registration.highWater < 5);
    await world.stop();
  });

  it('removes a handler that cannot keep up, with overflow: remove', async () => {
    const world = new TestInformer();
    const gate = new Deferred();
    const registration = world.informer.addEventHandler(
      { onAdd: () => gate.promise },
      { maxPending: 1, overflow: 'remove', name: 'lazy' },
    );
    await world.start();
    for (const key of ['a', 'b', 'c']) world.source.write(key);
    await world.settle();
    world.assertEqual();
    assert.ok(registration.isRemoved);
    assert.match(world.errors[0]?.message ?? '', /lazy/);
    gate.resolve();
    await world.stop();
  });

  it('publishes its states', async () => {
    const world = new TestInformer({ useWatchList: false });
    const states: string[] = [];
    const stop = new AbortController();
    const following = (async () => {
      for await (const { state } of world.informer.stateChanges({ signal: stop.signal })) {
        if (states.at(-1) !== state) states.push(state);
      }
    })();
    world.source.listFailures.push(failures.denied, failures.absent, failures.other);
    world.source.write('a');
    await world.start();
    await world.clock.advance(10_000);
    await world.settle();
    assert.deepEqual(world.informer.state, { state: 'live', resourceVersion: '2', lag: 0 });
    assert.equal(world.informer.lastSyncResourceVersion, '2');
    await world.stop();
    await world.settle();
    stop.abort();
    await following;
    assert.deepEqual(states, [
      'starting',
      'syncing',
      'denied',
      'absent',
      'stale',
      'live',
      'stopped',
    ]);
  });

  it('ends an iteration over states that is left while it waits', async () => {
    const world = new TestInformer();
    const states = world.informer.stateChanges();
    assert.deepEqual((await states.next()).value, { state: 'starting' });
    const waiting = states.next();
    assert.equal((await states.return?.())?.done, true);
    assert.equal((await waiting).done, true);
    await world.start();
    assert.equal((await states.next()).done, true);
    await world.stop();
  });

  it('does not deliver a state that handlers have seen', async () => {
    const world = new TestInformer();
    const handler = world.record();
    world.source.write('a');
    await world.start();
    handler.take();
    world.source.send({ type: 'MODIFIED', object: testObject('a', '2') });
    world.source.send({ type: 'DELETED', object: testObject('unknown', '3') });
    world.source.send({ type: 'ADDED', object: testObject('a', '4') });
    world.source.send({ type: 'MODIFIED', object: testObject('b', '5') });
    await world.settle();
    assert.deepEqual(handler.take(), ['~a@2→4', '+b@5']);
    await world.stop();
  });

  it('waits for pending calls of its handlers when it stops', async () => {
    const world = new TestInformer();
    const gate = new Deferred();
    let handled = 0;
    world.informer.addEventHandler({
      onAdd: async () => {
        await gate.promise;
        handled += 1;
      },
    });
    world.source.write('a');
    world.source.write('b');
    await world.start();
    const stopping = world.stop();
    await world.settle();
    assert.equal(handled, 0);
    gate.resolve();
    await stopping;
    assert.equal(handled, 2);
  });
});
