import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestServer } from '../testing/test-server.ts';
import { NamespaceController } from './namespace-controller.ts';

const NAMESPACES = '/api/v1/namespaces';

async function withNamespace(): Promise<TestServer> {
  const server = new TestServer();
  await server.given('post', NAMESPACES, { metadata: { name: 'team' } });
  return server;
}

describe('NamespaceController', () => {
  it('marks an empty namespace as terminating, then deletes it', async () => {
    using server = await withNamespace();
    const watch = await server.watch(`${NAMESPACES}?watch=1&resourceVersion=${server.revision}`);
    const { status, body } = await server.delete(`${NAMESPACES}/team`);
    assert.equal(status, 200);
    assert.deepEqual(body['status'], { phase: 'Terminating' });
    await server.settle();
    // The second modification sets the conditions.
    assert.deepEqual(await watch.takeBriefly(), ['MODIFIED team', 'MODIFIED team', 'DELETED team']);
    assert.equal((await server.get(`${NAMESPACES}/team`)).status, 404);
    watch.close();
    await server.settle();
    assert.equal(server.clock.pending, 0);
  });

  it('deletes all content of the namespace, of every kind, and nothing else', async () => {
    using server = await withNamespace();
    const metadata = { name: 'x' };
    const pod = { metadata, spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] } };
    for (const namespace of ['team', 'default']) {
      const core = `${NAMESPACES}/${namespace}`;
      await server.given('post', `${core}/configmaps`, { metadata });
      await server.given('post', `${core}/pods`, pod);
      await server.given('post', `${core}/events`, { metadata, involvedObject: { namespace } });
      await server.given('post', `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`, {
        metadata,
      });
    }
    await server.delete(`${NAMESPACES}/team`);
    await server.settle();
    assert.equal((await server.get(`${NAMESPACES}/team`)).status, 404);
    for (const resource of ['configmaps', 'pods', 'events']) {
      const { body } = await server.get(`/api/v1/${resource}`);
      const namespaces = body.items?.map((item) => item.metadata.namespace);
      assert.deepEqual(namespaces, ['default'], resource);
    }
    assert.deepEqual(server.errors, []);
  });

  it('deletes pods without a grace period, because no kubelet would end it', async () => {
    using server = await withNamespace();
    await server.given('post', `${NAMESPACES}/team/pods`, {
      metadata: { name: 'p' },
      spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] },
    });
    const { body } = await server.delete(`${NAMESPACES}/team/pods/p`);
    assert.equal(body.metadata.deletionGracePeriodSeconds, 30);
    await server.delete(`${NAMESPACES}/team`);
    await server.settle();
    assert.equal((await server.get(`${NAMESPACES}/team`)).status, 404);
  });

  it('removes its own finalizer and no other', async () => {
    using server = new TestServer();
    await server.given('post', NAMESPACES, {
      metadata: { name: 'team' },
      spec: { finalizers: ['example.com/hold'] },
    });
    await server.delete(`${NAMESPACES}/team`);
    await server.settle();
    const { body } = await server.get(`${NAMESPACES}/team`);
    assert.deepEqual(body['spec'], { finalizers: ['example.com/hold'] });
    await server.given('put', `${NAMESPACES}/team/finalize`, { ...body, spec: {} });
    assert.equal((await server.get(`${NAMESPACES}/team`)).status, 404);
  });

  it('continues deletions that began before it started', async () => {
    using server = await withNamespace();
    server.backend[Symbol.dispose]();
    await server.given('post', `${NAMESPACES}/team/configmaps`, { metadata: { name: 'x' } });
    await server.delete(`${NAMESPACES}/team`);
    await server.settle();
    assert.equal((await server.get(`${NAMESPACES}/team`)).status, 200);
    using _ = new NamespaceController(server.backend.core, (error) => assert.fail(String(error)));
    await server.settle();
    assert.equal((await server.get(`${NAMESPACES}/team`)).status, 404);
  });

  it('releases what its services allocated', async () => {
    using server = await withNamespace();
    const service = {
      metadata: { name: 's' },
      spec: { clusterIP: '10.0.0.7', ports: [{ port: 1 }] },
    };
    await server.given('post', `${NAMESPACES}/team/services`, service);
    await server.delete(`${NAMESPACES}/team`);
    await server.settle();
    await server.given('post', `${NAMESPACES}/default/services`, service);
  });

  it('waits for content with finalizers and rejects new content meanwhile', async () => {
    using server = await withNamespace();
    const maps = `${NAMESPACES}/team/configmaps`;
    await server.given('post', maps, { metadata: { name: 'held', finalizers: ['a.b/c'] } });
    await server.given('post', maps, { metadata: { name: 'free' } });
    await server.delete(`${NAMESPACES}/team`);
    await server.settle();
    const { body } = await server.get(maps);
    assert.deepEqual(
      body.items?.map(({ metadata }) => metadata.name),
      ['held'],
    );
    const refused = await server.post(maps, { metadata: { name: 'new' } });
    assert.equal(refused.status, 403);
    assert.equal(refused.body.details?.causes?.[0]?.reason, 'NamespaceTerminating');
    assert.equal((await server.delete(`${NAMESPACES}/team`)).status, 200);
    await server.patch('merge', `${maps}/held`, { metadata: { finalizers: null } });
    await server.settle();
    assert.equal((await server.get(`${NAMESPACES}/team`)).status, 404);
    await server.given('post', NAMESPACES, { metadata: { name: 'team' } });
  });

  it('waits for finalizers of the namespace itself', async () => {
    using server = new TestServer();
    await server.given('post', NAMESPACES, { metadata: { name: 'team', finalizers: ['a.b/c'] } });
    await server.delete(`${NAMESPACES}/team`);
    await server.settle();
    const { body } = await server.get(`${NAMESPACES}/team`);
    assert.deepEqual(body['spec'], {});
    await server.patch('merge', `${NAMESPACES}/team`, { metadata: { finalizers: null } });
    await server.settle();
    assert.equal((await server.get(`${NAMESPACES}/team`)).status, 404);
  });

  it('deletes custom resources, too', async () => {
    using server = await withNamespace();
    await server.given('post', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
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
            schema: { openAPIV3Schema: { type: 'object' } },
          },
        ],
      },
    });
    await server.settle();
    await server.given('post', '/apis/example.com/v1/namespaces/team/widgets', {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'w' },
    });
    await server.delete(`${NAMESPACES}/team`);
    await server.settle();
    const { body } = await server.get('/apis/example.com/v1/widgets');
    assert.deepEqual(body.items, []);
    assert.equal((await server.get(`${NAMESPACES}/team`)).status, 404);
  });

  it('does not delete the namespaces that a cluster needs', async () => {
    using server = new TestServer();
    for (const name of ['default', 'kube-public', 'kube-system']) {
      assert.equal((await server.delete(`${NAMESPACES}/${name}`)).status, 403, name);
    }
    assert.equal((await server.delete(`${NAMESPACES}/kube-node-lease`)).status, 200);
  });

  it('leaves finalization to others without controllers', async () => {
    using server = new TestServer({ controllers: false });
    await server.given('post', NAMESPACES, { metadata: { name: 'team' } });
    const { body } = await server.delete(`${NAMESPACES}/team`);
    await server.settle();
    assert.equal((await server.get(`${NAMESPACES}/team`)).status, 200);
    const done = await server.put(`${NAMESPACES}/team/finalize`, { ...body, spec: {} });
    assert.equal(done.status, 200);
    assert.equal((await server.get(`${NAMESPACES}/team`)).status, 404);
  });

  it('deletes pods before everything else', async () => {
    using server = await withNamespace();
    const core = `${NAMESPACES}/team`;
    await server.given('post', `${core}/configmaps`, { metadata: { name: 'a' } });
    await server.given('post', `${core}/pods`, {
      metadata: { name: 'p', finalizers: ['example.com/wait'] },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    });
    await server.delete(core);
    await server.settle();
    assert.equal((await server.get(`${core}/configmaps/a`)).status, 200);
    await server.patch('merge', `${core}/pods/p`, { metadata: { finalizers: null } });
    await server.settle();
    assert.equal((await server.get(core)).status, 404);
  });

  it('shows in conditions what is left', async () => {
    using server = await withNamespace();
    const core = `${NAMESPACES}/team`;
    await server.given('post', `${core}/configmaps`, {
      metadata: { name: 'a', finalizers: ['example.com/wait'] },
    });
    await server.delete(core);
    await server.settle();
    const { body } = await server.get(core);
    const { conditions } = body['status'] as { conditions: Record<string, string>[] };
    assert.deepEqual(
      conditions.map(({ type, status, reason, message }) => [type, status, reason, message]),
      [
        [
          'NamespaceDeletionDiscoveryFailure',
          'False',
          'ResourcesDiscovered',
          'All resources successfully discovered',
        ],
        [
          'NamespaceDeletionGroupVersionParsingFailure',
          'False',
          'ParsedGroupVersions',
          'All legacy kube types successfully parsed',
        ],
        [
          'NamespaceDeletionContentFailure',
          'False',
          'ContentDeleted',
          'All content successfully deleted, may be waiting on finalization',
        ],
        [
          'NamespaceContentRemaining',
          'True',
          'SomeResourcesRemain',
          'Some resources are remaining: configmaps. has 1 resource instances',
        ],
        [
          'NamespaceFinalizersRemaining',
          'True',
          'SomeFinalizersRemain',
          'Some content in the namespace has finalizers remaining: example.com/wait in 1 resource instances',
        ],
      ],
    );
    assert.deepEqual(server.errors, []);
  });
});
