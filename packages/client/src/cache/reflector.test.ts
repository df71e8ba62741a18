import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextTurn } from '../lib/next-turn.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { newTooManyRequests } from '../meta/error-factories.ts';
import type { CacheError } from './cache-error.ts';
import { Indexer } from './indexer.ts';
import { metaNamespaceKeyFunc } from './key-func.ts';
import { Reflector } from './reflector.ts';
import type { ReflectorFailure, ReflectorOptions } from './reflector-options.ts';
import { failures } from './test-failures.ts';
import { type TestObject, testObject } from './test-objects.ts';
import { byKey, TestSource } from './test-source.ts';

/** A reflector on a test server, with chance switched off: back-offs are 800 ms, 1.6 s, 3.2 s, … */
function makeWorld(options: Partial<ReflectorOptions<TestObject>> = {}) {
  const clock = new VirtualClock();
  const source = new TestSource();
  const store = new Indexer<TestObject>({ keyFunc: metaNamespaceKeyFunc });
  const reported: ReflectorFailure[] = [];
  const problems: CacheError[] = [];
  const statuses: string[] = [];
  const reflector = new Reflector<TestObject>({
    listerWatcher: source,
    store,
    clock,
    random: { next: () => 0 },
    onFailure: (failure) => reported.push(failure),
    onProblem: (problem) => problems.push(problem),
    onStatus: ({ state }) => statuses.push(state),
    ...options,
  });
  const stop = new AbortController();
  const settle = async (): Promise<void> => {
    await nextTurn();
    await nextTurn();
  };
  const run = async (): Promise<{ end: () => Promise<void> }> => {
    const running = reflector.run(stop.signal);
    await settle();
    return {
      end: async () => {
        stop.abort();
        await running;
      },
    };
  };
  const assertEqual = (): void => assert.deepEqual(byKey(store.list()), byKey(source.objects()));
  return {
    clock,
    source,
    store,
    reflector,
    reported,
    problems,
    statuses,
    stop,
    run,
    settle,
    assertEqual,
  };
}

for (const useWatchList of [true, false]) {
  describe(`Reflector, ${useWatchList ? 'streaming' : 'listing'} the first state`, () => {
    const first = useWatchList ? ['stream rv='] : ['list rv=0 limit=500', 'watch rv=3'];

    it('has the first state, then follows', async () => {
      const { source, store, reflector, run, settle, assertEqual } = makeWorld({ useWatchList });
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

    it('goes on where a watch ended, without reading everything again', async () => {
      const { source, run, settle, assertEqual, reflector } = makeWorld({ useWatchList });
      source.write('a');
      source.write('b');
      const { end } = await run();
      source.write('b');
      await settle();
      source.endWatches();
      source.write('c');
      source.remove('a');
      await settle();
      assertEqual();
      assert.deepEqual(source.requests, [...first, 'watch rv=4']);
      assert.equal(reflector.lastSyncResourceVersion, '6');
      await end();
    });

    it('goes on from a bookmark', async () => {
      const { source, run, settle, reflector, store } = makeWorld({ useWatchList });
      source.write('a');
      source.write('b');
      const { end } = await run();
      source.send({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '77' } } });
      await settle();
      assert.equal(reflector.lastSyncResourceVersion, '77');
      assert.equal(store.resourceVersion, '77');
      source.endWatches();
      await settle();
      assert.equal(source.requests.at(-1), 'watch rv=77');
      await end();
    });

    it('reads everything again, after a while, when its version is gone', async () => {
      const { clock, source, run, settle, assertEqual, reported } = makeWorld({ useWatchList });
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

    it('waits longer and longer while the server is away, and does not read everything again', async () => {
      const { clock, source, run, settle, assertEqual } = makeWorld({ useWatchList });
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

    it('stops at once, without an error, and leaves nothing behind', async () => {
      const { clock, source, run, settle, statuses, reflector } = makeWorld({
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
      await assert.rejects(reflector.run(new AbortController().signal), {
        code: 'CACHE_RUN_TWICE',
      });
    });
  });
}

describe('Reflector', () => {
  it('lists if the server does not stream, and asks it again next time', async () => {
    const { clock, source, run, assertEqual, settle } = makeWorld();
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

  it('lists for good if the stream never says that it is complete', async () => {
    const { clock, source, run, assertEqual, store } = makeWorld({
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

  it('does not ask for streams where none are supported', async () => {
    const source = new TestSource();
    source.supportsWatchList = false;
    const { run, stop } = makeWorld({ listerWatcher: source });
    const { end } = await run();
    assert.deepEqual(source.requests, ['list rv=0 limit=500', 'watch rv=1']);
    assert.equal(stop.signal.aborted, false);
    await end();
  });

  it('takes changes within the stream into the first state, and hands it over as one', async () => {
    const replaced: string[][] = [];
    const { source, run, settle, store } = makeWorld();
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

  it('starts a broken stream again with nothing of the old one', async () => {
    const { clock, source, run, settle, assertEqual } = makeWorld();
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

  it('backs off after failed lists, reports them, and tells what it lacks', async () => {
    const { clock, source, run, settle, reported, reflector, assertEqual } = makeWorld({
      useWatchList: false,
    });
    source.listFailures.push(failures.denied, failures.absent, failures.internal);
    const startedAt = clock.now();
    const { end } = await run();
    assert.deepEqual(reflector.status, {
      state: 'denied',
      verb: 'list',
      since: startedAt,
      error: failures.denied,
    });
    await clock.advance(800);
    assert.deepEqual(reflector.status, {
      state: 'absent',
      since: startedAt,
      error: failures.absent,
    });
    await clock.advance(1600);
    assert.equal(reflector.status.state, 'stale');
    await clock.advance(3200);
    await settle();
    assert.deepEqual(reflector.status, { state: 'live', resourceVersion: '1' });
    assert.deepEqual(
      reported.map(({ verb, error }) => [verb, error]),
      [
        ['list', failures.denied],
        ['list', failures.absent],
        ['list', failures.internal],
      ],
    );
    assertEqual();
    await end();
  });

  it('backs off from the start again after a healthy watch', async () => {
    const { clock, source, run, settle } = makeWorld({ useWatchList: false });
    source.listFailures.push(failures.other, failures.other, failures.other);
    const { end } = await run();
    await clock.advance(800 + 1600 + 3200);
    assert.equal(source.requests.at(-1), 'watch rv=1');
    await clock.advance(300_000);
    source.endWatches();
    source.watchFailures.push(failures.busy);
    await settle();
    assert.equal(clock.untilNext, 800);
    await end();
  });

  it('waits as long as a busy server asks', async () => {
    const { clock, source, run, settle } = makeWorld({ useWatchList: false });
    const { end } = await run();
    source.send({ type: 'ERROR', object: newTooManyRequests('later', 5).status });
    await settle();
    assert.equal(clock.untilNext, 5000);
    await clock.advance(5000);
    assert.deepEqual(source.requests.slice(2), ['watch rv=1']);
    await end();
  });

  it('asks for watches of five to ten minutes, by chance', async () => {
    for (const [random, minWatchTimeoutMs, expected] of [
      [0, undefined, 300],
      [0.5, undefined, 450],
      [0.999, undefined, 599],
      [0.5, 1000, 450],
      [0.5, 1_800_000, 2700],
    ] as const) {
      const source = new TestSource();
      let asked = 0;
      const { run } = makeWorld({
        random: { next: () => random },
        ...(minWatchTimeoutMs === undefined ? {} : { minWatchTimeoutMs }),
        listerWatcher: {
          list: (request) => source.list(request),
          watch: (request) => {
            asked = request.timeoutSeconds;
            return source.watch(request);
          },
        },
      });
      const { end } = await run();
      assert.equal(asked, expected);
      await end();
    }
  });

  it('resyncs a period after the last resync', async () => {
    let due = true;
    let resyncs = 0;
    const { clock, source, store, run, settle } = makeWorld({
      resyncPeriodMs: 30_000,
      shouldResync: () => due,
    });
    store.resync = () => {
      resyncs += 1;
    };
    const { end } = await run();
    await clock.advance(29_999);
    assert.equal(resyncs, 0);
    await clock.advance(1);
    assert.equal(resyncs, 1);
    source.endWatches();
    await settle();
    await clock.advance(30_000);
    assert.equal(resyncs, 2, 'another watch does not start the time again');
    due = false;
    await clock.advance(60_000);
    assert.equal(resyncs, 2);
    await end();
    assert.equal(clock.pending, 0);
  });

  it('begins a new cycle if a resync fails', async () => {
    const { clock, source, store, run, reflector } = makeWorld({
      resyncPeriodMs: 30_000,
      useWatchList: false,
    });
    let fails = true;
    store.resync = () => {
      if (fails) throw new Error('broken');
    };
    const { end } = await run();
    await clock.advance(30_000);
    assert.equal(reflector.status.state, 'stale');
    assert.equal(source.openWatches, 0);
    fails = false;
    await clock.advance(800);
    assert.deepEqual(source.requests.slice(2), ['list rv=1', 'watch rv=1']);
    await clock.advance(60_000);
    assert.equal(reflector.status.state, 'live');
    await end();
  });

  it('does not move on if the store refuses a list', async () => {
    const { clock, source, store, run, reflector, reported, assertEqual } = makeWorld({
      useWatchList: false,
    });
    source.write('a');
    const replace = store.replace.bind(store);
    store.replace = () => {
      throw new Error('cannot transform');
    };
    const { end } = await run();
    assert.equal(reflector.lastSyncResourceVersion, '');
    assert.match(String(reported[0]?.error), /cannot transform/);
    store.replace = replace;
    await clock.advance(800);
    assertEqual();
    await end();
  });

  it('reports objects that do not belong, and goes on', async () => {
    const { source, run, settle, problems, assertEqual } = makeWorld({
      expectedKind: { apiVersion: 'v1', kind: 'ConfigMap' },
    });
    const { end } = await run();
    source.send({ type: 'ADDED', object: { ...testObject('x', '9'), kind: 'Secret' } });
    source.write('a');
    await settle();
    assert.deepEqual(
      problems.map(({ code }) => code),
      ['CACHE_OBJECT_UNEXPECTED'],
    );
    assertEqual();
    await end();
  });

  it('stops reading while the store has no room', async () => {
    let room: Promise<void> | undefined;
    let makeRoom = (): void => undefined;
    const { source, store, run, settle, assertEqual } = makeWorld({ waitForRoom: () => room });
    const { end } = await run();
    room = new Promise((resolve) => (makeRoom = resolve));
    for (const key of ['a', 'b', 'c']) source.write(key);
    await settle();
    assert.equal(store.size, 1);
    room = undefined;
    makeRoom();
    await settle();
    assertEqual();
    await end();
  });

  it('counts what comes before it is live', async () => {
    const { source, run, reflector } = makeWorld();
    assert.deepEqual(reflector.status, { state: 'starting' });
    source.marksEnd = false;
    source.write('a');
    source.write('b');
    const { end } = await run();
    assert.deepEqual(reflector.status, { state: 'syncing', received: 2 });
    assert.equal(reflector.lastSyncResourceVersion, '');
    await end();
  });

  it('asks for nothing if it is stopped before it runs', async () => {
    const { source, reflector, stop } = makeWorld();
    stop.abort();
    await reflector.run(stop.signal);
    assert.deepEqual(source.requests, []);
  });

  it('stops in the middle of a list without handing it on', async () => {
    const { source, store, stop, reflector } = makeWorld({ useWatchList: false });
    source.write('a');
    const list = source.list.bind(source);
    source.list = (request) => {
      stop.abort();
      return list(request);
    };
    await reflector.run(stop.signal);
    assert.equal(store.size, 0);
  });
});
