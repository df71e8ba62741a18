import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { Election } from './election.ts';
import type { LeaderElectionRecord, ResourceLock } from './resource-lock.ts';
import { electionTiming } from './timing.ts';

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
  it('takes over only after the duration of the record has passed, not with its last moment', async () => {
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
