import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BufferPool } from './buffer-pool.ts';

describe('BufferPool', () => {
  it('uses released buffers again, and no other', () => {
    const pool = new BufferPool(1024, 2);
    const first = pool.take();
    const second = pool.take();
    assert.equal(first.length, 1024);
    assert.notEqual(first.buffer, second.buffer);
    pool.release(first);
    assert.equal(pool.take(), first);
    assert.notEqual(pool.take(), second);
  });

  it('keeps no more unused buffers than it may', () => {
    const pool = new BufferPool(16, 1);
    const [first, second] = [pool.take(), pool.take()];
    pool.release(first);
    pool.release(second);
    assert.equal(pool.take(), first);
    assert.notEqual(pool.take(), second);
  });
});
