import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Deferred } from '../lib/deferred.ts';
import { nextTurn } from '../lib/next-turn.ts';
import { abortable, onAbort } from '../lib/signal.ts';
import { TaskGroup } from './task-group.ts';

/** Runs until the signal aborts, then throws the reason, as requests do. */
const untilStopped = (signal: AbortSignal): Promise<void> =>
  abortable(new Deferred().promise, signal);

describe('TaskGroup', () => {
  it('waits for all tasks, including those started by tasks', async () => {
    const group = new TaskGroup();
    const first = new Deferred();
    const second = new Deferred();
    const ended: string[] = [];
    group.start(async () => {
      await first.promise;
      group.start(async () => {
        await second.promise;
        ended.push('second');
      });
      ended.push('first');
    });
    const waited = group.wait().then(() => ended.push('wait'));
    assert.equal(group.size, 1);
    first.resolve();
    await nextTurn();
    assert.deepEqual(ended, ['first']);
    second.resolve();
    await waited;
    assert.deepEqual(ended, ['first', 'second', 'wait']);
    assert.equal(group.size, 0);
  });

  it('starts a task before start returns', () => {
    const group = new TaskGroup();
    let isStarted = false;
    assert.equal(
      group.start(() => void (isStarted = true)),
      true,
    );
    assert.equal(isStarted, true);
  });

  it('resolves immediately if there are none', async () => {
    await assert.doesNotReject(new TaskGroup().wait());
  });

  it('stops the others when one fails, and throws its error', async () => {
    const group = new TaskGroup();
    const failure = new Error('broken');
    let reason: unknown;
    group.start(async (signal) => {
      await untilStopped(signal).catch((error: unknown) => {
        reason = error;
        throw error;
      });
    });
    group.start(() => Promise.reject(failure));
    await assert.rejects(group.wait(), failure);
    assert.equal(reason, failure);
    assert.equal(group.signal.reason, failure);
    await assert.rejects(group.wait(), failure);
  });

  it('throws all errors if several fail', async () => {
    const group = new TaskGroup();
    group.start(async (signal) => {
      await untilStopped(signal).catch(() => undefined);
      throw new Error('cannot close');
    });
    group.start(() => {
      throw new Error('broken');
    });
    await assert.rejects(group.wait(), (error) => {
      assert.ok(error instanceof AggregateError);
      assert.equal(error.message, '[broken, cannot close]');
      assert.equal(error.errors.length, 2);
      return true;
    });
  });

  it('does not report a stop as a failure', async () => {
    const stop = new AbortController();
    const group = new TaskGroup({ signal: stop.signal });
    group.start(untilStopped);
    group.start(async (signal) => {
      await untilStopped(signal).catch((cause: unknown) => {
        throw new Error('request failed', { cause });
      });
    });
    stop.abort(new Error('enough'));
    await group.wait();
    assert.equal((group.signal.reason as Error).message, 'enough');
    assert.equal(getEventListeners(stop.signal, 'abort').length, 0);
  });

  it('starts nothing after a stop', async () => {
    const group = new TaskGroup({ signal: AbortSignal.abort() });
    assert.equal(
      group.start(() => assert.fail('started')),
      false,
    );
    await group.wait();
  });

  it('keeps waiting if a task is started as the last one ends', async () => {
    const group = new TaskGroup();
    const first = new Deferred();
    const second = new Deferred();
    const ended: string[] = [];
    group.start(() => first.promise);
    const waited = group.wait().then(() => ended.push('wait'));
    const started = first.promise.then(() => group.start(() => second.promise));
    first.resolve();
    await started;
    await nextTurn();
    assert.equal(ended.length, 0);
    second.resolve();
    await waited;
  });

  it('stops and waits at the end of a block', async () => {
    const ended: string[] = [];
    const { signal } = new AbortController();
    {
      await using group = new TaskGroup({ signal });
      group.start(async (signal) => {
        await untilStopped(signal).catch(() => undefined);
        await nextTurn();
        ended.push('task');
      });
      ended.push('block');
    }
    assert.deepEqual(ended, ['block', 'task']);
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });

  it('throws a failure that was not awaited at the end of the block', async () => {
    const failure = new Error('broken');
    await assert.rejects(async () => {
      await using group = new TaskGroup();
      group.start(() => Promise.reject(failure));
    }, failure);
    await assert.rejects(async () => {
      await using group = new TaskGroup();
      group.start(() => Promise.reject(failure));
      await group.wait();
    }, failure);
  });
});

describe('a signal that outlives task groups', () => {
  it('keeps neither groups nor their listeners alive, and stops groups with tasks', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const collect = async (): Promise<void> => {
      for (let round = 0; round < 2; round += 1) {
        await nextTurn();
        collectGarbage();
      }
      await nextTurn();
    };
    const stop = new AbortController();
    const run = async (): Promise<void> => {
      const group = new TaskGroup({ signal: stop.signal });
      group.start(() => undefined);
      await group.wait();
    };
    await run();
    const reasons: unknown[] = [];
    const leave = (): void => {
      new TaskGroup({ signal: stop.signal }).start(
        (signal) =>
          new Promise<void>((resolve) => {
            onAbort(signal, () => {
              reasons.push(signal.reason);
              resolve();
            });
          }),
      );
    };
    leave();
    await collect();
    assert.equal(getEventListeners(stop.signal, 'abort').length, 1);
    stop.abort('the end');
    assert.deepEqual(reasons, ['the end']);
  });
});
