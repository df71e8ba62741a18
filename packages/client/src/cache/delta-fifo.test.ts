import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TransformFunc } from './delta-queue.ts';
import { DeltaFIFO } from './delta-fifo.ts';
import { Indexer } from './indexer.ts';
import { metaNamespaceKeyFunc } from './store.ts';
import { type TestObject, testObject } from './test-objects.ts';
import { drain } from './test-queues.ts';
import { DeletedFinalStateUnknown } from './store.ts';

const keyFunc = metaNamespaceKeyFunc;

function known(...objects: TestObject[]): Indexer<TestObject> {
  const store = new Indexer<TestObject>({ keyFunc });
  store.replace(objects, '1');
  return store;
}

function makeQueue(knownObjects?: Indexer<TestObject>, transform?: TransformFunc<TestObject>) {
  return new DeltaFIFO<TestObject>({
    keyFunc,
    ...(knownObjects === undefined ? {} : { knownObjects }),
    ...(transform === undefined ? {} : { transform }),
  });
}

describe('DeltaFIFO', () => {
  it('pops keys in the order in which they were added, with all deltas of each', () => {
    const queue = makeQueue();
    queue.add(testObject('a', '1'));
    queue.add(testObject('b', '2'));
    queue.update(testObject('a', '3'));
    queue.delete(testObject('a', '4'));
    queue.add(testObject('a', '5'));
    queue.update(testObject('c', '6'));
    assert.equal(queue.size, 3);
    assert.deepEqual(drain(queue), [
      'Added a@1, Updated a@3, Deleted a@4, Added a@5',
      'Added b@2',
      'Updated c@6',
    ]);
    assert.equal(queue.size, 0);
  });

  it('ignores the deletion of an object that is neither queued nor known', () => {
    const queue = makeQueue(known(testObject('known', '1')));
    queue.delete(testObject('unknown', '2'));
    queue.delete(testObject('known', '3'));
    assert.deepEqual(drain(queue), ['Deleted known@3']);
    const alone = makeQueue();
    alone.delete(testObject('unknown', '2'));
    assert.equal(alone.size, 0);
  });

  it('keeps the one with a state of two deletions in a row', () => {
    const queue = makeQueue(known(testObject('a', '1')));
    const missed = new DeletedFinalStateUnknown('a', testObject('a', '1'));
    queue.delete(testObject('a', '2'));
    queue.delete(missed);
    assert.deepEqual(drain(queue), ['Deleted a@2']);
    queue.delete(missed);
    queue.delete(testObject('a', '2'));
    assert.deepEqual(drain(queue), ['Deleted a@2']);
    queue.delete(testObject('a', '2'));
    queue.delete(testObject('a', '3'));
    assert.deepEqual(drain(queue), ['Deleted a@3']);
    queue.delete(missed);
    queue.add(testObject('a', '4'));
    queue.delete(missed);
    assert.deepEqual(drain(queue), ['Deleted a@1 (missed), Added a@4, Deleted a@1 (missed)']);
  });

  it('queues a list as Replaced, then deletions of everything else', () => {
    const queue = makeQueue(
      known(testObject('a', '1'), testObject('b', '2'), testObject('c', '3')),
    );
    queue.replace([testObject('b', '2'), testObject('d', '4')], '9');
    assert.deepEqual(drain(queue), [
      '* Replaced b@2',
      '* Replaced d@4',
      '* Deleted a@1 (missed)',
      '* Deleted c@3 (missed)',
    ]);
  });

  it('deletes a queued object that is not listed, with its newest state', () => {
    for (const store of [undefined, known()]) {
      const queue = makeQueue(store);
      queue.add(testObject('a', '1'));
      queue.update(testObject('a', '2'));
      queue.replace([], '9');
      assert.deepEqual(drain(queue), ['Added a@1, Updated a@2, Deleted a@2 (missed)']);
    }
  });

  it('uses the queued state as the last known one, not the stored one', () => {
    const queue = makeQueue(known(testObject('a', '1')));
    queue.update(testObject('a', '2'));
    queue.replace([], '9');
    assert.deepEqual(drain(queue), ['Updated a@2, Deleted a@2 (missed)']);
  });

  it('does not add a second deletion to a queued one', () => {
    const queue = makeQueue(known(testObject('a', '1')));
    queue.delete(testObject('a', '2'));
    queue.replace([], '9');
    assert.deepEqual(drain(queue), ['Deleted a@2']);
  });

  it('keeps a queued deletion before an object that is listed again', () => {
    const queue = makeQueue(known(testObject('a', '1')));
    queue.delete(testObject('a', '2'));
    queue.replace([testObject('a', '3')], '9');
    assert.deepEqual(drain(queue), ['Deleted a@2, Replaced a@3']);
  });

  it('deletes an object that was deleted and added again while it was queued', () => {
    const queue = makeQueue(known(testObject('a', '1')));
    queue.delete(testObject('a', '2'));
    queue.add(testObject('a', '3'));
    queue.replace([], '9');
    assert.deepEqual(drain(queue), ['Deleted a@2, Added a@3, Deleted a@3 (missed)']);
  });

  it('queues nothing of a list if one object has no key', () => {
    const queue = makeQueue(known(testObject('x', '1')));
    assert.throws(() => queue.replace([testObject('a'), {}], '9'), {
      code: 'META_OBJECT_KEY_INVALID',
    });
    assert.equal(queue.size, 0);
    assert.equal(queue.hasSynced, false);
  });

  it('resyncs known objects that are not queued', () => {
    const queue = makeQueue(known(testObject('a', '1'), testObject('b', '1')));
    queue.update(testObject('a', '2'));
    queue.resync();
    queue.resync();
    assert.deepEqual(drain(queue), ['Updated a@2', 'Sync b@1']);
    const alone = makeQueue();
    alone.resync();
    assert.equal(alone.size, 0);
  });

  it('does not resync an object that the store no longer has', () => {
    const queue = new DeltaFIFO<TestObject>({
      keyFunc,
      knownObjects: { getByKey: () => undefined, has: () => true, keys: () => ['gone'] },
    });
    queue.resync();
    assert.equal(queue.size, 0);
    queue.replace([], '1');
    assert.deepEqual(drain(queue), ['* Deleted gone@? (missed)']);
  });

  it('transforms each object once', () => {
    const seen: (string | undefined)[] = [];
    const store = known(testObject('a', '1'), testObject('b', '1'));
    const queue = makeQueue(store, (object) => {
      seen.push(object.metadata?.resourceVersion);
      return testObject(metaNamespaceKeyFunc(object), `${object.metadata?.resourceVersion}t`);
    });
    queue.add(testObject('a', '2'));
    queue.update(testObject('a', '3'));
    queue.delete(testObject('a', '4'));
    queue.resync();
    queue.replace([testObject('c', '5')], '9');
    assert.deepEqual(drain(queue), [
      'Added a@2t, Updated a@3t, Deleted a@4t',
      'Sync b@1, Deleted b@1 (missed)',
      'Replaced c@5t',
    ]);
    assert.deepEqual(seen, ['2', '3', '4', '5']);
  });

  it('refuses an object whose transform throws', () => {
    let isBroken = true;
    const queue = makeQueue(undefined, (object) => {
      if (isBroken && object.metadata?.name === 'bad') throw new Error('broken');
      return object;
    });
    assert.throws(() => queue.add(testObject('bad')), /broken/);
    assert.throws(() => queue.replace([testObject('a'), testObject('bad')], '9'), /broken/);
    assert.equal(queue.size, 0);
    isBroken = false;
    queue.replace([testObject('a', '1'), testObject('bad', '1')], '9');
    assert.deepEqual(drain(queue), ['* Replaced a@1', '* Replaced bad@1']);
  });

  it('ignores bookmarks', () => {
    const queue = makeQueue();
    queue.bookmark('5');
    assert.equal(queue.size, 0);
  });
});
