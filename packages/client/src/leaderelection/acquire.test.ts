import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { World } from './test-world.ts';

const held = {
  holderIdentity: 'b',
  leaseDurationSeconds: 15,
  acquireTime: '2020-01-01T00:00:00.000000Z',
  renewTime: '2020-01-01T00:00:00.000000Z',
  leaseTransitions: 4,
};

describe('a waiting candidate', () => {
  it('reads again after 1 to 2.2 retry periods', async () => {
    const world = new World();
    world.server.put({ holderIdentity: 'b', leaseDurationSeconds: 3600 });
    const askedAt: number[] = [];
    const get = world.server.get.bind(world.server);
    world.server.get = () => {
      askedAt.push(world.clock.monotonic());
      return get();
    };
    const a = world.candidate();
    const running = a.run();
    await world.pass(300_000);
    a.stop();
    await running;
    const waits = askedAt.slice(1).map((at, index) => at - (askedAt[index] ?? 0));
    assert.ok(Math.min(...waits) >= 2000 && Math.min(...waits) < 2600);
    assert.ok(Math.max(...waits) <= 4400 && Math.max(...waits) > 3800);
  });
});

describe('acquiring the lock', () => {
  it('creates a missing lease, with microseconds', async () => {
    const world = new World();
    const a = world.candidate();
    void a.run();
    await world.pass(0);
    assert.ok(a.elector.isLeader);
    assert.deepEqual(world.server.lease?.spec, {
      holderIdentity: 'a',
      leaseDurationSeconds: 15,
      acquireTime: '2026-01-01T00:00:00.000000Z',
      renewTime: '2026-01-01T00:00:00.000000Z',
      leaseTransitions: 0,
    });
    assert.deepEqual(world.server.log, ['a get', 'a create']);
  });

  for (const [what, spec] of [
    ['without a spec', undefined],
    ['that was released', { ...held, holderIdentity: '', leaseDurationSeconds: 1 }],
  ] as const) {
    it(`acquires a lease ${what} immediately`, async () => {
      const world = new World();
      world.server.put(spec);
      const a = world.candidate();
      void a.run();
      await world.pass(0);
      assert.ok(a.elector.isLeader);
      assert.equal(world.server.lease?.spec?.leaseTransitions, (spec?.leaseTransitions ?? 0) + 1);
    });
  }

  it('waits for the duration in the record since it first read it, ignoring the times in it', async () => {
    const world = new World();
    world.server.put({ ...held, leaseDurationSeconds: 20 });
    const a = world.candidate();
    void a.run();
    await world.pass(20_000);
    assert.equal(a.elector.isLeader, false);
    assert.equal(a.elector.getLeader(), 'b');
    await world.pass(2000 * 2.2);
    assert.ok(a.elector.isLeader);
    const { holderIdentity, leaseTransitions, acquireTime } = world.server.lease?.spec ?? {};
    assert.deepEqual([holderIdentity, leaseTransitions], ['a', 5]);
    assert.match(acquireTime ?? '', /^2026-01-01T00:00:2\d\.\d{6}Z$/);
  });

  it('restarts the wait with each change of the record', async () => {
    const world = new World();
    const a = world.candidate();
    void a.run();
    for (let renewal = 0; renewal < 10; renewal += 1) {
      world.server.put({ ...held, renewTime: `2020-01-01T00:00:0${renewal}.000000Z` });
      await world.pass(12_000);
      assert.equal(a.elector.isLeader, false);
    }
    await world.pass(15_000 + 2 * 4400);
    assert.ok(a.elector.isLeader);
  });

  it('waits its own lease duration for a record without one', async () => {
    const world = new World();
    world.server.put({ holderIdentity: 'b' });
    const a = world.candidate();
    void a.run();
    await world.pass(15_000);
    assert.equal(a.elector.isLeader, false);
    await world.pass(4400);
    assert.ok(a.elector.isLeader);
  });

  it('acquires its own record immediately and keeps acquireTime and leaderTransitions', async () => {
    const world = new World();
    world.server.put({ ...held, holderIdentity: 'a' });
    const a = world.candidate();
    void a.run();
    await world.pass(0);
    assert.ok(a.elector.isLeader);
    assert.equal(world.server.lease?.spec?.acquireTime, held.acquireTime);
    assert.equal(world.server.lease?.spec?.leaseTransitions, 4);
  });

  it('waits for a deleted lease as if it existed, because its holder may not know', async () => {
    const world = new World();
    world.server.put(held);
    const a = world.candidate();
    void a.run();
    await world.pass(0);
    world.server.delete();
    await world.pass(15_000);
    assert.equal(a.elector.isLeader, false);
    await world.pass(4400);
    assert.ok(a.elector.isLeader);
    assert.equal(world.server.lease?.spec?.leaseTransitions, 5);
  });

  it('retries after 1 to 2.2 retry periods', async () => {
    const world = new World();
    world.server.put(held);
    const a = world.candidate();
    void a.run();
    await world.pass(0);
    const waits: number[] = [];
    for (let attempt = 0; attempt < 6; attempt += 1) {
      waits.push(world.clock.untilNext ?? 0);
      await world.clock.advanceToNext();
      await world.pass(0);
    }
    for (const wait of waits) assert.ok(wait >= 2000 && wait < 4400, `${wait}`);
    assert.equal(new Set(waits).size, waits.length);
  });

  it('writes whole seconds, rounded up, so that no candidate takes over too early', async () => {
    const world = new World();
    const a = world.candidate({
      leaseDurationMs: 1500,
      renewDeadlineMs: 1400,
      retryPeriodMs: 500,
    });
    void a.run();
    await world.pass(0);
    assert.equal(world.server.lease?.spec?.leaseDurationSeconds, 2);
  });

  it('does not lead after a response later than the deadline', async () => {
    const world = new World();
    const a = world.candidate();
    a.network.backMs = 400;
    void a.run();
    await world.pass(400);
    // The write takes effect; the process is paused before the response arrives.
    a.clock.pause();
    await world.pass(11_000);
    a.clock.resume();
    assert.equal(a.elector.isLeader, false);
    await world.pass(10);
    assert.equal(a.elector.isLeader, false);
    await world.pass(6000);
    assert.ok(a.elector.isLeader, 'it finds its own record');
  });

  it('reports each new leader once, then the end', async () => {
    const world = new World();
    world.server.put(held);
    const a = world.candidate();
    const running = a.run();
    await world.pass(5000);
    assert.deepEqual(a.calls, ['new leader b']);
    world.server.put({ ...held, holderIdentity: '' });
    await world.pass(5000);
    assert.deepEqual(a.calls, ['new leader b', 'new leader a']);
    assert.equal(a.elector.getLeader(), 'a');
    a.stop();
    await running;
    assert.deepEqual(a.calls, ['new leader b', 'new leader a', 'stopped']);
  });

  it('stops even if it never led, and leaves no timer', async () => {
    const world = new World();
    world.server.put(held);
    const a = world.candidate({ releaseOnCancel: true });
    const running = a.run();
    await world.pass(3000);
    a.stop();
    await running;
    assert.deepEqual(a.calls, ['new leader b', 'stopped']);
    assert.equal(world.clock.pending, 0);
    assert.equal(world.server.lease?.spec?.holderIdentity, 'b');
  });

  it('reports failed attempts and continues', async () => {
    const world = new World();
    const a = world.candidate();
    a.network.fate = 'refused';
    void a.run();
    await world.pass(10_000);
    assert.ok(a.errors.length >= 3);
    a.network.fate = 'delivered';
    await world.pass(4400);
    assert.ok(a.elector.isLeader);
  });

  it('cancels a request without a response', async () => {
    const world = new World();
    const a = world.candidate();
    a.network.fate = 'silent';
    void a.run();
    await world.pass(5000);
    assert.match(String(a.errors[0]), /apps\/controller: no response within 5000 ms/);
    a.network.fate = 'delivered';
    await world.pass(4400);
    assert.ok(a.elector.isLeader);
  });
});
