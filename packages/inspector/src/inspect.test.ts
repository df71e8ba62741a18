import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiServer } from '@client-ts/apiserver';
import { Clientset } from 'client-ts';
import { configMaps } from 'client-ts/api/core/v1';
import { DynamicClient } from 'client-ts/dynamic';
import { SharedInformerFactory } from 'client-ts/informers';
import {
  type ObservedRecord,
  type ObservedSnapshot,
  parseSession,
  type ReconcileEndRecord,
} from 'client-ts/observe';
import { inspect, type InspectorPage, type InspectOptions } from './inspect.ts';
import type { ShownObject } from './source.ts';
import { eventsOf, TestBrowser } from './test-browser.ts';
import { CANARY, InspectedProgram } from './test-inspected-program.ts';

async function opened(
  program: InspectedProgram,
  options: InspectOptions = {},
): Promise<{ readonly page: InspectorPage; readonly browser: TestBrowser } & AsyncDisposable> {
  const page = await inspect({ manager: program.manager, discovery: false, ...options });
  const browser = new TestBrowser(page.origin);
  await browser.open(page.url);
  return { page, browser, [Symbol.asyncDispose]: () => page.close() };
}

/** Follows the stream until a record matches. */
async function until(
  browser: TestBrowser,
  matches: (record: ObservedRecord) => boolean,
): Promise<ObservedRecord> {
  const response = await browser.stream('/api/stream?after=0');
  try {
    for await (const { event, data } of eventsOf(response)) {
      browser.received.push(data);
      if (event !== 'records') continue;
      const found = (JSON.parse(data) as ObservedRecord[]).find(matches);
      if (found !== undefined) return found;
    }
  } finally {
    response.destroy();
  }
  throw new Error('the stream has ended');
}

function endOf(key: string, result: ReconcileEndRecord['result']) {
  return (record: ObservedRecord): boolean =>
    record.type === 'reconcile.end' && record.key === key && record.result === result;
}

/** The verbs and names of the requests that are shown. */
function requestsOf(page: InspectorPage): Set<string> {
  const { records } = parseSession(page.session());
  return new Set(
    records.flatMap((record) =>
      record.type === 'request.start' ? [`${record.verb} ${record.resource} ${record.name}`] : [],
    ),
  );
}

describe('inspect', () => {
  it('shows the requests of the given clients and no others, without a manager', async () => {
    await using server = await ApiServer.start();
    await using shown = new Clientset(server.config);
    await using hidden = new Clientset(server.config);
    await using dynamic = new DynamicClient(server.config);
    await using page = await inspect({ clients: [shown, dynamic], discovery: false });
    const create = async ({ coreV1 }: Clientset, name: string): Promise<unknown> =>
      await coreV1.configMaps('default').create({ metadata: { name } });
    await create(shown, 'of-shown');
    await create(hidden, 'of-hidden');
    await create(new Clientset(shown.rest.with({ codec: 'protobuf' })), 'of-derived');
    await dynamic.resource(configMaps).namespace('default').get('of-hidden');
    assert.deepEqual(
      requestsOf(page),
      new Set([
        'create configmaps of-shown',
        'create configmaps of-derived',
        'get configmaps of-hidden',
      ]),
    );
    const browser = new TestBrowser(page.origin);
    await browser.open(page.url);
    const { totals, connections } = await browser.json<ObservedSnapshot>('/api/snapshot');
    assert.deepEqual([totals.requests, totals.openRequests, connections.length], [3, 0, 2]);
  });

  it('shows the requests of the manager and the factories beside those of clients', async () => {
    await using program = await InspectedProgram.start();
    await using client = new Clientset(program.config);
    await using other = new Clientset(program.config);
    await using factory = new SharedInformerFactory(new Clientset(program.config));
    factory.coreV1.services();
    const { manager } = program;
    await using inspected = await opened(program, { factories: [factory], clients: [client] });
    program.run();
    factory.start();
    await factory.waitForCacheSync();
    await other.coreV1.namespaces().get('default');
    await client.coreV1.namespaces().get('kube-system');
    await program.createMap('a');
    await until(inspected.browser, endOf('default/a', 'success'));
    const requests = requestsOf(inspected.page);
    assert.equal(manager.clientIds.length, 1);
    for (const expected of [
      'watch services ',
      'get namespaces kube-system',
      'create configmaps a',
      'apply configmaps a-copy',
    ]) {
      assert.ok(requests.has(expected), expected);
    }
    assert.ok(!requests.has('get namespaces default'));
  });

  it('shows a controller at work: records, state, caches, objects, changes and what they triggered', async () => {
    await using program = await InspectedProgram.start();
    await using inspected = await opened(program);
    const { browser } = inspected;
    program.run();
    await program.createMap('a', { color: 'red' });
    const end = (await until(browser, endOf('default/a', 'success'))) as ReconcileEndRecord;
    assert.equal(end.controller, 'copy');
    assert.ok(end.requests.length >= 1);
    const session = parseSession(inspected.page.session());
    const names = session.records.flatMap((record) =>
      record.type === 'request.start' && record.verb === 'create' ? [record.name] : [],
    );
    assert.ok(names.includes('a'), `created: ${names.join(', ')}`);

    const snapshot = await browser.json<ObservedSnapshot>('/api/snapshot');
    const [controller] = snapshot.controllers;
    assert.deepEqual(
      [controller?.controller, controller?.workers, controller?.informers.toSorted()],
      ['copy', 1, ['configmaps', 'secrets']],
    );
    const informer = snapshot.informers.find((each) => each.informer === 'configmaps');
    assert.deepEqual([informer?.state, informer?.isSearchable], ['live', true]);
    assert.ok(snapshot.connections.length > 0);

    interface Found {
      readonly items: readonly { readonly key: string }[];
      readonly total: number;
    }
    for (const query of [
      'q=default/a',
      'label=app%3Da',
      'index=namespace&value=default&q=default/a',
    ]) {
      const found = await browser.json<Found>(`/api/objects?informer=configmaps&${query}`);
      assert.equal(found.items[0]?.key, 'default/a', query);
    }
    const values = await browser.json<{ values: { value: string }[] }>(
      '/api/index?informer=configmaps&index=namespace',
    );
    assert.ok(values.values.some(({ value }) => value === 'default'));

    const maps = program.manager.client.coreV1.configMaps('default');
    await maps.patch('a', { data: { color: 'blue' } }, { type: 'merge' });
    await until(
      browser,
      (record) =>
        record.type === 'reconcile.end' && record.key === 'default/a' && record.id > end.id,
    );
    const shown = await browser.json<ShownObject>('/api/object?informer=configmaps&key=default/a');
    assert.match(shown.yaml ?? '', /color: blue/);
    assert.match(shown.changes[0]?.diff ?? '', /-\s+color: red\n\+\s+color: blue/);
    assert.equal(shown.triggered[0]?.key, 'default/a');
    assert.equal(shown.triggered[0]?.queue, 'copy');
    assert.ok((shown.triggered[0]?.reconcile ?? 0) > end.id);

    const { records } = await browser.json<{ records: ReconcileEndRecord[] }>(
      '/api/reconciles?controller=copy&key=default/a',
    );
    assert.ok(records.length >= 2);
    assert.equal(records.at(-1)?.id, end.id);
    const { keys } = await browser.json<{ keys: { key: string }[] }>(
      '/api/keys?controller=copy&q=a',
    );
    assert.ok(keys.some(({ key }) => key === 'default/a'));
  });

  it('never sends the data of Secrets, tokens or passwords', async () => {
    await using program = await InspectedProgram.start();
    await using inspected = await opened(program);
    const { browser, page } = inspected;
    program.run();
    await program.createSecret('db');
    await until(browser, (record) => record.type === 'watch.event' && record.key === 'default/db');
    await program.createMap('a', { note: `password=${CANARY}`, copied: CANARY });
    await program.createMap('broken');
    await until(browser, endOf('default/broken', 'error'));
    await until(browser, (record) => record.type === 'event.recorded');
    const secrets = program.manager.client.coreV1.secrets('default');
    const patch = {
      stringData: { password: `${CANARY}-2` },
      metadata: { labels: { v: '2' } },
    };
    await secrets.patch('db', patch, { type: 'merge' });
    await until(
      browser,
      (record) =>
        record.type === 'watch.event' && record.key === 'default/db' && record.event === 'update',
    );
    const shown = await browser.json<ShownObject>('/api/object?informer=secrets&key=default/db');
    assert.equal(shown.isRedacted, true);
    assert.match(shown.yaml ?? '', /password: <hidden>/);
    assert.match(shown.changes[0]?.diff ?? '', /\+\s+v: "2"/);
    for (const path of [
      '/api/session',
      '/api/snapshot',
      '/api/records?limit=10000',
      '/api/objects?informer=secrets',
      '/api/object?informer=configmaps&key=default/a',
      '/api/reconciles?controller=copy&key=default/broken',
      '/api/keys?controller=copy',
      '/api/index?informer=secrets&index=namespace',
      '/api/export',
    ]) {
      assert.equal((await browser.get(path)).status, 200, path);
    }
    const everything = [...browser.received, page.session()].join('\n');
    assert.ok(
      everything.includes('cannot log in with Bearer <hidden>, \\"<hidden>\\" and <hidden>'),
    );
    assert.ok(everything.includes('with password=<hidden> and <hidden>'));
    for (const secret of [CANARY, Buffer.from(CANARY).toString('base64'), program.server.token]) {
      assert.ok(!everything.includes(secret), `"${secret}" was sent`);
    }
  });

  it('exports a session that can be read again', async () => {
    await using program = await InspectedProgram.start();
    await using inspected = await opened(program, { program: 'my operator' });
    const { browser } = inspected;
    program.run();
    await program.createMap('a');
    await until(browser, endOf('default/a', 'success'));
    const { headers, body } = await browser.get('/api/export');
    assert.equal(headers['content-disposition'], 'attachment; filename="my-operator.session"');
    const { header, records } = parseSession(body);
    assert.equal(header.program, 'my operator');
    assert.equal(records[0]?.seq, header.snapshot.seq + 1);
    assert.ok(records.some(endOf('default/a', 'success')));
  });

  it('exports a state and the records that continue it, also after older ones were dropped', async () => {
    await using program = await InspectedProgram.start();
    const retention = { bytes: 4000, durationMs: 600_000 };
    await using inspected = await opened(program, { retention });
    program.run();
    for (const name of ['a', 'b', 'c', 'd', 'e']) await program.createMap(name);
    await until(inspected.browser, endOf('default/e', 'success'));
    const exports = [inspected.page.session(), (await inspected.browser.get('/api/export')).body];
    for (const { header, records } of exports.map(parseSession)) {
      const { seq } = header.snapshot;
      assert.ok(seq > 0, 'the first records were dropped');
      assert.equal(records[0]?.seq ?? seq + 1, seq + 1);
      assert.equal(header.snapshot.informers[0]?.state, 'live');
    }
  });

  it('enqueues a key if actions are allowed, and says what triggered the reconcile', async () => {
    await using program = await InspectedProgram.start();
    await using inspected = await opened(program, { actions: true });
    const { browser } = inspected;
    program.run();
    await program.createMap('a');
    const first = (await until(browser, endOf('default/a', 'success'))) as ReconcileEndRecord;
    const action = {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-client-ts-inspector': '1' },
      body: JSON.stringify({ queue: 'copy', key: 'default/a' }),
    };
    await browser.json('/api/actions/enqueue', action);
    const again = (await until(
      browser,
      (record) => endOf('default/a', 'success')(record) && record.seq > first.seq,
    )) as ReconcileEndRecord;
    assert.ok(again.id > first.id);
    const records = await browser.json<{ records: ObservedRecord[] }>(
      '/api/records?types=queue.add&limit=10000',
    );
    assert.ok(
      records.records.some((each) => each.type === 'queue.add' && each.trigger.kind === 'action'),
    );
    const unknown = { ...action, body: JSON.stringify({ queue: 'none', key: 'default/a' }) };
    assert.equal((await browser.get('/api/actions/enqueue', unknown)).status, 404);
  });
});
