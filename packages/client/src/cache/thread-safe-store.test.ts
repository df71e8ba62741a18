import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type TestObject, testObject } from './test-objects.ts';
import { ThreadSafeStore } from './thread-safe-store.ts';

describe('ThreadSafeStore', () => {
  const byKind = (object: TestObject): readonly string[] => [object.kind ?? ''];

  it('keeps objects under any keys', () => {
    const store = new ThreadSafeStore<TestObject, { byKind: typeof byKind }>({ byKind });
    const object = testObject('a', '1');
    store.set('one', object);
    store.set('two', object);
    assert.deepEqual(store.indexKeys('byKind', 'ConfigMap'), ['one', 'two']);
    assert.deepEqual(
      [...store.entries()],
      [
        ['one', object],
        ['two', object],
      ],
    );
    assert.deepEqual([...store.keys()], store.listKeys());
    assert.deepEqual([...store.values()], store.list());
  });

  it('says whether there was something to delete', () => {
    const store = new ThreadSafeStore<TestObject>();
    store.set('a', testObject('a', '1'));
    assert.equal(store.delete('b', testObject('b', '2')), false);
    assert.equal(store.resourceVersion, '2', 'a deletion happened, even if not here');
    assert.equal(store.delete('a'), true);
    assert.equal(store.resourceVersion, '2');
    assert.equal(store.has('a'), false);
  });

  it('replaces by pairs of key and object', () => {
    const store = new ThreadSafeStore<TestObject>();
    store.set('old', testObject('old'));
    const next = new Map([['new', testObject('new', '4')]]);
    store.replace(next, '9');
    assert.deepEqual([...store.entries()], [...next]);
    assert.equal(store.get('new'), next.get('new'));
    assert.equal(store.resourceVersion, '9');
  });
});
