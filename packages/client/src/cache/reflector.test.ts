import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deferred } from '../lib/deferred.ts';
import type { Indexer } from './indexer.ts';
import { metaNamespaceKeyFunc } from './store.ts';
import { failures } from './test-failures.ts';
import type { TestObject } from './test-objects.ts';
import { TestReflector } from './test-reflector.ts';
import { TestSource } from './test-source.ts';

for (const useWatchList of [true, false]) {
  describe(`Reflector, ${useWatchList ? 'streaming' : 'listing'} the first state`, () => {
    const first = useWatchList ? ['stream rv='] : ['list rv=0 limit=500', 'watch rv=3'];

    it('reads the first state, then watches', async () => {
      const { source, store, reflector, run, settle, assertEqual } = new TestReflector({
        useWatchList,
      });
      source.write('ns/a');
      source.write('b');
      const { end } = await run();
      assertEqual();
      assert.deepEqual(source.requests, first);
      assert.equal(store.resourceVersion, '3');
      source.write('ns/a');
      source.remove('b');
      source.write('c');
      await settle();
      assertEqual();
      assert.equal(reflector.lastSyncResourceVersion, '6');
      await end();
    });

    it('resumes where a watch ended, without reading everything again', async () => {
      const { clock, source, run, assertEqual, reflector } = new TestReflector({ useWatchList });
      source.write('a');
      source.write('b');
      const { end } = await run();
      source.write('b');
      await clock.advance(1000);
      source.endWatches();
      source.write('c');
      source.remove('a');
      await clock.advance(0);
      assertEqual();
      assert.deepEqual(source.requests, [...first, 'watch rv=4']);
      assert.equal(reflector.lastSyncResourceVersion, '6');
      await end();
    });

    it('resumes from a bookmark', async () => {
      const { clock, source, run, settle, reflector, store } = new TestReflector({ useWatchList });
      source.write('a');
      source.write('b');
      const { end } = await run();
      source.send({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '77' } } });
      await settle();
      assert.equal(reflector.lastSyncResourceVersion, '77');
      assert.equal(store.resourceVersion, '77');
      await clock.advance(1000);
      source.endWatches();
      await settle();
      assert.equal(source.requests.at(-1), 'watch rv=77');
      await end();
    });

    it('reads everything again, after a wait, when its version is gone', async () => {
      const { clock, source, run, settle, assertEqual, reported } = new TestReflector({
        useWatchList,
      });
      source.write('a');
      source.write('b');
      const { end } = await run();
      await clock.advance(2000);
      source.endWatches(failures.unreachable);
      source.remove('a');
      source.write('c');
      source.compact();
      await settle();
      const count = source.requests.length;
      await clock.advance(799);
      assert.equal(source.requests.length, count);
      await clock.advance(1);
      assertEqual();
      assert.equal(source.requests[count], useWatchList ? 'stream rv=3' : 'list rv=3');
      assert.deepEqual(reported, [], 'the server said nothing that the user could mend');
      await end();
    });

    it('backs off while the server is unreachable, and does not read everything again', async () => {
      const { clock, source, run, settle, assertEqual } = new TestReflector({ useWatchList });
      source.write('a');
      source.write('b');
      const { end } = await run();
      await clock.advance(2000);
      source.endWatches();
      source.watchFailures.push(...Array.from({ length: 8 }, () => failures.unreachable));
      await settle();
      source.write('c');
      const waits: number[] = [];
      while (source.watchFailures.length > 0) {
        waits.push(clock.untilNext ?? NaN);
        await clock.advanceToNext();
      }
      await clock.advanceToNext();
      assert.deepEqual(waits, [800, 1600, 3200, 6400, 12_800, 25_600, 30_000]);
      assert.deepEqual(new Set(source.requests.slice(first.length)), new Set(['watch rv=3']));
      assertEqual();
      await end();
    });

    it('stops immediately, without an error, and leaves nothing behind', async () => {
      const { clock, source, run, settle, statuses, reflector } = new TestReflector({
        useWatchList,
        resyncPeriodMs: 1000,
      });
      source.write('a');
      source.write('b');
      const { end } = await run();
      await end();
      source.write('c');
      await settle();
      assert.equal(clock.pending, 0);
      assert.equal(source.openWatches, 0);
      assert.deepEqual(source.requests, first);
      assert.deepEqual(statuses, ['syncing', 'live', 'stopped']);
      assert.deepEqual(reflector.status, { state: 'stopped' });
      await assert.rejects(reflector.run({ signal: new AbortController().signal }), {
        code: 'CACHE_RUN_TWICE',
      });
    });
  });
}

/** Lets a store accept lists only when a promise has resolved. */
function acceptLists(store: Indexer<TestObject>, when: Promise<void>): void {
  const replaceInSlices = async (
    objects: Iterable<TestObject>,
    version: string,
  ): Promise<number> => {
    await when;
    store.replace(objects, version);
    return store.size;
  };
  Object.assign(store, { replaceInSlices });
}

describe('Reflector', () => {
  it('lists if the server does not stream, and tries a stream again next time', async () => {
    const { clock, source, run, assertEqual, settle } = new TestReflector();
    source.watchFailures.push(failures.other);
    source.write('a');
    const { end } = await run();
    assertEqual();
    await clock.advance(2000);
    source.endWatches();
    source.watchFailures.push(failures.denied);
    await settle();
    await clock.advance(800);
    assert.deepEqual(source.requests, [
      'stream rv=',
      'list rv=0 limit=500',
      'watch rv=2',
      'watch rv=2',
      'stream rv=2',
    ]);
    await end();
  });

  it('always lists after a stream that is never complete', async () => {
    const { clock, source, run, assertEqual, store } = new TestReflector({
      initialEventsTimeoutMs: 10_000,
    });
    source.marksEnd = false;
    source.write('a');
    const { end } = await run();
    await clock.advance(10_000);
    source.write('b');
    await clock.advance(10_000);
    assert.equal(store.size, 0, 'an event came in time');
    assert.equal(source.requests.length, 1);
    await clock.advance(10_000);
    assertEqual();
    assert.deepEqual(source.requests, ['stream rv=', 'list rv=0 limit=500', 'watch rv=3']);
    assert.equal(source.openWatches, 1);
    await end();
  });

  it('does not take a list that is accepted slowly for a silent server', async () => {
    const accepting = new Deferred();
    const { clock, source, run, settle, store, assertEqual } = new TestReflector();
    acceptLists(store, accepting.promise);
    source.write('a');
    const { end } = await run();
    await clock.advance(40_000);
    assert.equal(store.size, 0);
    accepting.resolve();
    await settle();
    assertEqual();
    source.write('b');
    await settle();
    assertEqual();
    assert.deepEqual(source.requests, ['stream rv=']);
    await end();
  });

  it('has the version of a list that was accepted while it was stopped', async () => {
    const accepting = new Deferred();
    const { source, run, stop, store, reflector } = new TestReflector({ useWatchList: false });
    acceptLists(store, accepting.promise);
    source.write('a');
    const { end } = await run();
    stop.abort();
    accepting.resolve();
    await end();
    assert.equal(store.resourceVersion, source.version);
    assert.equal(reflector.lastSyncResourceVersion, source.version);
  });

  it('does not request streams where they are not supported', async () => {
    const source = new TestSource();
    source.supportsWatchList = false;
    const { run, stop } = new TestReflector({ listerWatcher: source });
    const { end } = await run();
    assert.deepEqual(source.requests, ['list rv=0 limit=500', 'watch rv=1']);
    assert.equal(stop.signal.aborted, false);
    await end();
  });

  it('merges changes within the stream into the first state, which the store gets as one list', async () => {
    const replaced: string[][] = [];
    const { source, run, settle, store } = new TestReflector();
    const replace = store.replace.bind(store);
    store.replace = (objects, version) => {
      const list = [...objects];
      replaced.push(
        list.map((object) => `${metaNamespaceKeyFunc(object)}@${object.metadata?.resourceVersion}`),
      );
      replace(list, version);
    };
    source.marksEnd = false;
    source.write('a');
    source.write('b');
    const { end } = await run();
    source.write('a');
    source.remove('b');
    source.write('c');
    await settle();
    assert.equal(store.size, 0);
    const annotations = { 'k8s.io/initial-events-end': 'true' };
    source.send({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '6', annotations } } });
    await settle();
    assert.deepEqual(replaced, [['a@4', 'c@6']]);
    source.write('d');
    await settle();
    assert.equal(store.size, 3);
    await end();
  });

  it('starts a broken stream again from scratch', async () => {
    const { clock, source, run, settle, assertEqual } = new TestReflector();
    source.marksEnd = false;
    source.write('a');
    const { end } = await run();
    source.endWatches();
    source.remove('a');
    source.write('b');
    source.marksEnd = true;
    await settle();
    assert.deepEqual(source.requests, ['stream rv=']);
    await clock.advance(800);
    assertEqual();
    await end();
  });
});
