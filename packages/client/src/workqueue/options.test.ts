import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OptionError } from '../lib/option-error.ts';
import { parallelizeUntil } from './parallelize.ts';
import { PerItemBackoff } from './per-item-backoff.ts';
import {
  BucketRateLimiter,
  ItemExponentialFailureRateLimiter,
  ItemFastSlowRateLimiter,
  WithMaxWaitRateLimiter,
} from './rate-limiters.ts';
import { RateLimitingQueue } from './rate-limiting-queue.ts';
import { runWorkers } from './run-workers.ts';

const bucket = { qps: 1, burst: 1 };
const exponential = { baseDelayMs: 1, maxDelayMs: 1 };
const fastSlow = { fastDelayMs: 1, slowDelayMs: 1, maxFastAttempts: 1 };
const backoff = { initialMs: 1, maxMs: 1 };

function names(option: string): (error: unknown) => boolean {
  return (error) => error instanceof OptionError && error.option === option;
}

describe('invalid numbers in options', () => {
  it('are rejected by rate limiters', () => {
    for (const option of Object.keys(bucket)) {
      assert.throws(() => new BucketRateLimiter({ ...bucket, [option]: NaN }), names(option));
      assert.throws(() => new BucketRateLimiter({ ...bucket, [option]: -1 }), names(option));
    }
    for (const option of Object.keys(exponential)) {
      const options = { ...exponential, [option]: NaN };
      assert.throws(() => new ItemExponentialFailureRateLimiter(options), names(option));
    }
    for (const option of Object.keys(fastSlow)) {
      const options = { ...fastSlow, [option]: NaN };
      assert.throws(() => new ItemFastSlowRateLimiter(options), names(option));
    }
    const inner = new BucketRateLimiter(bucket);
    assert.throws(
      () => new WithMaxWaitRateLimiter(inner, { maxDelayMs: NaN }),
      names('maxDelayMs'),
    );
  });

  it('are rejected by PerItemBackoff', () => {
    for (const option of ['initialMs', 'maxMs', 'jitter', 'forgetAfterMs']) {
      assert.throws(() => new PerItemBackoff({ ...backoff, [option]: NaN }), names(option));
    }
  });

  it('are rejected by parallelizeUntil and runWorkers', async () => {
    const { signal } = new AbortController();
    for (const option of ['workers', 'pieces', 'chunkSize']) {
      const options = { workers: 1, pieces: 1, [option]: NaN };
      await assert.rejects(
        parallelizeUntil(options, () => undefined),
        names(option),
      );
    }
    await assert.rejects(
      runWorkers(new RateLimitingQueue<string>(), { signal, gracePeriodMs: NaN }, () => undefined),
      names('gracePeriodMs'),
    );
  });
});
