import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type FieldWrite,
  type Loop,
  LoopDetector,
  type ObservedReconcile,
} from './loop-detector.ts';

const limits = { maxRewrites: 40, maxReturns: 10, windowMs: 300_000 };

/** The state of the fields of a few objects, which this controller and others write. */
class World {
  readonly detector = new LoopDetector(limits);
  readonly #values = new Map<string, string>();
  #at = 0;

  /** Another writer sets a field. */
  foreign(path: string, value: string): void {
    this.#values.set(path, value);
  }

  reconcile(
    isCausedOutside: boolean,
    fields: Readonly<Record<string, string>>,
    stepMs = 50,
  ): Loop | undefined {
    this.#at += stepMs;
    const writes: FieldWrite[] = [];
    for (const [path, after] of Object.entries(fields)) {
      const before = this.#values.get(path);
      if (before === after) continue;
      this.#values.set(path, after);
      writes.push({ object: 'o', path, before, after, writer: 'me', other: 'them' });
    }
    const reconcile: ObservedReconcile = { at: this.#at, isCausedOutside, writes };
    return this.detector.observe(reconcile);
  }
}

const path = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const value = fc.integer({ min: 0, max: 1_000_000 }).map(String);
const fields = fc.dictionary(path, value, { minKeys: 1, maxKeys: 4 });

/** An outside change, what it takes to converge, and a last reconcile that has nothing to do. */
const convergence = fc.record({
  foreign: fc.dictionary(path, value, { maxKeys: 2 }),
  /** Fewer than the limit of rewrites. */
  steps: fc.array(fields, { maxLength: 35 }),
});

/** Runs convergences; none of them is a loop. */
function converge(world: World, { foreign, steps }: { foreign: object; steps: object[] }): void {
  for (const [name, set] of Object.entries(foreign)) world.foreign(name, String(set));
  steps.forEach((step, index) => {
    // Every value is new, as the steps of a program that makes progress.
    assert.equal(world.reconcile(index === 0, unique(step)), undefined);
  });
  assert.equal(world.reconcile(false, {}), undefined);
}

let serial = 0;
function unique(step: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(step).map(([name, set]) => [name, `${set}-${(serial += 1)}`]),
  );
}

describe('a LoopDetector, for any history', () => {
  it('finds no loop in a program that converges after each change', () => {
    fc.assert(
      fc.property(fc.array(convergence, { maxLength: 20 }), (history) => {
        const world = new World();
        for (const each of history) converge(world, each);
      }),
    );
  });

  it('finds no loop in writes that others cause, whatever they are', () => {
    const step = fc.record({ foreign: fc.dictionary(path, value, { maxKeys: 3 }), fields });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (history) => {
        const world = new World();
        for (const { foreign, fields: own } of history) {
          for (const [name, set] of Object.entries(foreign))
            world.foreign(name, unique({ set })['set'] ?? set);
          assert.equal(world.reconcile(true, unique(own)), undefined);
        }
      }),
    );
  });

  it('finds every loop within its limit, and names its fields', () => {
    const looping = fc.uniqueArray(path, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(convergence, { maxLength: 5 }), looping, (history, names) => {
        const world = new World();
        for (const each of history) converge(world, each);
        let loop: Loop | undefined;
        let reconciles = 0;
        for (; loop === undefined && reconciles < 1000; reconciles += 1) {
          loop = world.reconcile(
            false,
            unique(Object.fromEntries(names.map((name) => [name, 'x']))),
          );
        }
        assert.equal(loop?.kind, 'hot-loop');
        assert.equal(reconciles, limits.maxRewrites + 1);
        assert.deepEqual(loop.fields.map((field) => field.path).sort(), [...names].sort());
      }),
    );
  });

  it('finds every fight within its limit, among other writes, and names the field', () => {
    const other = fc.array(fc.dictionary(fc.constantFrom('b', 'c', 'd'), value, { maxKeys: 3 }), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(fc.array(convergence, { maxLength: 5 }), other, (history, noise) => {
        const world = new World();
        for (const each of history) converge(world, each);
        world.reconcile(true, { a: 'mine' });
        let loop: Loop | undefined;
        let undone = 0;
        while (loop === undefined && undone < 100) {
          world.foreign('a', 'theirs');
          undone += 1;
          loop = world.reconcile(true, {
            a: 'mine',
            ...unique(noise[undone % noise.length] ?? {}),
          });
        }
        assert.equal(undone, limits.maxReturns);
        assert.equal(loop?.kind, 'writer-fight');
        assert.deepEqual(
          loop.fields.map(({ path: name, values, writers }) => [name, values, writers]),
          [['a', ['mine', 'theirs'], ['me', 'them']]],
        );
      }),
    );
  });
});
