import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { withDeadline } from './deadline.ts';

const late = new Error('late');
const reason = (): Error => late;

describe('withDeadline', () => {
  it('aborts with the reason when the time is up', async () => {
    const clock = new VirtualClock();
    using limited = withDeadline(undefined, { clock, timeoutMs: 10, reason });
    await clock.advance(9);
    assert.equal(limited.signal.aborted, false);
    await clock.advance(1);
    assert.equal(limited.signal.reason, late);
  });

  it('aborts with the reason of the given signal, and clears the timer', () => {
    const clock = new VirtualClock();
    const stop = new AbortController();
    using limited = withDeadline(stop.signal, { clock, timeoutMs: 10, reason });
    stop.abort('stopped');
    assert.equal(limited.signal.reason, 'stopped');
    assert.equal(clock.pending, 0);
  });

  it('keeps no timer for a signal that has aborted before', () => {
    const clock = new VirtualClock();
    using limited = withDeadline(AbortSignal.abort('stopped'), { clock, timeoutMs: 10, reason });
    assert.equal(limited.signal.reason, 'stopped');
    assert.equal(clock.pending, 0);
  });

  it('never aborts after it is disposed', () => {
    const clock = new VirtualClock();
    const stop = new AbortController();
    const limited = withDeadline(stop.signal, { clock, timeoutMs: 10, reason });
    limited[Symbol.dispose]();
    stop.abort();
    assert.equal(limited.signal.aborted, false);
    assert.equal(clock.pending, 0);
  });

  it('follows the given signal alone without a timeout', () => {
    const clock = new VirtualClock();
    const stop = new AbortController();
    using limited = withDeadline(stop.signal, { clock, timeoutMs: undefined, reason });
    assert.equal(clock.pending, 0);
    stop.abort('stopped');
    assert.equal(limited.signal.reason, 'stopped');
  });
});
