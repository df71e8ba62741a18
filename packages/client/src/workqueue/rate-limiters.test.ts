import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '../testing/virtual-clock.ts';
import {
  BucketRateLimiter,
  defaultControllerRateLimiter,
  defaultItemBasedRateLimiter,
  ItemExponentialFailureRateLimiter,
  ItemFastSlowRateLimiter,
  MaxOfRateLimiter,
  type RateLimiter,
  WithMaxWaitRateLimiter,
} from './rate-limiters.ts';

function ask(limiter: RateLimiter<string>, item: string, times: number): number[] {
  return Array.from({ length: times }, () => Math.round(limiter.when(item)));
}

describe('ItemExponentialFailureRateLimiter', () => {
  it('doubles the delay of each item from the base delay until forget', () => {
    const limiter = new ItemExponentialFailureRateLimiter<string>({
      baseDelayMs: 1,
      maxDelayMs: 1000,
    });
    assert.equal(limiter.numRequeues('one'), 0);
    assert.deepEqual(ask(limiter, 'one', 5), [1, 2, 4, 8, 16]);
    assert.equal(limiter.numRequeues('one'), 5);
    assert.deepEqual(ask(limiter, 'two', 2), [1, 2]);
    assert.equal(limiter.numRequeues('two'), 2);
    limiter.forget('one');
    assert.equal(limiter.numRequeues('one'), 0);
    assert.deepEqual(ask(limiter, 'one', 1), [1]);
    assert.equal(limiter.numRequeues('two'), 2);
  });

  for (const [baseDelayMs, maxDelayMs, sixth] of [
    [1, 1_000_000, 32],
    [60_000, 3_600_000_000, 1_920_000],
  ] as const) {
    it(`stays at ${maxDelayMs} ms after any number of failures`, () => {
      const limiter = new ItemExponentialFailureRateLimiter<string>({ baseDelayMs, maxDelayMs });
      assert.equal(ask(limiter, 'one', 6).at(-1), sixth);
      const delays = ask(limiter, 'two', 2000);
      assert.deepEqual(new Set(delays.slice(40)), new Set([maxDelayMs]));
    });
  }
});

describe('ItemFastSlowRateLimiter', () => {
  it('returns the fast delay a few times per item, then the slow one', () => {
    const limiter = new ItemFastSlowRateLimiter<string>({
      fastDelayMs: 5,
      slowDelayMs: 10_000,
      maxFastAttempts: 3,
    });
    assert.deepEqual(ask(limiter, 'one', 5), [5, 5, 5, 10_000, 10_000]);
    assert.equal(limiter.numRequeues('one'), 5);
    assert.deepEqual(ask(limiter, 'two', 2), [5, 5]);
    assert.equal(limiter.numRequeues('two'), 2);
    limiter.forget('one');
    assert.equal(limiter.numRequeues('one'), 0);
    assert.deepEqual(ask(limiter, 'one', 1), [5]);
  });
});

describe('BucketRateLimiter', () => {
  it('passes a burst, then qps per second over all items', async () => {
    const clock = new VirtualClock();
    const limiter = new BucketRateLimiter<string>({ qps: 10, burst: 2, clock });
    assert.deepEqual(
      ['a', 'b', 'a', 'c'].flatMap((item) => ask(limiter, item, 1)),
      [0, 0, 100, 200],
    );
    limiter.forget('a');
    assert.equal(limiter.numRequeues('a'), 0);
    assert.deepEqual(ask(limiter, 'a', 1), [300]);
    await clock.advance(500);
    assert.deepEqual(ask(limiter, 'a', 3), [0, 0, 100]);
  });
});

describe('MaxOfRateLimiter', () => {
  it('returns the longest delay and counts in each limiter', () => {
    const exponential = new ItemExponentialFailureRateLimiter<string>({
      baseDelayMs: 1,
      maxDelayMs: 1000,
    });
    const fastSlow = new ItemFastSlowRateLimiter<string>({
      fastDelayMs: 5,
      slowDelayMs: 3000,
      maxFastAttempts: 3,
    });
    const limiter = new MaxOfRateLimiter([fastSlow, exponential]);
    assert.deepEqual(ask(limiter, 'one', 5), [5, 5, 5, 3000, 3000]);
    assert.equal(limiter.numRequeues('one'), 5);
    assert.equal(exponential.numRequeues('one'), 5);
    assert.deepEqual(ask(limiter, 'two', 2), [5, 5]);
    limiter.forget('one');
    assert.equal(limiter.numRequeues('one'), 0);
    assert.deepEqual(ask(limiter, 'one', 1), [5]);
  });

  it('spends a token even if the delay of another limiter is longer', () => {
    const bucket = new BucketRateLimiter<string>({ qps: 1, burst: 2, clock: new VirtualClock() });
    const slow = new ItemFastSlowRateLimiter<string>({
      fastDelayMs: 60_000,
      slowDelayMs: 60_000,
      maxFastAttempts: 0,
    });
    assert.deepEqual(ask(new MaxOfRateLimiter([slow, bucket]), 'one', 2), [60_000, 60_000]);
    assert.deepEqual(ask(bucket, 'two', 1), [1000]);
  });

  it('returns 0 without limiters', () => {
    const limiter = new MaxOfRateLimiter<string>([]);
    assert.equal(limiter.when('one'), 0);
    assert.equal(limiter.numRequeues('one'), 0);
  });
});

describe('WithMaxWaitRateLimiter', () => {
  it('caps the delay and counts as the wrapped limiter', () => {
    const inner = new ItemFastSlowRateLimiter<string>({
      fastDelayMs: 5,
      slowDelayMs: 1_000_000,
      maxFastAttempts: 2,
    });
    const limiter = new WithMaxWaitRateLimiter(inner, { maxDelayMs: 500_000 });
    assert.deepEqual(ask(limiter, 'one', 4), [5, 5, 500_000, 500_000]);
    assert.equal(limiter.numRequeues('one'), 4);
    limiter.forget('one');
    assert.equal(inner.numRequeues('one'), 0);
  });
});

describe('the default limiters', () => {
  it('controller: 5 ms doubling to 1000 s, and 10 per second after a burst of 100', async () => {
    const clock = new VirtualClock();
    const limiter = defaultControllerRateLimiter<string>({ clock });
    assert.deepEqual(ask(limiter, 'one', 4), [5, 10, 20, 40]);
    for (let index = 4; index < 100; index += 1) assert.equal(limiter.when(`item ${index}`), 5);
    assert.deepEqual(ask(limiter, 'new', 1), [100]);
    assert.deepEqual(ask(limiter, 'newer', 1), [200]);
    assert.equal(ask(limiter, 'one', 20).at(-1), 1_000_000);
    await clock.advance(60_000);
    assert.deepEqual(ask(limiter, 'newest', 1), [5], 'the bucket fills on the given clock');
  });

  it('item-based: 1 ms doubling to 1000 s', () => {
    const limiter = defaultItemBasedRateLimiter<string>();
    assert.deepEqual(ask(limiter, 'one', 4), [1, 2, 4, 8]);
    assert.equal(ask(limiter, 'one', 50).at(-1), 1_000_000);
  });

  it('count by keyFunc', () => {
    const keyFunc = ({ name }: { name: string }): string => name;
    for (const limiter of [
      defaultControllerRateLimiter({ keyFunc, clock: new VirtualClock() }),
      defaultItemBasedRateLimiter({ keyFunc }),
    ]) {
      limiter.when({ name: 'a' });
      limiter.when({ name: 'a' });
      assert.equal(limiter.numRequeues({ name: 'a' }), 2);
      limiter.forget({ name: 'a' });
      assert.equal(limiter.numRequeues({ name: 'a' }), 0);
    }
  });
});
