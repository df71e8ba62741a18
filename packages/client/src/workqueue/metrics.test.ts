import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Clock } from '../lib/clock.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { DelayingQueue } from './delaying-queue.ts';
import { InMemoryMetricsProvider, type QueueMetricsSnapshot } from './metrics.ts';
import { RateLimitingQueue } from './rate-limiting-queue.ts';
import { WorkQueue } from './work-queue.ts';

function makeQueue(): {
  clock: VirtualClock;
  queue: RateLimitingQueue<string>;
  read: () => QueueMetricsSnapshot;
} {
  const clock = new VirtualClock();
  const metrics = new InMemoryMetricsProvider();
  const queue = new RateLimitingQueue<string>({ clock, metrics, name: 'test' });
  const read = (): QueueMetricsSnapshot => {
    const snapshot = metrics.snapshot('test');
    assert.ok(snapshot !== undefined);
    return snapshot;
  };
  return { clock, queue, read };
}

describe('the metrics of a queue', () => {
  it('measure an item from add to done', async () => {
    const { clock, queue, read } = makeQueue();
    queue.add('a');
    assert.equal(read().adds, 1);
    assert.equal(read().depth, 1);

    await clock.advance(500);
    await queue.get();
    assert.equal(read().depth, 0);
    assert.equal(read().queueLatency.count, 1);
    assert.equal(read().queueLatency.sum, 0.5);

    for (let times = 0; times < 5; times += 1) queue.add('a');
    assert.equal(read().adds, 2, 'adds of the same item count once');
    assert.equal(read().depth, 1, 'the item runs once more, so it is counted');

    await clock.advance(250);
    queue.done('a');
    assert.equal(read().workDuration.count, 1);
    assert.equal(read().workDuration.sum, 0.25);
    assert.equal(read().depth, 1);

    await queue.get();
    assert.equal(read().queueLatency.count, 2);
    assert.equal(read().queueLatency.sum, 0.75);
    await clock.advance(125);
    queue.done('a');
    queue.done('a');
    assert.equal(read().workDuration.count, 2);
    assert.equal(read().workDuration.sum, 0.375);
  });

  it('sample the age of unfinished work every half second', async () => {
    const { clock, queue, read } = makeQueue();
    queue.add('a');
    queue.add('b');
    await queue.get();
    await clock.advance(400);
    await queue.get();
    assert.equal(read().unfinishedWork, 0);
    await clock.advance(100);
    assert.equal(read().unfinishedWork, 0.6);
    assert.equal(read().longestRunning, 0.5);
    await clock.advance(500);
    assert.equal(read().unfinishedWork, 1.6);
    assert.equal(read().longestRunning, 1);
    queue.done('a');
    await clock.advance(500);
    assert.equal(read().unfinishedWork, 1.1);
    queue.done('b');
    assert.equal(read().unfinishedWork, 0);
    assert.equal(read().longestRunning, 0);
  });

  it('use no timer while no item is processed', async () => {
    const { clock, queue } = makeQueue();
    queue.add('a');
    assert.equal(clock.pending, 0);
    await queue.get();
    assert.equal(clock.pending, 1);
    queue.done('a');
    await clock.advance(500);
    assert.equal(clock.pending, 0);
    queue.add('a');
    await queue.get();
    assert.equal(clock.pending, 1);
  });

  it('do not keep the process alive', async () => {
    const clock = new VirtualClock();
    const scheduled: unknown[] = [];
    const recording: Clock = {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      schedule: (delayMs, callback, options) => {
        scheduled.push(options);
        return clock.schedule(delayMs, callback);
      },
    };
    const metrics = new InMemoryMetricsProvider();
    const queue = new WorkQueue<string>({ clock: recording, metrics, name: 'test' });
    queue.add('a');
    await queue.get();
    assert.deepEqual(scheduled, [{ background: true }]);
  });

  for (const shutDown of ['shutDown', 'shutDownWithDrain'] as const) {
    it(`are no longer sampled after ${shutDown}, but end at zero`, async () => {
      const { clock, queue, read } = makeQueue();
      queue.add('a');
      queue.add('b');
      await queue.get();
      await clock.advance(500);
      const stopped = queue[shutDown]();
      assert.equal(clock.pending, 0);
      await queue.get();
      assert.equal(clock.pending, 0);
      await clock.advance(500);
      assert.equal(read().unfinishedWork, 0.5);
      queue.done('a');
      queue.done('b');
      await stopped;
      assert.equal(read().unfinishedWork, 0);
      assert.equal(read().workDuration.count, 2);
    });
  }

  it('use no timer for items handed out after a shutdown', async () => {
    const { clock, queue, read } = makeQueue();
    queue.add('a');
    queue.shutDown();
    await queue.get();
    assert.equal(clock.pending, 0);
    assert.equal(read().queueLatency.count, 1);
  });

  it('count delayed adds as retries', async () => {
    const { clock, queue, read } = makeQueue();
    queue.addAfter('a', 10);
    queue.addAfter('b', 0);
    queue.addRateLimited('c');
    assert.equal(read().retries, 3);
    assert.equal(read().adds, 1);
    await clock.advance(10);
    assert.equal(read().adds, 3);
    queue.shutDown();
    queue.addAfter('d', 10);
    assert.equal(read().retries, 3);
  });

  it('do not depend on the wall clock', async () => {
    const { clock, queue, read } = makeQueue();
    queue.add('a');
    clock.jump(-1_000_000);
    await queue.get();
    queue.done('a');
    assert.equal(read().queueLatency.sum, 0);
    assert.equal(read().workDuration.sum, 0);
  });

  it('are not recorded for a queue without a name', async () => {
    const clock = new VirtualClock();
    const metrics = new InMemoryMetricsProvider();
    const queue = new WorkQueue<string>({ clock, metrics });
    queue.add('a');
    await queue.get();
    assert.deepEqual(metrics.names, []);
    assert.equal(clock.pending, 0);
  });

  it('are counted by key', async () => {
    const clock = new VirtualClock();
    const metrics = new InMemoryMetricsProvider();
    const keyFunc = ({ name }: { name: string }): string => name;
    const queue = new DelayingQueue<{ name: string }>({ clock, metrics, keyFunc, name: 'objects' });
    queue.add({ name: 'a' });
    queue.add({ name: 'a' });
    await queue.get();
    await clock.advance(100);
    queue.done({ name: 'a' });
    assert.equal(metrics.snapshot('objects')?.adds, 1);
    assert.equal(metrics.snapshot('objects')?.workDuration.sum, 0.1);
  });
});

describe('InMemoryMetricsProvider', () => {
  it('keeps one set of metrics per name, also across queues', () => {
    const metrics = new InMemoryMetricsProvider();
    new WorkQueue<string>({ metrics, name: 'a' }).add('x');
    new WorkQueue<string>({ metrics, name: 'a' }).add('x');
    new WorkQueue<string>({ metrics, name: 'b' }).add('x');
    assert.deepEqual(metrics.names, ['a', 'b']);
    assert.equal(metrics.snapshot('a')?.adds, 2);
    assert.equal(metrics.snapshot('b')?.adds, 1);
    assert.equal(metrics.snapshot('c'), undefined);
  });

  it('counts values cumulatively up to each bound', () => {
    const metrics = new InMemoryMetricsProvider();
    const { queueLatency } = metrics.forQueue('a');
    for (const seconds of [0, 1e-3, 2e-3, 5, 5000]) queueLatency.observe(seconds);
    const histogram = metrics.snapshot('a')?.queueLatency;
    assert.equal(histogram?.count, 5);
    assert.equal(histogram?.sum, 5005.003);
    assert.deepEqual(
      histogram?.buckets.map(({ count }) => count),
      [1, 1, 1, 1, 1, 2, 3, 3, 3, 4, 4, 4],
    );
    assert.equal(histogram?.buckets[5]?.upTo, 0.001);
  });
});
