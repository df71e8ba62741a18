import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sleep } from '../lib/clock.ts';
import { nextTurn } from '../lib/next-turn.ts';
import { VirtualClock } from './virtual-clock.ts';

describe('VirtualClock', () => {
  it('does not move by itself', async () => {
    const clock = new VirtualClock({ startMs: 1000 });
    await nextTurn();
    assert.equal(clock.now(), 1000);
    assert.equal(clock.monotonic(), 0);
    assert.equal(new VirtualClock().now(), Date.parse('2026-01-01T00:00:00Z'));
  });

  it('runs calls at their times, in order', async () => {
    const clock = new VirtualClock({ startMs: 0 });
    const log: string[] = [];
    const note = (name: string) => () => log.push(`${name}@${clock.monotonic()}`);
    clock.schedule(30, note('c'));
    clock.schedule(10, note('a'));
    clock.schedule(10, note('b'));
    clock.schedule(31, note('late'));
    await clock.advance(30);
    assert.deepEqual(log, ['a@10', 'b@10', 'c@30']);
    assert.equal(clock.now(), 30);
    assert.equal(clock.pending, 1);
    assert.equal(clock.untilNext, 1);
  });

  it('runs calls that are scheduled during an advance', async () => {
    const clock = new VirtualClock();
    const times: number[] = [];
    const tick = (): void => {
      times.push(clock.monotonic());
      if (times.length < 4) clock.schedule(10, tick);
    };
    clock.schedule(10, tick);
    await clock.advance(35);
    assert.deepEqual(times, [10, 20, 30]);
    await clock.advance(5);
    assert.deepEqual(times, [10, 20, 30, 40]);
  });

  it('waits for promises to settle between calls', async () => {
    const clock = new VirtualClock();
    const log: string[] = [];
    const worker = async (): Promise<void> => {
      for (const step of ['one', 'two', 'three']) {
        await sleep(clock, 10);
        for (let depth = 0; depth < 50; depth += 1) await Promise.resolve();
        log.push(`${step}@${clock.monotonic()}`);
      }
    };
    const working = worker();
    clock.schedule(20, () => log.push('call@20'));
    await clock.advance(30);
    await working;
    assert.deepEqual(log, ['one@10', 'call@20', 'two@20', 'three@30']);
  });

  it('waits for work that started just before the advance', async () => {
    const clock = new VirtualClock();
    let done = false;
    void Promise.resolve()
      .then(() => sleep(clock, 5))
      .then(() => (done = true));
    await clock.advance(5);
    assert.ok(done);
  });

  it('forgets cancelled calls', async () => {
    const clock = new VirtualClock();
    const first = clock.schedule(1, () => assert.fail('called'));
    first.cancel();
    first.cancel();
    clock.schedule(2, () => assert.fail('called'))[Symbol.dispose]();
    assert.equal(clock.pending, 0);
    await clock.advance(10);
    assert.equal(clock.untilNext, undefined);
  });

  it('allows a call to cancel another one of the same time', async () => {
    const clock = new VirtualClock();
    clock.schedule(1, () => second.cancel());
    const second = clock.schedule(1, () => assert.fail('called'));
    await clock.advance(1);
  });

  it('treats a negative delay as 0', async () => {
    const clock = new VirtualClock();
    let calls = 0;
    clock.schedule(-5, () => (calls += 1));
    await clock.advance(0);
    assert.equal(calls, 1);
    assert.equal(clock.monotonic(), 0);
  });

  it('advances from call to call', async () => {
    const clock = new VirtualClock();
    const times: number[] = [];
    clock.schedule(7, () => times.push(clock.monotonic()));
    clock.schedule(1000, () => times.push(clock.monotonic()));
    assert.ok(await clock.advanceToNext());
    assert.ok(await clock.advanceToNext());
    assert.equal(await clock.advanceToNext(), false);
    assert.deepEqual(times, [7, 1000]);
  });

  it('sets the wall clock without affecting delays', async () => {
    const clock = new VirtualClock({ startMs: 1000 });
    let calls = 0;
    clock.schedule(10, () => (calls += 1));
    clock.jump(-500);
    assert.equal(clock.now(), 500);
    assert.equal(clock.monotonic(), 0);
    await clock.advance(10);
    assert.equal(calls, 1);
    assert.equal(clock.now(), 510);
  });

  it('stops at a call that throws', async () => {
    const clock = new VirtualClock();
    clock.schedule(5, () => {
      throw new Error('broken');
    });
    clock.schedule(6, () => assert.fail('called'));
    await assert.rejects(clock.advance(10), /broken/);
    assert.equal(clock.monotonic(), 5);
    assert.equal(clock.pending, 1);
  });
});
