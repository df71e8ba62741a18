import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ObjectKeyError } from '../meta/object.ts';
import { CacheError } from './cache-error.ts';
import { Indexer } from './indexer.ts';
import { metaNamespaceKeyFunc } from './store.ts';
import { type TestObject, testObject } from './test-objects.ts';
import { DeletedFinalStateUnknown } from './store.ts';

const color = (object: TestObject): readonly string[] =>
  object.metadata?.labels?.['color']?.split(',') ?? [];

const colored = (key: string, colors: string, version?: string): TestObject =>
  testObject(key, version, colors === '' ? {} : { color: colors });

function makeIndexer() {
  return new Indexer<TestObject>({ keyFunc: metaNamespaceKeyFunc }).addIndexers({ color });
}

describe('Indexer as a store', () => {
  it('keeps the last state of each key', () => {
    const store = makeIndexer();
    const first = testObject('ns/a', '1');
    const second = testObject('ns/a', '2');
    store.add(first);
    assert.equal(store.getByKey('ns/a'), first);
    store.add(second);
    assert.equal(store.get(first), second);
    store.update(first);
    assert.equal(store.get(second), first);
    assert.equal(store.size, 1);
    store.update(testObject('ns/b'));
    assert.deepEqual(store.listKeys(), ['ns/a', 'ns/b']);
    store.delete(second);
    assert.equal(store.getByKey('ns/a'), undefined);
    assert.equal(store.has('ns/a'), false);
    store.delete(second);
    assert.deepEqual(store.listKeys(), ['ns/b']);
  });

  it('replaces everything', () => {
    const store = makeIndexer();
    store.add(testObject('old'));
    const next = [testObject('a'), testObject('b')];
    store.replace(next, '10');
    assert.deepEqual(store.list(), next);
    assert.deepEqual([...store], next);
    assert.deepEqual([...store.keys()], ['a', 'b']);
    store.replace([], '11');
    assert.equal(store.size, 0);
  });

  it('deletes by a tombstone', () => {
    const store = makeIndexer();
    store.add(testObject('a'));
    const tombstone = new DeletedFinalStateUnknown<TestObject>('a', undefined);
    assert.equal(store.get(tombstone), store.getByKey('a'));
    store.delete(tombstone);
    assert.equal(store.size, 0);
  });

  it('returns copies of its lists', () => {
    const store = makeIndexer();
    store.add(testObject('a'));
    store.list().pop();
    store.listKeys().pop();
    assert.equal(store.size, 1);
  });

  it('refuses objects without a key and stays unchanged', () => {
    const store = makeIndexer();
    store.add(testObject('a', '1'));
    assert.throws(() => store.add({ metadata: { resourceVersion: '2' } }), ObjectKeyError);
    assert.throws(() => store.replace([testObject('b'), {}], '3'), ObjectKeyError);
    assert.deepEqual(store.listKeys(), ['a']);
    assert.equal(store.resourceVersion, '1');
  });

  it('iterations are not affected by a replacement', () => {
    const store = makeIndexer();
    store.replace([testObject('a'), testObject('b')], '1');
    const seen: (string | undefined)[] = [];
    for (const object of store.values()) {
      seen.push(object.metadata?.name);
      store.replace([testObject('c')], '2');
    }
    assert.deepEqual(seen, ['a', 'b']);
  });
});

describe('the version of a store', () => {
  it('follows writes, replacements and bookmarks', () => {
    const store = makeIndexer();
    assert.equal(store.resourceVersion, '');
    store.add(testObject('a', '1'));
    assert.equal(store.resourceVersion, '1');
    store.update(testObject('a', '2'));
    assert.equal(store.resourceVersion, '2');
    store.delete(testObject('a', '3'));
    assert.equal(store.resourceVersion, '3');
    store.replace([testObject('b', '2')], '4');
    assert.equal(store.resourceVersion, '4');
    store.bookmark('5');
    assert.equal(store.resourceVersion, '5');
  });

  it('is not changed by tombstones and by objects without a version', () => {
    const store = makeIndexer();
    store.replace([testObject('a', '1')], '7');
    store.add(testObject('b'));
    store.delete(new DeletedFinalStateUnknown('a', testObject('a', '3')));
    store.bookmark('');
    assert.equal(store.resourceVersion, '7');
    const numbers = new Indexer<{ readonly id: string }>({ keyFunc: ({ id }) => id });
    numbers.add({ id: 'one' });
    assert.equal(numbers.resourceVersion, '');
  });
});

describe('indices', () => {
  it('find objects by each of their values', () => {
    const store = makeIndexer();
    const red = colored('red', 'red');
    const both = colored('both', 'red,blue');
    for (const object of [red, both, colored('none', '')]) store.add(object);
    assert.deepEqual(store.byIndex('color', 'red'), [red, both]);
    assert.deepEqual(store.byIndex('color', 'blue'), [both]);
    assert.deepEqual(store.byIndex('color', 'green'), []);
    assert.deepEqual([...store.valuesByIndex('color', 'red')], [red, both]);
    assert.deepEqual(store.indexKeys('color', 'red'), ['both', 'red']);
    assert.equal(store.countByIndex('color', 'red'), 2);
    assert.equal(store.countByIndex('color', 'blue'), 1);
    assert.equal(store.countByIndex('color', 'green'), 0);
    assert.deepEqual(store.listIndexFuncValues('color'), ['red', 'blue']);
  });

  it('find the objects that share a value with an object, each once', () => {
    const store = makeIndexer();
    const both = colored('both', 'red,blue');
    const red = colored('red', 'red');
    store.replace([both, red, colored('green', 'green')], '1');
    assert.deepEqual(store.index('color', colored('asked', 'blue,red')), [both, red]);
    assert.deepEqual(store.index('color', colored('asked', '')), []);
  });

  it('follow changes of values', () => {
    const store = makeIndexer();
    store.add(colored('a', 'red,blue'));
    store.update(colored('a', 'blue,green'));
    assert.deepEqual(store.indexKeys('color', 'red'), []);
    assert.deepEqual(store.indexKeys('color', 'blue'), ['a']);
    assert.deepEqual(store.indexKeys('color', 'green'), ['a']);
    store.update(colored('a', ''));
    assert.deepEqual(store.listIndexFuncValues('color'), []);
  });

  it('drop values that no object has any more', () => {
    const store = makeIndexer();
    for (let turn = 0; turn < 10; turn += 1) {
      store.add(colored('a', `c${turn}`));
      store.add(colored('b', `c${turn}`));
    }
    assert.deepEqual(store.listIndexFuncValues('color'), ['c9']);
    store.delete(colored('a', 'c9'));
    assert.deepEqual(store.indexKeys('color', 'c9'), ['b']);
    store.delete(colored('b', 'c9'));
    assert.deepEqual(store.listIndexFuncValues('color'), []);
  });

  it('use the stored object on deletion, not the given one', () => {
    const store = makeIndexer();
    store.add(colored('a', 'red'));
    store.delete(colored('a', 'blue'));
    assert.deepEqual(store.listIndexFuncValues('color'), []);
  });

  it('are not changed by deleting an absent object', () => {
    const store = makeIndexer();
    store.add(colored('a', 'red'));
    store.delete(colored('b', 'red'));
    assert.deepEqual(store.indexKeys('color', 'red'), ['a']);
  });

  it('are rebuilt when everything is replaced', () => {
    const store = makeIndexer();
    store.add(colored('a', 'red'));
    store.replace([colored('b', 'blue'), colored('b', 'green')], '1');
    assert.deepEqual(store.listIndexFuncValues('color'), ['green']);
  });

  it('can be added to a filled store', () => {
    const store = makeIndexer();
    store.add(colored('ns/a', 'red'));
    const more = store.addIndexers({ length: (object) => [object.metadata?.name?.length ?? 0] });
    assert.deepEqual(more.indexKeys('length', 1), ['ns/a']);
    assert.deepEqual(Object.keys(more.getIndexers()), ['color', 'length']);
    more.update(colored('ns/abc', 'red'));
    assert.deepEqual(more.listIndexFuncValues('length'), [1, 3]);
  });

  it('are all refused if one name is taken', () => {
    const store = makeIndexer();
    const code = { code: 'CACHE_INDEX_CONFLICT' };
    assert.throws(() => store.addIndexers({ fresh: () => [], color }), code);
    assert.deepEqual(Object.keys(store.getIndexers()), ['color']);
  });

  it('throw for an unknown name', () => {
    const loose: Indexer<TestObject, Record<string, typeof color>> = makeIndexer();
    assert.throws(() => loose.byIndex('size', 'large'), { code: 'CACHE_INDEX_UNKNOWN' });
  });

  it('leave everything unchanged if a function throws', () => {
    const store = makeIndexer().addIndexers({
      picky: (object) => {
        if (object.metadata?.labels?.['color'] === 'bad') throw new Error('no');
        return ['fine'];
      },
    });
    store.add(colored('a', 'red', '1'));
    assert.throws(
      () => store.update(colored('a', 'bad', '2')),
      (error) => error instanceof CacheError && /"picky".*"a"/.test(error.message),
    );
    assert.throws(() => store.replace([colored('b', 'bad')], '3'), CacheError);
    assert.deepEqual(store.byIndex('color', 'red'), [colored('a', 'red', '1')]);
    assert.deepEqual(store.listIndexFuncValues('color'), ['red']);
    assert.equal(store.resourceVersion, '1');
    const failing = (): readonly string[] => {
      throw new Error('never');
    };
    assert.throws(() => store.addIndexers({ good: color, failing }), CacheError);
    assert.deepEqual(Object.keys(store.getIndexers()), ['color', 'picky']);
  });
});

describe('replacement', () => {
  it('is invisible until it is committed in one step', () => {
    const store = makeIndexer();
    store.add(colored('a', 'red', '1'));
    const replacement = store.replacement();
    replacement.set('b', colored('b', 'blue'));
    assert.deepEqual(store.listKeys(), ['a']);
    assert.ok(replacement.has('b'));
    assert.equal(replacement.size, 1);
    store.add(colored('late', 'red', '2'));
    replacement.commit('9');
    assert.deepEqual(store.listKeys(), ['b']);
    assert.deepEqual(store.listIndexFuncValues('color'), ['blue']);
    assert.equal(store.resourceVersion, '9');
  });

  it('has the indices that were added meanwhile', () => {
    const store = makeIndexer();
    const replacement = store.replacement();
    replacement.set('b', colored('b', 'blue'));
    const more = store.addIndexers({ again: color });
    replacement.commit('9');
    assert.deepEqual(more.indexKeys('again', 'blue'), ['b']);
  });
});

describe('writes by key', () => {
  const byKind = (object: TestObject): readonly string[] => [object.kind ?? ''];

  it('keep objects under any keys', () => {
    const keyFunc = (): string => assert.fail('the key is known');
    const store = new Indexer<TestObject>({ keyFunc }).addIndexers({ byKind });
    const object = testObject('a', '1');
    store.updateByKey('one', object);
    store.updateByKey('two', object);
    assert.deepEqual(store.indexKeys('byKind', 'ConfigMap'), ['one', 'two']);
    assert.deepEqual([...store.keys()], ['one', 'two']);
    assert.deepEqual([...store], [object, object]);
  });

  it('return the object that was there before', () => {
    const store = makeIndexer();
    const first = testObject('a', '1');
    assert.equal(store.updateByKey('a', first), undefined);
    assert.equal(store.updateByKey('a', testObject('a', '2')), first);
    assert.equal(store.deleteByKey('b', testObject('b', '3')), undefined);
    assert.equal(store.resourceVersion, '3', 'a deletion happened, if not here');
    assert.equal(store.deleteByKey('a')?.metadata?.resourceVersion, '2');
    assert.equal(store.resourceVersion, '3');
    assert.equal(store.has('a'), false);
  });
});
