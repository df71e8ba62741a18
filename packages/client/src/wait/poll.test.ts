import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it } from 'node:test';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { Backoff } from '../lib/backoff.ts';
import { Deferred } from '../lib/deferred.ts';
import { type PollOptions, pollUntil } from './poll.ts';
import { WaitError } from './wait-error.ts';

/** A condition that is true from the given call on, counted from one. */
function trueAt(question: number, clock: VirtualClock) {
  const asked: number[] = [];
  const condition = (): boolean => {
    asked.push(clock.monotonic());
    return asked.length >= question;
  };
  return { asked, condition };
}

describe('pollUntil', () => {
  it('checks immediately, then after each interval, until the condition is met', async () => {
    const clock = new VirtualClock();
    const { asked, condition } = trueAt(4, clock);
    const polled = pollUntil(condition, { intervalMs: 100, clock });
    await clock.advance(1000);
    assert.equal(await polled, true);
    assert.deepEqual(asked, [0, 100, 200, 300]);
    assert.equal(clock.pending, 0);
  });

  it('checks after the first interval with immediate: false', async () => {
    const clock = new VirtualClock();
    const { asked, condition } = trueAt(2, clock);
    const polled = pollUntil(condition, { intervalMs: 100, immediate: false, clock });
    await clock.advance(1000);
    await polled;
    assert.deepEqual(asked, [100, 200]);
  });

  it('resolves with the value of the condition', async () => {
    const clock = new VirtualClock();
    const answers = [undefined, null, false, 0];
    const polled = pollUntil(async () => answers.shift(), { intervalMs: 1, clock });
    await clock.advance(10);
    assert.equal(await polled, 0);
  });

  it('rejects at the timeout, and aborts the pending check', async () => {
    const clock = new VirtualClock();
    let abortedWith: unknown;
    const polled = pollUntil(
      async (signal) => {
        signal.addEventListener('abort', () => (abortedWith = signal.reason));
        await new Deferred().promise;
      },
      { intervalMs: 100, timeoutMs: 250, what: 'the node', clock },
    );
    const rejected = assert.rejects(polled, (error) => {
      assert.ok(error instanceof WaitError);
      assert.equal(error.code, 'WAIT_TIMEOUT');
      assert.match(error.message, /^the node was not met within 250 ms$/);
      assert.equal(abortedWith, error);
      return true;
    });
    await clock.advance(250);
    await rejected;
    assert.equal(clock.pending, 0);
  });

  it('rejects at the timeout between two checks too', async () => {
    const clock = new VirtualClock();
    const { asked, condition } = trueAt(9, clock);
    const polled = pollUntil(condition, { intervalMs: 100, timeoutMs: 250, clock });
    const rejected = assert.rejects(polled, { code: 'WAIT_TIMEOUT' });
    await clock.advance(1000);
    await rejected;
    assert.deepEqual(asked, [0, 100, 200]);
  });

  it('rejects when no delays are left', async () => {
    const clock = new VirtualClock();
    const { asked, condition } = trueAt(9, clock);
    const interval = new Backoff({ initialMs: 10, steps: 3, clock, random: { next: () => 0 } });
    const polled = pollUntil(condition, { intervalMs: interval, clock });
    const rejected = assert.rejects(polled, { code: 'WAIT_EXHAUSTED' });
    await clock.advance(1000);
    await rejected;
    assert.deepEqual(asked, [0, 10, 30, 70]);
  });

  it('rejects with the reason of the signal', async () => {
    const clock = new VirtualClock();
    const stop = new AbortController();
    const { signal } = stop;
    const polled = pollUntil(() => false, { intervalMs: 100, timeoutMs: 1000, signal, clock });
    const rejected = assert.rejects(polled, /enough/);
    await clock.advance(150);
    stop.abort(new Error('enough'));
    await rejected;
    assert.equal(clock.pending, 0);
    assert.equal(getEventListeners(signal, 'abort').length, 0);
    const asked = trueAt(1, clock);
    await assert.rejects(pollUntil(asked.condition, { intervalMs: 1, signal, clock }), /enough/);
    assert.deepEqual(asked.asked, []);
  });

  it('refuses options that are missing or not numbers', async () => {
    const options: readonly [unknown, string][] = [
      [undefined, 'intervalMs'],
      [{}, 'intervalMs'],
      [{ intervalMs: null }, 'intervalMs'],
      [{ intervalMs: NaN }, 'intervalMs'],
      [{ intervalMs: '5' }, 'intervalMs'],
      [{ intervalMs: 5, timeoutMs: -1 }, 'timeoutMs'],
    ];
    for (const [given, option] of options) {
      const polling = pollUntil(() => assert.fail('asked'), given as PollOptions);
      await assert.rejects(polling, { code: 'OPTION_INVALID', option });
    }
  });

  it('throws the error of the condition', async () => {
    const clock = new VirtualClock();
    for (const condition of [
      () => {
        throw new Error('broken');
      },
      () => Promise.reject(new Error('broken')),
    ]) {
      await assert.rejects(pollUntil(condition, { intervalMs: 1, timeoutMs: 9, clock }), /broken/);
    }
    assert.equal(clock.pending, 0);
  });
});
