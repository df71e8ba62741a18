import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { LeaderElectionError } from './leader-election-error.ts';
import { type Candidate, type ClockFlaws, type Fate, World } from './test-world.ts';

type Happening =
  | { readonly does: 'fare'; readonly who: number; readonly fate: Fate; readonly ms: number[] }
  | { readonly does: 'pause' | 'resume' | 'start' | 'stop'; readonly who: number }
  | { readonly does: 'wait'; readonly ms: number };

const size = 3;
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

/** Any skew of the wall clocks, and a drift that the gap between deadline and lease allows. */
const clocks: fc.Arbitrary<ClockFlaws[]> = fc.array(
  fc.record({
    skewMs: fc.integer({ min: -1e9, max: 1e9 }),
    rate: fc.constantFrom(1, 1.03, 1.06),
    sleeps: fc.boolean(),
  }),
  { minLength: size, maxLength: size },
);

/** A process that takes part in the election again and again. */
class Process {
  readonly candidate: Candidate;
  #isWanted = false;
  #running: Promise<void> = Promise.resolve();

  constructor(candidate: Candidate) {
    this.candidate = candidate;
  }

  start(): void {
    if (this.#isWanted) return;
    this.#isWanted = true;
    this.#running = this.#running.then(async () => {
      while (this.#isWanted) await this.#term();
    });
  }

  stop(): void {
    this.#isWanted = false;
    this.candidate.stop();
  }

  async end(): Promise<void> {
    this.stop();
    await this.#running;
  }

  async #term(): Promise<void> {
    const { elector } = this.candidate;
    await this.candidate.lead(async (signal) => {
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve);
      });
      if (signal.reason instanceof LeaderElectionError) assert.equal(elector.isLeader, false);
    });
  }
}

async function play(happenings: readonly Happening[], world: World, all: readonly Process[]) {
  for (const next of happenings) {
    if (next.does === 'wait') {
      await world.pass(next.ms);
      continue;
    }
    const process = all[next.who];
    assert.ok(process !== undefined);
    const { clock, network } = process.candidate;
    if (next.does === 'fare') {
      const [thereMs = 0, backMs = 0] = next.ms;
      Object.assign(network, { fate: next.fate, thereMs, backMs });
    } else if (next.does === 'pause' || next.does === 'resume') {
      clock[next.does]();
    } else if (!clock.isPaused) {
      process[next.does]();
    }
    world.check();
  }
}

it('two candidates never lead at the same time, and one leads after the faults end', async () => {
  const property = fc.asyncProperty(
    fc.array(happening, { minLength: 5, maxLength: 60 }),
    clocks,
    fc.boolean(),
    async (happenings, flaws, releaseOnCancel) => {
      const world = new World();
      const all = flaws.map((clock, index) => {
        const identity = 'abc'.charAt(index);
        // A minimal gap between deadline and lease, so that small errors show.
        const timing = { leaseDurationMs: 15_000, renewDeadlineMs: 14_000, retryPeriodMs: 2000 };
        return new Process(world.candidate({ identity, clock, releaseOnCancel, ...timing }));
      });
      for (const process of all) process.start();
      await play(happenings, world, all);

      for (const process of all) {
        process.candidate.clock.resume();
        Object.assign(process.candidate.network, { fate: 'delivered', thereMs: 0, backMs: 0 });
        process.start();
        world.check();
      }
      await world.pass(60_000);
      assert.equal(world.leaders().length, 1);
      const ends = all.map((process) => process.end());
      await world.pass(60_000);
      await Promise.all(ends);
      assert.deepEqual(world.leaders(), []);
      assert.equal(world.clock.pending, 0);
    },
  );
  await fc.assert(property, { numRuns: 300 });
});
