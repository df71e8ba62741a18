import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Slices } from './slices.ts';

describe('slices of long work', () => {
  it('are over after 5 ms, and continue in a later turn', async () => {
    let now = 0;
    const slices = new Slices({ monotonic: () => now });
    now = 4.9;
    assert.equal(slices.isOver, false);
    now = 5;
    assert.equal(slices.isOver, true);
    let hasTurned = false;
    setImmediate(() => (hasTurned = true));
    await slices.next();
    assert.ok(hasTurned);
    assert.deepEqual([slices.isOver, slices.count], [false, 2]);
    now = 10;
    assert.equal(slices.isOver, true);
  });
});
