import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { TokenBucket } from './token-bucket.ts';

describe('TokenBucket', () => {
  it('allows a burst, then one at a time', async () => {
    const clock = new VirtualClock();
    const bucket = new TokenBucket({ clock, qps: 10, burst: 3 });
    assert.deepEqual(
      Array.from({ length: 5 }, () => Math.round(bucket.take())),
      [0, 0, 0, 100, 200],
    );
    await clock.advance(1000);
    assert.deepEqual(
      Array.from({ length: 4 }, () => Math.round(bucket.take())),
      [0, 0, 0, 100],
    );
  });

  it('never exceeds burst and rate, and uses them fully', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 60 }),
        async (qps, burst, pauses) => {
          const clock = new VirtualClock();
          const bucket = new TokenBucket({ clock, qps, burst });
          const passes: number[] = [];
          for (const pause of pauses) {
            await clock.advance(pause);
            passes.push(clock.monotonic() + bucket.take());
          }
          for (let from = 0; from < passes.length; from += 1) {
            for (let to = from + 1; to < passes.length; to += 1) {
              const seconds = ((passes[to] as number) - (passes[from] as number)) / 1000;
              assert.ok(to - from <= burst + seconds * qps + 1e-6);
            }
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  it('takes a token back', () => {
    const bucket = new TokenBucket({ clock: new VirtualClock(), qps: 1, burst: 1 });
    bucket.take();
    bucket.giveBack();
    assert.equal(bucket.take(), 0);
    bucket.giveBack();
    bucket.giveBack();
    bucket.take();
    assert.equal(bucket.take(), 1000);
  });
});
