import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deferred } from '../lib/deferred.ts';
import { recordingLogger } from '../lib/test-logger.ts';
import { World } from './test-world.ts';

const fail = (): never => {
  throw new Error('thrown by a callback');
};

describe('callbacks of an elector', () => {
  it('change nothing when they throw: the run ends after its work, not before', async () => {
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
    assert.ok(a.elector.isLeader, 'one failed renewal is no loss');
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

  it('are not needed: trouble is logged once when it starts and once when it is over', async () => {
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
        'warn the election on apps/controller has trouble: connection refused',
        'warn the lock apps/controller answers again',
      ],
    );
    a.stop();
    await world.pass(0);
  });

  it('end the term, and then wait for the work, when the lock itself is broken', async () => {
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
