import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { type Answer, TestServer } from '../../../../testing/test-server.ts';

const PODS = '/api/v1/namespaces/default/pods';

async function serverWith(node: object | undefined, spec: object = {}): Promise<TestServer> {
  const server = new TestServer();
  if (node !== undefined) {
    const created = await server.given('post', '/api/v1/nodes', { metadata: { name: 'n' } });
    const { metadata, ...rest } = node as { metadata?: object };
    const changed = { ...created, metadata: { ...created.metadata, ...metadata }, ...rest };
    await server.given('put', '/api/v1/nodes/n/status', changed);
    if (metadata !== undefined) await server.patch('merge', '/api/v1/nodes/n', { metadata });
  }
  const resources = { requests: { cpu: '1', memory: '1Gi' } };
  const containers = [{ name: 'c', image: 'i', resources }];
  await server.given('post', PODS, {
    metadata: { name: 'p' },
    spec: { nodeName: 'n', containers, ...spec },
  });
  return server;
}

async function resize(server: TestServer, spec: object): Promise<Answer> {
  return await server.patch('strategic', `${PODS}/p/resize`, { spec });
}

const requesting = (requests: object): object => ({
  containers: [{ name: 'c', resources: { requests } }],
});

const ROOMY = { status: { allocatable: { cpu: '4', memory: '2Gi' } } };

describe('the resize of a pod on a node', () => {
  it('is limited by what the node can give', async () => {
    using server = await serverWith(ROOMY);
    const { status, body } = await resize(server, requesting({ cpu: '8', memory: '3Gi' }));
    assert.equal(status, 403);
    assert.equal(
      body['message'],
      `pods "p" is forbidden: node didn't have enough allocatable resources: cpu, requested: 8000, allocatable: 4000; memory, requested: 3221225472, allocatable: 2147483648`,
    );
    assert.deepEqual((body['details'] as { causes: unknown }).causes, [{ reason: 'NodeCapacity' }]);
    assert.equal((await resize(server, requesting({ cpu: '3' }))).status, 200);
  });

  it('needs the node', async () => {
    using server = await serverWith(undefined);
    const { body } = await resize(server, requesting({ cpu: '2' }));
    assert.equal(body['message'], 'pods "p" is forbidden: node "n" not found');
  });

  it('needs a node with Linux', async () => {
    using server = await serverWith({
      metadata: { labels: { 'kubernetes.io/os': 'windows' } },
      ...ROOMY,
    });
    const { body } = await resize(server, requesting({ cpu: '2' }));
    assert.match(String(body['message']), /only supported on linux nodes, node "n" is "windows"$/);
  });

  it('as a whole needs a kubelet that can do it', async () => {
    const spec = { resources: { requests: { cpu: '1', memory: '1Gi' } } };
    const larger = { resources: { requests: { cpu: '2', memory: '1Gi' } } };
    using server = await serverWith(ROOMY, spec);
    const { status, body } = await resize(server, larger);
    assert.equal(status, 403);
    assert.equal(
      body['message'],
      'pods "p" is forbidden: pod update requires features InPlacePodLevelResourcesVerticalScaling which are not available on node "n"',
    );
    const declaredFeatures = ['InPlacePodLevelResourcesVerticalScaling'];
    using able = await serverWith({ status: { ...ROOMY.status, declaredFeatures } }, spec);
    assert.equal((await resize(able, larger)).status, 200);
  });
});
