import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { Deferred } from '../lib/deferred.ts';
import { nextTurn } from '../lib/next-turn.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { Stream } from '../rest/stream.ts';
import { untilWithoutRetry } from './wait-for.ts';

function numbers(count: number, then: 'end' | 'wait') {
  const state = { open: false };
  const stream = new Stream<number>(async (signal) =>
    (async function* () {
      state.open = true;
      try {
        for (let number = 1; number <= count; number += 1) yield number;
        if (then === 'end') return;
        await new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        });
      } finally {
        state.open = false;
      }
    })(),
  );
  return { state, stream };
}

describe('untilWithoutRetry', () => {
  it('resolves with the first event that meets the condition, and closes the stream', async () => {
    const { state, stream } = numbers(5, 'wait');
    assert.equal(await untilWithoutRetry(stream, (number) => number >= 3), 3);
    assert.equal(state.open, false);
  });

  it('resolves only when the stream is closed', async () => {
    const freed = new Deferred();
    const events = {
      next: async () => ({ done: false, value: 1 }),
      return: async () => {
        await freed.promise;
        return { done: true, value: undefined };
      },
    };
    let isDone = false;
    const pending = untilWithoutRetry({ [Symbol.asyncIterator]: () => events }, () => true).then(
      () => (isDone = true),
    );
    await nextTurn();
    assert.equal(isDone, false);
    freed.resolve();
    assert.equal(await pending, true);
  });

  it('rejects if the events end before', async () => {
    const { stream } = numbers(2, 'end');
    await assert.rejects(
      untilWithoutRetry(stream, (number) => number > 5),
      { code: 'WAIT_CLOSED' },
    );
  });

  it('rejects at the timeout', async () => {
    const clock = new VirtualClock();
    const { state, stream } = numbers(2, 'wait');
    const pending = assert.rejects(
      untilWithoutRetry(stream, (number) => number > 5, { timeoutMs: 1000, clock }),
      { code: 'WAIT_TIMEOUT', message: 'no event met the condition within 1000 ms' },
    );
    await clock.advance(1000);
    await pending;
    assert.equal(state.open, false);
    assert.equal(clock.pending, 0);
  });

  it('rejects with the reason of the signal', async () => {
    const stop = new AbortController();
    const { state, stream } = numbers(2, 'wait');
    const pending = untilWithoutRetry(stream, () => false, { signal: stop.signal });
    stop.abort(new Error('enough'));
    await assert.rejects(pending, /enough/);
    await stream.return();
    assert.equal(state.open, false);
  });

  it('throws errors of the condition and of the events', async () => {
    const oops = (): never => {
      throw new Error('oops');
    };
    const { state, stream } = numbers(2, 'wait');
    await assert.rejects(untilWithoutRetry(stream, oops), /oops/);
    assert.equal(state.open, false);
    await assert.rejects(
      untilWithoutRetry(new Stream(oops), () => true),
      /oops/,
    );
  });
});
