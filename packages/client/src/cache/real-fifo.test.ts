import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Slices } from '../lib/slices.ts';
import type { TransformFunc } from './delta-queue.ts';
import { metaNamespaceKeyFunc } from './store.ts';
import { RealFIFO } from './real-fifo.ts';
import { RequeueError } from './queue.ts';
import { type TestObject, testObject } from './test-objects.ts';
import { drain } from './test-queues.ts';
import { DeletedFinalStateUnknown } from './store.ts';

function makeQueue(options: { transform?: TransformFunc<TestObject> } = {}) {
  return new RealFIFO<TestObject>({ keyFunc: metaNamespaceKeyFunc, ...options });
}

describe('RealFIFO', () => {
  it('keeps the order of all writes and merges nothing', () => {
    const queue = makeQueue();
    queue.add(testObject('a', '1'));
    queue.add(testObject('b', '2'));
    queue.update(testObject('a', '3'));
    queue.delete(testObject('unknown', '4'));
    queue.delete(testObject('a', '5'));
    queue.delete(new DeletedFinalStateUnknown('a', testObject('a', '3')));
    queue.bookmark('6');
    queue.resync();
    queue.replace([testObject('c', '7'), testObject('b', '2')], '8');
    assert.equal(queue.size, 9);
    assert.deepEqual(drain(queue), [
      'Added a@1',
      'Added b@2',
      'Updated a@3',
      'Deleted unknown@4',
      'Deleted a@5',
      'Deleted a@3 (missed)',
      'Bookmark @6',
      'SyncAll',
      'ReplacedAll c@7 b@2 @8',
    ]);
  });

  it('returns the keys of a list beside its objects', () => {
    const queue = makeQueue();
    queue.replace([testObject('ns/a'), testObject('b')], '8');
    void queue.tryPop(([delta]) => {
      assert.ok(delta?.type === 'ReplacedAll');
      assert.deepEqual(delta.keys, ['ns/a', 'b']);
    });
  });

  it('returns lists, resyncs and bookmarks as one delta each', () => {
    const queue = makeQueue();
    queue.replace([testObject('a', '1')], '1');
    queue.add(testObject('b', '2'));
    queue.resync();
    queue.resync();
    queue.add(testObject('c', '3'));
    queue.bookmark('4');
    queue.add(testObject('d', '5'));
    queue.replace([], '6');
    queue.add(testObject('e', '7'));
    assert.deepEqual(drain(queue), [
      '* ReplacedAll a@1 @1',
      'Added b@2',
      'SyncAll',
      'SyncAll',
      'Added c@3',
      'Bookmark @4',
      'Added d@5',
      'ReplacedAll @6',
      'Added e@7',
    ]);
  });

  it('refuses a list if it is closed while the list is accepted', async () => {
    let now = 0;
    // Each slice is over immediately.
    const slices = new Slices({ monotonic: () => (now += 5) });
    const queue = makeQueue();
    const writing = queue.replaceInSlices(
      [testObject('a', '1'), testObject('b', '2')],
      '2',
      slices,
    );
    queue.close();
    await assert.rejects(writing, { code: 'CACHE_QUEUE_CLOSED' });
    assert.equal(queue.size, 0);
    assert.equal(slices.count, 3);
  });

  it('counts an empty first list as synced only when it has been processed', () => {
    const queue = makeQueue();
    queue.bookmark('1');
    queue.replace([], '2');
    assert.equal(queue.hasSynced, false);
    void queue.tryPop(([delta]) => assert.equal(delta?.type, 'Bookmark'));
    assert.equal(queue.hasSynced, false, 'a bookmark is not part of the list');
    drain(queue);
    assert.equal(queue.hasSynced, true);
  });

  it('puts a delta back to the front', () => {
    const queue = makeQueue();
    for (const key of ['a', 'b', 'a']) queue.add(testObject(key, '1'));
    assert.throws(
      () =>
        queue.tryPop(() => {
          throw new RequeueError(new Error('later'));
        }),
      /later/,
    );
    assert.equal(queue.size, 3);
    queue.add(testObject('c', '2'));
    assert.deepEqual(drain(queue), ['Added a@1', 'Added b@1', 'Added a@1', 'Added c@2']);
  });

  it('transforms objects, but not tombstones', () => {
    const queue = makeQueue({
      transform: (object) => {
        if (object.kind === 'Bad') throw new Error('broken');
        return testObject(metaNamespaceKeyFunc(object), `${object.metadata?.resourceVersion}t`);
      },
    });
    queue.add(testObject('a', '1'));
    queue.delete(testObject('b', '2'));
    queue.delete(new DeletedFinalStateUnknown('c', testObject('c', '3')));
    queue.replace([testObject('d', '4')], '5');
    const bad = { ...testObject('e', '6'), kind: 'Bad' };
    assert.throws(() => queue.update(bad), /broken/);
    assert.throws(() => queue.replace([testObject('f', '7'), bad], '8'), /broken/);
    assert.deepEqual(drain(queue), [
      'Added a@1t',
      'Deleted b@2t',
      'Deleted c@3 (missed)',
      'ReplacedAll d@4t @5',
    ]);
  });
});
