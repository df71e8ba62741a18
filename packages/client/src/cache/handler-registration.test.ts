import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextTurn } from '../lib/next-turn.ts';
import { seededRandom } from '../lib/random.ts';
import type { EventHandlerRegistration } from './event-handler.ts';
import { RecordingHandler, TestInformer } from './test-informer.ts';

for (const queue of ['in-order', 'delta'] as const) {
  describe(`handlers of an informer on the ${queue} queue`, () => {
    it('are two if the same handler is added twice', async () => {
      const world = new TestInformer({ queue });
      const handler = new RecordingHandler();
      const first = world.informer.addEventHandler(handler);
      const second = world.informer.addEventHandler(handler);
      assert.notEqual(first.name, second.name);
      world.source.write('a');
      await world.start();
      assert.deepEqual(handler.take(), ['+a@2 first', '+a@2 first']);
      await first.remove();
      await first.remove();
      world.source.write('a');
      await world.settle();
      assert.deepEqual(handler.take(), ['~a@2→3']);
      assert.deepEqual([first.isRemoved, second.isRemoved], [true, false]);
      await world.stop();
    });

    it('receive the cache of a stopped informer, and continue with the next run', async () => {
      const world = new TestInformer({ queue });
      world.source.write('a');
      await world.start();
      await world.stop();
      const handler = new RecordingHandler();
      const registration = world.informer.addEventHandler(handler);
      await registration.synced;
      assert.deepEqual(handler.take(), ['+a@2 first']);
      world.source.write('a');
      world.source.write('b');
      await world.start();
      assert.deepEqual(handler.take().sort(), ['+b@4', '~a@2→3']);
      await world.stop();
    });

    it('can be removed from an informer that is stopped', async () => {
      const world = new TestInformer({ queue });
      const handler = new RecordingHandler();
      const registration = world.informer.addEventHandler(handler);
      await world.start();
      await world.stop();
      await registration.remove();
      world.source.write('a');
      await world.start();
      assert.deepEqual(handler.take(), []);
      assert.equal(world.informer.indexer.size, 1);
      await world.stop();
    });

    it('receive what a later list brings as changes', async () => {
      const world = new TestInformer({ queue });
      const handler = world.record();
      await world.start();
      await world.missing(() => world.source.write('a'));
      assert.deepEqual(handler.take(), ['+a@2']);
      await world.stop();
    });

    it('may stop the informer and remove themselves without waiting', async () => {
      const world = new TestInformer({ queue });
      const told: string[] = [];
      const endings: Promise<void>[] = [];
      const registration = world.informer.addEventHandler({
        onAdd: async ({ metadata }) => {
          await nextTurn();
          told.push(`+${metadata?.name}`);
          endings.push(world.informer.stop(), registration.remove());
        },
      });
      world.source.write('a');
      world.source.write('b');
      await world.start();
      await world.settle();
      await Promise.all(endings);
      assert.deepEqual(told, ['+a']);
      assert.equal(world.informer.isStopped, true);
      assert.equal(world.clock.pending, 0);
    });

    it('may be added and removed while events arrive and the informer stops', async () => {
      const world = new TestInformer({ queue });
      const random = seededRandom(7);
      const registrations = new Set<EventHandlerRegistration>();
      const removals: Promise<void>[] = [];
      const kept = world.record();
      await world.start();
      for (let round = 0; round < 2000; round += 1) {
        world.source.write(`key-${round % 50}`);
        if (random.next() < 0.5) {
          registrations.add(world.informer.addEventHandler(new RecordingHandler()));
        }
        for (const registration of registrations) {
          if (random.next() > 0.05) continue;
          registrations.delete(registration);
          removals.push(registration.remove());
        }
        if (round % 100 === 0) await nextTurn();
      }
      const stopped = world.stop();
      for (const registration of registrations) removals.push(registration.remove());
      await stopped;
      await Promise.all(removals);
      // In the order of the server for each key, each version once.
      const told = kept.calls.filter((call) => call.includes('key-7@')).map(versionOf);
      assert.deepEqual(
        told,
        told.toSorted((left, right) => left - right),
      );
      assert.equal(new Set(told).size, told.length);
    });
  });
}

/** Returns the version of a call: that of an addition, or the newer one of an update. */
function versionOf(call: string): number {
  return Number(/(\d+)(?: first)?$/.exec(call)?.[1]);
}
