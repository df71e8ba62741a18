import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Random, seededRandom, systemRandom } from './random.ts';

const version4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function sample(random: Random): unknown[] {
  return [random.next(), random.uuid(), random.next(), random.uuid()];
}

describe('seededRandom', () => {
  it('repeats its values for the same seed', () => {
    assert.deepEqual(sample(seededRandom(7)), sample(seededRandom(7)));
    assert.notDeepEqual(sample(seededRandom(7)), sample(seededRandom(8)));
  });

  it('never changes from release to release', () => {
    const random = seededRandom(1);
    assert.equal(random.next(), 0.6270739405881613);
    assert.equal(random.uuid(), '08ff49b6-f772-4632-b16c-43069c43a8c3');
  });

  it('stays within its bounds for any seed', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = seededRandom(seed);
        for (let count = 0; count < 20; count += 1) {
          const number = random.next();
          assert.ok(number >= 0 && number < 1);
        }
        assert.match(random.uuid(), version4);
      }),
    );
  });

  it('is even', () => {
    const random = seededRandom(3);
    const counts = Array.from({ length: 10 }, () => 0);
    for (let count = 0; count < 10_000; count += 1) {
      const bucket = Math.floor(random.next() * 10);
      counts[bucket] = (counts[bucket] ?? 0) + 1;
    }
    for (const count of counts) assert.ok(Math.abs(count - 1000) < 150, counts.join(' '));
  });
});

describe('systemRandom', () => {
  it('returns uuids and numbers', () => {
    assert.match(systemRandom.uuid(), version4);
    assert.notEqual(systemRandom.uuid(), systemRandom.uuid());
    const number = systemRandom.next();
    assert.ok(number >= 0 && number < 1);
  });
});
