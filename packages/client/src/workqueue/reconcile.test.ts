import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { requeueAfter } from './reconcile.ts';

describe('requeueAfter', () => {
  for (const delay of [-1, NaN, Infinity]) {
    it(`refuses ${delay}`, () => {
      assert.throws(() => requeueAfter(delay), { code: 'OPTION_INVALID' });
    });
  }

  it('is a value', () => {
    assert.deepEqual(requeueAfter(0), { type: 'requeue-after', afterMs: 0 });
    assert.ok(Object.isFrozen(requeueAfter(1)));
  });
});
