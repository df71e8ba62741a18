import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TestInformer } from '../cache/test-informer.ts';
import { CacheSyncError } from '../cache/wait-for-cache-sync.ts';
import { Deferred } from '../lib/deferred.ts';
import { recordingLogger } from '../lib/test-logger.ts';
import { newForbidden, newNotFound } from '../meta/error-factories.ts';
import { TransportError } from '../transport/transport-error.ts';
import { RateLimitingQueue } from '../workqueue/rate-limiting-queue.ts';
import type { Reconcile } from '../workqueue/reconcile.ts';
import { enqueueRequestForObject } from './enqueue.ts';
import { runController, type RunControllerOptions } from './run-controller.ts';

/** Starts a controller of one kind and records its outcome. */
function start(
  test: TestInformer,
  reconcile: Reconcile<string>,
  options: Partial<RunControllerOptions<string>> = {},
): {
  readonly queue: RateLimitingQueue<string>;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
} {
  const { clock, informer } = test;
  const queue = new RateLimitingQueue<string>({ clock });
  informer.addEventHandler(enqueueRequestForObject(queue));
  const stop = new AbortController();
  const { signal } = stop;
  const informers = [informer];
  const ended = runController({ informers, queue, reconcile, signal, clock, ...options });
  ended.catch(() => undefined);
  return { queue, stop, ended };
}

describe('runController', () => {
  it('reconciles existing and new objects from a synced cache', async () => {
    const test = new TestInformer();
    test.source.write('ns/a');
    test.source.write('ns/b');
    const seen: string[] = [];
    const { stop, ended } = start(test, (key) => {
      assert.ok(test.informer.hasSynced);
      seen.push(`${key} of ${test.informer.indexer.size}`);
    });
    await test.settle();
    test.source.write('ns/c');
    await test.settle();
    assert.deepEqual(seen, ['ns/a of 2', 'ns/b of 2', 'ns/c of 3']);
    stop.abort();
    await ended;
  });

  it('starts the workers after all informers have synced', async () => {
    const test = new TestInformer();
    const slow = new TestInformer();
    slow.source.marksEnd = false;
    test.source.write('ns/a');
    const seen: string[] = [];
    const { stop, ended } = start(test, (key) => void seen.push(key), {
      informers: [test.informer, slow.informer],
    });
    await test.settle();
    assert.ok(test.informer.hasSynced);
    assert.deepEqual(seen, []);
    // The watch-list stream was silent for too long, so the informer lists.
    await slow.clock.advance(60_000);
    await test.settle();
    assert.deepEqual(seen, ['ns/a']);
    stop.abort();
    await ended;
  });

  it('finishes attempts while the caches are up to date, then stops everything', async () => {
    const test = new TestInformer();
    test.source.write('ns/a');
    const gate = new Deferred();
    const sizes: number[] = [];
    const { queue, stop, ended } = start(test, async () => {
      await gate.promise;
      sizes.push(test.informer.indexer.size);
      throw new Error('no, and it would be tried again');
    });
    await test.settle();
    stop.abort();
    test.source.write('ns/b');
    await test.settle();
    assert.equal(test.informer.isRunning, true);
    gate.resolve();
    await ended;
    assert.deepEqual(sizes, [2]);
    assert.equal(queue.shuttingDown, true);
    assert.equal(test.informer.isRunning, false);
    assert.equal(test.source.openWatches, 0);
    assert.equal(test.clock.pending, 0, 'no timer is left');
  });

  it('rejects immediately if an informer cannot sync, and names it with the reason', async () => {
    for (const [failure, expected] of [
      [newForbidden({ group: '', resource: 'secrets' }, '', 'no'), /may not list: .*forbidden/],
      [newNotFound({ group: 'example.com', resource: 'secrets' }, ''), /has nothing to list: /],
      [
        new TransportError('TRANSPORT_TLS_UNTRUSTED', 'self-signed certificate'),
        /cannot list: self-signed/,
      ],
    ] as const) {
      const test = new TestInformer({ name: 'pods' });
      const failing = new TestInformer({ name: 'secrets', useWatchList: false });
      failing.source.listFailures.push(failure);
      const { queue, ended } = start(test, () => assert.fail(), {
        informers: [test.informer, failing.informer],
      });
      await test.settle();
      await assert.rejects(ended, (error) => {
        assert.ok(error instanceof CacheSyncError);
        assert.deepEqual(
          error.waiting.map(({ name }) => name),
          ['secrets'],
        );
        assert.match(error.message, expected);
        assert.equal(error.cause, failure);
        return true;
      });
      assert.equal(test.informer.isRunning, false);
      assert.equal(failing.informer.isRunning, false);
      assert.equal(queue.shuttingDown, true);
      assert.equal(test.clock.pending + failing.clock.pending, 0);
    }
  });

  it('waits for missing permissions and resources with unavailable: wait', async () => {
    const test = new TestInformer({ name: 'pods', useWatchList: false });
    const forbidden = newForbidden({ group: '', resource: 'pods' }, '', 'no');
    test.source.listFailures.push(...Array.from({ length: 50 }, () => forbidden));
    const { ended } = start(test, () => assert.fail(), {
      syncTimeoutMs: 5000,
      unavailable: 'wait',
    });
    await test.clock.advance(4999);
    assert.ok(test.informer.isRunning);
    await test.clock.advance(1);
    await assert.rejects(ended, /^CacheSyncError: caches have not synced: pods may not list: /);
    assert.equal(test.clock.pending, 0);
  });

  it('waits two minutes for the sync by default, or without a limit', async () => {
    for (const [syncTimeoutMs, expected] of [
      [undefined, 120_000],
      [Infinity, undefined],
    ] as const) {
      const test = new TestInformer();
      const slow = new TestInformer();
      slow.source.marksEnd = false;
      const { stop, ended } = start(test, () => undefined, {
        informers: [slow.informer],
        ...(syncTimeoutMs === undefined ? {} : { syncTimeoutMs }),
      });
      await test.settle();
      assert.equal(test.clock.untilNext, expected);
      stop.abort();
      await ended;
      assert.equal(test.clock.pending + slow.clock.pending, 0);
    }
  });

  it('resolves when it is stopped before or during the sync', async () => {
    const test = new TestInformer();
    test.source.marksEnd = false;
    const { stop, ended } = start(test, () => assert.fail());
    await test.settle();
    stop.abort();
    await ended;
    assert.equal(test.clock.pending, 0);
    const another = new TestInformer();
    await start(another, () => assert.fail(), { signal: AbortSignal.abort() }).ended;
    assert.deepEqual(another.source.requests, []);
  });

  it('uses informers that are already running and leaves them running', async () => {
    const test = new TestInformer();
    test.source.write('ns/a');
    await test.start();
    const seen: string[] = [];
    const { stop, ended } = start(test, (key) => void seen.push(key));
    await test.settle();
    assert.deepEqual(seen, ['ns/a']);
    stop.abort();
    await ended;
    assert.equal(test.informer.isRunning, true);
    await test.stop();
  });

  it('stops and rejects when an informer ends by itself', async () => {
    const test = new TestInformer({ name: 'pods' });
    const gate = new Deferred();
    test.source.write('ns/a');
    let finished = false;
    const { ended, queue } = start(test, async () => {
      await gate.promise;
      finished = true;
    });
    await test.settle();
    void test.informer.stop();
    await test.settle();
    gate.resolve();
    await assert.rejects(ended, {
      code: 'CONTROLLER_INFORMER_ENDED',
      message: 'informer pods has stopped',
    });
    assert.equal(finished, true);
    assert.equal(queue.shuttingDown, true);
  });

  it('rejects with the error of an informer', async () => {
    const test = new TestInformer();
    const broken = {
      name: 'broken',
      isRunning: false,
      hasSynced: false,
      synced: new Promise<void>(() => undefined),
      run: () => Promise.reject(new Error('cannot run')),
    };
    const { ended } = start(test, () => assert.fail(), { informers: [test.informer, broken] });
    await assert.rejects(ended, /cannot run/);
    assert.equal(test.informer.isRunning, false);
    assert.equal(test.clock.pending, 0);
  });

  it('continues when its onError callback throws', async () => {
    const test = new TestInformer();
    test.source.write('ns/a');
    const logger = recordingLogger();
    const attempts: number[] = [];
    const { ended, stop } = start(
      test,
      (_key, { attempt }) => {
        attempts.push(attempt);
        if (attempt === 1) throw new Error('no');
      },
      {
        logger,
        onError: (error) => {
          throw error;
        },
      },
    );
    await test.settle();
    await test.clock.advance(5);
    assert.deepEqual(attempts, [1, 2]);
    assert.match(logger.lines[0] ?? '', /^warn the callback onError of the workers failed/);
    stop.abort();
    await ended;
  });

  it('resolves when its queue is shut down', async () => {
    const test = new TestInformer();
    const { queue, ended } = start(test, () => undefined);
    await test.settle();
    queue.shutDown();
    await ended;
    assert.equal(test.informer.isRunning, false);
  });
});
