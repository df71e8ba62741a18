import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describe, it } from 'node:test';
import { trackCauses, withCause } from '../lib/diagnostic-channel.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import {
  type QueueAdd,
  queueAdds,
  queueDones,
  type QueueStep,
  queueTakes,
  reconcileEnds,
  reconcileStarts,
  runningQueues,
} from './diagnostics.ts';
import { PriorityQueue } from './priority-queue.ts';
import { BucketRateLimiter, defaultControllerRateLimiter } from './rate-limiters.ts';
import { RateLimitingQueue } from './rate-limiting-queue.ts';
import { requeueAfter, terminal } from './reconcile.ts';
import { runWorkers } from './run-workers.ts';

describe('diagnostics of queues', () => {
  it('publish adds with their causes, takes and dones with their durations', async () => {
    const clock = new VirtualClock();
    const queue = new RateLimitingQueue<string>({ name: 'q', clock });
    const adds: Omit<QueueAdd, 'queue'>[] = [];
    const steps: [string, unknown, number][] = [];
    const step =
      (what: string) =>
      ({ key, durationMs }: QueueStep): void =>
        void steps.push([what, key, durationMs]);
    using _causes = trackCauses();
    using _adds = queueAdds.sample(100, ({ queue: from, ...rest }) => {
      assert.equal(from, queue);
      adds.push(rest);
    });
    using _takes = queueTakes.subscribe(step('take'));
    using _dones = queueDones.subscribe(step('done'));
    const change = { kind: 'change' } as const;
    withCause(change, () => queue.add('a'));
    queue.add('a');
    await clock.advance(10);
    assert.deepEqual(queue.statistics.oldest, { key: 'a', ageMs: 10 });
    await queue.get();
    assert.equal(queue.observedItem('a')?.cause, change);
    await clock.advance(5);
    queue.addRateLimited('a');
    queue.done('a');
    await clock.advance(5);
    const plain = { priority: undefined, isMerged: false };
    assert.deepEqual(adds, [
      { ...plain, key: 'a', cause: change },
      { ...plain, key: 'a', cause: undefined, isMerged: true },
      { ...plain, key: 'a', cause: { kind: 'retry' }, delayMs: 5 },
      { ...plain, key: 'a', cause: { kind: 'retry' } },
    ]);
    assert.deepEqual(steps, [
      ['take', 'a', 10],
      ['done', 'a', 5],
    ]);
    queue.shutDown();
  });

  it('complete the steps of each item that was observed, and no others', async () => {
    const queue = new RateLimitingQueue<string>();
    const steps: unknown[] = [];
    using _takes = queueTakes.subscribe(({ key }) => steps.push(key));
    using adds = queueAdds.sample(1, () => undefined);
    queue.add('a');
    queue.add('b');
    adds.refill();
    queue.add('c');
    for (let count = 0; count < 3; count += 1) await queue.get();
    assert.deepEqual(steps, ['a', 'c']);
    queue.shutDown();
  });

  it('know the priority of an item', () => {
    const queue = new PriorityQueue<string>();
    const priorities: unknown[] = [];
    using _adds = queueAdds.sample(1, ({ priority }) => priorities.push(priority));
    queue.add('a', { priority: -100 });
    assert.deepEqual(priorities, [-100]);
    queue.shutDown();
  });
});

describe('statistics of a queue', () => {
  it('count without anything that listens', async () => {
    const clock = new VirtualClock();
    const rateLimiter = defaultControllerRateLimiter<string>({ clock });
    const queue = new RateLimitingQueue<string>({ clock, rateLimiter });
    queue.add('a');
    queue.add('b');
    queue.addRateLimited('c');
    await queue.get();
    const { rateLimiter: limiter, ...rest } = queue.statistics;
    assert.deepEqual(rest, {
      depth: 1,
      waiting: 1,
      busy: 1,
      adds: 2,
      retries: 1,
      dones: 0,
      oldest: undefined,
    });
    assert.deepEqual([...(limiter?.failures ?? [])], [['c', 1]]);
    assert.equal(limiter?.delayMs, 0);
    queue.shutDown();
  });

  it('say when a bucket admits the next item', () => {
    const limiter = new BucketRateLimiter({ qps: 10, burst: 1, clock: new VirtualClock() });
    limiter.when('a');
    limiter.when('b');
    assert.equal(limiter.state().delayMs, 200);
    assert.equal(limiter.when('c'), 200);
  });
});

describe('diagnostics of reconciles', () => {
  it('publish each attempt and how it ended', async () => {
    const clock = new VirtualClock();
    const queue = new RateLimitingQueue<string>({ name: 'q', clock });
    const seen: unknown[] = [];
    using _starts = reconcileStarts.subscribe(({ key, attempt }) =>
      seen.push(['start', key, attempt]),
    );
    using _ends = reconcileEnds.subscribe(({ key, result, error, requeueAfterMs }) =>
      seen.push(['end', key, result, (error as Error | undefined)?.message, requeueAfterMs]),
    );
    const stop = new AbortController();
    const options = { signal: stop.signal, clock, onError: () => undefined };
    const failures = new Set(['error']);
    const running = runWorkers(queue, options, (key) => {
      if (failures.delete(key)) throw new Error('broken');
      if (key === 'terminal') throw terminal(new Error('never'));
      if (key === 'requeue') return requeueAfter(60_000);
      return undefined;
    });
    assert.equal(runningQueues.get(queue), 1);
    for (const key of ['ok', 'error', 'terminal', 'requeue']) queue.add(key);
    await clock.advance(5);
    stop.abort();
    await running;
    assert.equal(runningQueues.has(queue), false);
    assert.deepEqual(
      seen.filter((entry) => (entry as unknown[])[0] === 'end'),
      [
        ['end', 'ok', 'success', undefined, undefined],
        ['end', 'error', 'error', 'broken', undefined],
        ['end', 'terminal', 'terminal', 'never', undefined],
        ['end', 'requeue', 'requeue', undefined, 60_000],
        ['end', 'error', 'success', undefined, undefined],
      ],
    );
    assert.deepEqual(seen.at(-2), ['start', 'error', 2]);
    queue.shutDown();
  });

  it('reach subscribers of node:diagnostics_channel without a feed', async () => {
    for (const name of ['client-ts:reconcile:start', 'client-ts:reconcile:end']) {
      const queue = new RateLimitingQueue<string>({ name: 'q' });
      const keys: unknown[] = [];
      const listen = (message: unknown): void =>
        void keys.push(Reflect.get(Object(message), 'key'));
      subscribe(name, listen);
      for (const key of ['a', 'b', 'last']) queue.add(key);
      queue.shutDown();
      await runWorkers(queue, {}, () => undefined);
      unsubscribe(name, listen);
      assert.deepEqual(keys, ['a', 'b', 'last']);
    }
  });
});
