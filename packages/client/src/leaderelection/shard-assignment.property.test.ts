import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { assignShards, planShards, type ShardView } from './shard-assignment.ts';
import { shardOfKey } from './shard-hash.ts';

const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'), { minLength: 1 });
const view: fc.Arbitrary<ShardView> = names.chain((replicas) =>
  fc.record({
    replicas: fc.constant(replicas),
    // Also held by replicas that no longer take part.
    holders: fc.array(fc.constantFrom(undefined, 'gone', ...replicas), {
      minLength: 1,
      maxLength: 40,
    }),
  }),
);

const lost = fc.uniqueArray(fc.nat({ max: 40 })).map((shards) => new Set(shards));

function countOf(holders: ShardView['holders'], replica: string): number {
  return holders.filter((holder) => holder === replica).length;
}

describe('assignShards', () => {
  it('assigns each shard to a replica, in fair shares', () => {
    fc.assert(
      fc.property(view, ({ holders, replicas }) => {
        const wanted = assignShards({ holders, replicas });
        assert.equal(wanted.length, holders.length);
        for (const replica of wanted) assert.ok(replicas.includes(replica ?? ''));
        const counts = replicas.map((replica) => countOf(wanted, replica));
        assert.ok(Math.max(...counts) - Math.min(...counts) <= 1, counts.join());
      }),
    );
  });

  it('moves as few shards as fair shares allow, and none of those of a fair view', () => {
    fc.assert(
      fc.property(view, ({ holders, replicas }) => {
        const wanted = assignShards({ holders, replicas });
        const kept = wanted.filter((replica, shard) => replica === holders[shard]).length;
        // Whatever the shares are, each replica keeps at most its share.
        const counts = replicas.map((replica) => countOf(holders, replica)).sort((a, b) => b - a);
        const least = Math.floor(holders.length / replicas.length);
        const more = holders.length % replicas.length;
        const most = counts.reduce(
          (sum, count, index) => sum + Math.min(count, index < more ? least + 1 : least),
          0,
        );
        assert.equal(kept, most);
        assert.deepEqual(assignShards({ holders: wanted, replicas }), wanted);
      }),
    );
  });

  it('does not depend on the order of the replicas', () => {
    fc.assert(
      fc.property(view, ({ holders, replicas }) => {
        const reversed = [...replicas].reverse();
        assert.deepEqual(
          assignShards({ holders, replicas: reversed }),
          assignShards({ holders, replicas }),
        );
      }),
    );
  });

  it('leaves all shards without a replica if there is none', () => {
    assert.deepEqual(assignShards({ holders: ['gone', undefined], replicas: [] }), [
      undefined,
      undefined,
    ]);
  });
});

describe('planShards', () => {
  it('reaches the fair view in any order of turns, and then does nothing', () => {
    fc.assert(
      fc.property(view, lost, fc.array(fc.nat(), { maxLength: 30 }), (start, unheld, turns) => {
        const { replicas } = start;
        const holders = start.holders.map((holder) => (holder === 'gone' ? undefined : holder));
        // Records of a replica that does not hold the shard: it was restarted, or an answer was lost.
        const held = new Set(
          holders.flatMap((holder, shard) =>
            holder === undefined || unheld.has(shard) ? [] : [shard],
          ),
        );
        const act = (replica: string): number => {
          const { acquire, release } = planShards({ holders, replicas }, replica, held);
          for (const shard of acquire) held.add(shard);
          for (const shard of release) held.delete(shard);
          for (const shard of acquire) holders[shard] = replica;
          for (const shard of release) holders[shard] = undefined;
          return acquire.length + release.length;
        };
        for (const turn of turns) act(replicas[turn % replicas.length] ?? '');
        // A shard moves by one release and one acquisition, and who gets it can change meanwhile.
        for (let round = 0; round < 4; round += 1) replicas.forEach(act);
        assert.deepEqual(assignShards({ holders, replicas }), holders);
        assert.equal(
          replicas.reduce((sum, replica) => sum + act(replica), 0),
          0,
        );
      }),
    );
  });
});

describe('shardOfKey', () => {
  it('never changes', () => {
    const keys = ['default/web', 'default/web-0', 'default/web-1', 'node-a', 'käse/größe', ''];
    assert.deepEqual(
      keys.map((key) => [4, 16, 100].map((shards) => shardOfKey(key, shards))),
      [
        [2, 10, 23],
        [0, 0, 99],
        [3, 14, 52],
        [2, 7, 7],
        [0, 4, 77],
        [0, 7, 64],
      ],
    );
  });

  it('spreads names that differ in their last digits', () => {
    for (const shards of [2, 3, 8, 16, 50]) {
      const counts = Array.from({ length: shards }, () => 0);
      for (let index = 0; index < 1000 * shards; index += 1) {
        const shard = shardOfKey(`default/web-${index}`, shards);
        counts[shard] = (counts[shard] ?? 0) + 1;
      }
      for (const count of counts) assert.ok(count > 850 && count < 1150, counts.join());
    }
  });

  it('moves keys only to a shard that is added', () => {
    for (let index = 0; index < 1000; index += 1) {
      const before = shardOfKey(`ns-${index}/web`, 7);
      const after = shardOfKey(`ns-${index}/web`, 8);
      assert.ok(after === before || after === 7);
    }
  });
});
