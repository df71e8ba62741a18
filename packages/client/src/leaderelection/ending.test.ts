import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deferred } from '../lib/deferred.ts';
import { LeaderElectionError } from './leader-election-error.ts';
import { World } from './test-world.ts';
import { withLeadership } from './leader-elector.ts';

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

describe('the end of leadership', () => {
  it('releases the lease, so that the next leader need not wait', async () => {
    const world = new World();
    const [a, b] = ['a', 'b'].map((identity) =>
      world.candidate({ identity, releaseOnCancel: true }),
    );
    assert.ok(a !== undefined && b !== undefined);
    const running = a.run();
    await world.pass(0);
    void b.run();
    await world.pass(10_000);
    a.stop();
    await world.pass(0);
    await running;
    assert.deepEqual(world.server.lease?.spec, {
      holderIdentity: '',
      leaseDurationSeconds: 1,
      acquireTime: '2026-01-01T00:00:10.000000Z',
      renewTime: '2026-01-01T00:00:10.000000Z',
      leaseTransitions: 0,
    });
    await world.pass(4400);
    assert.deepEqual(world.leaders(), ['b']);
    assert.equal(world.server.lease?.spec?.leaseTransitions, 1);
  });

  it('lets the lease expire without releaseOnCancel', async () => {
    const world = new World();
    const a = world.candidate();
    const running = a.run();
    await world.pass(0);
    a.stop();
    await running;
    assert.equal(world.server.lease?.spec?.holderIdentity, 'a');
    assert.equal(world.clock.pending, 0);
  });

  it('comes after the work; until then the lease is renewed', async () => {
    const world = new World();
    const tidied = new Deferred();
    const a = world.candidate({
      releaseOnCancel: true,
      callbacks: {
        onStartedLeading: async (signal) => {
          await whenAborted(signal);
          await tidied.promise;
        },
      },
    });
    let isOver = false;
    void a.run().then(() => (isOver = true));
    await world.pass(0);
    a.stop();
    await world.pass(60_000);
    assert.ok(a.elector.isLeader, 'the work has not ended');
    assert.equal(world.server.lease?.spec?.holderIdentity, 'a');
    tidied.resolve();
    await world.pass(0);
    assert.ok(isOver);
    assert.equal(world.server.lease?.spec?.holderIdentity, '');
  });

  it('does not release a lost lease while the work continues', async () => {
    const world = new World();
    const hang = new Deferred();
    const a = world.candidate({ releaseOnCancel: true });
    const outcome = a.lead(() => hang.promise);
    await world.pass(0);
    world.server.log.length = 0;
    a.clock.pause();
    await world.pass(12_000);
    a.clock.resume();
    await world.pass(1000);
    assert.deepEqual(
      a.calls,
      ['new leader a', 'stopped'],
      'called immediately, not after the work',
    );
    hang.resolve();
    assert.equal((await outcome).outcome, 'lost');
    assert.deepEqual(world.server.log, []);
  });

  it('retries the release after a conflict with a renewal', async () => {
    const world = new World();
    const a = world.candidate({ releaseOnCancel: true });
    const running = a.run();
    await world.pass(1999);
    // The renewal is in flight when the run is stopped.
    a.network.thereMs = 20;
    await world.pass(2);
    a.network.thereMs = 0;
    const get = world.server.get.bind(world.server);
    world.server.get = () => {
      a.network.thereMs = 30;
      world.server.get = get;
      return get();
    };
    a.stop();
    await world.pass(1000);
    await running;
    assert.deepEqual(world.server.log.slice(-5), [
      'a update',
      'a get',
      'a update',
      'a get',
      'a update',
    ]);
    assert.equal(world.server.lease?.spec?.holderIdentity, '');
    assert.deepEqual(a.errors, []);
  });

  it('never overwrites a successor', async () => {
    const world = new World();
    const a = world.candidate({ releaseOnCancel: true });
    const running = a.run();
    await world.pass(0);
    world.server.put({ holderIdentity: 'b', leaseDurationSeconds: 15 });
    a.stop();
    await world.pass(0);
    await running;
    assert.equal(world.server.lease?.spec?.holderIdentity, 'b');
    assert.equal(a.elector.getLeader(), 'b');
  });

  it('has no last known leader after a release', async () => {
    const world = new World();
    const a = world.candidate({ releaseOnCancel: true });
    const running = a.run();
    await world.pass(0);
    assert.equal(a.elector.getLeader(), 'a');
    a.stop();
    await world.pass(0);
    await running;
    assert.equal(a.elector.getLeader(), undefined);
  });

  describe('sends no release', () => {
    it('if it has written nothing', async () => {
      const world = new World();
      const a = world.candidate({ releaseOnCancel: true });
      const running = a.run();
      a.stop();
      await world.pass(0);
      await running;
      assert.deepEqual(world.server.log, ['a get']);
    });

    it('if another candidate leads after a failed write', async () => {
      const world = new World();
      const a = world.candidate({ releaseOnCancel: true });
      const create = world.server.create.bind(world.server);
      world.server.create = (lease) => {
        create({ ...lease, spec: { holderIdentity: 'b', leaseDurationSeconds: 15 } });
        return create(lease);
      };
      const running = a.run();
      await world.pass(5000);
      assert.equal(a.elector.getLeader(), 'b');
      world.server.log.length = 0;
      a.stop();
      await world.pass(0);
      await running;
      assert.deepEqual(world.server.log, []);
    });

    it('if the previous run lost or released the lease and this one has written nothing', async () => {
      for (const taken of [true, false]) {
        const world = new World();
        const a = world.candidate({ releaseOnCancel: true });
        const running = a.run();
        await world.pass(0);
        if (taken) world.server.put({ holderIdentity: 'b', leaseDurationSeconds: 15 });
        else a.stop();
        await world.pass(2000);
        await running;
        world.server.log.length = 0;
        await a.elector.run({ signal: AbortSignal.abort() });
        assert.deepEqual(world.server.log, []);
      }
    });
  });

  for (const when of ['get', 'create'] as const) {
    it(`releases a lease acquired just when it was stopped, in ${when}`, async () => {
      const world = new World();
      const a = world.candidate({ releaseOnCancel: true });
      a.network.thereMs = 10;
      const running = a.run();
      await world.pass(when === 'get' ? 5 : 15);
      a.stop();
      await world.pass(100);
      await running;
      assert.equal(world.server.lease?.spec?.holderIdentity, when === 'get' ? undefined : '');
      assert.equal(world.clock.pending, 0);
    });
  }

  it('limits the wait for an unreachable server', async () => {
    const world = new World();
    const a = world.candidate({ releaseOnCancel: true });
    const running = a.run();
    await world.pass(0);
    a.network.fate = 'silent';
    a.stop();
    await world.pass(5000);
    await running;
    assert.match(String(a.errors.at(-1)), /no response/);
    assert.equal(world.clock.pending, 0);
  });

  it('rejects with the error of onStartedLeading', async () => {
    const world = new World();
    const a = world.candidate({
      releaseOnCancel: true,
      callbacks: { onStartedLeading: () => Promise.reject(new Error('no disk')) },
    });
    const failure = assert.rejects(a.run(), /no disk/);
    await world.pass(0);
    await failure;
    assert.equal(a.elector.isLeader, false);
    assert.equal(world.server.lease?.spec?.holderIdentity, '');
  });
});

describe('withLeadership', () => {
  it('runs the work while leading and returns its value', async () => {
    const world = new World();
    const { lock, clock } = world.candidate();
    const outcome = withLeadership({ lock, clock }, (signal, elector) => {
      assert.ok(elector.isLeader);
      assert.equal(signal.aborted, false);
      return 42;
    });
    await world.pass(0);
    assert.deepEqual(await outcome, { outcome: 'finished', value: 42 });
    assert.equal(world.server.lease?.spec?.holderIdentity, '');
    assert.equal(world.clock.pending, 0);
  });

  it('rejects with the error of the work after releasing the lease', async () => {
    const world = new World();
    const { lock, clock } = world.candidate();
    const failing = withLeadership({ lock, clock }, () => Promise.reject(new Error('broken')));
    const rejected = assert.rejects(failing, /broken/);
    await world.pass(0);
    await rejected;
    assert.equal(world.server.lease?.spec?.holderIdentity, '');
  });

  it('treats the reason of its signal as a regular end', async () => {
    const world = new World();
    const { lock, clock } = world.candidate();
    const stop = new AbortController();
    const outcome = withLeadership({ lock, clock, signal: stop.signal }, async (signal) => {
      await whenAborted(signal);
      signal.throwIfAborted();
    });
    await world.pass(0);
    stop.abort(new Error('enough'));
    await world.pass(0);
    assert.deepEqual(await outcome, { outcome: 'stopped' });
  });

  it('does not run the work if it is stopped before it leads', async () => {
    const world = new World();
    world.server.put({ holderIdentity: 'b', leaseDurationSeconds: 15 });
    const { lock, clock } = world.candidate();
    const stop = new AbortController();
    const outcome = withLeadership({ lock, clock, signal: stop.signal }, () => {
      assert.fail('does not lead');
    });
    await world.pass(1000);
    stop.abort();
    assert.deepEqual(await outcome, { outcome: 'stopped' });
  });

  it('reports lost leadership', async () => {
    const world = new World();
    const { lock, clock, network } = world.candidate();
    const outcome = withLeadership({ lock, clock }, (signal) => whenAborted(signal));
    await world.pass(0);
    network.fate = 'refused';
    await world.pass(10_000);
    const result = await outcome;
    assert.equal(result.outcome, 'lost');
    assert.ok(result.outcome === 'lost' && result.reason instanceof LeaderElectionError);
    assert.match(result.reason.message, /apps\/controller was not renewed within 10000 ms/);
    assert.match(String(result.reason.cause), /connection refused/);
    assert.equal(result.reason.name, 'LeaderElectionError');
    assert.equal(result.reason.retry, 'later');
    assert.match(result.reason.hint ?? '', /Stop everything that only the leader may do/);
  });
});
