import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import {
  configMapNames as names,
  givenConfigMap as given,
  MAPS,
  ownedBy,
} from '../testing/ownership.ts';
import type { TestObject } from '../testing/test-object.ts';
import { TestServer } from '../testing/test-server.ts';
import { GarbageCollector } from './garbage-collector.ts';

async function read(server: TestServer, name: string): Promise<TestObject> {
  await server.settle();
  const { status, body } = await server.get(`${MAPS}/${name}`);
  assert.equal(status, 200);
  return body;
}

describe('GarbageCollector, in the background', () => {
  it('collects dependents of a deleted owner, transitively', async () => {
    using server = new TestServer();
    const owner = await given(server, 'owner');
    const child = await given(server, 'child', [ownedBy(owner)]);
    await given(server, 'grandchild', [ownedBy(child)]);
    await given(server, 'stranger');
    assert.deepEqual(await names(server), ['child', 'grandchild', 'owner', 'stranger']);
    await server.delete(`${MAPS}/owner`);
    assert.deepEqual(await names(server), ['stranger']);
    assert.equal(server.clock.pending, 0);
    assert.deepEqual(server.errors, []);
  });

  it('works after the deletion, not inside it', async () => {
    using server = new TestServer();
    const owner = await given(server, 'owner');
    await given(server, 'child', [ownedBy(owner)]);
    await server.settle();
    const before = server.revision;
    await server.delete(`${MAPS}/owner`);
    assert.equal(server.revision, before + 1);
    await server.settle();
    assert.equal(server.revision, before + 2);
  });

  it('keeps an object with another owner and drops the dangling reference', async () => {
    using server = new TestServer();
    const [first, second] = [await given(server, 'first'), await given(server, 'second')];
    await given(server, 'child', [ownedBy(first), ownedBy(second)]);
    await server.delete(`${MAPS}/first`);
    const child = await read(server, 'child');
    assert.deepEqual(child.metadata.ownerReferences, [ownedBy(second)]);
    await server.delete(`${MAPS}/second`);
    assert.deepEqual(await names(server), []);
  });

  it('collects an object whose owner never existed', async () => {
    using server = new TestServer();
    const missing = { apiVersion: 'v1', kind: 'ConfigMap', name: 'missing', uid: 'no-such-uid' };
    await given(server, 'child', [missing]);
    assert.deepEqual(await names(server), []);
  });

  it('collects an object whose owner has another uid', async () => {
    using server = new TestServer();
    const owner = await given(server, 'owner');
    await given(server, 'child', [{ ...ownedBy(owner), uid: 'the-one-before' }]);
    assert.deepEqual(await names(server), ['owner']);
  });

  it('looks for owners only in the namespace of the dependent', async () => {
    using server = new TestServer();
    const owner = await given(server, 'owner', [], { namespace: 'kube-public' });
    await given(server, 'child', [ownedBy(owner)]);
    assert.deepEqual(await names(server), []);
    assert.deepEqual(await names(server, 'kube-public'), ['owner']);
  });

  it('allows cluster-scoped owners for dependents in any namespace', async () => {
    using server = new TestServer();
    const role = await server.given('post', '/apis/rbac.authorization.k8s.io/v1/clusterroles', {
      metadata: { name: 'owner' },
    });
    await given(server, 'child', [ownedBy(role)]);
    assert.deepEqual(await names(server), ['child']);
    await server.delete('/apis/rbac.authorization.k8s.io/v1/clusterroles/owner');
    assert.deepEqual(await names(server), []);
  });

  it('keeps a cluster-scoped object that names a namespaced owner', async () => {
    using server = new TestServer();
    const owner = await given(server, 'owner');
    const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
    await server.given('post', roles, {
      metadata: { name: 'child', ownerReferences: [ownedBy(owner)] },
    });
    await server.settle();
    assert.equal((await server.get(`${roles}/child`)).status, 200);
  });

  it('keeps an object whose owner is of a kind that is not served', async () => {
    using server = new TestServer();
    const widget = { apiVersion: 'example.com/v1', kind: 'Widget', name: 'a', uid: 'some-uid' };
    await given(server, 'child', [widget]);
    assert.deepEqual(await names(server), ['child']);
  });

  it('respects finalizers of collected objects', async () => {
    using server = new TestServer();
    const owner = await given(server, 'owner');
    await given(server, 'child', [ownedBy(owner)], { finalizers: ['example.com/hold'] });
    await server.delete(`${MAPS}/owner`);
    const { metadata } = await read(server, 'child');
    assert.ok(metadata.deletionTimestamp);
    await server.patch('merge', `${MAPS}/child`, { metadata: { finalizers: null } });
    assert.deepEqual(await names(server), []);
  });

  it('treats dependents as the finalizers of a collected object demand', async () => {
    using server = new TestServer();
    const owner = await given(server, 'owner');
    const child = await given(server, 'child', [ownedBy(owner)], { finalizers: ['orphan'] });
    await given(server, 'grandchild', [ownedBy(child)]);
    await server.delete(`${MAPS}/owner`);
    assert.deepEqual(await names(server), ['grandchild']);
  });

  it('collects an object when its last living owner reference is removed', async () => {
    using server = new TestServer();
    const [first, second] = [await given(server, 'first'), await given(server, 'second')];
    await given(server, 'child', [ownedBy(first), ownedBy(second)]);
    await server.patch('merge', `${MAPS}/child`, {
      metadata: { ownerReferences: [{ ...ownedBy(first), uid: 'gone', name: 'gone' }] },
    });
    assert.deepEqual(await names(server), ['first', 'second']);
  });

  it('ignores events', async () => {
    using server = new TestServer();
    const events = '/api/v1/namespaces/default/events';
    await server.given('post', events, {
      metadata: {
        name: 'e',
        ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'gone' }],
      },
      involvedObject: { namespace: 'default' },
    });
    await server.settle();
    assert.equal((await server.get(`${events}/e`)).status, 200);
  });

  it('continues work that was left before it started', async () => {
    using server = new TestServer();
    server.backend[Symbol.dispose]();
    const owner = await given(server, 'owner');
    await given(server, 'child', [ownedBy(owner)]);
    const waiting = await given(server, 'waiting');
    const finalizers = ['example.com/hold'];
    await given(server, 'x-blocker', [ownedBy(waiting, true)], { finalizers });
    await server.delete(`${MAPS}/owner`);
    await server.delete(`${MAPS}/waiting`, { propagationPolicy: 'Foreground' });
    assert.deepEqual(await names(server), ['child', 'waiting', 'x-blocker']);
    using _ = new GarbageCollector(server.backend.core, (error) => assert.fail(String(error)));
    assert.deepEqual(await names(server), ['waiting', 'x-blocker']);
  });

  it('does not run without controllers', async () => {
    using server = new TestServer({ controllers: false });
    const owner = await given(server, 'owner');
    await given(server, 'child', [ownedBy(owner)]);
    await server.delete(`${MAPS}/owner`);
    assert.deepEqual(await names(server), ['child']);
  });
});

describe('GarbageCollector, in the foreground', () => {
  const foreground = { propagationPolicy: 'Foreground' };

  it('keeps the owner until blocking dependents are gone', async () => {
    using server = new TestServer();
    const owner = await given(server, 'owner');
    await given(server, 'child', [ownedBy(owner, true)], { finalizers: ['example.com/hold'] });
    const { body } = await server.delete(`${MAPS}/owner`, foreground);
    assert.deepEqual(body.metadata.finalizers, ['foregroundDeletion']);
    assert.deepEqual(await names(server), ['child', 'owner']);
    assert.ok((await read(server, 'child')).metadata.deletionTimestamp);
    await server.patch('merge', `${MAPS}/child`, { metadata: { finalizers: null } });
    assert.deepEqual(await names(server), []);
  });

  it('does not wait for dependents that do not block', async () => {
    using server = new TestServer();
    const owner = await given(server, 'owner');
    await given(server, 'idle', [ownedBy(owner, false)], { finalizers: ['example.com/hold'] });
    await given(server, 'quiet', [ownedBy(owner)]);
    await server.delete(`${MAPS}/owner`, foreground);
    assert.deepEqual(await names(server), ['idle']);
    assert.ok((await read(server, 'idle')).metadata.deletionTimestamp);
  });

  it('deletes the whole tree, leaves first', async () => {
    using server = new TestServer();
    const owner = await given(server, 'a-owner');
    const child = await given(server, 'b-child', [ownedBy(owner, true)]);
    await given(server, 'c-leaf', [ownedBy(child, true)]);
    await server.settle();
    const watch = await server.watch(`${MAPS}?watch=1&resourceVersion=${server.revision}`);
    await server.delete(`${MAPS}/a-owner`, foreground);
    await server.settle();
    assert.deepEqual(await watch.takeBriefly(), [
      'MODIFIED a-owner',
      'MODIFIED b-child',
      'DELETED c-leaf',
      'DELETED b-child',
      'DELETED a-owner',
    ]);
  });

  it('keeps a dependent that another owner holds', async () => {
    using server = new TestServer();
    const [owner, other] = [await given(server, 'owner'), await given(server, 'other')];
    await given(server, 'child', [ownedBy(owner, true), ownedBy(other)]);
    await server.delete(`${MAPS}/owner`, foreground);
    assert.deepEqual(await names(server), ['child', 'other']);
    const { metadata } = await read(server, 'child');
    assert.deepEqual(metadata.ownerReferences, [ownedBy(other)]);
    assert.equal(metadata.deletionTimestamp, undefined);
  });

  it('stops waiting for a dependent that no longer names the owner', async () => {
    using server = new TestServer();
    const owner = await given(server, 'owner');
    await given(server, 'child', [ownedBy(owner, true)], { finalizers: ['example.com/hold'] });
    await server.delete(`${MAPS}/owner`, foreground);
    assert.deepEqual(await names(server), ['child', 'owner']);
    await server.patch('merge', `${MAPS}/child`, { metadata: { ownerReferences: null } });
    assert.deepEqual(await names(server), ['child']);
  });

  it('starts when an object that already has the finalizer is deleted', async () => {
    using server = new TestServer();
    const finalizers = ['foregroundDeletion'];
    const owner = await given(server, 'owner', [], { finalizers });
    await given(server, 'child', [ownedBy(owner, true)]);
    await server.settle();
    await server.delete(`${MAPS}/owner`);
    assert.deepEqual(await names(server), []);
  });

  it('starts when a deletion in progress becomes foreground', async () => {
    using server = new TestServer();
    const owner = await given(server, 'owner', [], { finalizers: ['example.com/hold'] });
    await given(server, 'child', [ownedBy(owner, true)]);
    await server.delete(`${MAPS}/owner`);
    assert.deepEqual(await names(server), ['child', 'owner']);
    await server.delete(`${MAPS}/owner`, foreground);
    assert.deepEqual(await names(server), ['owner']);
    const { metadata } = await read(server, 'owner');
    assert.deepEqual(metadata.finalizers, ['example.com/hold']);
  });

  it('resolves ownership cycles', async () => {
    using server = new TestServer();
    const first = await given(server, 'first');
    const second = await given(server, 'second', [ownedBy(first, true)]);
    await server.patch('merge', `${MAPS}/first`, {
      metadata: { ownerReferences: [ownedBy(second, true)] },
    });
    await server.delete(`${MAPS}/first`, foreground);
    assert.deepEqual(await names(server), []);
  });

  it('becomes a background deletion on request', async () => {
    using server = new TestServer();
    const owner = await given(server, 'owner');
    await given(server, 'child', [ownedBy(owner, true)], { finalizers: ['example.com/hold'] });
    await server.delete(`${MAPS}/owner`, foreground);
    await server.settle();
    await server.delete(`${MAPS}/owner`, { propagationPolicy: 'Background' });
    assert.deepEqual(await names(server), ['child']);
  });
});

describe('GarbageCollector, orphaning', () => {
  it('removes the owner from all dependents before it is deleted', async () => {
    using server = new TestServer();
    const [owner, other] = [await given(server, 'owner'), await given(server, 'other')];
    await given(server, 'child', [ownedBy(owner, true)]);
    await given(server, 'shared', [ownedBy(owner), ownedBy(other)]);
    await server.settle();
    const watch = await server.watch(`${MAPS}?watch=1&resourceVersion=${server.revision}`);
    await server.delete(`${MAPS}/owner`, { propagationPolicy: 'Orphan' });
    await server.settle();
    assert.deepEqual(await watch.takeBriefly(), [
      'MODIFIED owner',
      'MODIFIED child',
      'MODIFIED shared',
      'DELETED owner',
    ]);
    assert.equal((await read(server, 'child')).metadata.ownerReferences, undefined);
    assert.deepEqual((await read(server, 'shared')).metadata.ownerReferences, [ownedBy(other)]);
  });

  it('is the default for jobs', async () => {
    using server = new TestServer();
    const jobs = '/apis/batch/v1/namespaces/default/jobs';
    const job = await server.given('post', jobs, {
      metadata: { name: 'job' },
      spec: {
        template: {
          spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] },
        },
      },
    });
    await given(server, 'child', [ownedBy(job)]);
    await server.delete(`${jobs}/job`);
    assert.deepEqual(await names(server), ['child']);
    assert.equal((await server.get(`${jobs}/job`)).status, 404);
  });
});
