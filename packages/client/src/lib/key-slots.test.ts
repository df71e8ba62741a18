import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { hashOf, KeySlots, NO_SLOT } from './key-slots.ts';
import { assertLinear } from './test-growth.ts';

/** More than are kept when the last key is removed. */
const MANY = 10_000;

/** Keys that are nearly equal, in ways in which those of objects are. */
const nearlyEqual: Record<string, (index: number) => string> = {
  'numbered at the end': (index) => `namespace/pod-${index}`,
  'numbered with zeros': (index) => `namespace/pod-${String(index).padStart(6, '0')}`,
  'one name in many namespaces': (index) => `team-${index}/kube-root-ca.crt`,
  'names of one length that end alike': (index) => `${index + MANY}/pod-in-the-middle-of-it`,
  'addresses of nodes': (index) => `ip-10-0-${index >> 8}-${index & 255}.example.internal`,
  'one character beyond Latin-1 each': (index) => `namespace/${String.fromCharCode(0x100 + index)}`,
  'two letters that repeat': (index) => index.toString(2).padStart(24, '0'),
  'lengths only': (index) => 'a'.repeat(index),
};

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

  it('compares the key of a slot with a string, of a free slot with nothing', () => {
    const slots = new KeySlots<unknown>();
    const slot = slots.findOrAdd('a');
    assert.ok(slots.isAt(slot, 'a'));
    assert.ok(slots.isAt(slot, Buffer.from('a').toString()));
    assert.ok(!slots.isAt(slot, 'b'));
    slots.remove(slot);
    assert.ok(!slots.isAt(slot, 'a'));
    assert.ok(!slots.isAt(slot, undefined));
    assert.ok(!slots.isAt(slot + 1, 'a'));
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

  it('finds and removes keys that end alike, before and after all characters count', () => {
    const slots = new KeySlots<string>();
    const keys = Array.from({ length: 100 }, (_, index) => `${index + MANY}/one-name`);
    for (const [count, key] of keys.entries()) {
      assert.equal(slots.findOrAdd(key), count);
      for (const known of keys.slice(0, count)) assert.equal(slots.keyOf(slots.find(known)), known);
      assert.equal(slots.find(`${count}/one-name`), NO_SLOT);
    }
    for (const [count, key] of keys.entries()) {
      slots.remove(slots.find(key));
      assert.equal(slots.find(key), NO_SLOT);
      for (const known of keys.slice(count + 1)) assert.notEqual(slots.find(known), NO_SLOT);
    }
    slots.findOrAdd('again');
    assert.deepEqual(slots.listKeys(), ['again']);
  });

  for (const [name, keyOf] of Object.entries(nearlyEqual)) {
    it(`takes no longer for a key among many that are nearly equal: ${name}`, () => {
      assertLinear(
        name,
        (keys: string[]) => {
          const slots = new KeySlots<string>();
          for (const key of keys) slots.findOrAdd(key);
          for (const key of keys) slots.remove(slots.find(key));
        },
        (size) => Array.from({ length: size }, (_, index) => keyOf(index)),
        name === 'lengths only' ? 200 : 1500,
      );
    });
  }
});

describe('hashOf', () => {
  const POSITIONS = 2 ** 14;
  for (const [name, keyOf] of Object.entries(nearlyEqual)) {
    it(`spreads keys that are nearly equal over the table: ${name}`, () => {
      const count = name === 'lengths only' ? 2000 : POSITIONS / 2;
      const positions = new Set<number>();
      for (let index = 0; index < count; index += 1) {
        positions.add(hashOf(keyOf(index), true) & (POSITIONS - 1));
      }
      // As many as chance would hit, less what is improbable: the seed is random.
      const expected = POSITIONS * (1 - Math.exp(-count / POSITIONS));
      assert.ok(positions.size > 0.94 * expected, `${positions.size} of about ${expected}`);
    });
  }

  it('distinguishes keys by their length and their last characters at first', () => {
    assert.equal(hashOf('a/names-that-end', false), hashOf('b/names-that-end', false));
    assert.notEqual(hashOf('a/names-that-end', true), hashOf('b/names-that-end', true));
    assert.notEqual(hashOf('names-that-end', false), hashOf('a/names-that-end', false));
    assert.notEqual(hashOf('names-that-end', false), hashOf('names-that-enD', false));
    assert.equal(hashOf('short', false), hashOf('short', true));
  });
});
