import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OptionError } from '../lib/option-error.ts';
import { BucketRateLimiter } from './bucket-rate-limiter.ts';
import { WithMaxWaitRateLimiter } from './combined-rate-limiters.ts';
import {
  ItemExponentialFailureRateLimiter,
  ItemFastSlowRateLimiter,
} from './item-rate-limiters.ts';
import { parallelizeUntil } from './parallelize.ts';
import { PerItemBackoff } from './per-item-backoff.ts';
import { RateLimitingQueue } from './rate-limiting-queue.ts';
import { runWorkers } from './run-workers.ts';

const bucket = { qps: 1, burst: 1 };
const exponential = { baseDelayMs: 1, maxDelayMs: 1 };
const fastSlow = { fastDelayMs: 1, slowDelayMs: 1, maxFastAttempts: 1 };
const backoff = { initialMs: 1, maxMs: 1 };

function refuses(option: string): (error: unknown) => boolean {
  return (error) => error instanceof OptionError && error.option === option;
}

describe('numbers of options', () => {
  it('are refused by rate limiters', () => {
    for (const option of Object.keys(bucket)) {
      assert.throws(() => new BucketRateLimiter({ ...bucket, [option]: NaN }), refuses(option));
      assert.throws(() => new BucketRateLimiter({ ...bucket, [option]: -1 }), refuses(option));
    }
    for (const option of Object.keys(exponential)) {
      const options = { ...exponential, [option]: NaN };
      assert.throws(() => new ItemExponentialFailureRateLimiter(options), refuses(option));
    }
    for (const option of Object.keys(fastSlow)) {
      const options = { ...fastSlow, [option]: NaN };
      assert.throws(() => new ItemFastSlowRateLimiter(options), refuses(option));
    }
    const inner = new BucketRateLimiter(bucket);
    assert.throws(
      () => new WithMaxWaitRateLimiter(inner, { maxDelayMs: NaN }),
      refuses('maxDelayMs'),
    );
  });

  it('are refused by back-offs', () => {
    for (const option of ['initialMs', 'maxMs', 'jitter', 'forgetAfterMs']) {
      assert.throws(() => new PerItemBackoff({ ...backoff, [option]: NaN }), refuses(option));
    }
  });

  it('are refused by workers', async () => {
    const { signal } = new AbortController();
    for (const option of ['workers', 'pieces', 'chunkSize']) {
      const options = { workers: 1, pieces: 1, [option]: NaN };
      await assert.rejects(
        parallelizeUntil(options, () => undefined),
        refuses(option),
      );
    }
    await assert.rejects(
      runWorkers(new RateLimitingQueue<string>(), { signal, gracePeriodMs: NaN }, () => undefined),
      refuses('gracePeriodMs'),
    );
  });
});
