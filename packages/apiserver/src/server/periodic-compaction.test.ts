import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from 'client-ts/testing';

import { MemoryStore } from '../store/memory-store.ts';
import { PeriodicCompaction } from './periodic-compaction.ts';

const PODS = '//pods/';

describe('PeriodicCompaction', () => {
  it('compacts what is older than one interval and nothing newer', async () => {
    const store = new MemoryStore();
    const clock = new VirtualClock();
    const put = (name: string): number => store.put(`${PODS}${name}`, () => ({})).modRevision;
    const first = put('a');
    using _ = new PeriodicCompaction(store, clock, 60_000);
    await clock.advance(30_000);
    const second = put('b');
    await clock.advance(30_000);
    assert.equal(store.compactedRevision(PODS), first);
    await clock.advance(59_999);
    assert.equal(store.compactedRevision(PODS), first);
    await clock.advance(1);
    assert.equal(store.compactedRevision(PODS), second);
  });

  it('stops when it is disposed', async () => {
    const clock = new VirtualClock();
    const compaction = new PeriodicCompaction(new MemoryStore(), clock, 10);
    await clock.advance(35);
    compaction[Symbol.dispose]();
    assert.equal(clock.pending, 0);
  });

  it('rejects an interval of 0 or less', () => {
    for (const interval of [0, -1, Number.NaN]) {
      assert.throws(() => new PeriodicCompaction(new MemoryStore(), new VirtualClock(), interval), {
        code: 'OPTION_INVALID',
        option: 'compactionIntervalMs',
      });
    }
  });
});
