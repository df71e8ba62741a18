import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { nextTurn } from '../lib/next-turn.ts';
import type { ResourceEventHandler } from './event-handler.ts';
import { metaNamespaceKeyFunc } from './store.ts';
import { failures } from './test-failures.ts';
import { TestInformer } from './test-informer.ts';
import type { TestObject } from './test-objects.ts';
import { byKey } from './test-source.ts';
import { DeletedFinalStateUnknown } from './store.ts';

/**
 * A handler that builds a copy of the cache from its calls, and throws for every call that does not
 * fit: a second addition, a change of an absent object or of another state, an older version.
 */
class Mirror implements ResourceEventHandler<TestObject> {
  readonly objects = new Map<string, TestObject>();
  readonly #newest = new Map<string, number>();
  readonly #isSlow: boolean;

  constructor(isSlow: boolean) {
    this.#isSlow = isSlow;
  }

  async onAdd(object: TestObject): Promise<void> {
    const key = metaNamespaceKeyFunc(object);
    assert.ok(!this.objects.has(key), `${key} was added twice`);
    this.#take(key, object);
    if (this.#isSlow) await nextTurn();
  }

  async onUpdate(oldObject: TestObject, newObject: TestObject): Promise<void> {
    const key = metaNamespaceKeyFunc(newObject);
    assert.deepEqual(this.objects.get(key), oldObject, `${key} was updated from another state`);
    this.#take(key, newObject);
    if (this.#isSlow) await nextTurn();
  }

  onDelete(object: DeletedFinalStateUnknown<TestObject> | TestObject): void {
    const key =
      object instanceof DeletedFinalStateUnknown ? object.key : metaNamespaceKeyFunc(object);
    assert.ok(this.objects.delete(key), `${key} was deleted twice`);
    if (object instanceof DeletedFinalStateUnknown) return;
    this.#newest.set(key, Number(object.metadata?.resourceVersion));
  }

  #take(key: string, object: TestObject): void {
    const version = Number(object.metadata?.resourceVersion);
    assert.ok(version >= (this.#newest.get(key) ?? 0), `${key} went back to ${version}`);
    this.#newest.set(key, version);
    this.objects.set(key, object);
  }
}

const keys = fc.constantFrom('a', 'b', 'c', 'd');
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ type: fc.constant('write' as const), key: keys }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('remove' as const), key: keys }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('turn' as const) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constantFrom(
        'time' as const,
        'drop' as const,
        'break' as const,
        'compact' as const,
        'refuse' as const,
        'bookmark' as const,
        'restart' as const,
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('handler' as const), slow: fc.boolean() }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function play(world: TestInformer, mirrors: Mirror[], one: Step): Promise<void> {
  const { source, clock, informer } = world;
  switch (one.type) {
    case 'write':
      source.write(one.key, { tag: one.key });
      break;
    case 'remove':
      source.remove(one.key);
      break;
    case 'turn':
      await nextTurn();
      break;
    case 'time':
      await clock.advance(3000);
      break;
    case 'drop':
      source.endWatches();
      break;
    case 'break':
      source.endWatches(failures.unreachable);
      break;
    case 'compact':
      source.endWatches();
      source.compact();
      break;
    case 'refuse':
      source.watchFailures.push(failures.unreachable);
      source.listFailures.push(failures.internal);
      break;
    case 'bookmark':
      source.bookmark();
      break;
    case 'restart':
      await world.stop();
      await world.start();
      break;
    case 'handler': {
      const mirror = new Mirror(one.slow);
      mirrors.push(mirror);
      informer.addEventHandler(mirror);
    }
  }
}

for (const queue of ['in-order', 'delta'] as const) {
  for (const useWatchList of [true, false]) {
    const how = `${queue} queue, first state by ${useWatchList ? 'stream' : 'list'}`;
    it(`after any history cache, indices and every handler agree with the server (${how})`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 50 }), async (steps) => {
          const world = new TestInformer({ queue, useWatchList, resyncPeriodMs: 7000 });
          const indexed = world.informer.addIndexers({
            tag: (object) => Object.values(object.metadata?.labels ?? {}),
          });
          const mirrors = [new Mirror(false), new Mirror(true)];
          for (const mirror of mirrors) world.informer.addEventHandler(mirror);
          await world.start();
          for (const one of steps) await play(world, mirrors, one);
          world.source.watchFailures.length = 0;
          world.source.listFailures.length = 0;
          for (let turn = 0; turn < 4; turn += 1) {
            await world.clock.advance(60_000);
            await world.settle();
          }
          await world.stop();

          assert.deepEqual(world.errors, []);
          world.assertEqual();
          for (const { objects } of mirrors) {
            assert.deepEqual(objects, byKey(world.source.objects()));
          }
          for (const key of ['a', 'b', 'c', 'd']) {
            assert.deepEqual(
              indexed.indexer.indexKeys('tag', key),
              world.source.objects().some(({ metadata }) => metadata?.name === key) ? [key] : [],
            );
          }
          assert.equal(world.clock.pending, 0);
        }),
        { numRuns: 60 },
      );
    });
  }
}
