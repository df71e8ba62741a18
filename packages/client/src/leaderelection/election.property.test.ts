import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { LeaderElectionError } from './leader-election-error.ts';
import { anyClocks, anyHappenings, heal, play } from './test-happenings.ts';
import { type Candidate, type Network, type ProcessClock, World } from './test-world.ts';

const size = 3;

/** A process that takes part in the election again and again. */
class Process {
  readonly candidate: Candidate;
  #isWanted = false;
  #running: Promise<void> = Promise.resolve();

  constructor(candidate: Candidate) {
    this.candidate = candidate;
  }

  get clock(): ProcessClock {
    return this.candidate.clock;
  }

  get network(): Network {
    return this.candidate.network;
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

it('two candidates never lead at the same time, and one leads after the faults end', async () => {
  const property = fc.asyncProperty(
    anyHappenings(size),
    anyClocks(size),
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
      await play(world, all, happenings);

      for (const process of all) {
        heal(process);
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
