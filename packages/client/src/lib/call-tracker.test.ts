import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CallTracker } from './call-tracker.ts';
import { Deferred } from './deferred.ts';
import { nextTurn } from './next-turn.ts';

describe('CallTracker', () => {
  it('recognises code of the current call, before and after an await', async () => {
    using tracker = new CallTracker<'call'>();
    const seen: boolean[] = [];
    const look = async (): Promise<void> => {
      seen.push(tracker.isWithin);
      await nextTurn();
      seen.push(tracker.isWithin);
    };
    for (let count = 0; count < 2; count += 1) {
      const call = tracker.call('call', look, undefined);
      assert.equal(tracker.isWithin, false, 'the caller is outside');
      await call;
      tracker.settled();
    }
    assert.deepEqual(seen, [true, true, true, true]);
  });

  it('tracks promises without async functions', async () => {
    using tracker = new CallTracker<'call'>();
    const gate = new Deferred();
    const later = tracker.call('call', () => gate.promise.then(() => tracker.isWithin), undefined);
    assert.equal(tracker.isWithin, false);
    gate.resolve();
    assert.equal(await later, true);
  });

  it('distinguishes work of an earlier call from the current call', async () => {
    using tracker = new CallTracker<'call'>();
    const gate = new Deferred();
    let leftover: Promise<boolean> | undefined;
    await tracker.call(
      'call',
      async () => {
        leftover = gate.promise.then(() => tracker.isWithin);
      },
      undefined,
    );
    tracker.settled();
    const next = tracker.call('call', () => leftover, undefined);
    gate.resolve();
    assert.equal(await next, false);
  });

  it('distinguishes the calls of different trackers', async () => {
    using outer = new CallTracker<'call'>();
    using inner = new CallTracker<'call'>();
    await outer.call(
      'call',
      async () => {
        await nextTurn();
        assert.deepEqual([outer.isWithin, inner.isWithin], [true, false]);
      },
      undefined,
    );
  });

  it('tracks the synchronous part of a function that returned no promise before', () => {
    using tracker = new CallTracker<'call'>();
    const seen: boolean[] = [];
    for (let count = 0; count < 3; count += 1) {
      tracker.call('call', () => void seen.push(tracker.isWithin), undefined);
      tracker.settled();
    }
    assert.deepEqual(seen, [true, true, true]);
    assert.equal(tracker.isWithin, false);
  });

  it('rethrows what the function throws', () => {
    using tracker = new CallTracker<'call'>();
    const fail = (): never => {
      throw new Error('thrown');
    };
    assert.throws(() => tracker.call('call', fail, undefined), /thrown/);
    assert.equal(tracker.isWithin, false);
  });
});
