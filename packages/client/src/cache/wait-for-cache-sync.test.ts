import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deferred } from '../lib/deferred.ts';
import { describeState } from './informer-state.ts';
import { failures } from './test-failures.ts';
import { TestInformer } from './test-informer.ts';
import { quiescence } from '../testing/quiescence.ts';
import { CacheSyncError, type Syncable, waitForCacheSync } from './wait-for-cache-sync.ts';

describe('waitForCacheSync', () => {
  it('rejects after timeoutMs', async () => {
    const world = new TestInformer({ name: 'slow' });
    world.source.marksEnd = false;
    await world.start();
    const { clock } = world;
    const before = clock.pending;
    const waiting = waitForCacheSync([world.informer], { clock, timeoutMs: 500 });
    const rejected = assert.rejects(waiting, (error: CacheSyncError) => {
      assert.match(error.message, /^caches have not synced: slow is syncing/);
      assert.match(String(error.cause), /TimeoutError: not synced after 500 ms/);
      assert.match(error.hint ?? '', /may list and watch its resource/);
      return true;
    });
    await clock.advance(500);
    await rejected;
    assert.equal(clock.pending, before);
    await world.stop();
  });

  it('refuses options that it does not know', async () => {
    const refused = { code: 'OPTION_INVALID' };
    await assert.rejects(waitForCacheSync([], { timeoutMs: -1 }), refused);
    await assert.rejects(waitForCacheSync([], { unavailable: 'x' as 'wait' }), refused);
  });

  it('waits for informers and handlers', async () => {
    const world = new TestInformer();
    const gate = new Deferred();
    const registration = world.informer.addEventHandler({ onAdd: () => gate.promise });
    world.source.write('a');
    await world.start();
    const waiting = waitForCacheSync([world.informer, registration]);
    assert.equal(registration.hasSynced, false);
    gate.resolve();
    await waiting;
    assert.ok(registration.hasSynced && world.informer.hasSynced);
    await world.stop();
  });

  it('rejects when an informer becomes unavailable later', async () => {
    const world = new TestInformer({ name: 'pods', useWatchList: false });
    world.source.listFailures.push(failures.internal, failures.denied);
    await world.start();
    let outcome: unknown;
    const waiting = waitForCacheSync([world.informer]).catch((error: unknown) => (outcome = error));
    await world.settle();
    assert.equal(outcome, undefined, 'internal errors are retried');
    await world.clock.advance(800);
    await waiting;
    assert.match(String(outcome), /pods may not list/);
    await world.stop();
  });

  it('waits for members that have no states', async () => {
    const deferred = new Deferred();
    const member = { name: 'plain', hasSynced: false, synced: deferred.promise };
    let isSynced = false;
    const waiting = waitForCacheSync([member]).then(() => (isSynced = true));
    await quiescence();
    assert.equal(isSynced, false);
    member.hasSynced = true;
    deferred.resolve();
    await waiting;
  });

  it('accepts a single member', async () => {
    await waitForCacheSync({ name: 'a', hasSynced: true, synced: Promise.resolve() });
    const waiting = { name: 'b', hasSynced: false, synced: new Promise<void>(() => undefined) };
    await assert.rejects(waitForCacheSync(waiting, { signal: AbortSignal.abort() }), {
      code: 'CACHE_NOT_SYNCED',
    });
  });

  it('resolves immediately without members', async () => {
    await assert.doesNotReject(waitForCacheSync([]));
  });

  it('rejects when only members are left that cannot sync, and names them', async () => {
    const good = new TestInformer({ name: 'good' });
    const denied = new TestInformer({ name: 'denied', useWatchList: false });
    denied.source.listFailures.push(failures.denied);
    const idle = new TestInformer({ name: 'idle' });
    const registration = idle.informer.addEventHandler({}, { name: 'handler' });
    good.source.marksEnd = false;
    await good.start();
    await denied.start();
    let outcome: unknown;
    const members = [good.informer, denied.informer, idle.informer, registration];
    const waiting = waitForCacheSync(members).catch((error: unknown) => {
      outcome = error;
    });
    await good.settle();
    assert.equal(outcome, undefined, 'one of them is still syncing');
    const annotations = { 'k8s.io/initial-events-end': 'true' };
    const object = { metadata: { resourceVersion: '9', annotations } };
    good.source.send({ type: 'BOOKMARK', object });
    await waiting;
    const error = outcome as unknown;
    assert.ok(error instanceof CacheSyncError);
    assert.equal(error.code, 'CACHE_NOT_SYNCED');
    assert.deepEqual(
      error.waiting.map(({ name, state }) => [name, state?.state]),
      [
        ['denied', 'denied'],
        ['idle', 'starting'],
        ['handler', 'starting'],
      ],
    );
    assert.match(error.message, /denied may not list: .*; idle was not started; handler was not/);
    assert.equal(error.cause, failures.denied);
    await good.stop();
    await denied.stop();
  });

  it('names the members that have not synced when the signal aborts', async () => {
    const slow = new TestInformer({ name: 'slow' });
    const synced = new TestInformer({ name: 'synced' });
    slow.source.marksEnd = false;
    synced.source.write('a');
    const gate = new Deferred();
    const handler = { onAdd: () => gate.promise };
    const registration = synced.informer.addEventHandler(handler, { name: 'handler' });
    await slow.start();
    await synced.start();
    const stop = new AbortController();
    const waiting = waitForCacheSync([slow.informer, synced.informer, registration], {
      signal: stop.signal,
    });
    await slow.settle();
    stop.abort(new Error('enough'));
    await assert.rejects(waiting, (error) => {
      assert.ok(error instanceof CacheSyncError);
      assert.deepEqual(
        error.waiting.map(({ name, state }) => [name, state?.state]),
        [
          ['slow', 'syncing'],
          ['handler', undefined],
        ],
      );
      assert.match(error.message, /handler has not been called for every object/);
      assert.match(String(error.cause), /enough/);
      return true;
    });
    gate.resolve();
    await slow.stop();
    await synced.stop();
  });

  it('rejects immediately with an error that no retry can fix, also for a handler', async () => {
    for (const useWatchList of [true, false]) {
      const world = new TestInformer({ name: 'pods', useWatchList });
      world.source.watchFailures.push(failures.untrusted);
      world.source.listFailures.push(failures.untrusted);
      const registration = world.informer.addEventHandler({}, { name: 'handler' });
      await world.start();
      for (const [member, name] of [
        [world.informer, 'pods'],
        [registration, 'handler'],
      ] as const) {
        await assert.rejects(waitForCacheSync([member]), (error) => {
          assert.ok(error instanceof CacheSyncError);
          assert.match(error.message, new RegExp(`${name} cannot (list|watch): self-signed`));
          assert.equal(error.cause, failures.untrusted);
          assert.equal(error.hint, failures.untrusted.hint);
          assert.equal(error.retry, 'never');
          return true;
        });
      }
      await world.stop();
    }
  });

  it('waits until the error is corrected with unavailable: wait', async () => {
    const world = new TestInformer({ useWatchList: false });
    world.source.listFailures.push(failures.untrusted);
    await world.start();
    const waiting = waitForCacheSync([world.informer], { unavailable: 'wait' });
    await world.clock.advance(30_000);
    await waiting;
    assert.equal(world.informer.state.state, 'live');
    await world.stop();
  });

  it('rejects when an informer stops or a handler is removed', async () => {
    const world = new TestInformer({ name: 'pods' });
    world.source.marksEnd = false;
    const registration = world.informer.addEventHandler({}, { name: 'handler' });
    await world.start();
    const waiting = waitForCacheSync([world.informer, registration]);
    const stopped = assert.rejects(waiting, /pods was stopped; handler was stopped/);
    await world.settle();
    await world.stop();
    await stopped;
    await registration.remove();
    await assert.rejects(waitForCacheSync([registration]), CacheSyncError);
  });

  it('counts a member that syncs in the turn of the abort as synced', async () => {
    const member: Syncable = { name: 'm', hasSynced: true, synced: new Deferred().promise };
    await assert.doesNotReject(waitForCacheSync([member], { signal: AbortSignal.abort() }));
  });
});

it('describeState describes every state', () => {
  const since = 0;
  const error = new Error('why');
  assert.deepEqual(
    [
      describeState({ state: 'starting' }),
      describeState({ state: 'syncing', received: 3 }),
      describeState({ state: 'live', resourceVersion: '1', lag: 0 }),
      describeState({ state: 'stale', since, error }),
      describeState({ state: 'denied', since, verb: 'watch', error }),
      describeState({ state: 'blocked', since, verb: 'list', error }),
      describeState({ state: 'absent', since, error: 'text' }),
      describeState({ state: 'stopped' }),
    ],
    [
      'was not started',
      'is syncing, 3 objects so far',
      'is live',
      'fails: why',
      'may not watch: why',
      'cannot list: why',
      'has nothing to list: text',
      'was stopped',
    ],
  );
});
