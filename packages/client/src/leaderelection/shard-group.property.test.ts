import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { anyClocks, anyHappenings, heal, play } from './test-happenings.ts';
import { type Replica, ShardWorld } from './test-shard-world.ts';

const size = 4;

/** A minimal gap between deadline and lease, so that small errors show. */
const timing = { leaseDurationMs: 15_000, renewDeadlineMs: 14_000, retryPeriodMs: 2000 };

it('a shard has at most one holder, and fair shares of all are held after the faults end', async () => {
  const property = fc.asyncProperty(
    anyHappenings(size),
    anyClocks(size),
    fc.array(fc.constantFrom(5, 8), { minLength: size, maxLength: size }),
    fc.constantFrom(0, 500, 20_000),
    async (happenings, clocks, shards, drainMs) => {
      const world = new ShardWorld();
      for (const [index, clock] of clocks.entries()) {
        const identity = 'abcd'.charAt(index);
        const options = { identity, flaws: clock, drainMs, ...timing };
        world.replica({ ...options, shards: shards[index] ?? 5 }).start();
      }
      await play(world, world.replicas, happenings);

      world.replicas.forEach(heal);
      // Of those that disagree about the number of shards, some have to end.
      const [first] = world.replicas;
      const others = world.replicas.filter(({ group }) => group.shards !== first?.group.shards);
      for (const replica of world.replicas) {
        if (others.includes(replica)) replica.stop();
        else replica.start();
      }
      await world.pass(180_000);
      const counts = Object.values(world.shares())
        .map(({ length }) => length)
        .filter((_, index) => !others.includes(world.replicas[index] as Replica));
      assert.equal(
        counts.reduce((sum, count) => sum + count, 0),
        first?.group.shards,
      );
      assert.ok(Math.max(...counts) - Math.min(...counts) <= 1, counts.join());
      // No shard moves without a reason.
      const before = world.replicas.map(({ changes }) => changes.length);
      await world.pass(60_000);
      assert.deepEqual(
        world.replicas.map(({ changes }) => changes.length),
        before,
      );
      const ends = world.replicas.map((replica) => replica.end());
      await world.pass(120_000);
      await Promise.all(ends);
      assert.deepEqual(Object.values(world.shares()).flat(), []);
      assert.equal(world.clock.pending, 0);
    },
  );
  await fc.assert(property, { numRuns: 40 });
});
