import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom } from 'client-ts/internal';
import fc from 'fast-check';

import { generateName } from './generate-name.ts';

describe('generateName', () => {
  it('adds five characters that spell nothing and are not mistaken for each other', () => {
    fc.assert(
      fc.property(fc.integer(), fc.string({ maxLength: 80 }), (seed, prefix) => {
        const name = generateName(prefix, seededRandom(seed));
        assert.match(name.slice(-5), /^[bcdfghjklmnpqrstvwxz2456789]{5}$/);
        assert.equal(name.slice(0, -5), prefix.slice(0, 58));
      }),
    );
  });

  it('uses the whole alphabet', () => {
    const random = seededRandom(1);
    const seen = new Set<string>();
    for (let count = 0; count < 200; count += 1) {
      for (const character of generateName('', random)) seen.add(character);
    }
    assert.equal(seen.size, 27);
  });
});
