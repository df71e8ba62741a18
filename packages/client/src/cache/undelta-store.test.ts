import assert from 'node:assert/strict';
import { it } from 'node:test';
import { metaNamespaceKeyFunc } from './store.ts';
import { type TestObject, testObject } from './test-objects.ts';
import { UndeltaStore } from './undelta-store.ts';

function makeStore() {
  const pushed: (string | undefined)[][] = [];
  const store = new UndeltaStore<TestObject>({
    keyFunc: metaNamespaceKeyFunc,
    push: (objects) => pushed.push(objects.map(({ metadata }) => metadata?.name)),
  });
  return { pushed, store };
}

it('an UndeltaStore pushes all objects after every write', () => {
  const { pushed, store } = makeStore();
  store.add(testObject('a', '1'));
  store.add(testObject('b', '2'));
  store.update(testObject('a', '3'));
  store.delete(testObject('a', '4'));
  store.replace([testObject('c'), testObject('d')], '5');
  assert.deepEqual(pushed, [['a'], ['a', 'b'], ['a', 'b'], ['b'], ['c', 'd']]);
  assert.equal(store.resourceVersion, '5');
});

it('an UndeltaStore pushes after writes by key, and when a replacement is committed', () => {
  const { pushed, store } = makeStore();
  store.updateByKey('a', testObject('a', '1'));
  store.updateByKey('b', testObject('b', '2'));
  store.deleteByKey('a');
  const replacement = store.replacement();
  replacement.set('c', testObject('c', '3'));
  assert.deepEqual(pushed, [['a'], ['a', 'b'], ['b']]);
  replacement.commit('4');
  assert.deepEqual(pushed.slice(3), [['c']]);
});

it('an UndeltaStore pushes nothing when it is read, resynced or bookmarked', () => {
  const { pushed, store } = makeStore();
  store.replace([testObject('a')], '1');
  pushed.length = 0;
  store.resync();
  store.bookmark('2');
  assert.equal(store.getByKey('a'), store.get(testObject('a')));
  assert.deepEqual([store.has('a'), store.size, store.listKeys()], [true, 1, ['a']]);
  assert.deepEqual([...store.values()], store.list());
  assert.equal(store.resourceVersion, '2');
  assert.deepEqual(pushed, []);
});
