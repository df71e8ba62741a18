import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deferred } from '../lib/deferred.ts';
import { type LeaderEventRecorder } from './lease-lock.ts';
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
  it('renews without reading and keeps its acquireTime', async () => {
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

  it('reads and writes again when the lease was changed', async () => {
    const { world, a } = await leading();
    world.server.put({ ...world.server.lease?.spec, strategy: 'OldestEmulationVersion' });
    await world.pass(2000);
    assert.deepEqual(world.server.log, ['a update', 'a get', 'a update']);
    assert.ok(a.elector.isLeader);
    await world.pass(2000);
    assert.deepEqual(world.server.log.slice(3), ['a update']);
    assert.equal(world.server.lease?.spec?.strategy, 'OldestEmulationVersion');
  });

  it('recreates a deleted lease', async () => {
    const { world, a } = await leading();
    world.server.delete();
    await world.pass(2000);
    assert.deepEqual(world.server.log, ['a update', 'a get', 'a create']);
    assert.ok(a.elector.isLeader);
  });

  it('recognises its own renewal after a lost response', async () => {
    const { world, a } = await leading();
    a.network.fate = 'answerLost';
    await world.pass(4000);
    a.network.fate = 'delivered';
    await world.pass(60_000);
    assert.ok(a.elector.isLeader);
  });

  for (const [what, holderIdentity, state] of [
    ['another holder', 'b', 'it is held by b'],
    ['no holder', '', 'it has no holder'],
  ] as const) {
    it(`stops immediately when it finds ${what}`, async () => {
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
      assert.ok(signal.reason.message.endsWith(state));
      assert.deepEqual(await outcome, { outcome: 'lost', reason: signal.reason });
      assert.equal(world.server.lease?.spec?.holderIdentity, holderIdentity);
      assert.equal(world.clock.pending, 0);
    });
  }

  it('reports the deadline of its leadership', async () => {
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

  it('gets the abort at the deadline even without a read of isLeader or an attempt', async () => {
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

  it('counts the deadline from before the renewing request', async () => {
    const { world, a } = await leading();
    a.network.backMs = 1500;
    await world.pass(2000 + 1500);
    assert.equal(a.elector.leadershipDeadline, 12_000);
  });

  it('records events when it starts and stops leading', async () => {
    const messages: string[] = [];
    const eventRecorder: LeaderEventRecorder = {
      event: (...[, , , text]) => void messages.push(text),
    };
    const { world, a } = await leading({ lock: { eventRecorder } });
    assert.deepEqual(messages, ['a became leader']);
    a.network.fate = 'refused';
    await world.pass(15_000);
    assert.deepEqual(messages, ['a became leader', 'a stopped leading']);
  });

  it('continues when a callback throws', async () => {
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
  it('requires an identity', () => {
    assert.throws(
      () => new World().candidate({ identity: '' }),
      /lock\.identity must not be empty/,
    );
  });

  it('rejects a second concurrent run, and can run again after the first', async () => {
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

  it('stops when it is closed and waits for the work', async () => {
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
    const closed = a.elector.close().then(() => steps.push('closed'));
    await world.pass(0);
    assert.deepEqual(steps, []);
    tidied.resolve();
    await world.pass(0);
    await closed;
    assert.deepEqual(steps, ['work ends', 'closed']);
    assert.deepEqual(await outcome, { outcome: 'stopped' });
    assert.equal(world.server.lease?.spec?.holderIdentity, '');
    assert.deepEqual(await a.lead(() => 'never'), { outcome: 'stopped' });
  });

  for (const how of ['close', Symbol.asyncDispose] as const) {
    it(`does not wait for itself when its work calls ${String(how)}`, async () => {
      const world = new World();
      const a = world.candidate({ releaseOnCancel: true });
      const outcome = a.lead(async (signal) => {
        await Promise.resolve();
        await a.elector[how]();
        assert.ok(signal.aborted);
      });
      await world.pass(0);
      assert.deepEqual(await outcome, { outcome: 'stopped' });
      assert.equal(world.server.lease?.spec?.holderIdentity, '');
      await a.elector.close();
    });
  }

  it('waits for the work when close is called from an earlier work that has ended', async () => {
    const world = new World();
    const a = world.candidate({ releaseOnCancel: true });
    const later = new Deferred();
    let closed: Promise<void> | undefined;
    let isClosed = false;
    const first = a.lead(() => {
      closed = later.promise.then(async () => {
        await a.elector.close();
        isClosed = true;
      });
    });
    await world.pass(0);
    assert.deepEqual(await first, { outcome: 'finished', value: undefined });
    const tidied = new Deferred();
    const outcome = a.lead(() => tidied.promise);
    await world.pass(0);
    later.resolve();
    await world.pass(0);
    assert.equal(isClosed, false);
    tidied.resolve();
    await world.pass(0);
    await outcome;
    await closed;
  });

  it('is healthy while it waits and renews, and unhealthy when the work outlives the lease', async () => {
    const world = new World();
    const a = world.candidate();
    assert.equal(a.elector.check(), undefined);
    const hang = new Deferred();
    const outcome = a.lead(() => hang.promise);
    await world.pass(60_000);
    assert.equal(a.elector.check(), undefined);
    a.network.fate = 'refused';
    await world.pass(15_000);
    assert.equal(a.elector.check(), undefined, 'the lease has not expired yet');
    await world.pass(1);
    assert.equal(a.elector.check(5000), undefined);
    assert.equal(a.elector.check()?.code, 'LEADERELECTION_WORK_HANGS');
    await world.pass(5000);
    assert.match(a.elector.check(5000)?.message ?? '', /last renewed 20001 ms ago/);
    hang.resolve();
    assert.equal((await outcome).outcome, 'lost');
    assert.equal(a.elector.check(), undefined);
  });

  it('uses the system clock by default', () => {
    const { lock } = new World().candidate();
    assert.equal(new LeaderElector({ lock }).isLeader, false);
  });
});
