import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FIFO } from './fifo.ts';
import { metaNamespaceKeyFunc } from './store.ts';
import { RequeueError } from './queue.ts';
import { type TestObject, testObject } from './test-objects.ts';
import { DeletedFinalStateUnknown } from './store.ts';

function makeQueue(): FIFO<TestObject> {
  return new FIFO<TestObject>({ keyFunc: metaNamespaceKeyFunc });
}

function drain(queue: FIFO<TestObject>): string[] {
  const lines: string[] = [];
  while (queue.size > 0) {
    void queue.tryPop(({ metadata }, isInInitialList) => {
      lines.push(`${isInInitialList ? '* ' : ''}${metadata?.name}@${metadata?.resourceVersion}`);
    });
  }
  return lines;
}

describe('FIFO', () => {
  it('pops the newest state at the oldest place', () => {
    const queue = makeQueue();
    queue.add(testObject('a', '1'));
    queue.add(testObject('b', '2'));
    queue.update(testObject('a', '3'));
    assert.equal(queue.size, 2);
    assert.deepEqual(drain(queue), ['a@3', 'b@2']);
  });

  it('does not pop deleted objects', () => {
    const queue = makeQueue();
    for (const key of ['a', 'b', 'c']) queue.add(testObject(key, '1'));
    queue.delete(testObject('a'));
    queue.delete(new DeletedFinalStateUnknown<TestObject>('c', undefined));
    queue.delete(testObject('unknown'));
    queue.add(testObject('a', '2'));
    assert.deepEqual(drain(queue), ['b@1', 'a@2']);
    void queue.tryPop(() => assert.fail('nothing waits'));
  });

  it('drops queued objects when everything is replaced', () => {
    const queue = makeQueue();
    queue.add(testObject('a', '1'));
    queue.replace([testObject('b', '2'), testObject('c', '3')], '9');
    queue.resync();
    queue.bookmark('10');
    assert.deepEqual(drain(queue), ['b@2', 'c@3']);
  });

  it('addIfNotPresent keeps a queued state', () => {
    const queue = makeQueue();
    queue.add(testObject('a', '2'));
    queue.addIfNotPresent(testObject('a', '1'));
    queue.addIfNotPresent(testObject('b', '1'));
    assert.deepEqual(drain(queue), ['a@2', 'b@1']);
  });

  it('has synced when each object of the first list was processed or deleted', () => {
    const queue = makeQueue();
    queue.replace([testObject('a', '1'), testObject('b', '1')], '9');
    queue.delete(testObject('b'));
    assert.equal(queue.hasSynced, false);
    assert.deepEqual(drain(queue), ['* a@1']);
    assert.equal(queue.hasSynced, true);
  });

  it('does not count objects that are added later as part of the first list', () => {
    const queue = makeQueue();
    queue.replace([testObject('a', '1')], '9');
    queue.addIfNotPresent(testObject('b', '2'));
    queue.add(testObject('c', '3'));
    queue.delete(testObject('b'));
    queue.delete(testObject('c'));
    assert.equal(queue.hasSynced, false);
    assert.deepEqual(drain(queue), ['* a@1']);
    assert.equal(queue.hasSynced, true);
  });

  it('treats a second list as the first until one was processed', () => {
    const queue = makeQueue();
    queue.replace([testObject('a', '1'), testObject('b', '1')], '9');
    queue.replace([testObject('c', '2')], '10');
    assert.deepEqual(drain(queue), ['* c@2']);
    assert.equal(queue.hasSynced, true);
    queue.replace([testObject('d', '3')], '11');
    assert.deepEqual(drain(queue), ['d@3']);
  });

  it('puts an object back unless a newer state is queued', () => {
    const queue = makeQueue();
    const later = (between: () => void) => () => {
      between();
      throw new RequeueError(new Error('later'));
    };
    queue.replace([testObject('a', '1'), testObject('b', '1')], '9');
    assert.throws(() => queue.tryPop(later(() => queue.add(testObject('a', '2')))), /later/);
    assert.throws(() => queue.tryPop(later(() => undefined)), /later/);
    assert.equal(queue.hasSynced, false);
    assert.deepEqual(drain(queue), ['* a@2', '* b@1']);
    assert.equal(queue.hasSynced, true);
  });
});
