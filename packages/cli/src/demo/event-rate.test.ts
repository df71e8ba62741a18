import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { VirtualClock } from 'client-ts/testing';

import { EventRate } from './event-rate.ts';

describe('EventRate', () => {
  it('counts per second', async () => {
    const clock = new VirtualClock();
    const rate = new EventRate(clock);
    rate.add();
    rate.add(2);
    await clock.advance(2500);
    rate.add(4);
    assert.deepEqual(rate.history, [3, 0, 4]);
  });

  it('keeps a minute of history', async () => {
    const clock = new VirtualClock();
    const rate = new EventRate(clock);
    for (let second = 0; second < 100; second += 1) {
      rate.add(second);
      await clock.advance(1000);
    }
    const { history } = rate;
    assert.equal(history.length, 60);
    assert.deepEqual(history.slice(-3), [98, 99, 0]);
  });

  it('averages the last ten seconds', async () => {
    const clock = new VirtualClock();
    const rate = new EventRate(clock);
    assert.equal(rate.perSecond, 0);
    rate.add(3);
    assert.equal(rate.perSecond, 3);
    for (let second = 0; second < 30; second += 1) {
      rate.add(5);
      await clock.advance(1000);
    }
    assert.equal(rate.perSecond, 5);
    await clock.advance(20_000);
    assert.equal(rate.perSecond, 0);
  });
});
