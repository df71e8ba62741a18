import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextTurn } from '../lib/next-turn.ts';
import { hasReached, VersionWaiters } from './informer-state.ts';

describe('VersionWaiters', () => {
  it('resolves each wait at its version, and not before', async () => {
    const waiters = new VersionWaiters();
    const gone: string[] = [];
    for (const version of ['9', '10', '11']) {
      void waiters.wait(version).then(() => gone.push(version));
    }
    waiters.reach('8');
    await nextTurn();
    assert.deepEqual(gone, []);
    waiters.reach('10');
    await nextTurn();
    assert.deepEqual(gone, ['9', '10']);
    assert.equal(waiters.size, 1);
  });

  it('drops aborted waits', async () => {
    const waiters = new VersionWaiters();
    const stop = new AbortController();
    const waiting = waiters.wait('5', stop.signal);
    stop.abort(new Error('enough'));
    await assert.rejects(waiting, /enough/);
    assert.equal(waiters.size, 0);
  });
});

it('hasReached returns false for a store without a version', () => {
  assert.deepEqual(
    [hasReached('', '1'), hasReached('0', '1'), hasReached('1', '1'), hasReached('9', '10')],
    [false, false, true, false],
  );
});
