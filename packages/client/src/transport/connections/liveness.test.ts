import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { VirtualClock } from '../../testing/virtual-clock.ts';
import { Liveness } from './liveness.ts';

interface Rig extends Disposable {
  readonly clock: VirtualClock;
  readonly line: { bytes: number; answers: (() => void)[]; deaths: number };
}

function watched(): Rig {
  const clock = new VirtualClock();
  const line: Rig['line'] = { bytes: 0, answers: [], deaths: 0 };
  const liveness = new Liveness({
    clock,
    idleMs: 30_000,
    pingMs: 15_000,
    bytesRead: () => line.bytes,
    ping: (answered) => line.answers.push(answered),
    onDead: () => {
      line.deaths += 1;
    },
  });
  return { clock, line, [Symbol.dispose]: () => liveness[Symbol.dispose]() };
}

describe('Liveness', () => {
  it('pings after the idle time, and closes without an answer', async () => {
    using rig = watched();
    const { clock, line } = rig;
    line.bytes = 100;
    await clock.advance(15_000);
    assert.equal(line.answers.length, 0);
    await clock.advance(15_000);
    assert.equal(line.answers.length, 1);
    await clock.advance(14_999);
    assert.equal(line.deaths, 0);
    await clock.advance(1);
    assert.equal(line.deaths, 1);
    assert.equal(clock.pending, 0);
  });

  it('accepts any bytes as a sign of life while it waits for a pong', async () => {
    using rig = watched();
    const { clock, line } = rig;
    await clock.advance(15_000);
    assert.equal(line.answers.length, 1);
    line.bytes = 1;
    await clock.advance(15_000);
    assert.equal(line.deaths, 0);
    // And looks on from there.
    await clock.advance(15_000);
    assert.equal(line.answers.length, 2);
  });

  it('accepts a late answer to its probe', async () => {
    using rig = watched();
    const { clock, line } = rig;
    await clock.advance(15_000);
    line.answers[0]?.();
    await clock.advance(15_000);
    assert.equal(line.answers.length, 2);
    line.bytes = 1;
    await clock.advance(15_000);
    line.answers[1]?.();
    await clock.advance(15_000);
    assert.equal(line.deaths, 0);
    assert.equal(line.answers.length, 3);
  });

  it('stops when disposed', async () => {
    const rig = watched();
    rig[Symbol.dispose]();
    assert.equal(rig.clock.pending, 0);
  });
});
