import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { ItemExponentialFailureRateLimiter } from './rate-limiters.ts';
import { RateLimitingQueue } from './rate-limiting-queue.ts';

describe('RateLimitingQueue', () => {
  it('doubles the delay of an item with each failure until forget', async () => {
    const clock = new VirtualClock();
    const rateLimiter = new ItemExponentialFailureRateLimiter<string>({
      baseDelayMs: 1,
      maxDelayMs: 1000,
    });
    const queue = new RateLimitingQueue<string>({ clock, rateLimiter });
    /** Returns how long the item was delayed. */
    const fail = async (item: string): Promise<number> => {
      queue.addRateLimited(item);
      const start = clock.monotonic();
      while (queue.len === 0) assert.ok(await clock.advanceToNext());
      const next = await queue.get();
      assert.deepEqual(next, { done: false, value: item });
      queue.done(item);
      return clock.monotonic() - start;
    };
    assert.deepEqual([await fail('one'), await fail('one')], [1, 2]);
    assert.equal(queue.numRequeues('one'), 2);
    assert.deepEqual([await fail('two'), await fail('two')], [1, 2]);
    queue.forget('one');
    assert.equal(queue.numRequeues('one'), 0);
    assert.equal(await fail('one'), 1);
    assert.equal(await fail('two'), 4);
  });

  it('keeps a forgotten item in the queue', async () => {
    const clock = new VirtualClock();
    const queue = new RateLimitingQueue<string>({ clock });
    queue.add('a');
    await queue.get();
    queue.addRateLimited('a');
    queue.forget('a');
    assert.equal(queue.numRequeues('a'), 0);
    await clock.advance(5);
    assert.equal(queue.len, 0, 'a worker still has it');
    queue.done('a');
    assert.equal(queue.len, 1);
  });

  it('uses the controller rate limiter by default, with its clock and keyFunc', async () => {
    const clock = new VirtualClock();
    const queue = new RateLimitingQueue<{ name: string }>({ clock, keyFunc: ({ name }) => name });
    queue.addRateLimited({ name: 'a' });
    assert.equal(clock.untilNext, 5);
    await clock.advance(5);
    queue.addRateLimited({ name: 'a' });
    assert.equal(clock.untilNext, 10);
    assert.equal(queue.numRequeues({ name: 'a' }), 2);
    queue.forget({ name: 'a' });
    assert.equal(queue.numRequeues({ name: 'a' }), 0);
  });
});
