import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CacheError } from './cache-error.ts';
import { Indexer } from './indexer.ts';
import type { IndexFunc } from './indexers.ts';
import { metaNamespaceKeyFunc } from './store.ts';
import { TestInformer } from './test-informer.ts';
import { type TestObject, testObject } from './test-objects.ts';

/** Throws for objects with the label `bad=throw`, and returns undefined for `bad=undefined`. */
const team: IndexFunc<TestObject, string> = ({ metadata }) => {
  const { bad, team: name } = metadata?.labels ?? {};
  if (bad === 'throw') throw new Error('no team');
  return bad === 'undefined' ? (undefined as never) : [name ?? 'none'];
};

function start() {
  const test = new TestInformer();
  const { indexer } = test.informer.addIndexers({ team });
  const inTeam = (name: string): string[] => indexer.indexKeys('team', name);
  return { test, indexer, inTeam };
}

describe('an index function that fails for one object', () => {
  for (const bad of ['throw', 'undefined']) {
    it(`costs that object its place in the index, in the first list (${bad})`, async () => {
      const { test, indexer, inTeam } = start();
      const handler = test.record();
      for (const key of ['a', 'b', 'c']) test.source.write(key, { team: 'x' });
      test.source.write('b', { bad });
      await test.start();
      test.assertEqual();
      assert.equal(test.informer.hasSynced, true);
      assert.deepEqual(inTeam('x'), ['a', 'c']);
      assert.deepEqual(indexer.listIndexFuncValues('team'), ['x']);
      assert.equal(handler.take().length, 3);
      assert.deepEqual(codes(test.errors), ['CACHE_INDEX_FAILED']);
      assert.match(test.errors[0]?.message ?? '', /"team" .* for the object "b"/);
      await test.stop();
    });

    it(`costs no other change of a watch batch (${bad})`, async () => {
      const { test, inTeam } = start();
      for (const key of ['a', 'b', 'gone']) test.source.write(key, { team: 'x' });
      await test.start();
      const handler = test.record();
      await test.settle();
      handler.take();
      test.source.write('a', { bad });
      test.source.write('b', { team: 'y' });
      test.source.remove('gone');
      test.source.write('new', { team: 'y' });
      await test.settle();
      test.assertEqual();
      assert.deepEqual(inTeam('x'), []);
      assert.deepEqual(inTeam('y'), ['b', 'new']);
      assert.equal(handler.take().length, 4);
      assert.deepEqual(codes(test.errors), ['CACHE_INDEX_FAILED']);
      await test.stop();
    });

    it(`indexes the object when it changes, and drops it when it is deleted (${bad})`, async () => {
      const { test, indexer, inTeam } = start();
      test.source.write('a', { bad });
      test.source.write('b', { bad });
      await test.start();
      test.source.write('a', { team: 'x' });
      test.source.remove('b');
      await test.settle();
      test.assertEqual();
      assert.deepEqual(inTeam('x'), ['a']);
      test.source.write('b', { team: 'x' });
      await test.settle();
      assert.deepEqual(inTeam('x'), ['a', 'b']);
      test.source.remove('a');
      test.source.remove('b');
      await test.settle();
      assert.deepEqual(indexer.listIndexFuncValues('team'), []);
      assert.deepEqual(
        test.errors.map(({ message }) =>
          message.slice('test: the index function of "team" '.length),
        ),
        [
          bad === 'throw'
            ? 'failed for the object "a"'
            : 'returned undefined for the object "a", not an array',
          'had failed for 2 objects; all objects are indexed again',
        ],
      );
      await test.stop();
    });
  }

  it('is reported again when it fails with another class of error', async () => {
    const { test } = start();
    for (const key of ['a', 'b', 'c']) test.source.write(key, { bad: 'throw' });
    test.source.write('d', { bad: 'undefined' });
    test.source.write('e', { bad: 'undefined' });
    await test.start();
    assert.deepEqual(
      test.errors.map(({ message }) => message.slice('test: the index function of "team" '.length)),
      [
        'failed for the object "a"',
        'returned undefined for the object "d", not an array, after 3 other failures',
      ],
    );
    assert.match(String(test.errors[0]?.cause), /no team/);
    await test.stop();
  });

  it('is reported once more after it had worked for all objects', async () => {
    const { test } = start();
    await test.start();
    for (const round of ['one', 'two']) {
      test.errors.splice(0);
      test.source.write('a', { bad: 'throw' });
      await test.settle();
      assert.equal(test.errors.length, 1, round);
      test.source.write('a', { team: 'x' });
      await test.settle();
      assert.match(test.errors[1]?.message ?? '', /had failed for one object; all objects are/);
    }
    await test.stop();
  });

  it('is reported when the index is added to a filled store', async () => {
    const test = new TestInformer();
    test.source.write('a', { team: 'x' });
    test.source.write('b', { bad: 'throw' });
    await test.start();
    const { indexer } = test.informer.addIndexers({ team });
    assert.deepEqual(indexer.indexKeys('team', 'x'), ['a']);
    assert.deepEqual(codes(test.errors), ['CACHE_INDEX_FAILED']);
    await test.stop();
  });
});

describe('a store without an error handler', () => {
  const code = { code: 'CACHE_INDEX_FAILED' };

  it('refuses a write whose index function returns no array, and changes nothing', () => {
    const store = new Indexer({ keyFunc: metaNamespaceKeyFunc, indexers: { team } });
    store.add(testObject('a', '1', { team: 'x' }));
    assert.throws(() => store.update(testObject('a', '2', { bad: 'undefined' })), code);
    assert.equal(store.getByKey('a')?.metadata?.resourceVersion, '1');
    assert.deepEqual(store.indexKeys('team', 'x'), ['a']);
  });

  it('reports the type that an index function returned instead of an array', () => {
    for (const returned of [null, undefined, 'text']) {
      const broken = (): string[] => returned as unknown as string[];
      const store = new Indexer({ keyFunc: metaNamespaceKeyFunc, indexers: { broken } });
      const type = returned === null ? 'null' : typeof returned;
      assert.throws(() => store.add(testObject('a')), {
        ...code,
        message: `the index function of "broken" returned ${type} for the object "a", not an array`,
      });
    }
  });

  it('keeps no entry of an object for which the function fails later', () => {
    let isFailing = false;
    const indexers = {
      moody: ({ metadata }: TestObject): string[] => {
        if (isFailing && metadata?.resourceVersion === '1') throw new Error('not today');
        return [metadata?.labels?.['team'] ?? ''];
      },
    };
    const store = new Indexer<TestObject, typeof indexers>({
      keyFunc: metaNamespaceKeyFunc,
      indexers,
    });
    for (const key of ['a', 'b']) store.add(testObject(key, '1', { team: 'x' }));
    isFailing = true;
    store.update(testObject('a', '2', { team: 'y' }));
    store.delete(testObject('b', '3'));
    assert.deepEqual(store.listIndexFuncValues('moody'), ['y']);
    assert.deepEqual(store.byIndex('moody', 'y').length, 1);
  });
});

function codes(errors: readonly CacheError[]): string[] {
  return errors.map(({ code }) => code);
}
