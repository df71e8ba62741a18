import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sleep } from '../lib/clock.ts';
import { Deferred } from '../lib/deferred.ts';
import { nextTurn } from '../lib/next-turn.ts';
import type { ReconcileContext } from './reconcile.ts';
import { LOW_PRIORITY, PriorityQueue } from './priority-queue.ts';
import { runWorkers } from './run-workers.ts';
import { startWorkers } from './test-workers.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';

describe('the timeout of an attempt', () => {
  it('aborts the signal of the attempt, and the key is retried', async () => {
    const reasons: Error[] = [];
    const { queue, clock, errors } = startWorkers(
      async (_key, { signal, attempt }) => {
        if (attempt > 1) return;
        await sleep(clock, 60_000, { signal }).catch((error: Error) => {
          reasons.push(error);
          throw new Error('cancelled', { cause: error });
        });
      },
      { timeoutMs: 1000 },
    );
    queue.add('a');
    await clock.advance(999);
    assert.deepEqual(reasons, []);
    await clock.advance(1);
    assert.deepEqual(
      reasons.map(({ name }) => name),
      ['TimeoutError'],
    );
    assert.equal(errors.length, 1);
    assert.equal(errors[0]?.code, 'WORKQUEUE_RECONCILE_TIMED_OUT');
    assert.equal(errors[0].message, 'a: attempt 1 timed out: cancelled');
    await clock.advance(5);
    assert.equal(queue.numRequeues('a'), 0);
    assert.equal(clock.pending, 0, 'the timer of the attempt is cancelled');
  });

  it('does not give the key to a second worker while the first ignores it', async () => {
    const gate = new Deferred();
    let inProgress = 0;
    let most = 0;
    const { queue, clock, errors } = startWorkers(
      async () => {
        inProgress += 1;
        most = Math.max(most, inProgress);
        await gate.promise;
        inProgress -= 1;
      },
      { workers: 2, timeoutMs: 1000 },
    );
    queue.add('a');
    await clock.advance(5000);
    queue.add('a');
    await clock.advance(5000);
    gate.resolve();
    await clock.advance(0);
    assert.equal(most, 1);
    assert.deepEqual(errors, [], 'a late success is a success');
  });

  it('is measured for each attempt', async () => {
    const aborted: boolean[] = [];
    const { queue, clock } = startWorkers(
      async (_key, { signal }) => {
        await sleep(clock, 900);
        aborted.push(signal.aborted);
      },
      { timeoutMs: 1000 },
    );
    for (const key of ['a', 'b', 'c']) queue.add(key);
    await clock.advance(2700);
    assert.deepEqual(aborted, [false, false, false]);
  });
});

describe('stopping workers', () => {
  it('finishes attempts in progress and starts no new ones', async () => {
    const gate = new Deferred();
    const seen: string[] = [];
    const { queue, clock, stop, ended, hasEnded } = startWorkers(async (key) => {
      seen.push(key);
      await gate.promise;
    });
    queue.add('a');
    queue.add('b');
    await clock.advance(0);
    stop.abort();
    queue.add('c');
    await clock.advance(0);
    assert.equal(hasEnded(), false);
    gate.resolve();
    await ended;
    assert.deepEqual(seen, ['a']);
    assert.equal(queue.len, 2, 'keys that were not started stay in the queue');
    assert.equal(clock.pending, 0);
    await queue.get().then(({ value }) => assert.equal(value, 'b'));
  });

  it('ends idle workers, and workers started with an aborted signal', async () => {
    const { stop, ended } = startWorkers(() => undefined, { workers: 4 });
    await nextTurn();
    stop.abort();
    await ended;
    await startWorkers(() => assert.fail(), { signal: AbortSignal.abort() }).ended;
  });

  it('puts a key back that was handed out just before the stop', async () => {
    const seen: string[] = [];
    const { queue, clock, stop, ended } = startWorkers((key) => void seen.push(key));
    await clock.advance(0);
    queue.add('a');
    // Runs after the queue has handed out the key and before the worker continues.
    queueMicrotask(() => stop.abort());
    await ended;
    assert.deepEqual(seen, []);
    assert.equal(queue.len, 1);
    assert.deepEqual(await queue.get(), { done: false, value: 'a' });
  });

  it('aborts attempts after the grace period and puts their keys back without an error', async () => {
    const reason = new Error('the program ends');
    const caught: unknown[] = [];
    const { queue, clock, stop, ended, errors, hasEnded } = startWorkers(
      async (_key, { signal }) => {
        await sleep(clock, 3_600_000, { signal }).catch((error: unknown) => {
          caught.push(error);
          throw new Error('wrapped', { cause: error });
        });
      },
      { gracePeriodMs: 5000, timeoutMs: 600_000 },
    );
    queue.add('a');
    await clock.advance(0);
    stop.abort(reason);
    await clock.advance(4999);
    assert.equal(hasEnded(), false);
    await clock.advance(1);
    await ended;
    assert.deepEqual(caught, [reason]);
    assert.deepEqual(errors, []);
    assert.equal(queue.len, 1);
    assert.equal(queue.numRequeues('a'), 0);
    assert.equal(clock.pending, 0);
  });

  it('has a grace period of 30 s by default; 0 means none and Infinity no end', async () => {
    const graceOf = async (gracePeriodMs?: number): Promise<number | undefined> => {
      const contexts: ReconcileContext[] = [];
      const gate = new Deferred();
      const { queue, clock, stop, ended } = startWorkers(
        async (_key, context) => {
          contexts.push(context);
          await gate.promise;
        },
        gracePeriodMs === undefined ? {} : { gracePeriodMs },
      );
      queue.add('a');
      await clock.advance(0);
      stop.abort();
      const [context] = contexts;
      const grace = clock.untilNext;
      await clock.advance(grace ?? 86_400_000);
      assert.equal(context?.signal.aborted, grace !== undefined);
      gate.resolve();
      await ended;
      assert.equal(clock.pending, 0);
      return grace;
    };
    assert.equal(await graceOf(), 30_000);
    assert.equal(await graceOf(0), 0);
    assert.equal(await graceOf(Infinity), undefined);
  });

  it('reports attempts that fail by themselves during the stop', async () => {
    const gate = new Deferred();
    const { queue, clock, stop, ended, errors } = startWorkers(async () => await gate.promise, {
      gracePeriodMs: 0,
      timeoutMs: 10,
    });
    queue.add('a');
    await clock.advance(0);
    stop.abort();
    await clock.advance(0);
    gate.reject(new Error('no'));
    await ended;
    assert.deepEqual(
      errors.map(({ code, message }) => `${code} ${message}`),
      ['WORKQUEUE_RECONCILE_FAILED a: attempt 1 failed: no'],
    );
    assert.equal(queue.waiting, 1);
  });

  it('reports an attempt that timed out before the stop as timed out', async () => {
    const gate = new Deferred();
    const { queue, clock, stop, ended, errors } = startWorkers(async () => await gate.promise, {
      gracePeriodMs: 0,
      timeoutMs: 10,
    });
    queue.add('a');
    await clock.advance(10);
    stop.abort();
    await clock.advance(0);
    gate.reject(new Error('no'));
    await ended;
    assert.equal(errors[0]?.code, 'WORKQUEUE_RECONCILE_TIMED_OUT');
  });

  it('leaves the queue open, so that workers can start on it again', async () => {
    const { queue, clock, stop, ended } = startWorkers(() => undefined);
    stop.abort();
    await ended;
    queue.add('a');
    const seen: string[] = [];
    const again = new AbortController();
    const second = runWorkers(queue, { clock, signal: again.signal }, (key) => void seen.push(key));
    await clock.advance(0);
    assert.deepEqual(seen, ['a']);
    again.abort();
    await second;
  });
});

describe('an attempt that ignores its signal', () => {
  it('is reported by key after the grace period and no longer waited for', async () => {
    const gate = new Deferred();
    const { queue, clock, errors, stop, ended, hasEnded } = startWorkers(
      async (key) => {
        if (key === 'stuck') await gate.promise;
      },
      { workers: 2, gracePeriodMs: 1000 },
    );
    queue.add('stuck');
    queue.add('quick');
    await clock.advance(0);
    stop.abort(new Error('the end'));
    await clock.advance(5999);
    assert.equal(hasEnded(), false, 'it has 5 s to react to its signal');
    await clock.advance(1);
    await ended;
    assert.deepEqual(
      errors.map(({ code, key, message }) => [code, key, message]),
      [
        [
          'WORKQUEUE_RECONCILE_STUCK',
          'stuck',
          'stuck: attempt 1 did not end after its signal aborted: the end',
        ],
      ],
    );
    assert.equal(clock.pending, 0);
    queue.add('stuck');
    assert.equal(queue.len, 0, 'no other worker gets the key');
    gate.reject(new Error('too late to report'));
    await clock.advance(0);
    assert.equal(errors.length, 1);
    assert.equal(queue.len + queue.waiting > 0, true, 'the key was not lost');
    queue.shutDown();
  });
});

describe('the priority of a key', () => {
  it('stays the same when a stop cancels its attempt', async () => {
    const clock = new VirtualClock();
    const queue = new PriorityQueue<string>({ clock });
    const stop = new AbortController();
    queue.add('a', { priority: LOW_PRIORITY });
    queue.add('b', { priority: LOW_PRIORITY });
    const options = { clock, signal: stop.signal, gracePeriodMs: 1000 };
    const running = runWorkers(queue, options, async (key, { signal }) => {
      if (key === 'a') stop.abort();
      await sleep(clock, 60_000, { signal });
    });
    await clock.advance(2000);
    await running;
    assert.deepEqual([queue.priorityOf('a'), queue.priorityOf('b')], [LOW_PRIORITY, LOW_PRIORITY]);
    queue.shutDown();
  });
});

describe('cancelling workers', () => {
  for (const timeoutMs of [undefined, 60_000]) {
    const whose = timeoutMs === undefined ? 'that attempts share' : 'of its own';
    it(`aborts a signal ${whose} without a grace period, and returns the key without an error`, async () => {
      const cancel = new AbortController();
      const reasons: unknown[] = [];
      const { queue, clock, errors, ended } = startWorkers(
        async (_key, { signal }) => {
          await sleep(clock, 30_000, { signal }).catch((error: Error) => {
            reasons.push(signal.reason);
            throw new Error('stopped', { cause: error });
          });
        },
        { workers: 2, cancel: cancel.signal, timeoutMs },
      );
      for (const key of ['a', 'b', 'c']) queue.add(key);
      await clock.advance(0);
      const lost = new Error('lost');
      cancel.abort(lost);
      await ended;
      assert.deepEqual(reasons, [lost, lost]);
      assert.deepEqual(errors, []);
      await clock.advance(0);
      assert.equal(queue.len, 3, 'all keys are back');
      assert.equal(queue.numRequeues('a'), 0);
      assert.equal(clock.pending, 0);
    });
  }

  it('cuts a grace period short', async () => {
    const cancel = new AbortController();
    const { queue, clock, stop, ended, hasEnded } = startWorkers(
      async (_key, { signal }) => await sleep(clock, 30_000, { signal }),
      { cancel: cancel.signal },
    );
    queue.add('a');
    await clock.advance(0);
    stop.abort();
    await clock.advance(1000);
    assert.equal(hasEnded(), false);
    cancel.abort();
    await ended;
    assert.equal(clock.pending, 0);
  });

  it('reports an attempt that ignores it', async () => {
    const cancel = new AbortController();
    const { queue, clock, errors, ended } = startWorkers(() => new Promise(() => undefined), {
      cancel: cancel.signal,
    });
    queue.add('a');
    await clock.advance(0);
    cancel.abort(new Error('lost'));
    await clock.advance(5000);
    await ended;
    assert.deepEqual(
      errors.map(({ code }) => code),
      ['WORKQUEUE_RECONCILE_STUCK'],
    );
  });
});
