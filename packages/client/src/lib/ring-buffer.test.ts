import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { RingBuffer } from './ring-buffer.ts';

describe('RingBuffer', () => {
  it('is first in, first out', () => {
    const ring = new RingBuffer<number>();
    ring.push(1);
    ring.push(2);
    assert.equal(ring.peek(), 1);
    assert.equal(ring.shift(), 1);
    ring.push(3);
    assert.deepEqual([...ring], [2, 3]);
    assert.equal(ring.size, 2);
  });

  it('returns undefined when empty', () => {
    const ring = new RingBuffer<number>();
    assert.equal(ring.shift(), undefined);
    assert.equal(ring.peek(), undefined);
    assert.equal(ring.size, 0);
    assert.deepEqual([...ring], []);
  });

  it('holds undefined as an item', () => {
    const ring = new RingBuffer<number | undefined>();
    ring.push(undefined);
    assert.equal(ring.size, 1);
    assert.deepEqual([...ring], [undefined]);
  });

  it('forgets everything when cleared', () => {
    const ring = new RingBuffer<number>();
    for (let index = 0; index < 100; index += 1) ring.push(index);
    ring.clear();
    assert.equal(ring.size, 0);
    ring.push(7);
    assert.deepEqual([...ring], [7]);
  });

  it('grows and shrinks without losing the order', () => {
    const ring = new RingBuffer<number>();
    let next = 0;
    let expected = 0;
    for (const target of [5, 300, 40, 1000, 3, 17, 16, 0]) {
      while (ring.size < target) ring.push(next++);
      while (ring.size > target) assert.equal(ring.shift(), expected++);
      assert.equal(ring.peek(), target === 0 ? undefined : expected);
    }
    assert.equal(next, expected);
  });

  it('behaves like an array', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.nat(), fc.constant('take' as const))), (actions) => {
        const ring = new RingBuffer<number>();
        const model: number[] = [];
        for (const action of actions) {
          if (action === 'take') {
            assert.equal(ring.shift(), model.shift());
          } else {
            ring.push(action);
            model.push(action);
          }
          assert.equal(ring.size, model.length);
          assert.equal(ring.peek(), model[0]);
        }
        assert.deepEqual([...ring], model);
      }),
      { numRuns: 300 },
    );
  });
});
