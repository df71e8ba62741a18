import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { HeldStore, temporaryDirectory, withoutSqlite } from '../store/test-durable-store.ts';
import type { TestObject } from '../testing/test-object.ts';
import { TestServer } from '../testing/test-server.ts';
import { configureWebhook, TestWebhook } from '../testing/test-webhook.ts';
import { ApiServer } from './api-server.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const SERVICES = '/api/v1/namespaces/default/services';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const WIDGETS = '/apis/example.com/v1/namespaces/default/widgets';

const widgets = {
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    ],
  },
};

interface ServiceSpec {
  readonly clusterIP: string;
  readonly ports: readonly { readonly nodePort: number }[];
}

function map(name: string, text = ''): object {
  return { metadata: { name }, data: { text } };
}

function service(name: string, spec: Partial<ServiceSpec> = {}): object {
  return { metadata: { name }, spec: { type: 'NodePort', ports: [{ port: 80 }], ...spec } };
}

function specOf({ spec }: TestObject): ServiceSpec {
  return spec as ServiceSpec;
}

describe('a server with a data directory', { skip: withoutSqlite }, () => {
  it('continues with all objects, uids and versions', async (t) => {
    const data = temporaryDirectory(t);
    const first = await TestServer.open({ data });
    await first.given('post', DEFINITIONS, widgets);
    await first.settle();
    await first.given('post', WIDGETS, {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'one' },
      size: 3,
    });
    await first.given('post', MAPS, map('a'));
    const paths = [WIDGETS, MAPS, '/api/v1/namespaces', SERVICES, DEFINITIONS];
    const before: unknown[] = [];
    for (const path of paths) before.push((await first.get(path)).body.items);
    const { revision } = first;
    await first.close();

    const second = await TestServer.open({ data, clock: first.clock });
    // The definition is served before any controller has run.
    for (const [index, path] of paths.entries()) {
      assert.deepEqual((await second.get(path)).body.items, before[index], path);
    }
    await second.settle();
    assert.equal(second.revision, revision);
    const next = await second.given('post', MAPS, map('b'));
    assert.equal(Number(next.metadata.resourceVersion), revision + 1);
    assert.deepEqual([...first.errors, ...second.errors], []);
    await second.close();
  });

  it('resumes watches from before the restart, and answers 410 where the history is gone', async (t) => {
    const data = temporaryDirectory(t);
    const first = await TestServer.open({ data });
    const a = await first.given('post', MAPS, map('a'));
    await first.given('put', `${MAPS}/a`, map('a', 'changed'));
    await first.delete(`${MAPS}/a`);
    await first.close();

    const second = await TestServer.open({ data, clock: first.clock });
    const from = `${MAPS}?watch=1&resourceVersion=${a.metadata.resourceVersion}`;
    const watch = await second.watch(from);
    await second.given('post', MAPS, map('b'));
    assert.deepEqual(
      [(await watch.next()).type, (await watch.next()).type],
      ['MODIFIED', 'DELETED'],
    );
    assert.equal((await watch.next()).object.metadata.name, 'b');
    const old = `${MAPS}?resourceVersion=${a.metadata.resourceVersion}&resourceVersionMatch=Exact`;
    assert.equal((await second.get(old)).body.items?.[0]?.metadata.name, 'a');
    second.backend.core.store.compact();
    await second.close();

    const third = await TestServer.open({ data, clock: first.clock });
    assert.equal((await (await third.watch(from)).next()).object.code, 410);
    assert.equal((await third.get(old)).status, 410);
    await third.close();
  });

  it('does not give away the cluster IPs and node ports of its services', async (t) => {
    const data = temporaryDirectory(t);
    const first = await TestServer.open({ data });
    const { clusterIP, ports } = specOf(await first.given('post', SERVICES, service('a')));
    await first.close();
    const second = await TestServer.open({ data, clock: first.clock });
    const address = await second.post(SERVICES, service('b', { clusterIP }));
    assert.match(address.text, /provided IP is already allocated/);
    const { nodePort = 0 } = ports[0] ?? {};
    const port = { port: 80, nodePort };
    const taken = await second.post(SERVICES, service('b', { ports: [port] }));
    assert.match(taken.text, /provided port is already allocated/);
    await second.delete(`${SERVICES}/a`);
    assert.equal(
      (await second.post(SERVICES, service('b', { clusterIP, ports: [port] }))).status,
      201,
    );
    await second.close();
  });

  it('keeps its certificate authority, its tokens and those of service accounts', async (t) => {
    const data = temporaryDirectory(t);
    const path = '/api/v1/namespaces/default/serviceaccounts';
    const ask = async (server: ApiServer, method: string, url: string, token?: string) => {
      const body =
        method === 'POST' ? Buffer.from('{"metadata":{"name":"robot"},"spec":{}}') : undefined;
      const response = await server
        .transport({ token })
        .request({ method, path: url, headers: {}, ...(body && { body }) });
      let text = '';
      for await (const chunk of response.body) text += Buffer.from(chunk).toString();
      return { status: response.status, body: JSON.parse(text) as TestObject };
    };
    const first = await ApiServer.start({ data });
    assert.equal((await ask(first, 'POST', path)).status, 201);
    const issued = await ask(first, 'POST', `${path}/robot/token`);
    const { token } = issued.body['status'] as { token: string };
    await first.close();
    const second = await ApiServer.start({ data });
    assert.deepEqual([second.ca, second.token], [first.ca, first.token]);
    assert.equal((await ask(second, 'GET', '/api', token)).status, 200);
    await second.close();
    const renamed = await ApiServer.start({ data, token: 'mine' });
    assert.equal(renamed.token, 'mine');
    await renamed.close();
  });

  it('releases the directory if it cannot start', async (t) => {
    const data = temporaryDirectory(t);
    await using other = await ApiServer.start({ data });
    const port = Number(new URL(other.url).port);
    await assert.rejects(ApiServer.start({ data, port }), { code: 'APISERVER_DATA_IN_USE' });
    const free = temporaryDirectory(t);
    await assert.rejects(ApiServer.start({ data: free, port }), {
      code: 'APISERVER_LISTEN_FAILED',
    });
    await assert.rejects(ApiServer.start({ data: free, eventTtlMs: 0 }), {
      code: 'OPTION_INVALID',
    });
    const store = new HeldStore();
    await assert.rejects(ApiServer.start({ data: free, store }), { code: 'OPTION_INVALID' });
    await (await ApiServer.start({ data: free })).close();
  });

  it('deletes Events an hour after they were last written, also across a restart', async (t) => {
    const data = temporaryDirectory(t);
    const events = '/api/v1/namespaces/default/events';
    const event = (name: string): object => ({
      metadata: { name, namespace: 'default' },
      involvedObject: { namespace: 'default' },
    });
    const first = await TestServer.open({ data });
    await first.given('post', events, event('old'));
    await first.clock.advance(30 * 60_000);
    await first.given('post', events, event('new'));
    await first.close();
    const second = await TestServer.open({ data, clock: first.clock });
    const watch = await second.watch(`${events}?watch=1&resourceVersion=${second.revision}`);
    await second.clock.advance(31 * 60_000);
    const { items = [] } = (await second.get(events)).body;
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name),
      ['new'],
    );
    assert.deepEqual(await watch.takeBriefly(), ['DELETED old']);
    await second.clock.advance(30 * 60_000);
    assert.deepEqual((await second.get(events)).body.items, []);
    await second.close();
  });
});

describe('a server whose store has not committed', () => {
  async function open(): Promise<[TestServer, HeldStore]> {
    const store = new HeldStore();
    store.isHeld = false;
    const server = await TestServer.open({ store });
    await server.settle();
    await server.backend.core.store.durable();
    store.isHeld = true;
    return [server, store];
  }

  /** Returns how many of the promises are settled. */
  async function settled(promises: readonly Promise<unknown>[]): Promise<number> {
    let count = 0;
    for (const promise of promises) void promise.then(() => count++);
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    return count;
  }

  it('answers nothing that could show the write: no read, list, conflict or watch event', async () => {
    const [server, store] = await open();
    const watch = await server.watch(`${MAPS}?watch=1&resourceVersion=${server.revision}`);
    const created = server.post(MAPS, map('a'));
    assert.equal(await settled([created]), 0);
    const requests = [
      created,
      server.get(`${MAPS}/a`),
      server.get(MAPS),
      server.post(MAPS, map('a')),
      server.get(
        '/api/v1/namespaces/default/configmaps?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=1',
      ),
    ];
    assert.equal(await settled(requests), 0);
    assert.deepEqual(await watch.take(), []);
    await store.release();
    await server.clock.advance(2000);
    const answers = await Promise.all(requests);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 200, 200, 409, 200],
    );
    assert.equal((await watch.next()).object.metadata.name, 'a');
    store.isHeld = false;
    await server.close();
  });

  it('does not show the write to webhooks', async () => {
    const [server, store] = await open();
    await using webhook = await TestWebhook.start(() => ({ allowed: true }));
    store.isHeld = false;
    await server.given('post', MAPS, map('a', 'old'));
    await configureWebhook(server, 'Validating', webhook.clientConfig(), {
      rules: [
        { operations: ['DELETE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] },
      ],
    });
    store.isHeld = true;
    const updated = server.put(`${MAPS}/a`, map('a', 'new'));
    const deleted = server.delete(`${MAPS}/a`);
    await settled([updated]);
    assert.equal(webhook.reviews.length, 0);
    await store.release();
    assert.equal((await updated).status, 200);
    await store.release();
    assert.equal((await deleted).status, 200);
    assert.equal(webhook.reviews.length, 1);
    store.isHeld = false;
    await server.close();
  });

  it('does not count a watch as open that was refused because of the commit', async () => {
    const [server, store] = await open();
    const refused = [server.post(MAPS, map('a')), server.get(`${MAPS}?watch=1`)];
    await settled(refused);
    await store.release(new Error('the disk is on fire'));
    for (const { status } of await Promise.all(refused)) assert.equal(status, 500);
    const { text } = await server.get('/metrics');
    assert.match(text, /apiserver_longrunning_requests\{[^}]*resource="configmaps"[^}]*\} 0\n/);
    store.isHeld = false;
    await server.close();
  });

  it('refuses and undoes writes that cannot be committed, with their addresses', async () => {
    const [server, store] = await open();
    const { revision } = server;
    const refused = [
      server.post(SERVICES, service('a', { clusterIP: '10.0.0.77' })),
      server.post(MAPS, map('a')),
      server.get(MAPS),
    ];
    await settled(refused);
    await store.release(new Error('the disk is on fire'));
    for (const { status, text } of await Promise.all(refused)) {
      assert.equal(status, 500);
      assert.match(text, /the store failed: .*the disk is on fire/);
    }
    assert.equal(server.revision, revision);
    assert.equal(server.errors.length, 1);
    assert.deepEqual((await server.get(MAPS)).body.items, []);

    store.isHeld = false;
    const again = server.post(SERVICES, service('b', { clusterIP: '10.0.0.77' }));
    await settled([again]);
    await server.clock.advance(1000);
    assert.equal((await again).status, 201);
    assert.equal((await server.post(MAPS, map('a'))).status, 201);
    await server.close();
  });
});
