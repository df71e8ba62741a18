import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runInNewContext } from 'node:vm';
import { isThenable } from './thenable.ts';

describe('isThenable', () => {
  it('is true for everything that `await` waits for', () => {
    const foreign: unknown = runInNewContext('Promise.resolve()');
    assert.equal(foreign instanceof Promise, false);
    assert.ok(isThenable(foreign));
    assert.ok(isThenable(Promise.resolve()));
    assert.ok(isThenable(runInNewContext('({ then() {} })')));
    assert.ok(isThenable(runInNewContext('Object.assign(() => {}, { then() {} })')));
  });

  it('is false for everything else', () => {
    for (const value of [
      undefined,
      null,
      0,
      'then',
      {},
      runInNewContext('({ then: 1 })'),
      () => undefined,
    ]) {
      assert.equal(isThenable(value), false);
    }
  });
});
