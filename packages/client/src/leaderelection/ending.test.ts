import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deferred } from '../lib/deferred.ts';
import { LeaderElectionError } from './leader-election-error.ts';
import { World } from './test-world.ts';
import { withLeadership } from './with-leadership.ts';

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

describe('the end of leadership', () => {
  it('gives the lease back, so that the next leader need not wait', async () => {
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

  it('leaves the lease to expire unless told otherwise', async () => {
    const world = new World();
    const a = world.candidate();
    const running = a.run();
    await world.pass(0);
    a.stop();
    await running;
    assert.equal(world.server.lease?.spec?.holderIdentity, 'a');
    assert.equal(world.clock.pending, 0);
  });

  it('comes when the work has ended: until then the lease is kept up', async () => {
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
    assert.ok(a.elector.isLeader, 'the work is not through yet');
    assert.equal(world.server.lease?.spec?.holderIdentity, 'a');
    tidied.resolve();
    await world.pass(0);
    assert.ok(isOver);
    assert.equal(world.server.lease?.spec?.holderIdentity, '');
  });

  it('does not give back what the work still uses after the lease was lost', async () => {
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
    assert.deepEqual(a.calls, ['new leader a', 'stopped'], 'told at once, not when the work ends');
    hang.resolve();
    assert.equal((await outcome).outcome, 'lost');
    assert.deepEqual(world.server.log, []);
  });

  it('tries again to give the lease back when a renewal got in between', async () => {
    const world = new World();
    const a = world.candidate({ releaseOnCancel: true });
    const running = a.run();
    await world.pass(1999);
    // The renewal is on its way for a while when the run is to end.
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

  it('never wipes out a successor', async () => {
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

  it('leaves no leader behind that was seen last', async () => {
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
    it('if nothing was written', async () => {
      const world = new World();
      const a = world.candidate({ releaseOnCancel: true });
      const running = a.run();
      a.stop();
      await world.pass(0);
      await running;
      assert.deepEqual(world.server.log, ['a get']);
    });

    it('if another candidate leads after a write that failed', async () => {
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

    it('if the last run lost or released the lease, and this one has written nothing', async () => {
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
        await a.elector.run(AbortSignal.abort());
        assert.deepEqual(world.server.log, []);
      }
    });
  });

  for (const when of ['get', 'create'] as const) {
    it(`gives back what it got just when it was stopped, in ${when}`, async () => {
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

  it('does not wait for long for a server that is away', async () => {
    const world = new World();
    const a = world.candidate({ releaseOnCancel: true });
    const running = a.run();
    await world.pass(0);
    a.network.fate = 'silent';
    a.stop();
    await world.pass(5000);
    await running;
    assert.match(String(a.errors.at(-1)), /did not answer/);
    assert.equal(world.clock.pending, 0);
  });

  it('comes with the error of onStartedLeading', async () => {
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
  it('does the work while leading, and gives its value', async () => {
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

  it('throws what the work throws, after giving the lease back', async () => {
    const world = new World();
    const { lock, clock } = world.candidate();
    const failing = withLeadership({ lock, clock }, () => Promise.reject(new Error('broken')));
    const rejected = assert.rejects(failing, /broken/);
    await world.pass(0);
    await rejected;
    assert.equal(world.server.lease?.spec?.holderIdentity, '');
  });

  it('takes the reason of its signal for an end in order', async () => {
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

  it('never does the work if it is stopped before it leads', async () => {
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

  it('says when leadership was lost', async () => {
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
    assert.match(result.reason.hint ?? '', /Stop what only the leader may do/);
  });
});
