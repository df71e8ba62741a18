import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LeaderElectionError } from './leader-election-error.ts';
import { electionTiming, requestTimeoutMs } from './timing.ts';

const good = { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2000 };

describe('the times of an election', () => {
  it('are those of client-go unless told otherwise', () => {
    assert.deepEqual(electionTiming({}), good);
    assert.deepEqual(electionTiming({ retryPeriodMs: 1000 }), { ...good, retryPeriodMs: 1000 });
  });

  for (const [what, timing, message] of [
    ['a lease as short as the deadline', { leaseDurationMs: 10_000 }, /leaseDurationMs must be/],
    ['a deadline as short as the longest wait', { retryPeriodMs: 8334 }, /renewDeadlineMs must be/],
    ['no lease', { leaseDurationMs: 0 }, /leaseDurationMs must be greater than zero/],
    ['no deadline', { renewDeadlineMs: 0 }, /renewDeadlineMs must be greater than zero/],
    ['no retry period', { retryPeriodMs: -1 }, /retryPeriodMs must be greater than zero/],
    ['an endless lease', { leaseDurationMs: Infinity }, /leaseDurationMs must be/],
    ['what is no number', { retryPeriodMs: Number.NaN }, /retryPeriodMs must be/],
  ] as const) {
    it(`refuses ${what}`, () => {
      assert.throws(
        () => electionTiming({ ...good, ...timing }),
        (error) =>
          error instanceof LeaderElectionError &&
          error.code === 'LEADERELECTION_CONFIG_INVALID' &&
          message.test(error.message),
      );
    });
  }

  it('leave room for a second request before the deadline, but a second for each', () => {
    assert.equal(requestTimeoutMs(good), 5000);
    assert.equal(requestTimeoutMs({ ...good, renewDeadlineMs: 900 }), 1000);
  });
});
