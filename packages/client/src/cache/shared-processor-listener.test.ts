import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deferred } from '../lib/deferred.ts';
import { nextTurn } from '../lib/next-turn.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import type { CacheError } from './cache-error.ts';
import type { ResourceEventHandler } from './event-handler.ts';
import type { Notification } from './shared-processor.ts';
import { ProcessorListener, type ProcessorListenerOptions } from './shared-processor.ts';
import { type TestObject, testObject } from './test-objects.ts';

function makeListener(
  handler: ResourceEventHandler<TestObject>,
  options: Partial<ProcessorListenerOptions<TestObject>> = {},
) {
  const errors: CacheError[] = [];
  const listener = new ProcessorListener<TestObject>({
    name: 'test',
    handler,
    clock: new VirtualClock(),
    gracePeriodMs: 30_000,
    onError: (error) => errors.push(error),
    ...options,
  });
  return { listener, errors };
}

const add = (key: string, isInInitialList = false): Notification<TestObject> => ({
  type: 'add',
  object: testObject(key),
  isInInitialList,
});

describe('ProcessorListener', () => {
  it('calls the handler in order, and not synchronously', async () => {
    const calls: string[] = [];
    const { listener } = makeListener({
      onAdd: ({ metadata }) => void calls.push(`add ${metadata?.name}`),
      onUpdate: (before, after) =>
        void calls.push(`update ${before.metadata?.name} ${after.metadata?.name}`),
      onDelete: () => void calls.push('delete'),
    });
    listener.add(add('a'));
    listener.add({ type: 'update', oldObject: testObject('a'), newObject: testObject('b') });
    listener.add({
      type: 'each',
      items: [add('c'), { type: 'delete', object: testObject('c') }],
      initialCount: 0,
    });
    listener.add({ type: 'replay', items: [testObject('d')] });
    listener.add({ type: 'resync', items: [testObject('e')] });
    assert.deepEqual(calls, []);
    assert.equal(listener.pending, 6);
    await listener.idle();
    assert.deepEqual(calls, ['add a', 'update a b', 'add c', 'delete', 'add d', 'update e e']);
    assert.deepEqual([listener.pending, listener.highWater], [0, 6]);
  });

  it('waits for the promise of a call before the next', async () => {
    const first = new Deferred();
    const calls: string[] = [];
    const { listener } = makeListener({
      onAdd: async ({ metadata }) => {
        calls.push(`begin ${metadata?.name}`);
        if (metadata?.name === 'a') await first.promise;
        calls.push(`end ${metadata?.name}`);
      },
    });
    listener.add(add('a'));
    listener.add(add('b'));
    await nextTurn();
    assert.deepEqual(calls, ['begin a']);
    first.resolve();
    await listener.idle();
    assert.deepEqual(calls, ['begin a', 'end a', 'begin b', 'end b']);
  });

  it('reports a call that throws or rejects, and continues', async () => {
    const calls: string[] = [];
    const { listener, errors } = makeListener({
      onAdd: ({ metadata }) => {
        if (metadata?.name === 'a') throw new Error('thrown');
        if (metadata?.name === 'b') return Promise.reject(new Error('rejected'));
        calls.push(metadata?.name ?? '');
        return undefined;
      },
    });
    for (const key of ['a', 'b', 'c']) listener.add(add(key, true));
    listener.upstreamSynced();
    await listener.synced;
    assert.deepEqual(calls, ['c']);
    assert.deepEqual(
      errors.map(({ code, cause }) => [code, String(cause)]),
      [
        ['CACHE_HANDLER_FAILED', 'Error: thrown'],
        ['CACHE_HANDLER_FAILED', 'Error: rejected'],
      ],
    );
  });

  it('has synced when the first list is complete and handled, and stays so', async () => {
    const gate = new Deferred();
    const { listener } = makeListener({ onAdd: () => gate.promise });
    listener.add({ type: 'replay', items: [testObject('a')] });
    listener.add({ type: 'each', items: [add('b', true), add('live')], initialCount: 1 });
    listener.upstreamSynced();
    await nextTurn();
    assert.equal(listener.hasSynced, false);
    gate.resolve();
    await listener.synced;
    listener.add(add('c', true));
    assert.equal(listener.hasSynced, true);
    const early = makeListener({}).listener;
    early.add(add('a', true));
    await early.idle();
    assert.equal(early.hasSynced, false, 'the list may not be complete');
    early.upstreamSynced();
    assert.equal(early.hasSynced, true);
  });

  it('makes no calls after it was removed, and waits for the current one', async () => {
    const gate = new Deferred();
    const calls: string[] = [];
    const { listener } = makeListener({
      onAdd: async ({ metadata }) => {
        await gate.promise;
        calls.push(metadata?.name ?? '');
      },
    });
    listener.add({ type: 'replay', items: [testObject('a'), testObject('b')] });
    listener.add(add('c'));
    await nextTurn();
    let isRemoved = false;
    const removing = listener.remove().then(() => (isRemoved = true));
    await nextTurn();
    assert.equal(isRemoved, false);
    gate.resolve();
    await removing;
    listener.add(add('d'));
    await nextTurn();
    assert.deepEqual(calls, ['a']);
    assert.equal(listener.pending, 0);
    await listener.remove();
  });

  it('returns a promise while too many calls are pending', async () => {
    const gate = new Deferred();
    const { listener } = makeListener({ onAdd: () => gate.promise }, { maxPending: 2 });
    listener.add(add('a'));
    assert.equal(listener.room(), undefined);
    listener.add(add('b'));
    const room = listener.room();
    assert.ok(room instanceof Promise);
    gate.resolve();
    await room;
    await listener.idle();
    assert.equal(listener.room(), undefined);
  });

  it('returns a promise every time too many calls are pending', async () => {
    const gates = [new Deferred(), new Deferred()];
    let calls = 0;
    const { listener } = makeListener({ onAdd: () => gates[calls++]?.promise }, { maxPending: 1 });
    for (const gate of gates) {
      listener.add(add('a'));
      let hasRoom = false;
      const room = listener.room()?.then(() => (hasRoom = true));
      await nextTurn();
      assert.equal(hasRoom, false);
      gate.resolve();
      await room;
      await listener.idle();
    }
  });

  it('is removed on overflow with that option', async () => {
    const { listener, errors } = makeListener(
      { onAdd: () => new Deferred().promise },
      { maxPending: 1, overflow: 'remove' },
    );
    listener.add(add('a'));
    listener.add(add('b'));
    assert.ok(listener.isRemoved);
    assert.equal(listener.room(), undefined);
    assert.deepEqual(
      errors.map(({ code }) => code),
      ['CACHE_HANDLER_OVERFLOW'],
    );
  });

  it('yields to the event loop', async () => {
    let now = 0;
    const calls: string[] = [];
    const { listener } = makeListener(
      {
        onAdd: ({ metadata }) => {
          now += 3;
          calls.push(metadata?.name ?? '');
        },
      },
      { clock: { monotonic: () => now, schedule: () => assert.fail('nothing to schedule') } },
    );
    const items = ['a', 'b', 'c', 'd', 'e'].map((key) => testObject(key));
    listener.add({ type: 'replay', items });
    const other = (): void => {
      calls.push('other');
      if (calls.length < 7) setImmediate(other);
    };
    setImmediate(other);
    await listener.idle();
    assert.deepEqual(calls, ['a', 'b', 'other', 'c', 'd', 'other', 'e']);
  });
});
