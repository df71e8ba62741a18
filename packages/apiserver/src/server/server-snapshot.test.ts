import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestServer } from '../testing/test-server.ts';
import { ServerSnapshot } from './server-snapshot.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const SERVICES = '/api/v1/namespaces/default/services';
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const SITES = '/apis/example.com/v1/namespaces/default/sites';

const definition = {
  metadata: { name: 'sites.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'sites', kind: 'Site' },
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

describe('ServerSnapshot', () => {
  it('brings back deleted and changed objects, and removes new ones', async () => {
    using server = new TestServer();
    const kept = await server.given('post', MAPS, { metadata: { name: 'kept' } });
    const gone = await server.given('post', MAPS, { metadata: { name: 'gone' } });
    await server.given('post', MAPS, { metadata: { name: 'edited' }, data: { a: '1' } });
    const snapshot = server.backend.snapshot();
    await server.delete(`${MAPS}/gone`);
    await server.patch('merge', `${MAPS}/edited`, { data: { a: '2' } });
    await server.given('post', MAPS, { metadata: { name: 'new' } });
    const before = server.revision;

    server.backend.restore(snapshot);
    const { body } = await server.get(MAPS);
    const items = body['items'] as (typeof kept & { data?: unknown })[];
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name),
      ['edited', 'gone', 'kept'],
    );
    assert.deepEqual(items[0]?.data, { a: '1' });
    assert.equal(items[1]?.metadata.uid, gone.metadata.uid);
    assert.equal(items[2]?.metadata.resourceVersion, kept.metadata.resourceVersion);
    assert.equal(server.revision, before + 3);
  });

  it('is seen by watches as ordinary events, with versions that only rise', async () => {
    using server = new TestServer();
    await server.given('post', MAPS, { metadata: { name: 'gone' } });
    await server.given('post', MAPS, { metadata: { name: 'edited' } });
    const snapshot = server.backend.snapshot();
    await server.delete(`${MAPS}/gone`);
    await server.patch('merge', `${MAPS}/edited`, { data: { a: '2' } });
    await server.given('post', MAPS, { metadata: { name: 'new' } });
    const from = server.revision;
    const watch = await server.watch(`${MAPS}?watch=1&resourceVersion=${from}`);
    server.backend.restore(snapshot);
    const events = [await watch.next(), await watch.next(), await watch.next()];
    assert.deepEqual(
      events.map(({ type, object }) => [type, object.metadata.name]),
      [
        ['DELETED', 'new'],
        ['MODIFIED', 'edited'],
        ['ADDED', 'gone'],
      ],
    );
    const versions = events.map(({ object }) => Number(object.metadata.resourceVersion));
    assert.deepEqual(versions, [from + 1, from + 2, from + 3]);
  });

  it('writes nothing when nothing has changed since the last restore', async () => {
    using server = new TestServer();
    await server.given('post', MAPS, { metadata: { name: 'a' } });
    const snapshot = server.backend.snapshot();
    await server.delete(`${MAPS}/a`);
    server.backend.restore(snapshot);
    const { revision } = server;
    server.backend.restore(snapshot);
    assert.equal(server.revision, revision);
  });

  it('serves custom resources of definitions that come back, immediately', async () => {
    using server = new TestServer();
    await server.given('post', CRDS, definition);
    await server.settle();
    await server.given('post', SITES, {
      apiVersion: 'example.com/v1',
      kind: 'Site',
      metadata: { name: 'a' },
    });
    const snapshot = server.backend.snapshot();
    await server.delete(`${CRDS}/sites.example.com`);
    await server.settle();
    assert.equal((await server.get(SITES)).status, 404);
    server.backend.restore(snapshot);
    assert.equal((await server.get(`${SITES}/a`)).status, 200);
    await server.settle();
    assert.equal((await server.get(`${SITES}/a`)).status, 200);
    assert.deepEqual(server.errors, []);
  });

  it('frees the addresses of services that go, and takes those of services that return', async () => {
    using server = new TestServer();
    const spec = { ports: [{ port: 80 }], clusterIP: '10.0.0.40' };
    await server.given('post', SERVICES, { metadata: { name: 'old' }, spec });
    const snapshot = server.backend.snapshot();
    await server.delete(`${SERVICES}/old`);
    const other = { ...spec, clusterIP: '10.0.0.41' };
    await server.given('post', SERVICES, { metadata: { name: 'new' }, spec: other });
    server.backend.restore(snapshot);
    const again = (name: string, wanted: object) =>
      server.post(SERVICES, { metadata: { name }, spec: wanted });
    assert.equal((await again('a', spec)).status, 422);
    assert.equal((await again('b', other)).status, 201);
  });

  it('belongs to its server', () => {
    using server = new TestServer();
    using other = new TestServer();
    const snapshot = new ServerSnapshot(other.backend.core);
    assert.throws(() => server.backend.restore(snapshot), /another server/);
  });
});
