import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deferred } from '../lib/deferred.ts';
import { recordingLogger } from '../lib/test-logger.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { RateLimitingQueue } from './rate-limiting-queue.ts';
import { ReconcileError, requeueAfter, terminal } from './reconcile.ts';
import { runWorkers } from './run-workers.ts';
import { startWorkers } from './test-workers.ts';

describe('runWorkers', () => {
  it('reconciles keys in the order of adding and marks them done', async () => {
    const seen: string[] = [];
    const { queue, stop, ended, clock } = startWorkers((key) => void seen.push(key));
    queue.add('a');
    queue.add('b');
    await clock.advance(0);
    queue.add('a');
    await clock.advance(0);
    assert.deepEqual(seen, ['a', 'b', 'a']);
    await queue.shutDownWithDrain();
    stop.abort();
    await ended;
  });

  it('processes one key per worker, and no key twice at a time', async () => {
    const inProgress: string[] = [];
    const gates = new Map<string, Deferred>();
    const { queue, clock } = startWorkers(
      async (key) => {
        inProgress.push(key);
        const gate = new Deferred();
        gates.set(key, gate);
        await gate.promise;
        inProgress.splice(inProgress.indexOf(key), 1);
      },
      { workers: 3 },
    );
    for (const key of ['a', 'b', 'c', 'd']) queue.add(key);
    await clock.advance(0);
    assert.deepEqual(inProgress, ['a', 'b', 'c']);
    queue.add('a');
    gates.get('b')?.resolve();
    await clock.advance(0);
    assert.deepEqual(inProgress, ['a', 'c', 'd']);
    gates.get('c')?.resolve();
    await clock.advance(0);
    assert.deepEqual(inProgress, ['a', 'd'], 'a worker is idle, but another one has the key');
    gates.get('a')?.resolve();
    await clock.advance(0);
    assert.deepEqual(inProgress, ['d', 'a'], 'a key added while it was processed runs once more');
  });

  it('rejects with an error of the queue after the attempts in progress have ended', async () => {
    const clock = new VirtualClock();
    const broken = new Error('the limiter is broken');
    const queue = new RateLimitingQueue<string>({
      clock,
      rateLimiter: {
        when: () => {
          throw broken;
        },
        forget: () => undefined,
        numRequeues: () => 0,
      },
    });
    const gate = new Deferred();
    const seen: string[] = [];
    const { signal } = new AbortController();
    let hasEnded = false;
    const ended = runWorkers(queue, { clock, signal, workers: 2 }, async (key) => {
      seen.push(key);
      if (key === 'bad') throw new Error('not now');
      await gate.promise;
    });
    const note = (): boolean => (hasEnded = true);
    void ended.then(note, note);
    for (const key of ['good', 'bad', 'later']) queue.add(key);
    await clock.advance(0);
    assert.deepEqual([seen, hasEnded], [['good', 'bad'], false], 'no further attempt starts');
    gate.resolve();
    await assert.rejects(ended, (error) => error === broken);
  });

  it('retries with back-off after a failure and reports it', async () => {
    const startedAt: number[] = [];
    const attempts: number[] = [];
    const { queue, clock, errors } = startWorkers((_key, { attempt }) => {
      startedAt.push(clock.monotonic());
      attempts.push(attempt);
      if (attempt < 4) throw new Error(`no ${attempt}`);
    });
    queue.add('ns/a');
    await clock.advance(60_000);
    assert.deepEqual(startedAt, [0, 5, 15, 35]);
    assert.deepEqual(attempts, [1, 2, 3, 4]);
    assert.deepEqual(
      errors.map(({ code, key, attempt, message, willRetry }) => ({
        code,
        key,
        attempt,
        message,
        willRetry,
      })),
      [1, 2, 3].map((attempt) => ({
        code: 'WORKQUEUE_RECONCILE_FAILED',
        key: 'ns/a',
        attempt,
        message: `ns/a: attempt ${attempt} failed: no ${attempt}`,
        willRetry: true,
      })),
    );
    assert.ok(errors.every(({ cause }) => cause instanceof Error));
    assert.ok(errors[0] instanceof ReconcileError);
    assert.equal(queue.numRequeues('ns/a'), 0, 'success resets the back-off');
  });

  it('treats a synchronous throw and a rejection of any value as a failure', async () => {
    const causes: unknown[] = [
      new Error('synchronous'),
      'a text',
      undefined,
      new Error('asynchronous'),
    ];
    const left = [...causes];
    const { queue, clock, errors } = startWorkers((): Promise<void> | undefined => {
      if (left.length === 1) return Promise.reject(left.pop());
      if (left.length > 0) throw left.shift();
      return undefined;
    });
    queue.add('a');
    await clock.advance(60_000);
    assert.deepEqual(
      errors.map(({ cause }) => cause),
      causes,
    );
  });

  it('runs without an onError callback', async () => {
    const clock = new VirtualClock();
    const queue = new RateLimitingQueue<string>({ clock });
    const stop = new AbortController();
    let runs = 0;
    const ended = runWorkers(queue, { signal: stop.signal }, () => {
      runs += 1;
      if (runs === 1) throw new Error('no');
    });
    queue.add('a');
    await clock.advance(5);
    assert.equal(runs, 2);
    stop.abort();
    await ended;
  });

  it('does not retry a terminal error at any depth, and resets the back-off', async () => {
    const cause = new Error('replicas: -1 is negative');
    const thrown = [
      new Error('once'),
      terminal(cause),
      new Error('wrapped', { cause: terminal(cause) }),
      new AggregateError([new Error('one'), terminal(cause)], 'several'),
    ];
    const { queue, clock, errors } = startWorkers(() => {
      const error = thrown.shift();
      if (error !== undefined) throw error;
    });
    queue.add('a');
    await clock.advance(5);
    assert.deepEqual(
      errors.map(({ code }) => code),
      ['WORKQUEUE_RECONCILE_FAILED', 'WORKQUEUE_RECONCILE_TERMINAL'],
    );
    assert.equal(
      errors[1]?.message,
      'a: attempt 2 failed and is not retried: replicas: -1 is negative',
    );
    assert.equal(errors[1]?.willRetry, false);
    assert.equal(queue.numRequeues('a'), 0);
    for (const expected of [3, 4]) {
      await clock.advance(3_600_000);
      assert.equal(clock.pending, 0);
      queue.add('a');
      await clock.advance(0);
      assert.equal(errors.length, expected);
      assert.equal(errors.at(-1)?.code, 'WORKQUEUE_RECONCILE_TERMINAL');
    }
  });

  it('reconciles again after requeueAfter, and resets the back-off', async () => {
    const startedAt: number[] = [];
    const { queue, clock } = startWorkers((_key, { attempt }) => {
      startedAt.push(clock.monotonic());
      if (startedAt.length < 3) throw new Error(`no ${attempt}`);
      return startedAt.length < 5 ? requeueAfter(1000) : undefined;
    });
    queue.add('a');
    await clock.advance(10_000);
    assert.deepEqual(startedAt, [0, 5, 15, 1015, 2015]);
    assert.equal(queue.numRequeues('a'), 0);
    assert.equal(clock.pending, 0);
  });

  it('reconciles a changed key immediately while its requeueAfter is pending', async () => {
    let runs = 0;
    const { queue, clock } = startWorkers(() => {
      runs += 1;
      return runs === 1 ? requeueAfter(1000) : undefined;
    });
    queue.add('a');
    await clock.advance(10);
    queue.add('a');
    await clock.advance(0);
    assert.equal(runs, 2);
  });

  for (const workers of [0, -1, 1.5, NaN]) {
    it(`rejects ${workers} workers`, async () => {
      const { ended } = startWorkers(() => undefined, { workers });
      await assert.rejects(ended, { code: 'OPTION_INVALID', message: /^workers: / });
    });
  }

  for (const timeoutMs of [0, -1, NaN]) {
    it(`rejects a timeout of ${timeoutMs} ms`, async () => {
      const { ended } = startWorkers(() => undefined, { timeoutMs });
      await assert.rejects(ended, { code: 'OPTION_INVALID', message: /^timeoutMs: / });
    });
  }

  it('resolves when the queue is shut down and empty', async () => {
    const seen: string[] = [];
    const { queue, clock, ended } = startWorkers((key) => void seen.push(key), { workers: 2 });
    await clock.advance(0);
    queue.add('a');
    queue.add('b');
    queue.shutDown();
    await ended;
    assert.deepEqual(seen, ['a', 'b']);
    assert.equal(clock.pending, 0);
  });

  it('logs an error of the onError callback and continues', async () => {
    const seen: string[] = [];
    const logger = recordingLogger();
    const { queue, clock, stop, ended } = startWorkers(
      async (key) => {
        seen.push(key);
        if (key === 'bad') throw new Error('no');
      },
      {
        logger,
        onError: () => {
          throw new Error('the callback failed');
        },
      },
    );
    for (const key of ['bad', 'next']) queue.add(key);
    await clock.advance(0);
    await clock.advance(5);
    assert.deepEqual(seen, ['bad', 'next', 'bad']);
    assert.match(
      logger.lines[0] ?? '',
      /^warn the callback onError of the workers failed: the callback failed/,
    );
    stop.abort();
    await ended;
    queue.shutDown();
  });

  it('logs failures by default', async () => {
    const clock = new VirtualClock();
    const queue = new RateLimitingQueue<string>({ clock });
    queue.add('web');
    const stop = new AbortController();
    const logger = recordingLogger();
    await runWorkers(queue, { clock, logger, signal: stop.signal }, () => {
      stop.abort();
      throw new Error('out of paint');
    });
    assert.match(logger.lines[0] ?? '', /^warn web: attempt 1 failed: out of paint/);
    queue.shutDown();
  });
});
