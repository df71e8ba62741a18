import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { PerItemBackoff, type PerItemBackoffOptions } from './per-item-backoff.ts';

const SECOND = 1000;

function makeBackoff(options: Partial<PerItemBackoffOptions> & { maxMs: number }): {
  backoff: PerItemBackoff;
  clock: VirtualClock;
} {
  const clock = new VirtualClock();
  return { clock, backoff: new PerItemBackoff({ initialMs: SECOND, clock, ...options }) };
}

describe('PerItemBackoff', () => {
  it('doubles the delay of each item up to the maximum until it is reset', async () => {
    const { backoff, clock } = makeBackoff({ maxMs: 50 * SECOND });
    for (const seconds of [0, 1, 2, 4, 8, 16, 32, 50, 50, 50]) {
      await clock.advance(SECOND);
      assert.equal(backoff.get('a'), seconds * SECOND);
      backoff.next('a');
    }
    backoff.next('b');
    assert.equal(backoff.get('b'), SECOND);
    backoff.reset('a');
    assert.equal(backoff.get('a'), 0);
    assert.equal(backoff.get('b'), SECOND);
  });

  it('reports an item as in back-off until its delay has passed', async () => {
    const { backoff, clock } = makeBackoff({ maxMs: 5 * SECOND });
    const failedAt = clock.monotonic();
    assert.equal(backoff.isInBackoffSince('a', failedAt), false);
    backoff.next('a');
    assert.equal(backoff.isInBackoffSince('a', failedAt), true);
    await clock.advance(SECOND - 1);
    assert.equal(backoff.isInBackoffSince('a', failedAt), true);
    await clock.advance(1);
    assert.equal(backoff.isInBackoffSince('a', failedAt), false);
  });

  it('forgets an item without failures for twice the maximum', async () => {
    const { backoff, clock } = makeBackoff({ maxMs: 5 * SECOND });
    for (let times = 0; times < 6; times += 1) {
      await clock.advance(SECOND);
      backoff.next('a');
    }
    assert.equal(backoff.get('a'), 5 * SECOND);
    assert.equal(backoff.isInBackoffSince('a', clock.monotonic()), true);
    await clock.advance(11 * SECOND);
    assert.equal(backoff.isInBackoffSince('a', clock.monotonic()), false);
    assert.equal(backoff.isInBackoffSinceUpdate('a'), false);
    backoff.next('a');
    assert.equal(backoff.get('a'), SECOND, 'the delay starts over');
  });

  it('keeps the maximum for an item without failures for less', async () => {
    const { backoff, clock } = makeBackoff({ maxMs: 5 * SECOND });
    for (let times = 0; times < 6; times += 1) backoff.next('a');
    await clock.advance(10 * SECOND);
    backoff.next('a');
    assert.equal(backoff.get('a'), 5 * SECOND);
  });

  for (const { name, options, keptAfter, goneAfter } of [
    { name: 'twice the limit', options: { maxMs: 50 * SECOND }, keptAfter: 100, goneAfter: 1 },
    {
      name: 'as long as requested',
      options: { maxMs: 50 * SECOND, forgetAfterMs: 200 * SECOND },
      keptAfter: 101,
      goneAfter: 100,
    },
  ]) {
    it(`removes items after ${name}`, async () => {
      const { backoff, clock } = makeBackoff(options);
      backoff.next('a');
      await clock.advance(keptAfter * SECOND);
      backoff.next('b');
      backoff.gc();
      assert.equal(backoff.size, 2);
      await clock.advance(goneAfter * SECOND);
      backoff.gc();
      assert.equal(backoff.size, 1);
      assert.equal(backoff.get('a'), 0);
      assert.equal(backoff.get('b'), SECOND);
    });
  }

  it('measures from the last failure with isInBackoffSinceUpdate', async () => {
    const { backoff, clock } = makeBackoff({ maxMs: 10 * SECOND });
    const failures: number[] = [];
    for (let second = 0; second <= 57; second += 1) {
      if (!backoff.isInBackoffSinceUpdate('a')) {
        failures.push(second);
        backoff.next('a');
      }
      // No failure from 36 to 55, which is long enough to expire.
      const step = second === 35 ? 21 : 1;
      await clock.advance(step * SECOND);
      second += step - 1;
    }
    assert.deepEqual(failures, [0, 1, 3, 7, 15, 25, 35, 56, 57]);
  });

  it('uses the time of the event', async () => {
    const { backoff, clock } = makeBackoff({ maxMs: 10 * SECOND });
    backoff.next('a');
    await clock.advance(30 * SECOND);
    // At the time of the event the last failure had not expired.
    backoff.next('a', 5 * SECOND);
    assert.equal(backoff.get('a'), 2 * SECOND);
    assert.equal(backoff.isInBackoffSinceUpdate('a', 31 * SECOND), true);
    assert.equal(backoff.isInBackoffSinceUpdate('a', 32 * SECOND), false);
  });

  it('adds jitter, limited by the maximum from the second delay on', () => {
    const random = { next: () => 0.5 };
    const { backoff } = makeBackoff({ maxMs: 5 * SECOND, jitter: 1, random });
    const delays = Array.from({ length: 4 }, () => {
      backoff.next('a');
      return backoff.get('a');
    });
    assert.deepEqual(delays, [1500, 3750, 5000, 5000]);
  });
});
