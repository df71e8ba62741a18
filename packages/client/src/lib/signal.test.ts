import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { nextTurn } from './next-turn.ts';
import { Deferred } from './deferred.ts';
import { abortable, anySignal, onAbort, onAbortWeakly } from './signal.ts';

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

describe('onAbort', () => {
  it('calls once, when the signal aborts', () => {
    const controller = new AbortController();
    let calls = 0;
    using _ = onAbort(controller.signal, () => (calls += 1));
    assert.equal(calls, 0);
    controller.abort();
    controller.abort();
    assert.equal(calls, 1);
  });

  it('calls immediately for a signal that has aborted', () => {
    let calls = 0;
    onAbort(AbortSignal.abort(), () => (calls += 1))[Symbol.dispose]();
    assert.equal(calls, 1);
  });

  it('leaves nothing behind', () => {
    const controller = new AbortController();
    onAbort(controller.signal, () => assert.fail('called'))[Symbol.dispose]();
    assert.equal(listeners(controller.signal), 0);
    controller.abort();
    onAbort(undefined, () => assert.fail('called'))[Symbol.dispose]();
  });
});

describe('onAbort, many times', () => {
  it('does not make Node warn of a leak', async (t) => {
    const warnings: Error[] = [];
    const collect = (warning: Error): void => void warnings.push(warning);
    process.on('warning', collect);
    t.after(() => process.off('warning', collect));
    const { signal } = new AbortController();
    const calls = Array.from({ length: 50 }, () => onAbort(signal, () => undefined));
    // Warnings are sent in the next turn.
    await nextTurn();
    for (const call of calls) call[Symbol.dispose]();
    assert.deepEqual(warnings, []);
  });
});

describe('anySignal', () => {
  it('aborts with the first, and with its reason', () => {
    const first = new AbortController();
    const second = new AbortController();
    using either = anySignal([first.signal, undefined, second.signal]);
    assert.equal(either.signal.aborted, false);
    second.abort('second');
    first.abort('first');
    assert.equal(either.signal.reason, 'second');
  });

  it('has aborted if one has', () => {
    const later = new AbortController();
    using either = anySignal([AbortSignal.abort('gone'), later.signal]);
    assert.equal(either.signal.reason, 'gone');
    assert.equal(listeners(later.signal), 0);
  });

  it('never aborts without signals', () => {
    using none = anySignal([]);
    assert.equal(none.signal.aborted, false);
  });

  it('removes its listeners from the others when one aborts, and from all when disposed', () => {
    const first = new AbortController();
    const second = new AbortController();
    const either = anySignal([first.signal, second.signal]);
    assert.equal(listeners(second.signal), 1);
    first.abort();
    assert.equal(listeners(second.signal), 0);
    const again = anySignal([second.signal]);
    again[Symbol.dispose]();
    again[Symbol.dispose]();
    assert.equal(listeners(second.signal), 0);
    second.abort();
    assert.equal(again.signal.aborted, false);
    either[Symbol.dispose]();
  });
});

describe('abortable', () => {
  it('settles as the promise does', async () => {
    const controller = new AbortController();
    assert.equal(await abortable(Promise.resolve(1), controller.signal), 1);
    await assert.rejects(abortable(Promise.reject(new Error('no')), controller.signal), /no/);
    assert.equal(await abortable(Promise.resolve(2), undefined), 2);
    assert.equal(listeners(controller.signal), 0);
  });

  it('rejects with the reason as soon as the signal aborts', async () => {
    const controller = new AbortController();
    const reason = new Error('stop');
    const work = new Deferred();
    const waiting = abortable(work.promise, controller.signal);
    controller.abort(reason);
    await assert.rejects(waiting, reason);
    work.reject(new Error('too late'));
    await assert.rejects(abortable(new Deferred().promise, controller.signal), reason);
  });
});

describe('onAbortWeakly', () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;

  it('calls with the target while there is one', () => {
    const controller = new AbortController();
    const target = { calls: 0 };
    using _tie = onAbortWeakly(controller.signal, target, (found, { reason }) => {
      assert.equal(reason, 'why');
      found.calls += 1;
    });
    controller.abort('why');
    assert.equal(target.calls, 1);
  });

  it('neither keeps the target nor its listener', async () => {
    const { signal } = new AbortController();
    onAbortWeakly(signal, { large: 'object' }, () => assert.fail('called'));
    const removed = onAbortWeakly(signal, controllerLike(), () => assert.fail('called'));
    assert.equal(listeners(signal), 2);
    removed[Symbol.dispose]();
    assert.equal(listeners(signal), 1);
    await nextTurn();
    collectGarbage();
    await nextTurn();
    assert.equal(listeners(signal), 0);
    onAbortWeakly(undefined, {}, () => assert.fail('called'))[Symbol.dispose]();
  });
});

/** Made elsewhere, so that the test itself holds nothing. */
function controllerLike(): object {
  return { abort: () => undefined };
}
