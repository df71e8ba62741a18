import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { ExpirationCache, ttlStore } from './expiration-cache.ts';
import { metaNamespaceKeyFunc } from './store.ts';
import { type TestObject, testObject } from './test-objects.ts';
import { DeletedFinalStateUnknown } from './store.ts';

function makeStore(ttlMs: number) {
  const clock = new VirtualClock();
  return { clock, store: ttlStore<TestObject>({ keyFunc: metaNamespaceKeyFunc, clock, ttlMs }) };
}

describe('ttlStore', () => {
  it('removes expired objects when they are read', async () => {
    const { clock, store } = makeStore(100);
    store.add(testObject('a'));
    await clock.advance(100);
    assert.ok(store.has('a'), 'at its age, not over it');
    await clock.advance(1);
    assert.equal(store.size, 1);
    assert.deepEqual(store.listKeys(), ['a']);
    assert.equal(store.getByKey('a'), undefined);
    assert.equal(store.size, 0);
  });

  it('restarts the time with every write', async () => {
    const { clock, store } = makeStore(100);
    store.add(testObject('a', '1'));
    store.add(testObject('b', '1'));
    await clock.advance(80);
    store.update(testObject('a', '2'));
    await clock.advance(80);
    assert.deepEqual(store.list(), [testObject('a', '2')]);
    assert.deepEqual(store.listKeys(), ['a'], 'listing removes what has expired');
  });

  it('accepts an object again that had expired', async () => {
    const { clock, store } = makeStore(100);
    store.add(testObject('a', '1'));
    await clock.advance(200);
    store.add(testObject('a', '2'));
    assert.deepEqual(store.get(testObject('a')), testObject('a', '2'));
  });

  it('keeps objects forever if ttlMs is 0', async () => {
    const { clock, store } = makeStore(0);
    store.add(testObject('a'));
    await clock.advance(1e12);
    assert.equal(store.list().length, 1);
  });
});

describe('ExpirationCache', () => {
  it('otherwise behaves like a store', () => {
    const store = new ExpirationCache<TestObject>({
      keyFunc: metaNamespaceKeyFunc,
      clock: new VirtualClock(),
      isExpired: ({ key, object }) => key === 'ns/bad' && object.kind === 'ConfigMap',
    });
    store.replace([testObject('ns/a', '1'), testObject('ns/bad', '2')], '3');
    assert.deepEqual([...store.values()], [testObject('ns/a', '1')]);
    assert.equal(store.resourceVersion, '3');
    store.add(testObject('ns/b', '4'));
    assert.equal(store.resourceVersion, '4');
    store.delete(testObject('ns/a', '5'));
    assert.equal(store.resourceVersion, '5');
    store.bookmark('6');
    assert.equal(store.resourceVersion, '6');
    store.delete(new DeletedFinalStateUnknown('ns/b', testObject('ns/b', '1')));
    assert.equal(store.resourceVersion, '6');
    store.resync();
    assert.deepEqual(store.list(), []);
    assert.throws(() => store.replace([testObject('c'), {}], '9'), {
      code: 'META_OBJECT_KEY_INVALID',
    });
    assert.equal(store.resourceVersion, '6');
  });
});
