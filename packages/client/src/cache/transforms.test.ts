import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DeltaFIFO } from './delta-fifo.ts';
import { metaNamespaceKeyFunc } from './store.ts';
import { RealFIFO } from './real-fifo.ts';
import { TestInformer } from './test-informer.ts';
import { type TestObject, testObject } from './test-objects.ts';

/** A transform that drops everything a key could be computed from. */
function nameless({ metadata }: TestObject): TestObject {
  return { metadata: { resourceVersion: metadata?.resourceVersion ?? '' } };
}

describe('keys and transforms', () => {
  for (const name of ['DeltaFIFO', 'RealFIFO'] as const) {
    it(`the key is computed once, before the transform (${name})`, () => {
      const asked: string[] = [];
      const options = {
        keyFunc: (object: TestObject) => {
          const key = metaNamespaceKeyFunc(object);
          asked.push(key);
          return key;
        },
        transform: nameless,
      };
      const knownObjects = new Map([['c', testObject('c', '1')]]);
      const queue =
        name === 'DeltaFIFO'
          ? new DeltaFIFO<TestObject>({
              ...options,
              knownObjects: {
                keys: () => knownObjects.keys(),
                has: (key) => knownObjects.has(key),
                getByKey: (key) => knownObjects.get(key),
              },
            })
          : new RealFIFO<TestObject>(options);
      queue.add(testObject('a', '2'));
      queue.update(testObject('b', '3'));
      queue.delete(testObject('c', '4'));
      queue.replace([testObject('d', '5'), testObject('e', '6')], '7');
      const seen: string[] = [];
      while (queue.size > 0) {
        void queue.tryPop((deltas) => {
          for (const delta of deltas) {
            if ('keys' in delta) seen.push(...delta.keys);
            else if ('key' in delta) seen.push(delta.key);
          }
        });
      }
      assert.deepEqual(asked, ['a', 'b', 'c', 'd', 'e']);
      assert.deepEqual([...new Set(seen)].toSorted(), ['a', 'b', 'c', 'd', 'e']);
    });
  }

  for (const queue of ['in-order', 'delta'] as const) {
    for (const useWatchList of [true, false]) {
      const how = `${queue}, ${useWatchList ? 'streamed' : 'listed'}`;
      it(`an informer finds objects whose names the transform dropped (${how})`, async () => {
        const world = new TestInformer({ queue, useWatchList, transform: nameless });
        const told: string[] = [];
        world.informer.addEventHandler({
          onAdd: ({ metadata }) => void told.push(`+${metadata?.resourceVersion}`),
          onUpdate: (before, { metadata }) =>
            void told.push(`${before.metadata?.resourceVersion}→${metadata?.resourceVersion}`),
          onDelete: () => void told.push('-'),
        });
        world.source.write('a');
        world.source.write('ns/b');
        await world.start();
        assert.deepEqual(world.informer.indexer.listKeys().toSorted(), ['a', 'ns/b']);
        world.source.write('a');
        world.source.remove('ns/b');
        await world.settle();
        await world.missing(() => world.source.remove('a'));
        assert.equal(world.informer.indexer.size, 0);
        assert.deepEqual(told, ['+2', '+3', '2→4', '-', '-']);
        await world.stop();
      });
    }
  }
});

describe('the result of a transform', () => {
  const labelled = (object: TestObject): TestObject => ({
    ...object,
    metadata: { ...object.metadata, labels: { seen: 'yes' } },
  });

  it('is frozen at every depth if its input is', async () => {
    const world = new TestInformer({ transform: labelled });
    await world.start();
    world.source.send({ type: 'ADDED', object: Object.freeze(testObject('frozen', '2')) });
    world.source.send({ type: 'ADDED', object: testObject('writable', '3') });
    await world.settle();
    const [frozen, writable] = world.informer.indexer.list();
    const parts = (object: TestObject | undefined): unknown[] => [
      object,
      object?.metadata,
      object?.metadata?.labels,
    ];
    assert.deepEqual(frozen?.metadata?.labels, { seen: 'yes' });
    assert.ok(parts(frozen).every(Object.isFrozen));
    assert.ok(!parts(writable).some(Object.isFrozen));
    await world.stop();
  });

  for (const queue of ['delta', 'in-order'] as const) {
    it(`is read-only in the cache of an informer (${queue})`, async () => {
      const transform = (object: TestObject): TestObject => labelled(Object.freeze(object));
      const world = new TestInformer({ queue, transform });
      world.source.write('a');
      await world.start();
      world.source.write('b');
      await world.settle();
      for (const object of world.informer.indexer.list()) {
        assert.throws(() => Object.assign(object.metadata ?? {}, { name: 'c' }), TypeError);
      }
      assert.equal(world.informer.indexer.size, 2);
      await world.stop();
    });
  }
});

describe('the kind of cached objects', () => {
  const expectedKind = { apiVersion: 'v1', kind: 'ConfigMap' };
  const { apiVersion: _, kind: __, ...bare } = testObject('a', '2');

  for (const queue of ['delta', 'in-order'] as const) {
    it(`is set however they arrive (${queue})`, async () => {
      const world = new TestInformer({ queue, expectedKind, useWatchList: false });
      world.source.list = async () => ({
        items: [bare, Object.freeze({ ...bare, metadata: { name: 'b' } })],
        metadata: { resourceVersion: '5' },
      });
      await world.start();
      world.source.send({ type: 'ADDED', object: { metadata: { name: 'c' } } });
      await world.settle();
      const cached = world.informer.indexer.list();
      assert.deepEqual(
        cached.map(({ apiVersion, kind, metadata }) => [apiVersion, kind, metadata?.name]),
        ['a', 'b', 'c'].map((name) => ['v1', 'ConfigMap', name]),
      );
      assert.deepEqual(cached.map(Object.isFrozen), [false, true, false]);
      await world.stop();
    });
  }

  it('is not added to objects that have one, and is seen by transforms', async () => {
    const world = new TestInformer({
      expectedKind,
      transform: ({ kind, metadata }) => ({
        metadata: { ...metadata, labels: { kind: kind ?? '' } },
      }),
    });
    const plain = new TestInformer({ expectedKind });
    await world.start();
    await plain.start();
    world.source.send({ type: 'ADDED', object: bare });
    const object = testObject('a', '2');
    plain.source.send({ type: 'ADDED', object });
    await world.settle();
    assert.deepEqual(world.informer.indexer.getByKey('a'), {
      metadata: { ...bare.metadata, labels: { kind: 'ConfigMap' } },
    });
    assert.equal(plain.informer.indexer.getByKey('a'), object);
    await world.stop();
    await plain.stop();
  });
});
