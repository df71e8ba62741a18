import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { validateDns1123Label } from 'client-ts/meta';

import { between, Fate, nameSuffix, pick, wholeBetween } from './fate.ts';

describe('Fate', () => {
  it('has the same in store for the same thing, whatever was asked before', () => {
    const [one, other] = [new Fate(7), new Fate(7)];
    other.of('something', 'else').next();
    assert.equal(one.of('pod', 'web-1', 0).next(), other.of('pod', 'web-1', 0).next());
    assert.equal(one.of('pod').uuid(), other.of('pod').uuid());
  });

  it('tells things, and seeds, apart', () => {
    const fate = new Fate(7);
    const numbers = [
      fate.of('pod', 'web-1'),
      fate.of('pod', 'web-2'),
      fate.of('pod', 'web-1', 1),
      new Fate(8).of('pod', 'web-1'),
    ].map((random) => random.next());
    assert.equal(new Set(numbers).size, numbers.length);
  });
});

describe('choices', () => {
  it('stay within their limits, and reach them', () => {
    const fate = new Fate(1);
    const seen = new Set<number>();
    for (let index = 0; index < 200; index += 1) {
      seen.add(wholeBetween(fate.of(index), 2, 4));
      const number = between(fate.of(index), 2, 4);
      assert.ok(number >= 2 && number < 4);
    }
    assert.deepEqual(seen, new Set([2, 3, 4]));
  });

  it('are among what there is', () => {
    assert.equal(pick(new Fate(1).of('a'), []), undefined);
    assert.equal(pick(new Fate(1).of('a'), ['only']), 'only');
  });

  it('make names that the server takes', () => {
    for (let index = 0; index < 50; index += 1) {
      const suffix = nameSuffix(new Fate(1).of(index), 5);
      assert.equal(suffix.length, 5);
      assert.deepEqual(validateDns1123Label(suffix), []);
    }
  });
});
