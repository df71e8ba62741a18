import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { describeChanges } from './changed-fields.ts';

describe('describeChanges', () => {
  it('names the innermost fields that differ', () => {
    const before = { a: { b: 1, c: 2 }, list: [{ x: 1 }, { x: 2 }], same: true };
    const after = { a: { b: 1, c: 3 }, list: [{ x: 1 }, { x: 3 }], same: true };
    assert.equal(
      describeChanges(before, after, 'spec'),
      'changed fields: spec.a.c, spec.list[1].x',
    );
  });

  it('names fields that are added or removed', () => {
    assert.equal(describeChanges({ a: 1 }, { b: 1 }, 'spec'), 'changed fields: spec.a, spec.b');
  });

  it('names a list as a whole if its length changes', () => {
    assert.equal(
      describeChanges({ list: [1] }, { list: [1, 2] }, 'spec'),
      'changed fields: spec.list',
    );
  });

  it('names ten fields and counts the others', () => {
    const before = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`f${index}`, 0]));
    assert.match(describeChanges(before, {}, 'spec'), /spec\.f9 and 2 more$/);
  });
});
