import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deferred } from '../lib/deferred.ts';
import { type LeaderEventSink } from './lease-lock.ts';
import { LeaderElectionError } from './leader-election-error.ts';
import { LeaderElector } from './leader-elector.ts';
import { type Candidate, type CandidateOptions, World } from './test-world.ts';

async function leading(options: CandidateOptions = {}): Promise<{ world: World; a: Candidate }> {
  const world = new World();
  const a = world.candidate(options);
  void a.run();
  await world.pass(0);
  assert.ok(a.elector.isLeader);
  world.server.log.length = 0;
  return { world, a };
}

describe('a leader', () => {
  it('renews without reading, and keeps the time at which it became leader', async () => {
    const { world, a } = await leading();
    const acquireTime = world.server.lease?.spec?.acquireTime;
    await world.pass(60_000);
    assert.ok(a.elector.isLeader);
    assert.deepEqual(new Set(world.server.log), new Set(['a update']));
    assert.equal(world.server.log.length, 30);
    assert.deepEqual(world.server.lease?.spec, {
      holderIdentity: 'a',
      leaseDurationSeconds: 15,
      acquireTime,
      renewTime: '2026-01-01T00:01:00.000000Z',
      leaseTransitions: 0,
    });
  });

  it('reads and writes again when somebody else wrote to the lease', async () => {
    const { world, a } = await leading();
    world.server.put({ ...world.server.lease?.spec, strategy: 'OldestEmulationVersion' });
    await world.pass(2000);
    assert.deepEqual(world.server.log, ['a update', 'a get', 'a update']);
    assert.ok(a.elector.isLeader);
    await world.pass(2000);
    assert.deepEqual(world.server.log.slice(3), ['a update']);
    assert.equal(world.server.lease?.spec?.strategy, 'OldestEmulationVersion');
  });

  it('makes a lease again that was deleted', async () => {
    const { world, a } = await leading();
    world.server.delete();
    await world.pass(2000);
    assert.deepEqual(world.server.log, ['a update', 'a get', 'a create']);
    assert.ok(a.elector.isLeader);
  });

  it('knows its own renewal when the answer was lost', async () => {
    const { world, a } = await leading();
    a.network.fate = 'answerLost';
    await world.pass(4000);
    a.network.fate = 'delivered';
    await world.pass(60_000);
    assert.ok(a.elector.isLeader);
  });

  for (const [what, holderIdentity] of [
    ['somebody else', 'b'],
    ['nobody', ''],
  ] as const) {
    it(`stops at once when it finds ${what} as the holder`, async () => {
      const world = new World();
      const a = world.candidate();
      const seen = new Deferred<AbortSignal>();
      const outcome = a.lead(async (signal) => {
        seen.resolve(signal);
        await new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        });
      });
      await world.pass(0);
      world.server.put({ holderIdentity, leaseDurationSeconds: 15 });
      await world.pass(2000);
      assert.equal(a.elector.isLeader, false);
      const signal = await seen.promise;
      assert.ok(signal.reason instanceof LeaderElectionError);
      assert.equal(signal.reason.code, 'LEADERELECTION_LOST');
      assert.ok(signal.reason.message.endsWith(`it is held by ${what === 'nobody' ? what : 'b'}`));
      assert.deepEqual(await outcome, { outcome: 'lost', reason: signal.reason });
      assert.equal(world.server.lease?.spec?.holderIdentity, holderIdentity);
      assert.equal(world.clock.pending, 0);
    });
  }

  it('says until when it leads', async () => {
    const { world, a } = await leading();
    assert.equal(a.elector.leadershipDeadline, 10_000);
    await world.pass(2000);
    assert.equal(a.elector.leadershipDeadline, 12_000);
    assert.equal(a.elector.leaderTransitions, 0);
    a.network.fate = 'refused';
    await world.pass(9999);
    assert.ok(a.elector.isLeader);
    await world.pass(1);
    assert.equal(a.elector.isLeader, false);
    assert.equal(a.elector.leadershipDeadline, undefined);
  });

  it('is told at the deadline, also if it does not ask and no attempt is due', async () => {
    const world = new World();
    const a = world.candidate({ retryPeriodMs: 8000 });
    const signals: AbortSignal[] = [];
    void a.lead((signal) => {
      signals.push(signal);
      return new Deferred().promise;
    });
    await world.clock.advance(0);
    a.network.fate = 'refused';
    await world.clock.advance(9999);
    assert.equal(signals[0]?.aborted, false);
    await world.clock.advance(1);
    assert.ok(signals[0].aborted);
  });

  it('counts from before the request that renewed it', async () => {
    const { world, a } = await leading();
    a.network.backMs = 1500;
    await world.pass(2000 + 1500);
    assert.equal(a.elector.leadershipDeadline, 12_000);
  });

  it('records events of its beginning and its end', async () => {
    const messages: string[] = [];
    const events: LeaderEventSink = { event: (...[, , , text]) => void messages.push(text) };
    const { world, a } = await leading({ lock: { events } });
    assert.deepEqual(messages, ['a became leader']);
    a.network.fate = 'refused';
    await world.pass(15_000);
    assert.deepEqual(messages, ['a became leader', 'a stopped leading']);
  });

  it('goes on when a callback throws', async () => {
    const { world, a } = await leading({
      callbacks: {
        onNewLeader: () => {
          throw new Error('broken');
        },
      },
    });
    await world.pass(10_000);
    assert.ok(a.elector.isLeader);
    const [error] = a.errors;
    assert.ok(error instanceof LeaderElectionError);
    assert.equal(error.code, 'LEADERELECTION_CALLBACK_FAILED');
    assert.equal((error.cause as Error).message, 'broken');
  });
});

describe('an elector', () => {
  it('must have an identity', () => {
    assert.throws(
      () => new World().candidate({ identity: '' }),
      /lock\.identity must not be empty/,
    );
  });

  it('refuses a second run, and runs again after the first', async () => {
    const { world, a } = await leading();
    await assert.rejects(
      a.elector.run(),
      (error) => error instanceof LeaderElectionError && error.code === 'LEADERELECTION_RUN_TWICE',
    );
    a.stop();
    await world.pass(0);
    assert.equal(a.elector.isLeader, false);
    void a.run();
    await world.pass(0);
    assert.ok(a.elector.isLeader);
  });

  it('stops when it is disposed, and waits for the work', async () => {
    const world = new World();
    const a = world.candidate({ releaseOnCancel: true });
    const steps: string[] = [];
    const tidied = new Deferred();
    const work = async (signal: AbortSignal): Promise<void> => {
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve);
      });
      await tidied.promise;
      steps.push('work ends');
    };
    const outcome = a.lead(work);
    await world.pass(0);
    const disposed = a.elector[Symbol.asyncDispose]().then(() => steps.push('disposed'));
    await world.pass(0);
    assert.deepEqual(steps, []);
    tidied.resolve();
    await world.pass(0);
    await disposed;
    assert.deepEqual(steps, ['work ends', 'disposed']);
    assert.deepEqual(await outcome, { outcome: 'stopped' });
    assert.equal(world.server.lease?.spec?.holderIdentity, '');
    assert.deepEqual(await a.lead(() => 'never'), { outcome: 'stopped' });
  });

  it('is healthy while it waits and while it renews, and not when the work outlives the lease', async () => {
    const world = new World();
    const a = world.candidate();
    assert.equal(a.elector.check(), undefined);
    const hang = new Deferred();
    const outcome = a.lead(() => hang.promise);
    await world.pass(60_000);
    assert.equal(a.elector.check(), undefined);
    a.network.fate = 'refused';
    await world.pass(15_000);
    assert.equal(a.elector.check(), undefined, 'the lease has not run out yet');
    await world.pass(1);
    assert.equal(a.elector.check(5000), undefined);
    assert.equal(a.elector.check()?.code, 'LEADERELECTION_WORK_HANGS');
    await world.pass(5000);
    assert.match(a.elector.check(5000)?.message ?? '', /last renewed 20001 ms ago/);
    hang.resolve();
    assert.equal((await outcome).outcome, 'lost');
    assert.equal(a.elector.check(), undefined);
  });

  it('is made with the clock of the machine unless told otherwise', () => {
    const { lock } = new World().candidate();
    assert.equal(new LeaderElector({ lock }).isLeader, false);
  });
});
