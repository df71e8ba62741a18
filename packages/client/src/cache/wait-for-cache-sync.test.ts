import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deferred } from '../lib/deferred.ts';
import { describeState } from './informer-state.ts';
import { failures } from './test-failures.ts';
import { TestInformer } from './test-informer.ts';
import { CacheSyncError, type Syncable, waitForCacheSync } from './wait-for-cache-sync.ts';

describe('waitForCacheSync', () => {
  it('waits for informers and handlers', async () => {
    const world = new TestInformer();
    const gate = new Deferred();
    const registration = world.informer.addEventHandler({ onAdd: () => gate.promise });
    world.source.write('a');
    const waiting = waitForCacheSync([world.informer, registration]);
    await world.start();
    assert.equal(registration.hasSynced, false);
    gate.resolve();
    await waiting;
    assert.ok(registration.hasSynced && world.informer.hasSynced);
    await world.stop();
  });

  it('has nothing to wait for if there is nobody', async () => {
    await assert.doesNotReject(waitForCacheSync([]));
  });

  it('names who has not synced, and why', async () => {
    const good = new TestInformer({ name: 'good' });
    const denied = new TestInformer({ name: 'denied', useWatchList: false });
    denied.source.listFailures.push(failures.denied);
    const idle = new TestInformer({ name: 'idle' });
    const registration = idle.informer.addEventHandler({}, { name: 'handler' });
    await good.start();
    await denied.start();
    const stop = new AbortController();
    const waiting = waitForCacheSync(
      [good.informer, denied.informer, idle.informer, registration],
      stop.signal,
    );
    stop.abort(new Error('enough'));
    await assert.rejects(waiting, (error) => {
      assert.ok(error instanceof CacheSyncError);
      assert.equal(error.code, 'CACHE_NOT_SYNCED');
      assert.deepEqual(
        error.waiting.map(({ name, state }) => [name, state?.state]),
        [
          ['denied', 'denied'],
          ['idle', 'starting'],
          ['handler', undefined],
        ],
      );
      assert.match(error.message, /denied may not list: .*; idle was not started; handler has not/);
      assert.match(String(error.cause), /enough/);
      return true;
    });
    await good.stop();
    await denied.stop();
  });

  it('does not blame one that synced together with the abort', async () => {
    const member: Syncable = { name: 'm', hasSynced: true, synced: new Deferred().promise };
    await assert.doesNotReject(waitForCacheSync([member], AbortSignal.abort()));
  });
});

it('describeState has words for every state', () => {
  const since = 0;
  const error = new Error('why');
  assert.deepEqual(
    [
      describeState({ state: 'starting' }),
      describeState({ state: 'syncing', received: 3 }),
      describeState({ state: 'live', resourceVersion: '1', lag: 0 }),
      describeState({ state: 'stale', since, error }),
      describeState({ state: 'denied', since, verb: 'watch', error }),
      describeState({ state: 'absent', since, error: 'text' }),
      describeState({ state: 'stopped' }),
    ],
    [
      'was not started',
      'is syncing, 3 objects so far',
      'is live',
      'fails: why',
      'may not watch: why',
      'has nothing to list: text',
      'was stopped',
    ],
  );
});
