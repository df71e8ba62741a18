import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Passage, Progress } from './progress.ts';
import { at } from './test-events.ts';

describe('Progress', () => {
  it('is safe up to the first event in transit', () => {
    const progress = new Progress(at(1));
    const first = progress.depart();
    progress.reach(at(2));
    const second = progress.depart();
    progress.reach(at(3));
    assert.deepEqual(progress.safe, at(1));
    second.arrived();
    assert.deepEqual(progress.safe, at(1));
    assert.deepEqual(progress.safeOnce(new Set([first])), at(3));
    first.arrived();
    first.arrived();
    assert.deepEqual(progress.safe, at(3));
    assert.deepEqual(progress.reached, at(3));
  });

  it('has no safe position before everything listed has arrived', () => {
    const progress = new Progress(undefined);
    const listed = [progress.depart(), progress.depart()];
    progress.reach(at(10));
    listed[1]?.arrived();
    assert.equal(progress.safe, undefined);
    listed[0]?.arrived();
    assert.deepEqual(progress.safe, at(10));
  });

  it('never passes an event in transit, in any order', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 20 }), { maxLength: 100 }), (choices) => {
        const progress = new Progress(at(0));
        const underway = new Map<number, Passage>();
        let version = 0;
        for (const choice of choices) {
          const [number, passage] = [...underway][choice] ?? [];
          if (number !== undefined && passage !== undefined) {
            passage.arrived();
            underway.delete(number);
          } else {
            version += 1;
            underway.set(version, progress.depart());
            progress.reach(at(version));
          }
          const expected = Math.min(version, ...[...underway.keys()].map((first) => first - 1));
          assert.deepEqual(progress.safe, at(expected));
        }
      }),
    );
  });
});
