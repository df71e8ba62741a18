import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestServer } from '../testing/test-server.ts';
import { bootstrap } from './bootstrap.ts';

describe('a new server', () => {
  it('creates the objects of a real server', async () => {
    using server = new TestServer();
    const names = async (path: string): Promise<string[]> =>
      ((await server.get(path)).body.items ?? []).map(({ metadata }) => metadata.name ?? '');
    assert.deepEqual(await names('/api/v1/namespaces'), [
      'default',
      'kube-node-lease',
      'kube-public',
      'kube-system',
    ]);
    assert.deepEqual(await names('/apis/scheduling.k8s.io/v1/priorityclasses'), [
      'system-cluster-critical',
      'system-node-critical',
    ]);
    assert.ok(
      (await names('/apis/rbac.authorization.k8s.io/v1/clusterroles')).includes('cluster-admin'),
    );
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

  it('creates them only once', () => {
    using server = new TestServer();
    const before = server.revision;
    bootstrap(server.backend.core);
    assert.equal(server.revision, before);
  });
});
