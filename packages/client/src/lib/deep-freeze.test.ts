import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deepFreeze } from './deep-freeze.ts';

describe('deepFreeze', () => {
  it('freezes a value deeply, and returns it', () => {
    const value = { list: [{ deep: true }], nothing: null, text: 'a' };
    assert.equal(deepFreeze(value), value);
    assert.throws(() => value.list.push({ deep: false }), TypeError);
    assert.throws(() => Object.assign(value.list[0] as object, { deep: false }), TypeError);
    assert.throws(() => Object.assign(value, { text: 'b' }), TypeError);
    assert.equal(deepFreeze('text'), 'text');
  });

  it('visits each object of a cycle once', () => {
    const value = { self: {} };
    value.self = value;
    assert.ok(Object.isFrozen(deepFreeze(value).self));
  });

  it('does not look into what is frozen already', () => {
    const lazy = Object.freeze({
      get field(): never {
        return assert.fail('it was touched');
      },
    });
    assert.equal(deepFreeze({ lazy }).lazy, lazy);
  });

  it('leaves bytes alone', () => {
    const bytes = new Uint8Array([1]);
    assert.equal(deepFreeze({ bytes }).bytes, bytes);
  });
});
