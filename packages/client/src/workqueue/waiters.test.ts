import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it } from 'node:test';
import { Waiters } from './waiters.ts';

describe('Waiters', () => {
  it('ends waits in the order in which they began', async () => {
    const waiters = new Waiters<string>();
    const [first, second, third] = [1, 2, 3].map(() => waiters.add(undefined));
    assert.ok(first && second && third);
    waiters.resolve(second, 'cancelled');
    waiters.resolveFirst('a');
    waiters.resolveFirst('b');
    waiters.resolveFirst('c');
    const values = await Promise.all([first, second, third].map(({ promise }) => promise));
    assert.deepEqual(values, ['a', 'cancelled', 'b']);
    assert.equal(waiters.size, 0);
  });

  it('has one listener per signal, while anyone waits with it', () => {
    const waiters = new Waiters<string>();
    const { signal } = new AbortController();
    const listeners = (): number => getEventListeners(signal, 'abort').length;
    waiters.add(signal);
    waiters.add(signal);
    assert.equal(listeners(), 1);
    waiters.resolveFirst('a');
    assert.equal(listeners(), 1);
    waiters.resolveFirst('b');
    assert.equal(listeners(), 0);
    waiters.add(signal);
    assert.equal(listeners(), 1);
  });

  it('rejects the waits whose signal aborts, and no others', async () => {
    const waiters = new Waiters<string>();
    const stop = new AbortController();
    const stopped = [waiters.add(stop.signal), waiters.add(stop.signal)];
    const other = waiters.add(new AbortController().signal);
    const reason = new Error('stopped');
    stop.abort(reason);
    const results = await Promise.allSettled(stopped.map(({ promise }) => promise));
    assert.deepEqual(
      results.map((result) => result.status === 'rejected' && result.reason),
      [reason, reason],
    );
    assert.equal(waiters.size, 1);
    waiters.resolveFirst('a');
    assert.equal(await other.promise, 'a');
  });
});
