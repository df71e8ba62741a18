import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it } from 'node:test';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { Backoff } from '../lib/backoff.ts';
import { sleep } from '../lib/clock.ts';
import { Deferred } from '../lib/deferred.ts';
import { backoffUntil, jitterUntil, until } from './wait-loop.ts';

function setUp() {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const calls: number[] = [];
  const note = (): void => void calls.push(clock.monotonic());
  return { clock, stop, signal: stop.signal, calls, note };
}

describe('until', () => {
  it('runs immediately, then after each period, until the signal aborts', async () => {
    const { clock, stop, signal, calls, note } = setUp();
    const ended = until(note, { periodMs: 1000, signal, clock });
    await clock.advance(2500);
    stop.abort();
    await ended;
    assert.deepEqual(calls, [0, 1000, 2000]);
    assert.equal(clock.pending, 0);
  });
});

describe('jitterUntil', () => {
  it('runs immediately, then after each period, until the signal aborts', async () => {
    const { clock, stop, signal, calls, note } = setUp();
    const ended = jitterUntil(note, { periodMs: 1000, signal, clock });
    await clock.advance(3500);
    assert.deepEqual(calls, [0, 1000, 2000, 3000]);
    stop.abort();
    await ended;
    assert.equal(clock.pending, 0);
    assert.equal(getEventListeners(signal, 'abort').length, 0);
    await clock.advance(10_000);
    assert.equal(calls.length, 4);
  });

  it('refuses a period or a jitter that is not a number', async () => {
    const { signal } = new AbortController();
    const work = (): never => assert.fail('worked');
    const code = 'OPTION_INVALID';
    for (const periodMs of [NaN, -1, '5' as unknown as number, undefined as unknown as number]) {
      await assert.rejects(jitterUntil(work, { periodMs, signal }), { code, option: 'periodMs' });
    }
    const odd = { periodMs: 1, jitter: NaN, signal };
    await assert.rejects(jitterUntil(work, odd), { code, option: 'jitter' });
  });

  it('does nothing under an aborted signal', async () => {
    const { clock, calls, note } = setUp();
    await jitterUntil(note, { periodMs: 1000, signal: AbortSignal.abort(), clock });
    assert.deepEqual(calls, []);
  });

  it('adds jitter to each period', async () => {
    const { clock, stop, signal, calls, note } = setUp();
    const chances = [0.5, 0, 1];
    const random = { next: () => chances.shift() ?? 0 };
    const ended = jitterUntil(note, { periodMs: 100, jitter: 0.5, random, signal, clock });
    await clock.advance(380);
    assert.deepEqual(calls, [0, 125, 225, 375]);
    stop.abort();
    await ended;
  });

  for (const [sliding, expected] of [
    [true, [0, 130, 260]],
    [false, [0, 100, 200]],
  ] as const) {
    it(`counts a period from the ${sliding ? 'end' : 'beginning'} of the work`, async () => {
      const { clock, stop, signal, calls, note } = setUp();
      const work = async (): Promise<void> => {
        note();
        await sleep(clock, 30);
      };
      const ended = jitterUntil(work, { periodMs: 100, sliding, signal, clock });
      await clock.advance(295);
      stop.abort();
      await clock.advance(1000);
      await ended;
      assert.deepEqual(calls, expected);
    });
  }

  it('runs immediately after work that took longer than the period', async () => {
    const { clock, stop, signal, calls, note } = setUp();
    const work = async (): Promise<void> => {
      note();
      await sleep(clock, 250);
    };
    const ended = jitterUntil(work, { periodMs: 100, sliding: false, signal, clock });
    await clock.advance(600);
    assert.deepEqual(calls, [0, 250, 500]);
    stop.abort();
    await clock.advance(1000);
    await ended;
  });

  it('throws the error of the work', async () => {
    const { clock, signal } = setUp();
    const failure = new Error('broken');
    const work = (): void => {
      throw failure;
    };
    await assert.rejects(jitterUntil(work, { periodMs: 1, signal, clock }), failure);
    assert.equal(clock.pending, 0);
  });

  it('treats the abort reason thrown by the work as a stop, and other errors as failures', async () => {
    for (const fails of [false, true]) {
      const { clock, stop, signal } = setUp();
      const work = async (whileWanted: AbortSignal): Promise<void> => {
        try {
          await sleep(clock, 1000, { signal: whileWanted });
        } catch (cause) {
          throw fails ? new Error('own failure') : new Error('request failed', { cause });
        }
      };
      const ended = jitterUntil(work, { periodMs: 1, signal, clock });
      await clock.advance(10);
      stop.abort();
      if (fails) await assert.rejects(ended, /own failure/);
      else await ended;
    }
  });

  it('waits for running work when the signal aborts', async () => {
    const { clock, stop, signal } = setUp();
    const work = new Deferred();
    let isOver = false;
    const ended = jitterUntil(() => work.promise, { periodMs: 1, signal, clock }).then(
      () => (isOver = true),
    );
    stop.abort();
    await clock.advance(1000);
    assert.equal(isOver, false);
    work.resolve();
    await ended;
  });
});

describe('backoffUntil', () => {
  it('backs off exponentially, and starts again after a reset', async () => {
    const { clock, stop, signal, calls, note } = setUp();
    const backoff = new Backoff({ initialMs: 100, maxMs: 400, clock, random: { next: () => 0 } });
    const work = (): void => {
      note();
      if (calls.length === 4) backoff.reset();
    };
    const ended = backoffUntil(work, backoff, { signal, clock });
    await clock.advance(1150);
    assert.deepEqual(calls, [0, 100, 300, 700, 800, 1000]);
    stop.abort();
    await ended;
  });

  for (const sliding of [true, false]) {
    it(`ends when there are no more delays, sliding ${sliding}`, async () => {
      const { clock, signal, calls, note } = setUp();
      const backoff = new Backoff({ initialMs: 10, steps: 2, clock, random: { next: () => 0 } });
      const ended = backoffUntil(note, backoff, { signal, clock, sliding });
      await clock.advance(1000);
      await ended;
      assert.deepEqual(calls, [0, 10, 30]);
    });
  }
});
