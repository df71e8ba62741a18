import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppliedMemory } from './applied-memory.ts';

describe('AppliedMemory', () => {
  it('knows the last apply of a key, and the fields that it left', () => {
    const memory = new AppliedMemory();
    const wanted = { cpu: '1000m' };
    const left = { cpu: '1' };
    assert.equal(memory.isSame('a', wanted, left), false);
    memory.remember('a', wanted, left);
    assert.equal(memory.isSame('a', { cpu: '1000m' }, { cpu: '1' }), true);
    assert.equal(memory.isSame('a', wanted, { cpu: '2' }), false);
    assert.equal(memory.isSame('a', { cpu: '2000m' }, left), false);
    assert.equal(memory.isSame('b', wanted, left), false);
  });

  it('does not depend on the order of keys', () => {
    const memory = new AppliedMemory();
    memory.remember('a', { a: [{ b: 1, c: 2 }] }, {});
    assert.equal(memory.isSame('a', { a: [{ c: 2, b: 1 }] }, {}), true);
  });
});
