import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { CachedObject } from '../../cache/list-watch.ts';
import { VirtualClock } from '../../testing/virtual-clock.ts';
import { LoopGuard } from './loop-guard.ts';

const widgets = { group: 'example.com', version: 'v1', resource: 'widgets' };
const windowMs = 300_000;
const maxReturns = 10;
/** Writes of a loop before its key is observed, and the first one that is. */
const UNSEEN = 4;

type Spec = Readonly<Record<string, string>>;

/** A guard, and one widget that the reconciles of its key and another writer change. */
class World {
  readonly clock = new VirtualClock();
  readonly begun: string[] = [];
  readonly guard = new LoopGuard({
    windowMs,
    maxReturns,
    clock: this.clock,
    fieldManager: 'operator',
    onBegin: (_key, { kind }) => void this.begun.push(kind),
    onEnd: () => undefined,
  });
  /** How often the answer to a write was read. */
  looked = 0;
  #version = 0;
  #object = this.#next({});

  /** Another writer sets fields. */
  foreign(fields: Spec): void {
    this.#notify(this.#set(fields));
  }

  /** A reconcile, which sets fields that differ. */
  reconcile(fields: Spec = {}): void {
    this.guard.started('web');
    const change = this.#set(fields);
    if (change !== undefined) {
      this.guard.listener('web')({
        write: {
          verb: 'update',
          resource: widgets,
          namespace: 'default',
          name: 'web',
          subresource: '',
          body: undefined,
          signal: undefined,
        },
        isCached: true,
        before: change.oldObject,
        version: change.object.metadata?.resourceVersion ?? '',
        answer: () => {
          this.looked += 1;
          return change.object;
        },
        cachedForm: (object) => object,
      });
    }
    this.guard.ended('web', undefined);
    this.#notify(change);
  }

  #set(fields: Spec): { object: CachedObject; oldObject: CachedObject } | undefined {
    const oldObject = this.#object;
    const { spec } = oldObject;
    if (Object.entries(fields).every(([name, value]) => spec[name] === value)) return undefined;
    this.#object = this.#next({ ...spec, ...fields });
    return { object: this.#object, oldObject };
  }

  #next(spec: Spec): CachedObject & { readonly spec: Spec } {
    this.#version += 1;
    const resourceVersion = `${this.#version}`;
    return { metadata: { namespace: 'default', name: 'web', uid: 'web', resourceVersion }, spec };
  }

  #notify(change: { object: CachedObject; oldObject: CachedObject } | undefined): void {
    if (change === undefined) return;
    this.guard.changed('web', widgets, { type: 'update', ...change, isInInitialList: false });
  }
}

let serial = 0;
const unique = (): string => `${(serial += 1)}`;

/** What a key does beside a loop, none of which is one. */
const noise = {
  idle: (world: World) => world.reconcile(),
  settling: (world: World) => {
    world.reconcile({ status: unique() });
    world.reconcile();
  },
  foreign: (world: World) => {
    world.foreign({ unrelated: unique() });
    world.reconcile();
  },
};
type Noise = keyof typeof noise;
const noises = (...names: Noise[]) => fc.array(fc.constantFrom(...names), { maxLength: 6 });

/** A time between two writes, of up to the window. */
const pause = fc.oneof(fc.nat(1000), fc.integer({ min: windowMs / 2, max: windowMs }));

describe('a LoopGuard, for any history', () => {
  it('notices each fight, whatever else settles between', async () => {
    const round = fc.record({ before: noises('idle', 'settling', 'foreign'), pause });
    await fc.assert(
      fc.asyncProperty(
        fc.array(noises('idle', 'settling', 'foreign'), { maxLength: 5 }),
        fc.array(round, { minLength: maxReturns + UNSEEN, maxLength: maxReturns + UNSEEN }),
        fc.boolean(),
        async (history, rounds, isSettling) => {
          const world = new World();
          for (const names of history) {
            for (const name of names) noise[name](world);
            await world.clock.advance(windowMs);
          }
          for (const { before, pause: pauseMs } of rounds) {
            for (const name of before) noise[name](world);
            world.foreign({ replicas: '5' });
            world.reconcile({ replicas: '3' });
            if (isSettling) world.reconcile();
            await world.clock.advance(pauseMs);
          }
          assert.deepEqual(world.begun, ['writer-fight']);
          world.guard.stop();
        },
      ),
    );
  });

  it('notices each hot loop, whatever has settled before', () => {
    fc.assert(
      fc.property(noises('idle', 'settling', 'foreign'), (history) => {
        const world = new World();
        for (const name of history) noise[name](world);
        // One more, as the first write of the loop may settle what was before; and each value once.
        for (let write = 0; write <= maxReturns + UNSEEN + 2; write += 1) {
          world.reconcile({ replicas: `${write % 2}` });
        }
        assert.deepEqual(world.begun, ['hot-loop']);
        world.guard.stop();
      }),
    );
  });

  it('reads no answer as long as each write settles', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(noises('idle', 'settling'), pause), { maxLength: 20 }),
        async (history) => {
          const world = new World();
          for (const [names, pauseMs] of history) {
            for (const name of names) noise[name](world);
            await world.clock.advance(pauseMs);
          }
          assert.equal(world.looked, 0);
        },
      ),
    );
  });
});
