import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { validateDns1123Label } from 'client-ts/meta';

import { between, Chance, nameSuffix, pick, integerBetween } from './chance.ts';

describe('Chance', () => {
  it('returns the same numbers for a key, whatever was asked before', () => {
    const [one, other] = [new Chance(7), new Chance(7)];
    other.of('something', 'else').next();
    assert.equal(one.of('pod', 'web-1', 0).next(), other.of('pod', 'web-1', 0).next());
    assert.equal(one.of('pod').uuid(), other.of('pod').uuid());
  });

  it('differs by key and by seed', () => {
    const chance = new Chance(7);
    const numbers = [
      chance.of('pod', 'web-1'),
      chance.of('pod', 'web-2'),
      chance.of('pod', 'web-1', 1),
      new Chance(8).of('pod', 'web-1'),
    ].map((random) => random.next());
    assert.equal(new Set(numbers).size, numbers.length);
  });
});

describe('choices', () => {
  it('stay within their limits, and reach them', () => {
    const chance = new Chance(1);
    const seen = new Set<number>();
    for (let index = 0; index < 200; index += 1) {
      seen.add(integerBetween(chance.of(index), 2, 4));
      const number = between(chance.of(index), 2, 4);
      assert.ok(number >= 2 && number < 4);
    }
    assert.deepEqual(seen, new Set([2, 3, 4]));
  });

  it('are among the given ones', () => {
    assert.equal(pick(new Chance(1).of('a'), []), undefined);
    assert.equal(pick(new Chance(1).of('a'), ['only']), 'only');
  });

  it('make valid names', () => {
    for (let index = 0; index < 50; index += 1) {
      const suffix = nameSuffix(new Chance(1).of(index), 5);
      assert.equal(suffix.length, 5);
      assert.deepEqual(validateDns1123Label(suffix), []);
    }
  });
});
