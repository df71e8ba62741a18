import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { metaNamespaceKeyFunc } from './store.ts';
import { RealFIFO } from './real-fifo.ts';
import { TestInformer } from './test-informer.ts';
import { type TestObject, testObject } from './test-objects.ts';

/** Fails for objects with the label `bad`. */
function failIfBad(object: TestObject): TestObject {
  if (object.metadata?.labels?.['bad'] !== undefined) throw new Error('bad object');
  return object;
}

for (const queue of ['in-order', 'delta'] as const) {
  for (const useWatchList of [true, false]) {
    describe(`a function that fails for one object (${queue}, ${useWatchList ? 'streamed' : 'listed'})`, () => {
      it('costs no other object of the first list, if it is the transform', async () => {
        const world = new TestInformer({ queue, useWatchList, transform: failIfBad });
        const handler = world.record();
        for (const key of ['a', 'b', 'c']) world.source.write(key, key === 'b' ? { bad: '' } : {});
        await world.start();
        assert.equal(world.informer.hasSynced, true);
        assert.deepEqual(handler.take(), ['+a@2 first', '+c@4 first']);
        assert.deepEqual(
          world.errors.map(({ message }) => message),
          ['test: the transform function failed for the object "b"'],
        );
        world.source.write('b', {});
        await world.settle();
        assert.deepEqual(handler.take(), ['+b@5']);
        world.assertEqual();
        await world.stop();
      });

      it('costs no other object of the first list, if it is the key function', async () => {
        const keyFunc = (object: TestObject): string => metaNamespaceKeyFunc(failIfBad(object));
        const world = new TestInformer({ queue, useWatchList, keyFunc });
        const handler = world.record();
        for (const key of ['a', 'b', 'c']) world.source.write(key, key === 'b' ? { bad: '' } : {});
        await world.start();
        assert.equal(world.informer.hasSynced, true);
        assert.deepEqual(handler.take(), ['+a@2 first', '+c@4 first']);
        assert.equal(world.errors.length, 1);
        assert.match(world.errors[0]?.message ?? '', /"b"/);
        await world.stop();
      });

      it('leaves the object in its last state until it is deleted', async () => {
        const world = new TestInformer({ queue, useWatchList, transform: failIfBad });
        const handler = world.record();
        for (const key of ['a', 'b']) world.source.write(key);
        await world.start();
        handler.take();
        world.source.write('a', { bad: '' });
        await world.missing(() => world.source.write('b', { bad: '' }));
        assert.deepEqual(handler.take(), []);
        assert.deepEqual(world.informer.indexer.listKeys().toSorted(), ['a', 'b']);
        world.source.remove('a');
        await world.missing(() => world.source.remove('b'));
        assert.deepEqual(handler.take(), ['-a@2 missed', '-b@3 missed']);
        assert.equal(world.informer.indexer.size, 0);
        await world.stop();
      });
    });
  }
}

describe('a queue without onRefused', () => {
  it('throws the error of the transform, and queues nothing of the list', () => {
    const queue = new RealFIFO<TestObject>({
      keyFunc: metaNamespaceKeyFunc,
      transform: () => {
        throw new Error('bad object');
      },
    });
    assert.throws(() => queue.replace([testObject('a')], '1'), /bad object/);
    assert.throws(() => queue.delete(testObject('a')), /bad object/);
    assert.equal(queue.size, 0);
  });
});
