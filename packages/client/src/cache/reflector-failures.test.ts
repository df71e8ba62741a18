import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ScheduleOptions, sleep } from '../lib/clock.ts';
import { Deferred } from '../lib/deferred.ts';
import {
  newInternalError,
  newResourceExpired,
  newServerTimeout,
  newTooManyRequests,
} from '../meta/error-factories.ts';
import { quiescence } from '../testing/quiescence.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { CacheError } from './cache-error.ts';
import type { ListedEvents, ListerWatcher } from './list-watch.ts';
import { failures } from './test-failures.ts';
import { type TestObject, testObject } from './test-objects.ts';
import { TestReflector } from './test-reflector.ts';
import { TestSource } from './test-source.ts';

describe('Reflector failures', () => {
  it('backs off after failed lists, reports them, and has the state of the failure', async () => {
    const { clock, source, run, settle, reported, reflector, assertEqual } = new TestReflector({
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

  it('starts the back-off over after a healthy watch', async () => {
    const { clock, source, run, settle } = new TestReflector({ useWatchList: false });
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
    const { clock, source, run, settle } = new TestReflector({ useWatchList: false });
    const { end } = await run();
    source.send({ type: 'ERROR', object: newTooManyRequests('later', 5).status });
    await settle();
    assert.equal(clock.untilNext, 5000);
    await clock.advance(5000);
    assert.deepEqual(source.requests.slice(2), ['watch rv=1']);
    await end();
  });

  it('waits at least its back-off, whatever delay the server asks for', async () => {
    for (const [asked, expected] of [
      ['abc', 800],
      [-1e9, 800],
      [NaN, 800],
      [1e300, 300_000],
    ] as const) {
      const { clock, source, run, settle } = new TestReflector({ useWatchList: false });
      const { end } = await run();
      const failure = newServerTimeout({ group: '', resource: 'pods' }, 'watch', asked as number);
      source.send({ type: 'ERROR', object: failure.status });
      await settle();
      assert.equal(clock.untilNext, expected, String(asked));
      await end();
    }
  });

  it('watches once a second if the server ends each watch after an event, and reports it', async () => {
    const source = new TestSource();
    const listerWatcher: ListerWatcher<TestObject> = {
      list: (request) => source.list(request),
      watch: async (request) => {
        const events = await source.watch(request);
        source.write('a');
        source.endWatches();
        return events;
      },
    };
    const { clock, run, reported, store } = new TestReflector({
      listerWatcher,
      useWatchList: false,
    });
    const { end } = await run();
    await clock.advance(60_000);
    const watches = source.requests.filter((request) => request.startsWith('watch'));
    assert.equal(watches.length, 61);
    assert.equal(source.requests.length, 62, 'no list but the first');
    assert.equal(store.resourceVersion, source.version);
    assert.deepEqual(
      reported.map(({ error }) => (error as CacheError).code),
      ['CACHE_WATCHES_SHORT'],
    );
    await end();
  });

  it('resumes a watch that ended inside a frame, without a list', async () => {
    const { clock, source, run, assertEqual } = new TestReflector({ useWatchList: false });
    const { end } = await run();
    source.write('a');
    await clock.advance(5000);
    source.endWatches(failures.truncated);
    source.write('b');
    await clock.advance(0);
    assertEqual();
    assert.deepEqual(source.requests.slice(2), ['watch rv=2']);
    await end();
  });

  it('reports an answer that is not a list, and retries slowly', async () => {
    const test = new TestReflector({ useWatchList: false });
    const list = test.source.list.bind(test.source);
    test.source.list = async () => ({ kind: 'Table', rows: [] }) as never;
    const { end } = await test.run();
    const { error } = test.reported[0] ?? {};
    assert.ok(error instanceof CacheError);
    assert.equal(error.code, 'CACHE_LIST_INVALID');
    assert.equal(error.message, 'a list answer of kind "Table" has no items');
    assert.equal(test.reflector.status.state, 'blocked');
    test.source.list = list;
    await test.clock.advance(30_000);
    assert.equal(test.reflector.status.state, 'live');
    await end();
  });

  it('reads a list in pages, and remembers that the server has no watch cache', async () => {
    const test = new TestReflector({ useWatchList: false });
    for (let index = 0; index < 501; index += 1) test.source.write(`o${index}`);
    const { end } = await test.run();
    test.assertEqual();
    assert.deepEqual(test.source.requests.slice(0, 2), [
      'list rv=0 limit=500',
      'list rv= limit=500 continued',
    ]);
    test.source.send({ type: 'ERROR', object: newResourceExpired('gone').status });
    await test.settle();
    await test.clock.advance(5000);
    assert.match(test.source.requests[3] ?? '', /^list rv=\d+ limit=500$/);
    await end();
  });

  it('cancels a list that is never answered, and retries', async () => {
    const source = new TestSource();
    source.write('a');
    let lost = 1;
    const listerWatcher: ListerWatcher<TestObject> = {
      list: (request) => (lost-- > 0 ? new Promise(() => undefined) : source.list(request)),
      watch: (request) => source.watch(request),
    };
    const { clock, run, settle, reported, store } = new TestReflector({
      listerWatcher,
      useWatchList: false,
    });
    const { end } = await run();
    await clock.advance(299_999);
    assert.equal(reported.length, 0);
    await clock.advance(1);
    await settle();
    const [failure] = reported;
    assert.ok(failure?.error instanceof CacheError);
    assert.equal(failure.error.code, 'CACHE_LIST_OVERDUE');
    await clock.advance(800);
    await settle();
    assert.deepEqual(store.listKeys(), ['a']);
    await end();
    assert.equal(clock.pending, 0);
  });

  it('lists if the stream of the first state does not open, and tries it again later', async () => {
    const source = new TestSource();
    source.write('a');
    let lost = 1;
    const aborted: boolean[] = [];
    const listerWatcher: ListerWatcher<TestObject> = {
      list: (request) => source.list(request),
      watch: (request) => {
        if (lost-- <= 0) return source.watch(request);
        return new Promise(() =>
          request.signal.addEventListener('abort', () => aborted.push(true)),
        );
      },
    };
    const { clock, run, settle, store } = new TestReflector({ listerWatcher });
    const { end } = await run();
    await clock.advance(10_000);
    await settle();
    assert.deepEqual(store.listKeys(), ['a']);
    assert.deepEqual(aborted, [true]);
    source.send({ type: 'ERROR', object: newInternalError('no leader').status });
    await settle();
    await clock.advance(60_000);
    await settle();
    assert.deepEqual(
      source.requests.filter((request) => !request.startsWith('watch')),
      ['list rv=0 limit=500', 'stream rv=2'],
    );
    await end();
    assert.equal(clock.pending, 0);
  });

  it('measures the time of a watch from before its request', async () => {
    const source = new TestSource();
    const listerWatcher: ListerWatcher<TestObject> = {
      list: (request) => source.list(request),
      // A proxy that holds the head of the answer back, and then everything is over.
      watch: async (request) => {
        const events = await source.watch(request);
        await sleep(clock, 1500, { signal: request.signal });
        source.endWatches();
        return events;
      },
    };
    const { clock, run, settle } = new TestReflector({ listerWatcher, useWatchList: false });
    const { end } = await run();
    for (let watches = 2; watches < 5; watches += 1) {
      await clock.advance(1500);
      await settle();
      assert.deepEqual(
        source.requests.slice(1),
        Array.from({ length: watches }, () => 'watch rv=1'),
      );
    }
    await end();
  });

  it('requests watches of a random time from five to ten minutes', async () => {
    for (const [random, minWatchTimeoutMs, expected] of [
      [0, undefined, 300],
      [0.5, undefined, 450],
      [0.999, undefined, 599],
      [0.5, 1000, 450],
      [0.5, 1_800_000, 2700],
    ] as const) {
      const source = new TestSource();
      let asked = 0;
      const { run } = new TestReflector({
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
    const { clock, source, store, run, settle } = new TestReflector({
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

  it('resyncs again after the state was read again', async () => {
    const test = new TestReflector({ useWatchList: false, resyncPeriodMs: 1000 });
    let resyncs = 0;
    test.store.resync = () => void (resyncs += 1);
    const { end } = await test.run();
    await test.clock.advance(1500);
    assert.equal(resyncs, 1);
    test.source.send({ type: 'ERROR', object: newResourceExpired('gone').status });
    await test.settle();
    await test.clock.advance(10_000);
    assert.ok(resyncs > 5, `${resyncs} resyncs`);
    await end();
    assert.equal(test.clock.pending, 0);
  });

  it('keeps no process alive for resyncs and checks', async () => {
    const clock = new VirtualClock();
    const kept: number[] = [];
    const schedule = clock.schedule.bind(clock);
    clock.schedule = (
      delayMs: number,
      callback: () => void,
      { background = false }: ScheduleOptions = {},
    ) => {
      if (!background) kept.push(delayMs);
      return schedule(delayMs, callback);
    };
    const { source, run } = new TestReflector({
      useWatchList: false,
      resyncPeriodMs: 60_000,
      clock,
    });
    const { end } = await run();
    await clock.advance(1000);
    source.endWatches();
    await clock.advance(300_000);
    await end();
    assert.deepEqual(kept, []);
  });

  it('starts a new cycle if a resync fails', async () => {
    const { clock, source, store, run, reflector } = new TestReflector({
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
    const { clock, source, store, run, reflector, reported, assertEqual } = new TestReflector({
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
    assert.equal(reflector.status.state, 'blocked');
    store.replace = replace;
    await clock.advance(30_000);
    assertEqual();
    await end();
  });

  it('reports objects of another kind, and continues', async () => {
    const { source, run, settle, problems, assertEqual } = new TestReflector({
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

  it('stops reading until afterWrite resolves', async () => {
    let room: Promise<void> | undefined;
    let makeRoom = (): void => undefined;
    const { source, store, run, settle, assertEqual } = new TestReflector({
      afterWrite: () => room,
    });
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

  it('counts the objects it receives before it is live', async () => {
    const { source, run, reflector } = new TestReflector();
    assert.deepEqual(reflector.status, { state: 'starting' });
    source.marksEnd = false;
    source.write('a');
    source.write('b');
    const { end } = await run();
    assert.deepEqual(reflector.status, { state: 'syncing', received: 2 });
    assert.equal(reflector.lastSyncResourceVersion, '');
    await end();
  });

  it('makes no request if it is stopped before it runs', async () => {
    const { source, reflector, stop } = new TestReflector();
    stop.abort();
    await reflector.run({ signal: stop.signal });
    assert.deepEqual(source.requests, []);
  });

  it('drops a list that arrives after the stop', async () => {
    const { source, store, stop, reflector } = new TestReflector({ useWatchList: false });
    source.write('a');
    const list = source.list.bind(source);
    source.list = (request) => {
      stop.abort();
      return list(request);
    };
    await reflector.run({ signal: stop.signal });
    assert.equal(store.size, 0);
  });

  const never = new Promise<never>(() => undefined);
  const deafSources: Readonly<Record<string, () => Promise<ListedEvents<TestObject>>>> = {
    'watch()': () => never,
    'next()': () => Promise.resolve({ [Symbol.asyncIterator]: () => ({ next: () => never }) }),
    // Its return() settles after its next(), which is never.
    'a generator': async () => ({
      async *[Symbol.asyncIterator]() {
        yield await never;
      },
    }),
  };
  for (const [name, watch] of Object.entries(deafSources)) {
    it(`stops although ${name} of its source ignores the signal`, async () => {
      const { source, reflector, run } = new TestReflector({ useWatchList: false });
      source.watch = watch;
      const { end } = await run();
      let isEnded = false;
      void end().then(() => (isEnded = true));
      await quiescence();
      assert.ok(isEnded);
      assert.deepEqual(reflector.status, { state: 'stopped' });
    });
  }

  it('closes a watch that opens after the stop', async () => {
    const { source, run } = new TestReflector({ useWatchList: false });
    const opened = new Deferred<ListedEvents<TestObject>>();
    source.watch = () => opened.promise;
    const { end } = await run();
    void end();
    await quiescence();
    let isClosed = false;
    const close = async (): Promise<IteratorReturnResult<undefined>> => {
      isClosed = true;
      return { done: true, value: undefined };
    };
    opened.resolve({ [Symbol.asyncIterator]: () => ({ next: () => never, return: close }) });
    await quiescence();
    assert.ok(isClosed);
  });
});
