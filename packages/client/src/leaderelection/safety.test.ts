import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Candidate, type CandidateOptions, World } from './test-world.ts';

/** Two candidates, of which the first leads. `World.pass` checks after each step that only one does. */
async function two(
  options: CandidateOptions = {},
): Promise<{ world: World; a: Candidate; b: Candidate }> {
  const world = new World();
  const a = world.candidate({ ...options, identity: 'a' });
  void a.run();
  await world.pass(0);
  const b = world.candidate({ ...options, identity: 'b' });
  void b.run();
  await world.pass(20_000);
  assert.deepEqual(world.leaders(), ['a']);
  return { world, a, b };
}

/** Returns the time until `candidate` leads. */
async function untilLeads(world: World, candidate: Candidate): Promise<number> {
  const from = world.clock.monotonic();
  while (!candidate.elector.isLeader) {
    assert.ok(world.clock.monotonic() - from < 60_000, 'no candidate leads');
    await world.pass(world.clock.untilNext ?? 1000);
  }
  return world.clock.monotonic() - from;
}

describe('two candidates never both lead', () => {
  it('when the leader cannot reach the server', async () => {
    const { world, a, b } = await two();
    a.network.fate = 'refused';
    await world.pass(10_000);
    assert.deepEqual(world.leaders(), []);
    // The other may have read the last renewal one wait later, and check for its end another one later.
    assert.ok((await untilLeads(world, b)) <= 15_000 + 2 * 4400 - 8000);
  });

  it('when requests of the leader take effect but all responses are lost', async () => {
    const { world, a, b } = await two();
    a.network.fate = 'answerLost';
    // The leader cannot know that it still holds the lease, and stops leading.
    await world.pass(10_000);
    assert.deepEqual(world.leaders(), []);
    a.network.fate = 'silent';
    await untilLeads(world, b);
  });

  it('when the server responds after the deadline of the leader', async () => {
    const { world, a, b } = await two();
    a.network.thereMs = 11_000;
    await world.pass(10_000);
    assert.deepEqual(world.leaders(), []);
    // The late requests only make the other candidate wait longer.
    await untilLeads(world, b);
    assert.equal(world.server.lease?.spec?.holderIdentity, 'b');
  });

  for (const [what, pausedMs] of [
    ['shortly', 5000],
    ['past its deadline', 12_000],
    ['until another leads', 40_000],
  ] as const) {
    for (const sleeps of [false, true]) {
      it(`when the leader is paused ${what}${sleeps ? ' with its machine' : ''}`, async () => {
        const { world, a, b } = await two({ clock: { sleeps } });
        const signals: AbortSignal[] = [];
        a.stop();
        await world.pass(20_000);
        b.stop();
        const outcome = a.lead(async (signal) => {
          signals.push(signal);
          await new Promise((resolve) => {
            signal.addEventListener('abort', resolve);
          });
        });
        void outcome;
        await world.pass(30_000);
        void b.run();
        await world.pass(1000);
        assert.deepEqual(world.leaders(), ['a']);

        a.clock.pause();
        await world.pass(pausedMs);
        a.clock.resume();
        // Nothing has run in the process yet: no timer and no response.
        const [signal] = signals;
        assert.equal(a.elector.isLeader, pausedMs < 10_000);
        assert.equal(signal?.aborted, pausedMs >= 10_000, 'aborted before anything else');
        world.check();
        await world.pass(40_000);
        assert.equal(world.leaders().length, 1);
      });
    }
  }

  it('when the leader is paused with a renewal in flight', async () => {
    const { world, a, b } = await two();
    a.network.thereMs = 3000;
    await world.pass(2000);
    a.clock.pause();
    await world.pass(9000);
    a.clock.resume();
    assert.equal(a.elector.isLeader, false);
    await world.pass(1);
    assert.deepEqual(world.leaders(), [], 'the response comes too late');
    await untilLeads(world, b);
  });

  it('when the response to a renewal comes first after a pause over the deadline', async () => {
    const { world, a } = await two();
    a.network.thereMs = 3000;
    await world.pass(2000);
    a.clock.pause();
    await world.pass(9000);
    a.clock.resume();
    // isLeader is not read before the response, which alone would be valid for another second.
    await world.clock.advance(0);
    assert.equal(a.elector.isLeader, false);
  });

  for (const skewMs of [-3_600_000, 3_600_000]) {
    it(`when the wall clock of one is ${skewMs / 60_000} minutes off`, async () => {
      const world = new World();
      const a = world.candidate({ identity: 'a', clock: { skewMs } });
      void a.run();
      await world.pass(0);
      const b = world.candidate({ identity: 'b' });
      void b.run();
      await world.pass(60_000);
      assert.deepEqual(world.leaders(), ['a'], 'times in the record are not compared');
      a.network.fate = 'refused';
      const took = await untilLeads(world, b);
      assert.ok(took > 10_000 && took <= 15_000 + 4400, `${took}`);
    });
  }

  for (const [slow, fast] of [
    [1, 1.4],
    [0.75, 1.1],
  ] as const) {
    it(`when clocks run at ${slow} and ${fast} of the true rate`, async () => {
      const world = new World();
      const a = world.candidate({ identity: 'a', clock: { rate: slow } });
      void a.run();
      await world.pass(0);
      const b = world.candidate({ identity: 'b', clock: { rate: fast } });
      void b.run();
      await world.pass(60_000);
      a.network.fate = 'refused';
      await untilLeads(world, b);
      a.network.fate = 'delivered';
      void a.run();
      await world.pass(60_000);
      assert.deepEqual(world.leaders(), ['b']);
    });
  }

  it('when the wall clock of the leader is set forward: it stops, and another one leads', async () => {
    const { world, a, b } = await two();
    world.clock.jump(20_000);
    assert.equal(a.elector.isLeader, false);
    assert.deepEqual(world.leaders(), []);
    await untilLeads(world, b);
  });

  it('when the wall clock is set back: nothing changes', async () => {
    const { world, a } = await two();
    world.clock.jump(-3_600_000);
    a.network.fate = 'refused';
    await world.pass(8000);
    assert.deepEqual(world.leaders(), ['a']);
    await world.pass(2000);
    assert.deepEqual(world.leaders(), []);
    a.network.fate = 'delivered';
    await world.pass(60_000);
    assert.deepEqual(world.leaders(), ['b']);
  });

  it('when the wall clock is set back while the leader is paused', async () => {
    const { world, a } = await two();
    a.clock.pause();
    await world.pass(30_000);
    world.clock.jump(-3_600_000);
    a.clock.resume();
    assert.equal(a.elector.isLeader, false);
    assert.deepEqual(world.leaders(), ['b']);
  });

  it('when the lease is deleted', async () => {
    const { world } = await two();
    for (let time = 0; time < 10; time += 1) {
      world.server.delete();
      await world.pass(1300);
    }
    await world.pass(10_000);
    assert.deepEqual(world.leaders(), ['a']);
  });
});
