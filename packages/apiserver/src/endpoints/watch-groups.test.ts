import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { Deferred } from 'client-ts/internal';

import { MemoryStore } from '../store/memory-store.ts';
import { WatchGroups } from './watch-groups.ts';

describe('WatchGroups', () => {
  it('skips no event for which its members are not resumed yet', async () => {
    const store = new MemoryStore();
    const turn = new Deferred();
    const groups = new WatchGroups(store, () => turn.promise);
    const resumed: number[] = [];
    using membership = groups.join('//pods/a/', { resume: (revision) => resumed.push(revision) });
    const write = (key: string): number => {
      store.put(key, () => ({}));
      return store.revision;
    };
    const elsewhere = write('//pods/b/x');
    assert.equal(membership.resumedUpTo, elsewhere);
    const first = write('//pods/a/x');
    write('//pods/a/y');
    const last = write('//pods/b/y');
    assert.equal(membership.resumedUpTo, first - 1);
    turn.resolve();
    await turn.promise;
    assert.deepEqual(resumed, [first]);
    assert.equal(membership.resumedUpTo, last);
  });
});
