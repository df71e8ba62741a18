import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deferred } from '../lib/deferred.ts';
import { nextTurn } from '../lib/next-turn.ts';
import { DeltaFIFO } from './delta-fifo.ts';
import { FIFO } from './fifo.ts';
import { Indexer } from './indexer.ts';
import { metaNamespaceKeyFunc } from './store.ts';
import type { Queue } from './queue.ts';
import { RealFIFO } from './real-fifo.ts';
import { RequeueError } from './queue.ts';
import { type TestObject, testObject } from './test-objects.ts';
import { drain } from './test-queues.ts';
import { DeletedFinalStateUnknown } from './store.ts';

const keyFunc = metaNamespaceKeyFunc;
const nothing = (): void => undefined;

/** Returns true if a promise settles within a turn of the event loop. */
async function hasSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.finally(() => (settled = true)).catch(nothing);
  await nextTurn();
  return settled;
}

const queues: Readonly<Record<string, () => Queue<TestObject, unknown>>> = {
  DeltaFIFO: () => new DeltaFIFO<TestObject>({ keyFunc }),
  FIFO: () => new FIFO<TestObject>({ keyFunc }),
  RealFIFO: () => new RealFIFO<TestObject>({ keyFunc }),
};

for (const [name, makeQueue] of Object.entries(queues)) {
  describe(`${name} as a queue`, () => {
    it('has not synced before the first write', async () => {
      const queue = makeQueue();
      assert.equal(queue.hasSynced, false);
      assert.equal(await hasSettled(queue.synced), false);
    });

    it('has synced immediately if the first write is not a list', async () => {
      const writes: ((queue: Queue<TestObject, unknown>) => void)[] = [
        (queue) => queue.add(testObject('a')),
        (queue) => queue.update(testObject('a')),
        (queue) => queue.delete(testObject('a')),
      ];
      for (const write of writes) {
        const queue = makeQueue();
        write(queue);
        assert.equal(queue.hasSynced, true);
        await queue.synced;
        queue.replace([testObject('b'), testObject('c')], '9');
        assert.equal(queue.hasSynced, true, 'a later list changes nothing');
      }
    });

    it('has synced after the last item of the first list was processed, not before', async () => {
      const queue = makeQueue();
      queue.replace([testObject('a'), testObject('b')], '9');
      let processed = 0;
      while (queue.size > 0) {
        await queue.pop((_item, isInInitialList) => {
          assert.equal(queue.hasSynced, false);
          assert.equal(isInInitialList, true);
          processed += 1;
        });
      }
      assert.ok(processed > 0);
      assert.equal(queue.hasSynced, true);
      await queue.synced;
      queue.add(testObject('c'));
      await queue.pop((_item, isInInitialList) => assert.equal(isInInitialList, false));
    });

    it('counts an item whose processing failed as processed', () => {
      const queue = makeQueue();
      queue.replace([testObject('a')], '9');
      const fail = (): void => {
        throw new Error('broken');
      };
      assert.throws(() => queue.tryPop(fail), /broken/);
      assert.equal(queue.size, 0);
      assert.equal(queue.hasSynced, true);
    });

    it('does not count an item that is put back', async () => {
      const queue = makeQueue();
      queue.replace([testObject('a')], '9');
      const cause = new Error('not yet');
      await assert.rejects(
        queue.pop(() => Promise.reject(new RequeueError(cause))),
        (error) => error === cause,
      );
      assert.equal(queue.size, 1);
      assert.equal(queue.hasSynced, false);
      await queue.pop((_item, isInInitialList) => assert.equal(isInInitialList, true));
      assert.equal(queue.hasSynced, true);
    });

    it('waits for an item', async () => {
      const queue = makeQueue();
      let processed = false;
      const popping = queue.pop(() => {
        processed = true;
      });
      assert.equal(await hasSettled(popping), false);
      queue.add(testObject('a'));
      await popping;
      assert.ok(processed);
    });

    it('waits for a list', async () => {
      const queue = makeQueue();
      const popping = queue.pop(nothing);
      await nextTurn();
      queue.replace([testObject('a')], '9');
      await popping;
      assert.equal(queue.size, 0);
    });

    it('has one consumer', async () => {
      const queue = makeQueue();
      queue.add(testObject('a'));
      queue.add(testObject('b'));
      const work = new Deferred();
      const first = queue.tryPop(() => work.promise);
      assert.throws(() => queue.tryPop(nothing), { code: 'CACHE_QUEUE_BUSY' });
      await assert.rejects(queue.pop(nothing), { code: 'CACHE_QUEUE_BUSY' });
      work.resolve();
      await first;
      await queue.pop(nothing);
      assert.equal(queue.size, 0);
    });

    it('stops waiting when the signal aborts', async () => {
      const queue = makeQueue();
      const stop = new AbortController();
      const reason = new Error('enough');
      const isReason = (error: unknown): boolean => error === reason;
      const waiting = assert.rejects(queue.pop(nothing, { signal: stop.signal }), isReason);
      stop.abort(reason);
      await waiting;
      queue.add(testObject('a'));
      await assert.rejects(queue.pop(nothing, { signal: stop.signal }), isReason);
      assert.equal(queue.size, 1);
    });

    it('can be drained after it was closed', async () => {
      const queue = makeQueue();
      queue.add(testObject('a'));
      queue.close();
      assert.ok(queue.isClosed);
      assert.throws(() => queue.add(testObject('b')), { code: 'CACHE_QUEUE_CLOSED' });
      await queue.pop(nothing);
      await assert.rejects(queue.pop(nothing), { code: 'CACHE_QUEUE_CLOSED' });
    });

    it('refuses every write after it was closed', () => {
      const queue = makeQueue();
      queue.close();
      const code = { code: 'CACHE_QUEUE_CLOSED' };
      assert.throws(() => queue.add(testObject('a')), code);
      assert.throws(() => queue.update(testObject('a')), code);
      assert.throws(() => queue.delete(testObject('a')), code);
      assert.throws(() => queue.delete(new DeletedFinalStateUnknown('a', testObject('a'))), code);
      assert.throws(() => queue.replace([testObject('a')], '9'), code);
      assert.equal(queue.size, 0);
    });

    it('rejects waiting pops and synced when it is closed', async () => {
      const queue = makeQueue();
      const popping = queue.pop(nothing);
      queue[Symbol.dispose]();
      await assert.rejects(popping, { code: 'CACHE_QUEUE_CLOSED' });
      await assert.rejects(queue.synced, { code: 'CACHE_STOPPED' });
      assert.equal(queue.hasSynced, false);
    });

    it('keeps synced resolved when it is closed later', async () => {
      const queue = makeQueue();
      queue.add(testObject('a'));
      queue.close();
      await assert.doesNotReject(queue.synced);
    });
  });
}

describe('DeltaFIFO and deletions', () => {
  it('counts tombstones as part of the first list', () => {
    const knownObjects = new Indexer<TestObject>({ keyFunc });
    knownObjects.replace([testObject('old', '1')], '1');
    const queue = new DeltaFIFO<TestObject>({ keyFunc, knownObjects });
    queue.replace([testObject('a', '2')], '9');
    void queue.tryPop(nothing);
    assert.equal(queue.hasSynced, false);
    assert.deepEqual(drain(queue), ['* Deleted old@1 (missed)']);
    assert.equal(queue.hasSynced, true);
  });

  it('counts each key of the first list once, even if it was resynced before', () => {
    const knownObjects = new Indexer<TestObject>({ keyFunc });
    knownObjects.replace([testObject('old', '1')], '1');
    const queue = new DeltaFIFO<TestObject>({ keyFunc, knownObjects });
    queue.resync();
    queue.replace([], '9');
    assert.deepEqual(drain(queue), ['* Sync old@1, Deleted old@1 (missed)']);
    assert.equal(queue.hasSynced, true);
  });

  it('puts deltas back before those that were added since', () => {
    const queue = new DeltaFIFO<TestObject>({ keyFunc });
    queue.add(testObject('a', '1'));
    queue.add(testObject('b', '1'));
    const failing = (): void => {
      queue.delete(testObject('b'));
      queue.add(testObject('a', '2'));
      throw new RequeueError(new Error('later'));
    };
    assert.throws(() => queue.tryPop(failing), /later/);
    assert.deepEqual(drain(queue), ['Added b@1, Deleted b@?', 'Added a@1, Added a@2']);
  });
});

describe('a closed queue', () => {
  it('refuses resyncs and bookmarks', () => {
    const delta = new DeltaFIFO<TestObject>({ keyFunc });
    const inOrder = new RealFIFO<TestObject>({ keyFunc });
    delta.close();
    inOrder.close();
    const code = { code: 'CACHE_QUEUE_CLOSED' };
    assert.throws(() => delta.resync(), code);
    assert.throws(() => inOrder.resync(), code);
    assert.throws(() => inOrder.bookmark('5'), code);
  });
});

describe('a waiting pop', () => {
  const known = new Indexer<TestObject>({ keyFunc });
  known.add(testObject('known', '1'));
  const writes: Readonly<Record<string, () => [Queue<TestObject, unknown>, () => void]>> = {
    'a resync of a RealFIFO': () => {
      const queue = new RealFIFO<TestObject>({ keyFunc });
      return [queue, () => queue.resync()];
    },
    'a bookmark of a RealFIFO': () => {
      const queue = new RealFIFO<TestObject>({ keyFunc });
      return [queue, () => queue.bookmark('5')];
    },
    'a resync of a DeltaFIFO': () => {
      const queue = new DeltaFIFO<TestObject>({ keyFunc, knownObjects: known });
      return [queue, () => queue.resync()];
    },
    'a deletion of a known object': () => {
      const queue = new DeltaFIFO<TestObject>({ keyFunc, knownObjects: known });
      return [queue, () => queue.delete(testObject('known', '2'))];
    },
  };
  for (const [what, make] of Object.entries(writes)) {
    it(`is woken by ${what}`, async () => {
      const [queue, write] = make();
      let processed = 0;
      const popping = queue.pop(() => void (processed += 1));
      await nextTurn();
      write();
      await popping;
      assert.equal(processed, 1);
    });
  }

  it('is woken by an item that is put back', async () => {
    const queue = new RealFIFO<TestObject>({ keyFunc });
    queue.add(testObject('a', '1'));
    const gate = new Deferred();
    const first = queue.pop(async () => {
      await gate.promise;
      throw new RequeueError(new Error('later'));
    });
    await nextTurn();
    const seen: string[] = [];
    const second = queue.pop((deltas) => void seen.push(...deltas.map(({ type }) => type)));
    gate.resolve();
    await assert.rejects(first, /later/);
    await second;
    assert.deepEqual(seen, ['Added']);
  });
});
