import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { execFile } from 'node:child_process';
import { extname } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { type Clock, sleep, systemClock } from './clock.ts';
import { Deferred } from './deferred.ts';
import { nextTurn } from './next-turn.ts';

const run = promisify(execFile);
/** `.ts` from the sources, `.js` from what was built. */
const extension = extname(import.meta.url);

/** Holds one scheduled call and lets the test run it. */
class HandClock implements Clock {
  call: (() => void) | undefined;
  delayMs: number | undefined;

  now(): number {
    return 0;
  }

  monotonic(): number {
    return 0;
  }

  schedule(delayMs: number, callback: () => void): { cancel(): void; [Symbol.dispose](): void } {
    this.call = callback;
    this.delayMs = delayMs;
    const cancel = (): void => {
      this.call = undefined;
    };
    return { cancel, [Symbol.dispose]: cancel };
  }
}

describe('sleep', () => {
  it('resolves after the delay on the clock', async () => {
    const clock = new HandClock();
    const controller = new AbortController();
    const sleeping = sleep(clock, 50, { signal: controller.signal });
    assert.equal(clock.delayMs, 50);
    clock.call?.();
    await sleeping;
    assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
  });

  it('rejects with the reason and cancels the call when aborted', async () => {
    const clock = new HandClock();
    const controller = new AbortController();
    const sleeping = sleep(clock, 50, { signal: controller.signal });
    const reason = new Error('stop');
    controller.abort(reason);
    await assert.rejects(sleeping, reason);
    assert.equal(clock.call, undefined);
  });

  it('does not begin under a signal that has aborted', async () => {
    const clock = new HandClock();
    await assert.rejects(sleep(clock, 50, { signal: AbortSignal.abort() }), { name: 'AbortError' });
    assert.equal(clock.delayMs, undefined);
  });
});

describe('systemClock', () => {
  it('calls back, and not after it was cancelled', async () => {
    const called = new Deferred();
    const cancelled = systemClock.schedule(0, () => assert.fail('called'));
    cancelled.cancel();
    cancelled.cancel();
    systemClock.schedule(0, () => assert.fail('called'))[Symbol.dispose]();
    systemClock.schedule(0, () => called.resolve());
    await called.promise;
  });

  it('does not fire immediately for delays that overflow a timer', async () => {
    using _ = systemClock.schedule(2 ** 31 + 1000, () => assert.fail('called'));
    const later = new Deferred();
    systemClock.schedule(1, () => later.resolve());
    await later.promise;
    await nextTurn();
  });

  it('does not keep the process alive for background calls', async () => {
    const module = JSON.stringify(
      new URL('./clock.ts', import.meta.url).href.replace(/\.ts$/, extension),
    );
    const program = `
      import { systemClock } from ${module};
      systemClock.schedule(3_600_000, () => undefined, { background: true });
      systemClock.schedule(0, () => console.log('in the foreground'));
    `;
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program]);
    assert.equal(stdout, 'in the foreground\n');
  });

  it('has a monotonic time that never runs backwards', () => {
    const first = systemClock.monotonic();
    assert.ok(systemClock.monotonic() >= first);
    assert.ok(systemClock.now() > Date.UTC(2024, 0, 1));
  });

  it('reads the performance that is there: fake timers replace it, and put it back', (context) => {
    const genuine = Object.getOwnPropertyDescriptor(globalThis, 'performance');
    assert.ok(genuine);
    context.after(() => Object.defineProperty(globalThis, 'performance', genuine));
    Object.defineProperty(globalThis, 'performance', {
      value: { now: () => 42 },
      configurable: true,
    });
    assert.equal(systemClock.monotonic(), 42);
    Object.defineProperty(globalThis, 'performance', genuine);
    assert.notEqual(systemClock.monotonic(), 42);
  });
});
