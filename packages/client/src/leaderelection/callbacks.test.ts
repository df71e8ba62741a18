import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deferred } from '../lib/deferred.ts';
import { recordingLogger } from '../lib/test-logger.ts';
import { World } from './test-world.ts';

const fail = (): never => {
  throw new Error('thrown by a callback');
};

describe('callbacks of an elector', () => {
  it('do not end the run before its work when they throw', async () => {
    const world = new World();
    const logger = recordingLogger();
    const a = world.candidate({
      logger,
      onError: fail,
      callbacks: { onNewLeader: fail, onStoppedLeading: fail },
    });
    const gate = new Deferred();
    let hasEnded = false;
    const leading = a.lead(() => gate.promise);
    void leading.then(() => (hasEnded = true));
    await world.pass(0);
    assert.ok(a.elector.isLeader);
    a.network.fate = 'refused';
    await world.pass(4000);
    assert.ok(a.elector.isLeader, 'one failed renewal does not end leadership');
    await world.pass(10_000);
    assert.equal(a.elector.isLeader, false);
    assert.equal(hasEnded, false);
    gate.resolve();
    assert.equal((await leading).outcome, 'lost');
    assert.ok(logger.lines.length > 0);
    for (const line of logger.lines) {
      assert.match(line, /^warn the callback onError of the elector failed: thrown by a callback/);
    }
  });

  it('are called for renewals that have to read the record first, whatever they throw', async () => {
    const world = new World();
    let slow = 0;
    const onSlowPath = (): void => {
      slow += 1;
      fail();
    };
    const a = world.candidate({ onSlowPath, onError: () => {} });
    void a.run();
    await world.pass(10_000);
    assert.equal(slow, 0);
    a.network.fate = 'refused';
    await world.pass(3000);
    a.network.fate = 'delivered';
    const during = slow;
    assert.ok(during > 0);
    await world.pass(10_000);
    assert.ok(a.elector.isLeader);
    assert.equal(slow, during);
    a.stop();
    await world.pass(0);
  });

  it('are optional: failing attempts are logged once at their start and once at their end', async () => {
    const world = new World();
    const logger = recordingLogger();
    const a = world.candidate({ logger, onError: undefined as never });
    a.network.fate = 'refused';
    void a.run();
    await world.pass(30_000);
    a.network.fate = 'delivered';
    await world.pass(30_000);
    assert.ok(a.elector.isLeader);
    assert.deepEqual(
      logger.lines.filter((line) => line.startsWith('warn')).map((line) => line.split('\n')[0]),
      [
        'warn election on apps/controller fails: connection refused',
        'warn election on apps/controller works again',
      ],
    );
    a.stop();
    await world.pass(0);
  });

  it('are optional: another kind of failure is logged too', async () => {
    const world = new World();
    const logger = recordingLogger();
    const a = world.candidate({ logger, onError: undefined as never });
    a.network.fate = 'refused';
    const running = a.run();
    await world.pass(10_000);
    a.network.fate = 'silent';
    await world.pass(20_000);
    assert.deepEqual(
      logger.lines.filter((line) => line.startsWith('warn')).map((line) => line.split(/ \(|\n/)[0]),
      [
        'warn election on apps/controller fails: connection refused',
        'warn election on apps/controller fails: lock apps/controller: no response within 5000 ms',
      ],
    );
    a.stop();
    await world.pass(0);
    await running;
  });

  for (const written of ['create', 'update'] as const) {
    it(`are optional: a conflict of the ${written} is not logged`, async () => {
      const world = new World();
      const logger = recordingLogger();
      const a = world.candidate({ logger, onError: undefined as never });
      if (written === 'update') world.server.put({ holderIdentity: '' });
      const get = world.server.get.bind(world.server);
      const overtake = (): void => {
        world.server.get = get;
        world.server.put({ holderIdentity: 'b', leaseDurationSeconds: 15 });
      };
      world.server.get = () => {
        world.clock.schedule(0, overtake);
        return get();
      };
      a.network.thereMs = 1;
      const running = a.run();
      await world.pass(1000);
      assert.deepEqual(world.server.log, ['a get', `a ${written}`]);
      assert.equal(world.server.lease?.spec?.holderIdentity, 'b');
      assert.deepEqual(logger.lines, []);
      a.stop();
      await world.pass(10);
      await running;
    });
  }

  it('end the term and wait for the work when the lock throws unexpectedly', async () => {
    const world = new World();
    const a = world.candidate();
    const gate = new Deferred();
    let hasEnded = false;
    const leading = a.lead(() => gate.promise);
    void leading.then(() => (hasEnded = true));
    await world.pass(0);
    a.lock.describe = fail;
    world.server.put({ holderIdentity: 'b', leaseDurationSeconds: 15 });
    await world.pass(4000);
    assert.equal(a.elector.isLeader, false);
    assert.equal(hasEnded, false);
    gate.resolve();
    assert.equal((await leading).outcome, 'lost');
  });
});
