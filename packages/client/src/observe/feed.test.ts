import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TestInformer } from '../cache/test-informer.ts';
import { metaNamespaceKeyFunc as keyOf } from '../cache/store.ts';
import { Mailbox } from '../lib/mailbox.ts';
import { quiescence } from '../testing/quiescence.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { createTransport } from '../transport/create-transport.ts';
import { RateLimitingQueue } from '../workqueue/rate-limiting-queue.ts';
import { requeueAfter, terminal } from '../workqueue/reconcile.ts';
import { runWorkers } from '../workqueue/run-workers.ts';
import { Feed } from './feed.ts';
import { guardWarnings } from './guard-warnings.ts';
import type { ObservedRecord } from './observed-record.ts';

function ofType<T extends ObservedRecord['type']>(
  records: readonly ObservedRecord[],
  type: T,
): Extract<ObservedRecord, { type: T }>[] {
  return records.filter((record) => record.type === type) as never;
}

describe('Feed', () => {
  it('names items of queues that are objects, and never shows their contents', () => {
    const queue = new RateLimitingQueue<object>({ name: 'objects' });
    const records: ObservedRecord[] = [];
    using feed = new Feed({ onRecord: (record) => records.push(record), queues: () => [queue] });
    const metadata = { namespace: 'default', name: 'db', annotations: { copy: 'canary' } };
    queue.add({ kind: 'Secret', metadata, data: { a: 'canary' } });
    queue.add({ metadata, data: { a: 'canary' } });
    queue.add({ name: 'db', attempt: 2, token: 'canary', nested: { a: 'canary' } });
    assert.deepEqual(
      ofType(records, 'queue.add').map(({ key }) => key),
      ['Secret default/db', 'default/db', '{"name":"db","attempt":2,"token":"<hidden>"}'],
    );
    assert.ok(!JSON.stringify(feed.snapshot()).includes('canary'));
    queue.shutDown();
  });

  it('follows a change from the informer through the queue to the requests of its reconcile', async () => {
    const clock = new VirtualClock();
    const test = new TestInformer({ clock });
    const { informer, source } = test;
    const queue = new RateLimitingQueue<string>({ name: 'site', clock });
    const transport = createTransport({
      server: 'memory',
      transport: {
        request: async () => ({ status: 200, headers: {}, body: (async function* () {})() }),
        [Symbol.asyncDispose]: async () => undefined,
      },
    });
    const records: ObservedRecord[] = [];
    using feed = new Feed({ clock, onRecord: (record) => records.push(record) });
    informer.addEventHandler(
      {
        onAdd: (object) => queue.add(keyOf(object)),
        onUpdate: (_, object) => queue.add(keyOf(object)),
      },
      { name: 'site handler' },
    );
    const stop = new AbortController();
    let fails = 1;
    const working = runWorkers(
      queue,
      { clock, signal: stop.signal, onError: () => undefined },
      async (key) => {
        const path = `/apis/apps/v1/namespaces/x/deployments/${key}`;
        await transport.request({ method: 'PUT', path, headers: {} });
        if (fails-- > 0) throw new Error('cannot use password=hunter22');
        return requeueAfter(60_000);
      },
    );
    await test.start();
    source.write('a');
    await quiescence();
    await clock.advance(2000);

    const [change] = ofType(records, 'watch.event');
    assert.deepEqual([change?.informer, change?.event, change?.key], ['test', 'add', 'a']);
    const trigger = {
      kind: 'change',
      informer: 'test',
      handler: 'site handler',
      event: 'add',
      key: 'a',
      resourceVersion: '2',
    };
    const adds = ofType(records, 'queue.add');
    assert.deepEqual(
      adds.map(({ trigger: { kind }, delayMs }) => [kind, delayMs]),
      [
        ['change', undefined],
        ['retry', 5],
        ['retry', undefined],
        ['requeue', 60_000],
      ],
    );
    assert.deepEqual(adds[0]?.trigger, trigger);
    const [first, second] = ofType(records, 'reconcile.end');
    const [request] = ofType(records, 'request.end');
    assert.deepEqual(first?.trigger, trigger);
    assert.deepEqual(
      [first?.controller, first?.key, first?.result, first?.error, first?.requeueAfterMs],
      ['site', 'a', 'error', 'cannot use password=<hidden>', 5],
    );
    assert.deepEqual(first?.requests, [request?.id]);
    assert.deepEqual(
      [request?.verb, request?.resource, request?.namespace, request?.name, request?.code],
      ['update', 'deployments.apps', 'x', 'a', 200],
    );
    assert.equal(request?.reconcile, first?.id);
    assert.deepEqual(
      [second?.result, second?.requeueAfterMs, second?.attempt],
      ['requeue', 60_000, 2],
    );
    assert.deepEqual(
      records.map(({ seq }) => seq),
      records.map((_, index) => index + 1),
    );

    const snapshot = feed.snapshot();
    const [controller] = snapshot.controllers;
    assert.deepEqual(
      [controller?.controller, controller?.informers, controller?.workers, controller?.reconciles],
      ['site', ['test'], 1, 2],
    );
    assert.equal(controller?.errors, 1);
    const [shown] = snapshot.informers;
    assert.deepEqual([shown?.informer, shown?.state, shown?.objects], ['test', 'live', 1]);
    assert.ok((shown?.bytes ?? 0) > 20);
    assert.equal(snapshot.queues[0]?.waiting, 1);
    assert.equal(snapshot.totals.requests, 2);
    assert.equal(feed.informer('test'), informer);
    assert.equal(feed.queue('site'), queue);
    stop.abort();
    queue.shutDown();
    await working;
    await test.stop();
    await transport[Symbol.asyncDispose]();
  });

  it('sums up intervals, and counts what exceeds the limit without recording it', async () => {
    const clock = new VirtualClock();
    const test = new TestInformer({ clock });
    const records: ObservedRecord[] = [];
    using feed = new Feed({ clock, maxPerSecond: 20, onRecord: (record) => records.push(record) });
    await test.start();
    for (let count = 0; count < 50; count += 1) test.source.write(`object-${count}`);
    await quiescence();
    await clock.advance(1000);
    assert.equal(ofType(records, 'watch.event').length, 2);
    const [events] = ofType(records, 'informer.events');
    assert.deepEqual([events?.added, events?.objects, events?.intervalMs], [50, 50, 1000]);
    assert.equal(feed.snapshot().totals.unrecorded, 48);
    test.source.write('object-1');
    await quiescence();
    assert.equal(ofType(records, 'watch.event').at(-1)?.sampled, 25);
    const { length } = records;
    await clock.advance(5000);
    await clock.advance(5000);
    assert.ok(records.length <= length + 1, 'nothing is emitted while nothing happens');
    await test.stop();
  });

  it('shows a stream as open from its head until its body is over', async () => {
    const clock = new VirtualClock();
    const records: ObservedRecord[] = [];
    using feed = new Feed({ clock, onRecord: (record) => records.push(record) });
    const chunks = new Mailbox<Uint8Array>();
    const transport = createTransport(
      {
        server: 'memory',
        transport: {
          request: async () => ({ status: 200, headers: {}, body: chunks }),
          [Symbol.asyncDispose]: async () => undefined,
        },
      },
      { clock },
    );
    const watch = { method: 'GET', path: '/api/v1/pods', headers: {}, stream: true };
    const left = await transport.request(watch);
    const stop = new AbortController();
    await transport.request({ ...watch, signal: stop.signal });
    assert.equal(feed.snapshot().totals.openRequests, 2);
    assert.deepEqual(
      records.map(({ type }) => type),
      ['request.start', 'request.head', 'request.start', 'request.head'],
    );
    await clock.advance(60_000);
    await left.body[Symbol.asyncIterator]().return?.();
    stop.abort();
    const ends = ofType(records, 'request.end');
    assert.deepEqual(
      ends.map(({ verb, code, latencyMs, openMs }) => ({ verb, code, latencyMs, openMs })),
      [1, 2].map(() => ({ verb: 'watch', code: 200, latencyMs: 0, openMs: 60_000 })),
    );
    assert.deepEqual(feed.snapshot().totals.openRequests, 0);
    assert.equal(feed.snapshot().totals.failedRequests, 0);
  });

  it('counts all reconciles and errors, also those that are not recorded', async () => {
    const clock = new VirtualClock();
    const records: ObservedRecord[] = [];
    using feed = new Feed({ clock, maxPerSecond: 10, onRecord: (record) => records.push(record) });
    const queue = new RateLimitingQueue<string>({ name: 'site', clock });
    const working = runWorkers(queue, { clock, onError: () => undefined }, (key) => {
      if (key === 'key-7') throw terminal(new Error('broken'));
    });
    for (let count = 0; count < 30; count += 1) queue.add(`key-${count}`);
    await quiescence();
    assert.ok(ofType(records, 'reconcile.end').length < 30);
    const [controller] = feed.snapshot().controllers;
    assert.deepEqual([controller?.reconciles, controller?.errors], [30, 1]);
    queue.shutDown();
    await working;
  });

  it('gives things of one name different names, and names the program of each record', async () => {
    const clock = new VirtualClock();
    const [one, two] = [new TestInformer({ clock }), new TestInformer({ clock })];
    const records: ObservedRecord[] = [];
    let program = 'replica-1';
    using feed = new Feed({
      clock,
      program: () => program,
      onRecord: (each) => records.push(each),
    });
    await one.start();
    program = 'replica-2';
    await two.start();
    assert.deepEqual(
      feed.snapshot().informers.map(({ informer }) => informer),
      ['test', 'test #2'],
    );
    const states = ofType(records, 'informer.state').map((each) => [each.program, each.informer]);
    assert.deepEqual(states.at(0), ['replica-1', 'test']);
    assert.deepEqual(states.at(-1), ['replica-2', 'test #2']);
    await one.stop();
    await two.stop();
  });

  it('emits warnings, and nothing after it was disposed', () => {
    const clock = new VirtualClock();
    const records: ObservedRecord[] = [];
    const feed = new Feed({ clock, onRecord: (record) => records.push(record) });
    const warning = {
      kind: 'hot-loop',
      controller: 'site',
      key: 'a',
      message: 'too many writes',
      fields: [],
      writers: ['site'],
    } as const;
    guardWarnings.publish(warning);
    feed[Symbol.dispose]();
    guardWarnings.publish(warning);
    assert.deepEqual(records, [{ at: clock.now(), seq: 1, type: 'guard.warning', ...warning }]);
    assert.equal(clock.pending, 0);
  });
});
