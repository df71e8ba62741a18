import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runInNewContext } from 'node:vm';
import { isThenable } from './thenable.ts';

describe('isThenable', () => {
  it('knows what `await` waits for', () => {
    const foreign: unknown = runInNewContext('Promise.resolve()');
    assert.equal(foreign instanceof Promise, false);
    assert.ok(isThenable(foreign));
    assert.ok(isThenable(Promise.resolve()));
    assert.ok(isThenable({ then: () => undefined }));
    assert.ok(isThenable(Object.assign(() => undefined, { then: () => undefined })));
  });

  it('knows what it does not wait for', () => {
    for (const value of [undefined, null, 0, 'then', {}, { then: true }, () => undefined]) {
      assert.equal(isThenable(value), false);
    }
  });
});
