import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stampIdentity } from '../meta/object.ts';
import type { CacheError } from './cache-error.ts';
import { EventSink } from './event-sink.ts';
import { Indexer } from './indexer.ts';
import { metaNamespaceKeyFunc } from './key-func.ts';
import { type TestObject, testObject } from './test-objects.ts';

function makeSink({ isOrdered = true, resourceVersion = '1' } = {}) {
  const store = new Indexer<TestObject>({ keyFunc: metaNamespaceKeyFunc });
  const problems: CacheError[] = [];
  const sink = new EventSink<TestObject>({
    store,
    resourceVersion,
    isOrdered,
    expectedKind: { apiVersion: 'v1', kind: 'ConfigMap' },
    onError: (problem) => problems.push(problem),
  });
  return { store, sink, problems };
}

const bookmark = (resourceVersion: string, mark?: string) =>
  ({
    type: 'BOOKMARK',
    object: {
      metadata: {
        resourceVersion,
        ...(mark === undefined ? {} : { annotations: { 'k8s.io/initial-events-end': mark } }),
      },
    },
  }) as const;

describe('EventSink', () => {
  it('writes events to the store and follows their versions', () => {
    const { store, sink } = makeSink();
    sink.apply({ type: 'ADDED', object: testObject('a', '2') });
    sink.apply({ type: 'ADDED', object: testObject('b', '3') });
    assert.equal(sink.resourceVersion, '3');
    sink.apply({ type: 'MODIFIED', object: testObject('a', '4') });
    sink.apply({ type: 'DELETED', object: testObject('b', '5') });
    assert.equal(sink.resourceVersion, '5');
    assert.equal(sink.apply(bookmark('8')), false);
    assert.equal(sink.resourceVersion, '8');
    assert.equal(store.resourceVersion, '8');
    assert.equal(sink.events, 5);
    assert.deepEqual(store.list(), [testObject('a', '4')]);
  });

  it('does not trust the versions of the first state, which is in no order', () => {
    for (const event of [
      { type: 'MODIFIED', object: testObject('a', '7') } as const,
      { type: 'DELETED', object: testObject('a', '7') } as const,
      bookmark('7'),
    ]) {
      const { sink } = makeSink({ isOrdered: false, resourceVersion: '' });
      sink.apply({ type: 'ADDED', object: testObject('a', '6') });
      sink.apply({ type: 'ADDED', object: testObject('b', '2') });
      assert.equal(sink.resourceVersion, '');
      sink.apply(event);
      assert.equal(sink.resourceVersion, '7');
      sink.apply({ type: 'ADDED', object: testObject('c', '8') });
      assert.equal(sink.resourceVersion, '8');
    }
  });

  it('knows the end of the first state by its mark', () => {
    const { sink } = makeSink({ isOrdered: false });
    assert.equal(sink.apply(bookmark('2', 'false')), false);
    assert.equal(sink.apply(bookmark('2', '')), false);
    assert.equal(sink.apply(bookmark('2', 'true')), true);
  });

  it('reports and skips what it does not expect', () => {
    const { store, sink, problems } = makeSink();
    const unexpected: TestObject[] = [
      { ...testObject('a', '9'), kind: 'Secret' },
      { ...testObject('a', '9'), apiVersion: 'v2' },
      { apiVersion: 'v1', kind: 'ConfigMap' },
      { apiVersion: 'meta.k8s.io/v1', kind: 'Table', metadata: {} },
    ];
    for (const object of unexpected) sink.apply({ type: 'MODIFIED', object });
    assert.deepEqual(
      problems.map(({ code }) => code),
      unexpected.map(() => 'CACHE_OBJECT_UNEXPECTED'),
    );
    assert.match(problems[0]?.message ?? '', /v1 Secret, not of v1 ConfigMap/);
    assert.deepEqual([sink.events, sink.resourceVersion, store.size], [0, '1', 0]);
  });

  it('takes what says who it is without a touch, and looks at what does not', () => {
    const { sink, store, problems } = makeSink();
    const untouchable: TestObject = {
      get metadata(): never {
        return assert.fail('the object was touched');
      },
    };
    stampIdentity(untouchable, { name: 'a', namespace: '', resourceVersion: '2', uid: '' });
    sink.apply({ type: 'ADDED', object: untouchable });
    assert.deepEqual([store.listKeys(), sink.resourceVersion], [['a'], '2']);
    const empty: TestObject = {};
    stampIdentity(empty, { name: '', namespace: '', resourceVersion: '', uid: '' });
    sink.apply({ type: 'ADDED', object: empty });
    assert.equal(problems[0]?.code, 'CACHE_OBJECT_UNEXPECTED');
  });

  it('takes objects that do not say what they are', () => {
    const { sink, store } = makeSink();
    sink.apply({ type: 'ADDED', object: { metadata: { name: 'a', resourceVersion: '2' } } });
    assert.equal(store.size, 1);
  });

  it('refuses tables even if anything else is welcome', () => {
    const problems: CacheError[] = [];
    const sink = new EventSink<TestObject>({
      store: new Indexer<TestObject>({ keyFunc: metaNamespaceKeyFunc }),
      resourceVersion: '1',
      isOrdered: true,
      expectedKind: undefined,
      onError: (problem) => problems.push(problem),
    });
    sink.apply({ type: 'ADDED', object: { ...testObject('a', '2'), kind: 'Anything' } });
    assert.equal(problems.length, 0);
    sink.apply({ type: 'ADDED', object: { kind: 'Table', metadata: {} } });
    assert.equal(problems.length, 1);
  });

  it('goes past an event that the store refuses', () => {
    const { sink, problems } = makeSink();
    sink.apply({ type: 'ADDED', object: { metadata: { resourceVersion: '5' } } });
    assert.deepEqual(
      [problems[0]?.code, sink.resourceVersion, sink.events],
      ['CACHE_STORE_FAILED', '5', 1],
    );
  });

  it('names the object that the store refuses', () => {
    const { store, sink, problems } = makeSink();
    store.add = () => {
      throw new Error('full');
    };
    for (const key of ['a', 'ns/b']) sink.apply({ type: 'ADDED', object: testObject(key, '2') });
    assert.match(problems[0]?.message ?? '', / "a"$/);
    assert.match(problems[1]?.message ?? '', / "ns\/b"$/);
  });

  it('can be turned to another store', () => {
    const { sink, store } = makeSink();
    const other = new Indexer<TestObject>({ keyFunc: metaNamespaceKeyFunc });
    sink.redirect(other);
    sink.apply({ type: 'ADDED', object: testObject('a', '2') });
    assert.deepEqual([store.size, other.size], [0, 1]);
  });
});
