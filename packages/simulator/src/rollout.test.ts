import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import fc from 'fast-check';

import { nextRolloutStep, type Rollout, rolloutLimits, type RolloutSet } from './rollout.ts';

function step(rollout: Rollout): Record<string, number> {
  return Object.fromEntries(nextRolloutStep(rollout));
}

function set(name: string, replicas: number, available = replicas): RolloutSet {
  return { name, replicas, available };
}

describe('nextRolloutStep', () => {
  it('does nothing in the desired state', () => {
    assert.deepEqual(step({ replicas: 4, current: set('new', 4), previous: [set('old', 0)] }), {});
  });

  it('scales immediately without a rollout', () => {
    assert.deepEqual(step({ replicas: 8, current: set('new', 4), previous: [] }), { new: 8 });
    assert.deepEqual(step({ replicas: 1, current: set('new', 4), previous: [] }), { new: 1 });
  });

  it('adds a quarter, and removes a quarter', () => {
    const rollout = { replicas: 8, current: set('new', 0), previous: [set('old', 8)] };
    assert.deepEqual(step(rollout), { new: 2, old: 6 });
  });

  it('waits for new pods to be ready before it removes old ones', () => {
    const rollout = { replicas: 8, current: set('new', 4, 0), previous: [set('old', 6)] };
    assert.deepEqual(step(rollout), {});
    const later = { ...rollout, current: set('new', 4, 3) };
    assert.deepEqual(step(later), { old: 3 });
  });

  it('removes unready old pods first, the oldest version first', () => {
    const previous = [set('oldest', 2, 0), set('old', 4, 4)];
    assert.deepEqual(step({ replicas: 4, current: set('new', 0), previous }), {
      oldest: 0,
      old: 3,
    });
  });

  it('completes at zero replicas', () => {
    const rollout = { replicas: 0, current: set('new', 3), previous: [set('old', 2)] };
    assert.deepEqual(step(rollout), { new: 0, old: 0 });
  });

  it('respects its limits at every step, and ends with the new version alone', () => {
    const arbitrary = fc.record({
      replicas: fc.integer({ min: 0, max: 12 }),
      current: fc.integer({ min: 0, max: 12 }),
      previous: fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 3 }),
      readiness: fc.infiniteStream(fc.boolean()),
    });
    fc.assert(
      fc.property(arbitrary, ({ replicas, current, previous, readiness }) => {
        const sizes = new Map([
          ['new', current],
          ...previous.map((n, i) => [`old-${i}`, n] as const),
        ]);
        const ready = new Map([...sizes.keys()].map((name) => [name, 0]));
        const { most, leastAvailable } = rolloutLimits(replicas);
        for (let round = 0; round < 200; round += 1) {
          for (const [name, size] of sizes) {
            const now = Math.min(size, ready.get(name) ?? 0);
            const comesUp = round > 100 || readiness.next().value === true;
            ready.set(name, now < size && comesUp ? now + 1 : now);
          }
          const sets = [...sizes].map(([name, size]) => set(name, size, ready.get(name) ?? 0));
          const [first = set('new', 0), ...rest] = sets;
          const before = sum(sizes.values());
          const serving = sum(ready.values());
          for (const [name, size] of nextRolloutStep({
            replicas,
            current: first,
            previous: rest,
          })) {
            sizes.set(name, size);
          }
          assert.ok(sum(sizes.values()) <= Math.max(before, most), 'too many pods');
          const left = [...sizes].map(([name, size]) => Math.min(size, ready.get(name) ?? 0));
          const isScaledDown = first.replicas > replicas;
          if (!isScaledDown) assert.ok(sum(left) >= Math.min(serving, leastAvailable), 'too few');
        }
        assert.deepEqual(
          [...sizes.values()],
          [replicas, ...previous.map(() => 0)],
          'it does not come to an end',
        );
      }),
    );
  });
});

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
