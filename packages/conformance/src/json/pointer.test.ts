import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  pointerOf,
  pointerPattern,
  pointerSteps,
  textAt,
  valueAt,
  withValueAt,
} from './pointer.ts';

describe('JSON pointers', () => {
  it('round-trip, whatever the steps contain', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (steps) => {
        assert.deepEqual(pointerSteps(pointerOf(steps)), steps);
      }),
    );
  });

  it('resolve to values in objects and arrays, or to undefined', () => {
    const root = { a: [{ 'b/c': 1 }], text: 'x' };
    assert.equal(valueAt(root, '/a/0/b~1c'), 1);
    assert.equal(valueAt(root, '/a/1/b'), undefined);
    assert.equal(valueAt(root, ''), root);
    assert.equal(textAt(root, '/text'), 'x');
    assert.equal(textAt(root, '/a'), '');
  });

  it('replace one value and keep all others', () => {
    const root = { a: [{ b: 1 }, 2], c: 3 };
    assert.deepEqual(withValueAt(root, ['a', '0', 'b'], 'new'), { a: [{ b: 'new' }, 2], c: 3 });
    assert.deepEqual(root, { a: [{ b: 1 }, 2], c: 3 });
    assert.deepEqual(withValueAt(root, ['d'], 4), { a: [{ b: 1 }, 2], c: 3, d: 4 });
    assert.throws(() => withValueAt(1, ['a'], 2), TypeError);
  });

  it('match patterns with one or any number of steps', () => {
    const any = pointerPattern('/**/metadata/uid');
    assert.ok(any(['response', 'body', 'metadata', 'uid']));
    assert.ok(any(['metadata', 'uid']));
    assert.ok(!any(['metadata', 'uid', 'more']));
    const one = pointerPattern('/items/*/name');
    assert.ok(one(['items', '0', 'name']));
    assert.ok(!one(['items', '0', 'x', 'name']));
    assert.ok(!one(['items', 'name']));
  });
});
