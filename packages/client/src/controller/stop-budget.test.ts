import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deferred } from '../lib/deferred.ts';
import { quiescence } from '../testing/quiescence.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { StopBudget } from './stop-budget.ts';

describe('StopBudget', () => {
  it('waits without a limit until the stop', async () => {
    const clock = new VirtualClock();
    const stop = new AbortController();
    using budget = new StopBudget(stop.signal, 5000, clock);
    const step = new Deferred();
    const waited = budget.wait(stop.signal, step.promise, () => ['step']);
    await clock.advance(1_000_000);
    step.resolve();
    await waited;
    assert.deepEqual(budget.late, []);
    assert.equal(clock.pending, 0);
  });

  it('names the steps that have not ended when the time is up', async () => {
    const clock = new VirtualClock();
    const stop = new AbortController();
    using budget = new StopBudget(stop.signal, 5000, clock);
    let isOver = false;
    const waited = budget
      .wait(stop.signal, new Promise<void>(() => undefined), () => ['first'])
      .then(() => (isOver = true));
    stop.abort();
    await clock.advance(4999);
    assert.ok(!isOver);
    await clock.advance(1);
    await waited;
    const second = budget.wait(stop.signal, new Promise<void>(() => undefined), () => ['second']);
    await clock.advance(1000);
    await second;
    assert.deepEqual(budget.late, ['first', 'second']);
    assert.equal(clock.pending, 0);
  });

  it('rejects with the error of a step', async () => {
    const clock = new VirtualClock();
    const stop = new AbortController();
    using budget = new StopBudget(stop.signal, 5000, clock);
    const failing = Promise.reject(new Error('broken'));
    await assert.rejects(
      budget.wait(stop.signal, failing, () => ['step']),
      /broken/,
    );
    await quiescence();
    assert.equal(clock.pending, 0);
  });
});
