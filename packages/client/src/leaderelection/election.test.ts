import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { Election, electionTiming, requestTimeoutMs } from './election.ts';
import { LeaderElectionError } from './leader-election-error.ts';
import type { LeaderElectionRecord, ResourceLock } from './lease-lock.ts';

/** A lock that another candidate holds until it is written. */
function heldLock(): ResourceLock {
  let record: LeaderElectionRecord = {
    holderIdentity: 'other',
    leaseDurationSeconds: 20,
    leaderTransitions: 0,
  };
  const write = async (written: LeaderElectionRecord): Promise<LeaderElectionRecord> =>
    (record = written);
  return {
    identity: 'self',
    get: async () => record,
    create: write,
    update: write,
    recordEvent: () => undefined,
    describe: () => 'apps/web',
  };
}

describe('Election', () => {
  it('takes over after the duration of the record, not in its last moment', async () => {
    const clock = new VirtualClock();
    const election = new Election(heldLock(), electionTiming({}), clock);
    const { signal } = new AbortController();
    const outcome = async (): Promise<string> => (await election.tryAcquire(signal)).outcome;
    assert.equal(await outcome(), 'refused');
    await clock.advance(20_000);
    assert.equal(await outcome(), 'refused', 'the holder may renew until then');
    await clock.advance(1);
    assert.equal(await outcome(), 'held');
  });
});

const good = { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2000 };

describe('the durations of an election', () => {
  it('default to those of client-go', () => {
    assert.deepEqual(electionTiming({}), good);
    assert.deepEqual(electionTiming({ retryPeriodMs: 1000 }), { ...good, retryPeriodMs: 1000 });
  });

  for (const [what, timing, message] of [
    [
      'a lease duration equal to the renew deadline',
      { leaseDurationMs: 10_000 },
      /leaseDurationMs must be/,
    ],
    [
      'a renew deadline equal to the longest retry period',
      { retryPeriodMs: 8334 },
      /renewDeadlineMs must be/,
    ],
    ['a lease duration of 0', { leaseDurationMs: 0 }, /leaseDurationMs must be greater than zero/],
    ['a renew deadline of 0', { renewDeadlineMs: 0 }, /renewDeadlineMs must be greater than zero/],
    ['a negative retry period', { retryPeriodMs: -1 }, /retryPeriodMs must be greater than zero/],
    ['an infinite lease duration', { leaseDurationMs: Infinity }, /leaseDurationMs must be/],
    ['NaN', { retryPeriodMs: Number.NaN }, /retryPeriodMs must be/],
  ] as const) {
    it(`reject ${what}`, () => {
      assert.throws(
        () => electionTiming({ ...good, ...timing }),
        (error) =>
          error instanceof LeaderElectionError &&
          error.code === 'LEADERELECTION_CONFIG_INVALID' &&
          message.test(error.message),
      );
    });
  }

  it('leave time for a second request before the deadline, at least a second each', () => {
    assert.equal(requestTimeoutMs(good), 5000);
    assert.equal(requestTimeoutMs({ ...good, renewDeadlineMs: 900 }), 1000);
  });
});
