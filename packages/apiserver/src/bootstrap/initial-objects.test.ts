import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { VirtualClock } from 'client-ts/testing';

import { selectedControllers } from '../controllers/controllers.ts';
import { MemoryApiServer } from '../server/memory-api-server.ts';
import { TestServer } from '../testing/test-server.ts';
import { keepInitialObjects, writeWithAggregation } from './initial-objects.ts';
import { preparedTemplate } from './prepared-template.ts';
import { createTemplate, type Template } from './template.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';

async function names(server: TestServer, path: string): Promise<string[]> {
  return ((await server.get(path)).body.items ?? []).map(({ metadata }) => metadata.name ?? '');
}

/** Starts everything again on the objects of a server, as after a restart. */
function restart(server: TestServer): void {
  const fail = (error: unknown): never => assert.fail(String(error));
  const kept = keepInitialObjects(server.backend.core, selectedControllers(true), fail);
  for (const keeper of kept) keeper[Symbol.dispose]();
}

/** Clears the fields that are different in every cluster. */
function withoutIdentity(entry: Template[number]): unknown {
  const own = ['uid', 'resourceVersion', 'creationTimestamp', 'time', 'lastTransitionTime'];
  return JSON.parse(
    JSON.stringify(entry, (key, value: unknown) => (own.includes(key) ? '' : value)),
  );
}

describe('a new server', () => {
  it('creates the objects of a real server', async () => {
    using server = new TestServer();
    assert.deepEqual(await names(server, '/api/v1/namespaces'), [
      'default',
      'kube-node-lease',
      'kube-public',
      'kube-system',
    ]);
    assert.deepEqual(await names(server, '/apis/scheduling.k8s.io/v1/priorityclasses'), [
      'system-cluster-critical',
      'system-node-critical',
    ]);
    const counts = Object.entries({
      [`${RBAC}/clusterroles`]: 69,
      [`${RBAC}/clusterrolebindings`]: 50,
      [`${RBAC}/roles`]: 7,
      [`${RBAC}/rolebindings`]: 7,
      '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas': 11,
      '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations': 8,
      '/apis/apiregistration.k8s.io/v1/apiservices': 21,
      '/apis/networking.k8s.io/v1/servicecidrs': 1,
    });
    for (const [path, count] of counts) {
      assert.equal((await names(server, path)).length, count, path);
    }
    const service = await server.get('/api/v1/namespaces/default/services/kubernetes');
    assert.equal((service.body['spec'] as { clusterIP: string }).clusterIP, '10.0.0.1');
  });

  it('is recorded as the manager of these objects', async () => {
    using server = new TestServer();
    const { body } = await server.get('/api/v1/namespaces/default');
    assert.deepEqual(body.metadata.managedFields, [
      {
        manager: 'kube-apiserver',
        operation: 'Update',
        apiVersion: 'v1',
        time: '2026-01-01T00:00:00Z',
        fieldsType: 'FieldsV1',
        fieldsV1: {
          'f:metadata': { 'f:labels': { '.': {}, 'f:kubernetes.io/metadata.name': {} } },
        },
      },
    ]);
    assert.deepEqual(body['status'], { phase: 'Active' });
    assert.deepEqual(body['spec'], { finalizers: ['kubernetes'] });
  });

  it('shares no identity and no time with another server', async () => {
    const first = new MemoryApiServer();
    const clock = new VirtualClock({ startMs: 0 });
    const second = new MemoryApiServer({ clock });
    const [one, other] = [first, second].map((server) =>
      server
        .objects({ group: 'rbac.authorization.k8s.io', resource: 'clusterroles' })
        .find(({ metadata }) => metadata?.name === 'view'),
    );
    assert.notEqual(one?.metadata?.uid, other?.metadata?.uid);
    assert.equal(other?.metadata?.creationTimestamp, '1970-01-01T00:00:00Z');
    assert.notEqual(one?.metadata?.managedFields?.[0]?.time, '1970-01-01T00:00:00Z');
    first[Symbol.dispose]();
    second[Symbol.dispose]();
  });

  it('has prepared what it would make itself', () => {
    using server = new TestServer();
    const { core } = server.backend;
    const made = createTemplate(core, writeWithAggregation);
    assert.deepEqual(preparedTemplate(core.catalog.groupVersions()), made.map(withoutIdentity));
  });

  it('makes them itself if it serves other versions than those they are prepared for', async () => {
    using server = new TestServer({ runtimeConfig: { 'resource.k8s.io/v1': false } });
    assert.equal(preparedTemplate(server.backend.core.catalog.groupVersions()), undefined);
    const services = await names(server, '/apis/apiregistration.k8s.io/v1/apiservices');
    assert.ok(!services.includes('v1.resource.k8s.io'));
    assert.ok(services.includes('v1.apps'));
  });

  it('creates them only once', () => {
    using server = new TestServer();
    const before = server.revision;
    restart(server);
    assert.equal(server.revision, before);
  });
});

describe('the default roles after a restart', () => {
  it('have what was removed, and keep what was added', async () => {
    using server = new TestServer();
    const added = { verbs: ['get'], nonResourceURLs: ['/mine'] };
    const role = (await server.get(`${RBAC}/clusterroles/system:kube-dns`)).body;
    await server.given('put', `${RBAC}/clusterroles/system:kube-dns`, {
      ...role,
      rules: [added, { verbs: ['list'], apiGroups: [''], resources: ['endpoints', 'services'] }],
    });
    const binding = (await server.get(`${RBAC}/clusterrolebindings/system:kube-dns`)).body;
    const subjects = [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'jane' }];
    await server.given('put', `${RBAC}/clusterrolebindings/system:kube-dns`, {
      ...binding,
      subjects,
    });
    restart(server);
    const after = (await server.get(`${RBAC}/clusterroles/system:kube-dns`)).body;
    assert.deepEqual((after['rules'] as object[])[0], added);
    assert.deepEqual((after['rules'] as object[]).slice(2), [
      { verbs: ['watch'], apiGroups: [''], resources: ['endpoints'] },
      { verbs: ['watch'], apiGroups: [''], resources: ['services'] },
    ]);
    const bound = (await server.get(`${RBAC}/clusterrolebindings/system:kube-dns`)).body;
    assert.deepEqual(bound['subjects'], [
      ...subjects,
      { kind: 'ServiceAccount', name: 'kube-dns', namespace: 'kube-system' },
    ]);
  });

  it('are left alone if they say so', async () => {
    using server = new TestServer();
    const path = `${RBAC}/clusterroles/system:basic-user`;
    const { metadata, ...role } = (await server.get(path)).body;
    const annotations = { 'rbac.authorization.kubernetes.io/autoupdate': 'false' };
    await server.given('put', path, { ...role, metadata: { ...metadata, annotations }, rules: [] });
    restart(server);
    assert.equal((await server.get(path)).body['rules'], null);
  });

  it('replace a binding of another role', async () => {
    using server = new TestServer();
    const path = `${RBAC}/clusterrolebindings/system:discovery`;
    const { metadata, ...binding } = (await server.get(path)).body;
    await server.delete(path);
    const { name, labels, annotations } = metadata;
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' };
    await server.given('post', `${RBAC}/clusterrolebindings`, {
      ...binding,
      metadata: { name, labels, annotations },
      roleRef,
    });
    restart(server);
    assert.deepEqual((await server.get(path)).body['roleRef'], {
      ...roleRef,
      name: 'system:discovery',
    });
  });
});
