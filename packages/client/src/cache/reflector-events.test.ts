import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deferred } from '../lib/deferred.ts';
import { nextTurn } from '../lib/next-turn.ts';
import { stampIdentity } from '../meta/object.ts';
import type { ListedEvent } from './list-watch.ts';
import { type TestObject, testObject } from './test-objects.ts';
import { TestReflector } from './test-reflector.ts';

const expectedKind = { apiVersion: 'v1', kind: 'ConfigMap' };

function bookmark(resourceVersion: string, mark?: string): ListedEvent<TestObject> {
  const annotations = mark === undefined ? {} : { 'k8s.io/initial-events-end': mark };
  return { type: 'BOOKMARK', object: { metadata: { resourceVersion, annotations } } };
}

/** A reflector that watches from version 1. */
async function watching(options: ConstructorParameters<typeof TestReflector>[0] = {}) {
  const test = new TestReflector({ useWatchList: false, expectedKind, ...options });
  const { end } = await test.run();
  const send = async (...events: ListedEvent<TestObject>[]): Promise<void> => {
    for (const event of events) test.source.send(event);
    await test.settle();
  };
  const { store, reflector, problems } = test;
  return { store, reflector, problems, send, end };
}

describe('the events of a watch', () => {
  it('are written to the store, and their versions are followed', async () => {
    const { send, store, reflector, end } = await watching();
    await send({ type: 'ADDED', object: testObject('a', '2') });
    await send({ type: 'ADDED', object: testObject('b', '3') });
    assert.equal(reflector.lastSyncResourceVersion, '3');
    await send({ type: 'MODIFIED', object: testObject('a', '4') });
    await send({ type: 'DELETED', object: testObject('b', '5') });
    assert.equal(reflector.lastSyncResourceVersion, '5');
    await send(bookmark('8'));
    assert.equal(reflector.lastSyncResourceVersion, '8');
    assert.equal(store.resourceVersion, '8');
    assert.deepEqual(store.list(), [testObject('a', '4')]);
    await end();
  });

  it('have versions that do not count while a watch without a version sends the state', async () => {
    for (const event of [
      { type: 'MODIFIED', object: testObject('a', '7') },
      { type: 'DELETED', object: testObject('a', '7') },
      bookmark('7'),
    ] as const) {
      const test = new TestReflector({ useWatchList: false });
      test.source.list = async () => ({ items: [] });
      const { end } = await test.run();
      test.source.send({ type: 'ADDED', object: testObject('a', '6') });
      test.source.send({ type: 'ADDED', object: testObject('b', '2') });
      await test.settle();
      assert.equal(test.reflector.lastSyncResourceVersion, '');
      test.source.send(event);
      await test.settle();
      assert.equal(test.reflector.lastSyncResourceVersion, '7');
      test.source.send({ type: 'ADDED', object: testObject('c', '8') });
      await test.settle();
      assert.equal(test.reflector.lastSyncResourceVersion, '8');
      await end();
    }
  });

  it('end the first state only with the value "true" of the annotation', async () => {
    const test = new TestReflector();
    test.source.marksEnd = false;
    const { end } = await test.run();
    for (const [mark, state] of [
      ['false', 'syncing'],
      ['', 'syncing'],
      ['true', 'live'],
    ] as const) {
      test.source.send(bookmark('2', mark));
      await test.settle();
      assert.equal(test.reflector.status.state, state);
    }
    await end();
  });

  it('are reported and skipped if their object is not of the expected kind', async () => {
    const { send, store, problems, reflector, end } = await watching();
    const unexpected: TestObject[] = [
      { ...testObject('a', '9'), kind: 'Secret' },
      { ...testObject('a', '9'), apiVersion: 'v2' },
      { apiVersion: 'v1', kind: 'ConfigMap' },
      { apiVersion: 'meta.k8s.io/v1', kind: 'Table', metadata: {} },
    ];
    for (const object of unexpected) await send({ type: 'MODIFIED', object });
    assert.deepEqual(
      problems.map(({ code }) => code),
      unexpected.map(() => 'CACHE_OBJECT_UNEXPECTED'),
    );
    assert.equal(
      problems[0]?.message,
      'the object of a MODIFIED event is v1 Secret, not v1 ConfigMap',
    );
    assert.deepEqual([reflector.lastSyncResourceVersion, store.size], ['1', 0]);
    await end();
  });

  it('are applied without decoding objects that have an identity', async () => {
    const { send, store, problems, reflector, end } = await watching();
    const untouchable: TestObject = {
      get metadata(): never {
        return assert.fail('the object was decoded');
      },
    };
    stampIdentity(untouchable, { key: 'a', resourceVersion: '2' });
    await send({ type: 'ADDED', object: untouchable });
    assert.deepEqual([store.listKeys(), reflector.lastSyncResourceVersion], [['a'], '2']);
    const empty: TestObject = {};
    stampIdentity(empty, { key: '', resourceVersion: '' });
    await send({ type: 'ADDED', object: empty });
    assert.equal(problems[0]?.code, 'CACHE_OBJECT_UNEXPECTED');
    await end();
  });

  it('are applied if their object has no kind', async () => {
    const { send, store, end } = await watching();
    await send({ type: 'ADDED', object: { metadata: { name: 'a', resourceVersion: '2' } } });
    assert.equal(store.size, 1);
    await end();
  });

  it('are skipped if they bring tables, even if any kind is expected', async () => {
    const { send, problems, end } = await watching({ expectedKind: undefined });
    await send({ type: 'ADDED', object: { ...testObject('a', '2'), kind: 'Anything' } });
    assert.equal(problems.length, 0);
    await send({ type: 'ADDED', object: { kind: 'Table', metadata: {} } });
    assert.equal(problems[0]?.message, 'the object of a ADDED event is ? Table');
    await end();
  });

  it('are passed over if the store refuses their object', async () => {
    const { send, store, problems, reflector, end } = await watching();
    await send({ type: 'ADDED', object: { metadata: { resourceVersion: '5' } } });
    assert.deepEqual(
      [problems[0]?.code, reflector.lastSyncResourceVersion],
      ['CACHE_STORE_FAILED', '5'],
    );
    store.add = () => assert.fail('full');
    await send({ type: 'ADDED', object: testObject('a', '6') });
    await send({ type: 'ADDED', object: testObject('ns/b', '7') });
    assert.equal(problems[1]?.message, 'the store refused a ADDED event of "a"');
    assert.match(String(problems[1]?.cause), /full/);
    assert.match(problems[2]?.message ?? '', / "ns\/b"$/);
    await end();
  });

  it('are read without waiting if the source has them ready', async () => {
    const test = new TestReflector({ useWatchList: false });
    const pending: ListedEvent<TestObject>[] = ['a', 'b', 'c'].map((name, index) => ({
      type: 'ADDED',
      object: testObject(name, String(index + 2)),
    }));
    let waits = 0;
    let isReturned = false;
    let given: AbortSignal | undefined;
    test.source.watch = async ({ signal }) => {
      given = signal;
      const iterator = {
        ready: () => pending.shift(),
        next: () => {
          waits += 1;
          return new Promise<IteratorResult<ListedEvent<TestObject>>>((resolve) =>
            signal.addEventListener('abort', () => resolve({ done: true, value: undefined })),
          );
        },
        return: async () => {
          isReturned = true;
          return { done: true as const, value: undefined };
        },
      };
      return { [Symbol.asyncIterator]: () => iterator };
    };
    const { end } = await test.run();
    assert.deepEqual(test.store.listKeys(), ['a', 'b', 'c']);
    assert.equal(waits, 1);
    await end();
    assert.ok(isReturned && given?.aborted === true);
  });

  it('are awaited by one promise if the source announces them', async () => {
    const test = new TestReflector({ useWatchList: false });
    const pending: ListedEvent<TestObject>[] = [];
    let arrived = new Deferred();
    let isOpen = true;
    test.source.watch = async ({ signal }) => {
      signal.addEventListener('abort', () => {
        isOpen = false;
        arrived.resolve();
      });
      const iterator = {
        ready: () => pending.shift(),
        arrival: () => (isOpen ? arrived.promise : undefined),
        next: () => assert.fail('there is arrival'),
        return: async () => ({ done: true as const, value: undefined }),
      };
      return { [Symbol.asyncIterator]: () => iterator };
    };
    const { end } = await test.run();
    const send = async (...events: ListedEvent<TestObject>[]): Promise<void> => {
      const { resolve } = arrived;
      arrived = new Deferred();
      pending.push(...events);
      resolve();
      await nextTurn();
    };
    await send({ type: 'ADDED', object: testObject('a', '2') });
    await send();
    await send(
      { type: 'ADDED', object: testObject('b', '3') },
      { type: 'ADDED', object: testObject('c', '4') },
    );
    assert.deepEqual(test.store.listKeys(), ['a', 'b', 'c']);
    await end();
  });

  it('of a first state are read once a turn, however many pieces they arrive in', async () => {
    const test = new TestReflector({ useWatchList: true });
    const pending: ListedEvent<TestObject>[] = [];
    let arrived = new Deferred();
    let waits = 0;
    test.source.watch = async ({ signal }) => {
      signal.addEventListener('abort', () => arrived.resolve());
      const iterator = {
        ready: () => pending.shift(),
        arrival: () => {
          waits += 1;
          return signal.aborted ? undefined : arrived.promise;
        },
        next: async () => ({ done: true as const, value: undefined }),
        return: async () => ({ done: true as const, value: undefined }),
      };
      return { [Symbol.asyncIterator]: () => iterator };
    };
    const { end } = await test.run();
    const send = (event: ListedEvent<TestObject>): void => {
      const { resolve } = arrived;
      arrived = new Deferred();
      pending.push(event);
      resolve();
    };
    assert.equal(waits, 1);
    for (const name of ['a', 'b', 'c']) {
      send({ type: 'ADDED', object: testObject(name, '2') });
      // Enough for everything that does not wait for a turn.
      for (let count = 0; count < 10; count += 1) await Promise.resolve();
      assert.equal(waits, 1);
    }
    await nextTurn();
    assert.equal(waits, 2);
    send(bookmark('7', 'true'));
    await test.settle();
    assert.deepEqual(test.store.listKeys(), ['a', 'b', 'c']);
    await end();
  });
});
