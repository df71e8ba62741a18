import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runInNewContext } from 'node:vm';
import { Deferred } from '../lib/deferred.ts';
import { nextTurn } from '../lib/next-turn.ts';
import type { EventHandlerRegistration } from './event-handler.ts';
import { TestInformer } from './test-informer.ts';
import { testObject } from './test-objects.ts';
import { waitForCacheSync } from './wait-for-cache-sync.ts';

const codes = ({ errors }: TestInformer): string[] => errors.map(({ code }) => code);

describe('stopping and removing within a handler', () => {
  const styles = {
    synchronously: (act: () => Promise<void>) => act(),
    'after an await': async (act: () => Promise<void>) => {
      await nextTurn();
      await act();
    },
    'in a chain of promises': (act: () => Promise<void>) => nextTurn().then(act),
  };
  for (const [style, inStyle] of Object.entries(styles)) {
    it(`does not wait for the call that it is made in: stop, ${style}`, async () => {
      const world = new TestInformer();
      const gate = new Deferred();
      const ended: string[] = [];
      world.informer.addEventHandler({
        onAdd: () => inStyle(() => world.informer.stop()).then(() => void ended.push('own')),
      });
      world.informer.addEventHandler({
        onAdd: () => gate.promise.then(() => void ended.push('other')),
      });
      world.source.write('a');
      const running = world.informer.run({ signal: new AbortController().signal });
      void running.then(() => ended.push('run'));
      await world.settle();
      assert.deepEqual(ended, [], 'the other handler is waited for');
      gate.resolve();
      await running;
      assert.deepEqual(ended, ['other', 'own', 'run']);
      assert.deepEqual(world.errors, []);
      assert.equal(world.clock.pending, 0);
    });

    it(`does not wait for the call that it is made in: remove, ${style}`, async () => {
      const world = new TestInformer();
      const calls: string[] = [];
      const registration: EventHandlerRegistration = world.informer.addEventHandler({
        onAdd: ({ metadata }) => {
          calls.push(metadata?.name ?? '');
          return inStyle(() => registration.remove()).then(() => registration.remove());
        },
      });
      world.source.write('a');
      world.source.write('b');
      await world.start();
      assert.deepEqual(calls, ['a']);
      assert.ok(registration.isRemoved);
      await registration.remove();
      await world.stop();
      assert.equal(world.clock.pending, 0);
    });
  }

  it('waits from outside, also after calls from within', async () => {
    const world = new TestInformer();
    const gate = new Deferred();
    const registration = world.informer.addEventHandler({ onAdd: () => gate.promise });
    world.source.write('a');
    await world.start();
    let isRemoved = false;
    const removing = registration.remove().then(() => (isRemoved = true));
    await world.settle();
    assert.equal(isRemoved, false);
    gate.resolve();
    await removing;
    await world.stop();
  });
});

describe('a handler that does not settle', () => {
  it('is named and removed after the grace period of a stop', async () => {
    const world = new TestInformer({ gracePeriodMs: 5000 });
    const never = world.informer.addEventHandler(
      { onAdd: () => new Promise(() => undefined) },
      { name: 'stuck' },
    );
    const other = world.record();
    world.source.write('a');
    world.source.write('b');
    await world.start();
    let isStopped = false;
    const stopping = world.stop().then(() => (isStopped = true));
    await world.clock.advance(4999);
    assert.equal(isStopped, false);
    await world.clock.advance(1);
    await stopping;
    assert.deepEqual(codes(world), ['CACHE_HANDLER_STUCK']);
    assert.equal(
      world.errors[0]?.message,
      'handler stuck did not finish within 5000 ms after the informer was stopped; 1 more events were pending',
    );
    assert.ok(never.isRemoved);
    assert.equal(other.take().length, 2);
    assert.equal(world.clock.pending, 0);
    await world.start();
    await world.stop();
  });

  it('is not called after the stop', async () => {
    const world = new TestInformer({ gracePeriodMs: 0 });
    const gate = new Deferred();
    let calls = 0;
    world.informer.addEventHandler({
      onAdd: async () => {
        calls += 1;
        await gate.promise;
      },
    });
    world.source.write('a');
    world.source.write('b');
    await world.start();
    const stopping = world.stop();
    await world.clock.advance(0);
    await stopping;
    gate.resolve();
    await world.settle();
    assert.equal(calls, 1);
  });

  it('is named after the grace period of a removal, 30 s by default', async () => {
    const world = new TestInformer();
    const never = world.informer.addEventHandler({ onAdd: () => new Promise(() => undefined) });
    world.source.write('a');
    await world.start();
    const removing = never.remove();
    await world.clock.advance(29_999);
    assert.equal(world.errors.length, 0);
    await world.clock.advance(1);
    await removing;
    assert.deepEqual(codes(world), ['CACHE_HANDLER_STUCK']);
    assert.match(world.errors[0]?.message ?? '', /^handler test #1 .* after it was removed$/);
    await world.stop();
  });

  it('is waited for forever if the grace period is Infinity', async () => {
    const world = new TestInformer({ gracePeriodMs: Infinity });
    const gate = new Deferred();
    world.informer.addEventHandler({ onAdd: () => gate.promise });
    world.source.write('a');
    await world.start();
    const stopping = world.stop();
    await world.clock.advance(3_600_000);
    assert.ok(world.informer.isRunning);
    gate.resolve();
    await stopping;
  });
});

describe('waiting for an informer that stops', () => {
  for (const queue of ['in-order', 'delta'] as const) {
    it(`resolves for versions that it has reached (${queue})`, async () => {
      const world = new TestInformer({ queue });
      await world.start();
      const { metadata } = world.source.write('a');
      await world.settle();
      await world.stop();
      await world.informer.reached(metadata?.resourceVersion ?? '');
    });

    it(`has not reached a version that a stop left in the queue, before the next list (${queue})`, async () => {
      const world = new TestInformer({ queue });
      const gate = new Deferred();
      world.informer.addEventHandler({ onAdd: () => gate.promise }, { maxPending: 1 });
      await world.start();
      world.source.write('a');
      await world.settle();
      const { metadata } = world.source.write('b');
      await world.settle();
      const stopping = world.stop();
      gate.resolve();
      await stopping;
      assert.equal(world.informer.indexer.has('b'), false);
      const version = metadata?.resourceVersion ?? '';
      await assert.rejects(world.informer.reached(version), { code: 'CACHE_STOPPED' });
      const running = world.start();
      await world.informer.reached(version);
      assert.ok(world.informer.indexer.has('b'));
      await running;
      await world.stop();
    });

    it(`rejects for other versions, before and after the stop (${queue})`, async () => {
      const world = new TestInformer({ queue });
      await world.start();
      const before = assert.rejects(world.informer.reached('1000'), { code: 'CACHE_STOPPED' });
      await world.stop();
      await before;
      await assert.rejects(world.informer.reached('1000'), { code: 'CACHE_STOPPED' });
      await world.start();
      const again = world.informer.reached('1000');
      world.source.send({ type: 'MODIFIED', object: testObject('a', '1000') });
      await again;
      await world.stop();
    });
  }

  it('rejects waits for the first list, which can be made again', async () => {
    const world = new TestInformer();
    world.source.watchFailures.push(new Error('no stream'));
    world.source.listFailures.push(new Error('no list'));
    const registration = world.informer.addEventHandler({});
    await world.start();
    const waiting = waitForCacheSync([world.informer, registration]);
    await world.stop();
    await assert.rejects(waiting, { code: 'CACHE_NOT_SYNCED' });
    await assert.rejects(world.informer.synced, { code: 'CACHE_STOPPED' });
    await assert.rejects(registration.synced, { code: 'CACHE_STOPPED' });
    await assert.rejects(world.informer.addEventHandler({}).synced, { code: 'CACHE_STOPPED' });
    await world.start();
    await waitForCacheSync([world.informer, registration]);
    await world.stop();
    await world.informer.synced;
  });

  it('rejects waits for a handler that is removed', async () => {
    const world = new TestInformer();
    const registration = world.informer.addEventHandler({});
    const waiting = assert.rejects(registration.synced, { code: 'CACHE_HANDLER_REMOVED' });
    await registration.remove();
    await waiting;
    await assert.rejects(registration.synced, { code: 'CACHE_HANDLER_REMOVED' });
  });
});

describe('a handler of an informer that is stopped before it has synced', () => {
  it('can be waited for again with the next run', async () => {
    const world = new TestInformer();
    world.source.marksEnd = false;
    const registration = world.informer.addEventHandler({});
    await world.start();
    const waiting = assert.rejects(registration.synced, { code: 'CACHE_STOPPED' });
    await world.stop();
    await waiting;
    world.source.marksEnd = true;
    const running = world.start();
    const again = registration.synced;
    await running;
    await again;
    assert.ok(registration.hasSynced);
    await world.stop();
  });
});

describe('a handler that is too slow', () => {
  it('is removed when events arrive one by one, and delays no other', async () => {
    const world = new TestInformer();
    const slow = world.informer.addEventHandler(
      { onAdd: () => new Promise(() => undefined) },
      { maxPending: 2, overflow: 'remove' },
    );
    const other = world.record();
    await world.start();
    for (const key of ['a', 'b', 'c', 'd']) {
      world.source.write(key);
      await world.settle();
    }
    assert.ok(slow.isRemoved);
    assert.deepEqual(codes(world), ['CACHE_HANDLER_OVERFLOW']);
    assert.equal(other.take().length, 4);
    world.assertEqual();
    await world.stop();
  });
});

describe('a promise that a handler returns', () => {
  it('is awaited if it is from another realm', async () => {
    const world = new TestInformer();
    const calls: string[] = [];
    const foreign = runInNewContext(
      '(gate, done) => new Promise((resolve) => gate.then(() => { done(); resolve(); }))',
    ) as (gate: Promise<void>, done: () => void) => Promise<void>;
    const gate = new Deferred();
    world.informer.addEventHandler({
      onAdd: ({ metadata }) => {
        calls.push(`begin ${metadata?.name}`);
        return foreign(gate.promise, () => void calls.push(`end ${metadata?.name}`));
      },
    });
    world.source.write('a');
    world.source.write('b');
    await world.start();
    assert.deepEqual(calls, ['begin a']);
    gate.resolve();
    await world.stop();
    assert.deepEqual(calls, ['begin a', 'end a', 'begin b', 'end b']);
  });
});
