import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { KeySlots, NO_SLOT } from './key-slots.ts';

/** More than are kept when the last key is removed. */
const MANY = 10_000;

describe('KeySlots', () => {
  it('gives a key one slot until it is removed', () => {
    const slots = new KeySlots<string>();
    assert.equal(slots.find('a'), NO_SLOT);
    const slot = slots.findOrAdd('a');
    assert.equal(slots.findOrAdd('a'), slot);
    assert.equal(slots.find(Buffer.from('a').toString()), slot);
    assert.equal(slots.keyOf(slot), 'a');
    slots.remove(slot);
    assert.equal(slots.find('a'), NO_SLOT);
    assert.equal(slots.keyOf(slot), undefined);
  });

  it('reuses slots, so that they stay below the largest number of keys', () => {
    const slots = new KeySlots<string>();
    for (let index = 0; index < 1000; index += 1) {
      const kept = slots.findOrAdd('kept');
      const slot = slots.findOrAdd(`key-${index}`);
      assert.ok(slot < 2 && slot !== kept);
      slots.remove(slot);
    }
    assert.equal(slots.size, 1);
    assert.equal(slots.span, 2);
  });

  it('lists the keys that have a slot, undefined among them', () => {
    const slots = new KeySlots<unknown>();
    const [, removed] = ['a', 'b', undefined, 3].map((key) => slots.findOrAdd(key));
    slots.remove(removed ?? NO_SLOT);
    assert.deepEqual(slots.listKeys(), ['a', undefined, 3]);
    slots.clear();
    assert.deepEqual(slots.listKeys(), []);
  });

  it('compares keys that are not strings as Map does', () => {
    const slots = new KeySlots<unknown>();
    const keys = [1, NaN, undefined, null, true, Symbol('key'), {}, {}, '1', 'undefined', ''];
    const numbers = keys.map((key) => slots.findOrAdd(key));
    assert.equal(new Set(numbers).size, keys.length);
    assert.deepEqual(
      keys.map((key) => slots.find(key)),
      numbers,
    );
    assert.equal(slots.findOrAdd(-0), slots.findOrAdd(0));
    for (const slot of numbers) slots.remove(slot);
    assert.equal(slots.size, 1);
  });

  it('finds every key while it grows, and releases memory with the last one', () => {
    const slots = new KeySlots<unknown>();
    const keys = Array.from({ length: MANY }, (_, index) => (index % 3 ? `key-${index}` : index));
    for (const key of keys) slots.findOrAdd(key);
    assert.deepEqual(
      keys.map((key) => slots.keyOf(slots.find(key))),
      keys,
    );
    for (const key of keys) {
      assert.equal(slots.span, MANY);
      slots.remove(slots.find(key));
    }
    assert.equal(slots.span, 0);
    assert.equal(slots.findOrAdd('again'), 0);
  });

  it('holds what a Map would hold', () => {
    const key = fc.oneof(fc.string({ maxLength: 2 }), fc.integer({ min: 0, max: 20 }));
    const step = fc.record({ key, isRemoval: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        const slots = new KeySlots<number | string>();
        const model = new Map<number | string, number>();
        for (const { key, isRemoval } of steps) {
          const slot = slots.find(key);
          assert.equal(slot, model.get(key) ?? NO_SLOT);
          if (!isRemoval) model.set(key, slots.findOrAdd(key));
          else if (slot !== NO_SLOT) {
            slots.remove(slot);
            model.delete(key);
          }
          assert.equal(slots.size, model.size);
        }
        for (const [key, slot] of model) assert.equal(slots.keyOf(slot), key);
        assert.equal(new Set(model.values()).size, model.size);
      }),
    );
  });
});
