import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Backoff } from './backoff.ts';

function delays(backoff: Backoff, count: number): number[] {
  return Array.from({ length: count }, () => backoff.next());
}

describe('Backoff', () => {
  let now = 0;
  const clock = { monotonic: () => now };
  const noChance = { next: () => 0 };

  it('doubles up to the limit', () => {
    const backoff = new Backoff({ initialMs: 800, maxMs: 30_000, clock, random: noChance });
    assert.deepEqual(delays(backoff, 8), [800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
    assert.equal(backoff.attempts, 8);
  });

  it('stays at the maximum delay', () => {
    const backoff = new Backoff({ initialMs: 1, maxMs: 10, clock, random: noChance });
    assert.equal(delays(backoff, 5000).at(-1), 10);
  });

  it('grows by the factor it is given', () => {
    const backoff = new Backoff({ initialMs: 10, maxMs: 300, factor: 5, clock, random: noChance });
    assert.deepEqual(delays(backoff, 4), [10, 50, 250, 300]);
  });

  it('starts over after a reset', () => {
    const backoff = new Backoff({ initialMs: 5, maxMs: 100, clock, random: noChance });
    delays(backoff, 4);
    backoff.reset();
    assert.equal(backoff.attempts, 0);
    assert.deepEqual(delays(backoff, 2), [5, 10]);
  });

  it('starts over by itself after a quiet time', () => {
    const backoff = new Backoff({
      initialMs: 5,
      maxMs: 100,
      resetAfterMs: 1000,
      clock,
      random: noChance,
    });
    assert.deepEqual(delays(backoff, 2), [5, 10]);
    now += 1000;
    assert.deepEqual(delays(backoff, 2), [20, 40]);
    now += 1001;
    assert.deepEqual(delays(backoff, 2), [5, 10]);
  });

  it('is exhausted after its last delay', () => {
    const backoff = new Backoff({ initialMs: 5, steps: 2, clock, random: noChance });
    assert.equal(backoff.isExhausted, false);
    assert.deepEqual(delays(backoff, 2), [5, 10]);
    assert.equal(backoff.isExhausted, true);
    backoff.reset();
    assert.equal(backoff.isExhausted, false);
  });

  it('is a steady rhythm with chance, without a factor', () => {
    const chances = [0, 0.5, 0.25];
    const random = { next: () => chances.shift() ?? 0 };
    const backoff = new Backoff({ initialMs: 1000, factor: 1, jitter: 0.5, random });
    assert.deepEqual(delays(backoff, 3), [1000, 1250, 1125]);
    assert.equal(backoff.isExhausted, false);
  });

  it('adds jitter on top, also at the limit', () => {
    const chances = [0, 0.5, 0.999];
    const random = { next: () => chances.shift() ?? 0 };
    const backoff = new Backoff({ initialMs: 100, maxMs: 200, jitter: 1, clock, random });
    assert.deepEqual(delays(backoff, 3), [100, 300, 200 * 1.999]);
  });
});
