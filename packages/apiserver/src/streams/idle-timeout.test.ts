import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { VirtualClock } from 'client-ts/testing';

import { IdleTimeout } from './idle-timeout.ts';

describe('IdleTimeout', () => {
  it('calls back after the limit without activity, and not before', async () => {
    const clock = new VirtualClock();
    let calls = 0;
    using idle = new IdleTimeout(clock, () => void (calls += 1), 1000);
    await clock.advance(900);
    idle.touch();
    await clock.advance(999);
    assert.equal(calls, 0);
    await clock.advance(1);
    assert.equal(calls, 1);
  });

  it('does not call back after it was disposed', async () => {
    const clock = new VirtualClock();
    let calls = 0;
    new IdleTimeout(clock, () => void (calls += 1), 1000)[Symbol.dispose]();
    await clock.advance(2000);
    assert.equal(calls, 0);
  });
});
