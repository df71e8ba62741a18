import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { type Replica, ShardWorld } from './test-shard-world.ts';
import type { ClockFlaws, Fate } from './test-world.ts';

type Happening =
  | { readonly does: 'fare'; readonly who: number; readonly fate: Fate; readonly ms: number[] }
  | { readonly does: 'pause' | 'resume' | 'start' | 'stop'; readonly who: number }
  | { readonly does: 'wait'; readonly ms: number };

const size = 4;
const who = fc.nat({ max: size - 1 });
const fate = fc.constantFrom<Fate>(
  'answerLost',
  'delivered',
  'delivered',
  'delivered',
  'doneSilently',
  'refused',
  'silent',
);
const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('wait'), ms: fc.nat({ max: 12_000 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('fare'),
      who,
      fate,
      ms: fc.array(fc.nat({ max: 6000 }), { minLength: 2, maxLength: 2 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constantFrom('pause', 'resume', 'start', 'stop'), who }),
  },
);

const flaws: fc.Arbitrary<ClockFlaws[]> = fc.array(
  fc.record({
    skewMs: fc.integer({ min: -1e9, max: 1e9 }),
    rate: fc.constantFrom(1, 1.03, 1.06),
    sleeps: fc.boolean(),
  }),
  { minLength: size, maxLength: size },
);

async function play(world: ShardWorld, happenings: readonly Happening[]): Promise<void> {
  for (const next of happenings) {
    if (next.does === 'wait') {
      await world.pass(next.ms);
      continue;
    }
    const replica = world.replicas[next.who];
    assert.ok(replica !== undefined);
    if (next.does === 'fare') {
      const [thereMs = 0, backMs = 0] = next.ms;
      Object.assign(replica.network, { fate: next.fate, thereMs, backMs });
    } else if (next.does === 'pause' || next.does === 'resume') replica.clock[next.does]();
    else if (!replica.clock.isPaused) replica[next.does]();
    world.check();
  }
}

function heal({ clock, network }: Replica): void {
  clock.resume();
  Object.assign(network, { fate: 'delivered', thereMs: 0, backMs: 0 });
}

/** A minimal gap between deadline and lease, so that small errors show. */
const timing = { leaseDurationMs: 15_000, renewDeadlineMs: 14_000, retryPeriodMs: 2000 };

it('a shard has at most one holder, and fair shares of all are held after the faults end', async () => {
  const property = fc.asyncProperty(
    fc.array(happening, { minLength: 5, maxLength: 60 }),
    flaws,
    fc.array(fc.constantFrom(5, 8), { minLength: size, maxLength: size }),
    fc.constantFrom(0, 500, 20_000),
    async (happenings, clocks, shards, drainMs) => {
      const world = new ShardWorld();
      for (const [index, clock] of clocks.entries()) {
        const identity = 'abcd'.charAt(index);
        const options = { identity, flaws: clock, drainMs, ...timing };
        world.replica({ ...options, shards: shards[index] ?? 5 }).start();
      }
      await play(world, happenings);

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
