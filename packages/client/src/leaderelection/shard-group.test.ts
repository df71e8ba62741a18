import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describe, it } from 'node:test';
import type { ElectionStep } from './diagnostics.ts';
import { ShardWorld } from './test-shard-world.ts';

describe('ShardGroup', () => {
  it('shares the shards fairly, and moves few when replicas come and go', async () => {
    const world = new ShardWorld();
    const [a, b, c] = ['a', 'b', 'c'].map((identity) => world.replica({ identity, shards: 8 }));
    assert.ok(a !== undefined && b !== undefined && c !== undefined);
    a.start();
    b.start();
    await world.pass(10_000);
    const before = world.shares();
    assert.deepEqual([before['a']?.length, before['b']?.length], [4, 4]);
    assert.equal(a.changes.length + b.changes.length, 8, 'replicas that start together move none');
    c.start();
    await world.pass(10_000);
    const three = world.shares();
    assert.deepEqual([three['a']?.length, three['b']?.length, three['c']?.length], [3, 3, 2]);
    assert.equal(c.changes.length, 2);
    c.stop();
    await world.pass(10_000);
    const after = world.shares();
    assert.deepEqual([after['a']?.length, after['b']?.length, after['c']?.length], [4, 4, 0]);
    for (const replica of [a, b]) replica.stop();
    await world.pass(10_000);
    await Promise.all([a, b, c].map((replica) => replica.end()));
    const left = [...world.server.leases.keys()].filter((name) => name.includes('replica'));
    assert.deepEqual(left, [], 'replicas delete their own Leases');
  });

  it('takes over the shards of a dead replica when its lease has expired', async () => {
    const world = new ShardWorld();
    const a = world.replica({ identity: 'a' });
    const b = world.replica({ identity: 'b' });
    a.start();
    b.start();
    await world.pass(10_000);
    const shares = world.shares();
    assert.equal(shares['a']?.length, 2);
    a.network.fate = 'silent';
    a.clock.pause();
    await world.pass(14_000);
    assert.deepEqual(world.shares()['b'], shares['b']);
    await world.pass(6000);
    assert.deepEqual(world.shares()['b'], [0, 1, 2, 3]);
    // Back after the pause, it gets its share again.
    a.network.fate = 'delivered';
    a.clock.resume();
    await world.pass(10_000);
    assert.deepEqual([world.shares()['a']?.length, world.shares()['b']?.length], [2, 2]);
    assert.deepEqual(
      a.changes.filter(({ what }) => what === 'lost').length,
      2,
      'it had lost both of its shards',
    );
    const ends = [a.end(), b.end()];
    await world.pass(10_000);
    await Promise.all(ends);
  });

  it('releases a shard only after the work on it has ended', async () => {
    const world = new ShardWorld();
    const a = world.replica({ identity: 'a', drainMs: 60_000 });
    const b = world.replica({ identity: 'b' });
    a.start();
    await world.pass(5000);
    assert.deepEqual(world.shares()['a'], [0, 1, 2, 3]);
    b.start();
    await world.pass(50_000);
    assert.deepEqual(world.shares()['a'], [0, 1, 2, 3], 'kept, and protected, while it works');
    assert.equal(a.changes.filter(({ what }) => what === 'ending').length, 2);
    assert.deepEqual(world.shares()['b'], []);
    await world.pass(20_000);
    assert.deepEqual([world.shares()['a']?.length, world.shares()['b']?.length], [2, 2]);
    const ends = [a.end(), b.end()];
    await world.pass(80_000);
    await Promise.all(ends);
  });

  it('gives all shards away at a stop, before their lease expires', async () => {
    const world = new ShardWorld();
    const a = world.replica({ identity: 'a' });
    const b = world.replica({ identity: 'b' });
    a.start();
    await world.pass(5000);
    b.start();
    await world.pass(5000);
    a.stop();
    // One look of the other replica.
    await world.pass(2500);
    assert.deepEqual(world.shares()['b'], [0, 1, 2, 3]);
    const ends = [a.end(), b.end()];
    await world.pass(5000);
    await Promise.all(ends);
  });

  it('assigns no free shard to a replica that has missed renewals', async () => {
    const world = new ShardWorld();
    const [a, b, c] = ['a', 'b', 'c'].map((identity) => world.replica({ identity, shards: 9 }));
    assert.ok(a !== undefined && b !== undefined && c !== undefined);
    for (const replica of [a, b, c]) replica.start();
    await world.pass(10_000);
    c.network.fate = 'silent';
    c.clock.pause();
    await world.pass(6500);
    // The lease of c has not expired, so that its shards stay; those of b go to a.
    b.stop();
    await world.pass(2500);
    assert.equal(a.held.length, 6);
    c.network.fate = 'delivered';
    c.clock.resume();
    const ends = [a, b, c].map((replica) => replica.end());
    await world.pass(20_000);
    await Promise.all(ends);
  });

  it('gives the shards of a dead replica to one that has just started', async () => {
    const world = new ShardWorld();
    const [a, b, c] = ['a', 'b', 'c'].map((identity) => world.replica({ identity }));
    assert.ok(a !== undefined && b !== undefined && c !== undefined);
    a.start();
    b.start();
    await world.pass(10_000);
    b.network.fate = 'silent';
    b.clock.pause();
    await world.pass(13_000);
    // It cannot know for how long the Lease of b has not changed, but a does.
    c.start();
    await world.pass(11_000);
    assert.deepEqual([a.held.length, c.held.length], [2, 2]);
    b.network.fate = 'delivered';
    b.clock.resume();
    const ends = [a, b, c].map((replica) => replica.end());
    await world.pass(20_000);
    await Promise.all(ends);
  });

  it('waits until replicas with another number of shards have ended', async () => {
    const world = new ShardWorld();
    const old = world.replica({ identity: 'a', shards: 4 });
    const next = world.replica({ identity: 'b', shards: 6 });
    old.start();
    await world.pass(5000);
    next.start();
    await world.pass(60_000);
    assert.deepEqual(world.shares(), { a: [0, 1, 2, 3], b: [] });
    assert.deepEqual(next.group.status.waitingFor, ['a']);
    old.stop();
    await world.pass(5000);
    assert.deepEqual(world.shares(), { a: [], b: [0, 1, 2, 3, 4, 5] });
    assert.deepEqual(next.group.status.waitingFor, []);
    const ends = [old.end(), next.end()];
    await world.pass(5000);
    await Promise.all(ends);
  });

  it('publishes what it acquires, releases and loses', async () => {
    const world = new ShardWorld();
    const a = world.replica({ identity: 'a', shards: 1 });
    const seen: string[] = [];
    const note = (message: unknown): void => {
      const { lease, identity, what, term } = message as ElectionStep;
      if (lease === 'apps/sites-shard-0') seen.push(`${identity} ${what} ${term}`);
    };
    subscribe('client-ts:election:step', note);
    a.start();
    await world.pass(5000);
    a.network.fate = 'refused';
    await world.pass(12_000);
    a.network.fate = 'delivered';
    await world.pass(5000);
    a.stop();
    await world.pass(5000);
    await a.end();
    unsubscribe('client-ts:election:step', note);
    assert.deepEqual(seen, ['a acquired 1', 'a lost 1', 'a acquired 2', 'a released 2']);
  });

  it('hands what the holder has saved to the next one, and counts the terms', async () => {
    const world = new ShardWorld();
    const a = world.replica({ identity: 'a', shards: 1 });
    const b = world.replica({ identity: 'b', shards: 1 });
    a.start();
    await world.pass(5000);
    const hold = a.working.get(0);
    assert.ok(hold !== undefined);
    assert.deepEqual([hold.memo, hold.term], [undefined, 1]);
    const saved = hold.save('up to 17');
    await world.pass(0);
    await saved;
    assert.equal(hold.memo, 'up to 17');
    b.start();
    a.stop();
    await world.pass(10_000);
    assert.deepEqual([b.working.get(0)?.memo, b.working.get(0)?.term], ['up to 17', 2]);
    await assert.rejects(hold.save('too late'), { code: 'LEADERELECTION_LOST' });
    assert.equal(b.working.get(0)?.memo, 'up to 17');
    const ends = [a.end(), b.end()];
    await world.pass(5000);
    await Promise.all(ends);
  });

  it('keeps its shards when Leases are deleted by hand', async () => {
    const world = new ShardWorld();
    const a = world.replica({ identity: 'a' });
    const b = world.replica({ identity: 'b' });
    a.start();
    b.start();
    await world.pass(10_000);
    const before = world.shares();
    for (const name of world.server.leases.keys()) {
      if (name.includes('replica')) world.server.delete(name);
    }
    await world.pass(60_000);
    assert.deepEqual(world.shares(), before);
    const ends = [a.end(), b.end()];
    await world.pass(5000);
    await Promise.all(ends);
  });

  it('deletes the Leases of replicas that ended long ago', async () => {
    const world = new ShardWorld();
    const a = world.replica({ identity: 'a' });
    const b = world.replica({ identity: 'b' });
    a.start();
    b.start();
    await world.pass(10_000);
    b.network.fate = 'silent';
    b.clock.pause();
    const replicas = (): number =>
      [...world.server.leases.keys()].filter((name) => name.includes('replica')).length;
    await world.pass(100_000);
    assert.equal(replicas(), 2);
    await world.pass(100_000);
    assert.equal(replicas(), 1);
    b.network.fate = 'delivered';
    b.clock.resume();
    const ends = [a.end(), b.end()];
    await world.pass(60_000);
    await Promise.all(ends);
  });

  it('takes part again after a kill in the middle of its stop, with the same identity', async () => {
    const world = new ShardWorld();
    const a = world.replica({ identity: 'a', drainMs: 5000 });
    a.start();
    await world.pass(5000);
    a.stop();
    await world.pass(1000);
    const [left] = [...world.server.leases.values()].filter(
      ({ metadata }) => metadata?.labels?.['client-ts/leaving'] === 'true',
    );
    assert.ok(left !== undefined);
    a.network.fate = 'silent';
    a.clock.pause();
    const again = world.replica({ identity: 'a' });
    again.start();
    await world.pass(10_000);
    assert.deepEqual(again.held.length, 4);
    const ends = [again.end()];
    await world.pass(10_000);
    await Promise.all(ends);
  });

  it('rejects with the error of its work, after all other work has ended', async () => {
    const world = new ShardWorld();
    const a = world.replica({ identity: 'a' });
    a.onWork = ({ shard }) => {
      if (shard === 2) throw new Error('no work on 2');
    };
    a.start();
    const failed = assert.rejects(a.running, /no work on 2/);
    await world.pass(10_000);
    await failed;
    assert.deepEqual(world.shares()['a'], []);
  });

  it('refuses options that cannot work', async () => {
    const world = new ShardWorld();
    const wrong = [
      { shards: 0 },
      { shards: 2000 },
      { shards: 1.5 },
      { name: 'Sites' },
      { name: '' },
      { name: 'sites.-eu' },
      { name: 'x'.repeat(51) },
    ];
    for (const options of wrong) {
      const replica = world.replica({ identity: 'a', ...options });
      replica.start();
      await assert.rejects(replica.running, { code: 'OPTION_INVALID' });
    }
  });
});
