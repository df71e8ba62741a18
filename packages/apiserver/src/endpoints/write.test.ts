import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { TestObject } from '../testing/test-object.ts';
import { TestServer } from '../testing/test-server.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';

const deployment = {
  metadata: { name: 'web' },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    },
  },
};

async function given(server: TestServer, name: string, rest: object = {}): Promise<TestObject> {
  return await server.given('post', MAPS, { metadata: { name }, ...rest });
}

describe('create', () => {
  it('sets system fields and ignores those of the client', async () => {
    using server = new TestServer();
    const { status, body } = await server.post(MAPS, {
      kind: 'ConfigMap',
      metadata: {
        name: 'a',
        uid: 'mine',
        creationTimestamp: '2001-01-01T00:00:00Z',
        deletionTimestamp: '2001-01-01T00:00:00Z',
        selfLink: '/x',
      },
      data: { k: 'v' },
    });
    assert.equal(status, 201);
    const { uid = '', creationTimestamp, resourceVersion, namespace, ...rest } = body.metadata;
    assert.match(uid, /^[0-9a-f]{8}-[0-9a-f]{4}-4/);
    assert.equal(creationTimestamp, '2026-01-01T00:00:00Z');
    assert.equal(resourceVersion, String(server.revision));
    assert.equal(namespace, 'default');
    assert.deepEqual(Object.keys(rest), ['name', 'managedFields']);
    assert.deepEqual((await server.get(`${MAPS}/a`)).body, body);
  });

  it('fails if the name is taken, also by an object that is being deleted', async () => {
    using server = new TestServer();
    await given(server, 'a', { metadata: { name: 'a', finalizers: ['example.com/hold'] } });
    const again = await server.post(MAPS, { metadata: { name: 'a' } });
    assert.equal(again.status, 409);
    assert.equal(again.body.reason, 'AlreadyExists');
    assert.equal(again.body.message, 'configmaps "a" already exists');
    await server.delete(`${MAPS}/a`);
    const leaving = await server.post(MAPS, { metadata: { name: 'a' } });
    assert.equal(leaving.status, 409);
    assert.equal(leaving.body.message, 'object is being deleted: configmaps "a" already exists');
  });

  it('generates names', async () => {
    using server = new TestServer();
    const metadata = { generateName: 'job-' };
    const made = [await given(server, '', { metadata }), await given(server, '', { metadata })];
    const [first, second] = made.map((object) => object.metadata.name);
    assert.match(first ?? '', /^job-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    assert.notEqual(first, second);
    const { metadata: named } = await given(server, '', { metadata: { name: 'own', ...metadata } });
    assert.equal(named.name, 'own');
  });

  it('requires an existing namespace', async () => {
    using server = new TestServer();
    const { status, body } = await server.post('/api/v1/namespaces/nowhere/configmaps', {
      metadata: { name: 'a' },
    });
    assert.equal(status, 404);
    assert.equal(body.message, 'namespaces "nowhere" not found');
    const elsewhere = await server.post(MAPS, { metadata: { name: 'a', namespace: 'other' } });
    assert.equal(elsewhere.status, 400);
  });

  it('accepts no resourceVersion but 0', async () => {
    using server = new TestServer();
    const refused = await server.post(MAPS, { metadata: { name: 'a', resourceVersion: '1' } });
    assert.equal(refused.status, 500);
    await given(server, 'a', { metadata: { name: 'a', resourceVersion: '0' } });
  });

  it('reports every error', async () => {
    using server = new TestServer();
    const { status, body } = await server.post(MAPS, {
      metadata: { name: 'Not Good', labels: { 'a b': 'c d' } },
    });
    assert.equal(status, 422);
    assert.deepEqual(body.details?.causes?.map(({ field }) => field).toSorted(), [
      'metadata.labels',
      'metadata.labels',
      'metadata.name',
    ]);
  });
});

describe('update', () => {
  it('checks the resourceVersion, if given', async () => {
    using server = new TestServer();
    const first = await given(server, 'a');
    const { metadata } = await server.given('put', `${MAPS}/a`, { ...first, data: { n: '1' } });
    assert.notEqual(metadata.resourceVersion, first.metadata.resourceVersion);
    const stale = await server.put(`${MAPS}/a`, { ...first, data: { n: '2' } });
    assert.equal(stale.status, 409);
    assert.equal(stale.body.reason, 'Conflict');
    const { resourceVersion: _, ...unconditional } = first.metadata;
    await server.given('put', `${MAPS}/a`, { metadata: unconditional, data: { n: '3' } });
    const garbage = { ...first, metadata: { ...first.metadata, resourceVersion: 'x' } };
    assert.equal((await server.put(`${MAPS}/a`, garbage)).status, 500);
  });

  it('must match the object in the URL', async () => {
    using server = new TestServer();
    const { metadata } = await given(server, 'a');
    const other = { metadata: { ...metadata, uid: 'another' } };
    const refused = await server.put(`${MAPS}/a`, other);
    assert.equal(refused.status, 409);
    assert.match(refused.body.message ?? '', /Precondition failed: UID in precondition: another/);
    assert.equal((await server.put(`${MAPS}/a`, { metadata: { name: 'b' } })).status, 400);
    assert.equal((await server.put(`${MAPS}/none`, { metadata: { name: 'none' } })).status, 404);
  });

  it('without changes does not write', async () => {
    using server = new TestServer();
    const first = await given(server, 'a', { data: { k: 'v' } });
    await server.clock.advance(5000);
    const writes = [
      await server.put(`${MAPS}/a`, first),
      await server.put(`${MAPS}/a?fieldManager=other`, first),
      await server.patch('merge', `${MAPS}/a`, { data: { k: 'v' } }),
      await server.patch('json', `${MAPS}/a`, [{ op: 'replace', path: '/data/k', value: 'v' }]),
      await server.patch('strategic', `${MAPS}/a`, {}),
    ];
    for (const { status, body } of writes) {
      assert.equal(status, 200);
      assert.deepEqual(body, first);
    }
    assert.equal(String(server.revision), first.metadata.resourceVersion);
  });

  it('keeps fields that only the server may change', async () => {
    using server = new TestServer();
    const { metadata } = await given(server, 'a');
    await server.clock.advance(5000);
    const changed = await server.given('put', `${MAPS}/a`, {
      metadata: { name: 'a', creationTimestamp: '2001-01-01T00:00:00Z', generation: 7 },
      data: { k: 'v' },
    });
    assert.equal(changed.metadata.uid, metadata.uid);
    assert.equal(changed.metadata.creationTimestamp, metadata.creationTimestamp);
    assert.equal(changed.metadata.generation, undefined);
  });

  it('can neither start nor change a deletion', async () => {
    using server = new TestServer();
    const first = await given(server, 'a', { metadata: { name: 'a', finalizers: ['x.y/z'] } });
    const deletionTimestamp = '2030-01-01T00:00:00Z';
    const moved = (object: TestObject): object => ({
      ...object,
      metadata: { ...object.metadata, deletionTimestamp },
    });
    assert.equal((await server.put(`${MAPS}/a`, moved(first))).status, 422);
    const { body } = await server.delete(`${MAPS}/a`);
    assert.equal((await server.put(`${MAPS}/a`, moved(body))).status, 422);
    const { metadata } = await server.given('put', `${MAPS}/a`, {
      metadata: { name: 'a', finalizers: ['x.y/z'] },
      data: { k: 'v' },
    });
    assert.equal(metadata.deletionTimestamp, body.metadata.deletionTimestamp);
  });

  it('creates missing objects of kinds that allow it', async () => {
    using server = new TestServer();
    const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
    const { status, body } = await server.put(`${leases}/l`, {
      metadata: { name: 'l', resourceVersion: '7' },
    });
    assert.equal(status, 201);
    assert.equal(body.metadata.resourceVersion, String(server.revision));
    const elsewhere = leases.replace('default', 'nowhere');
    assert.equal((await server.put(`${elsewhere}/l`, { metadata: { name: 'l' } })).status, 404);
  });
});

describe('generations', () => {
  it('count changes of the spec', async () => {
    using server = new TestServer();
    const first = await server.given('post', DEPLOYMENTS, deployment);
    assert.equal(first.metadata.generation, 1);
    const generation = async (patch: object): Promise<number | undefined> => {
      const { body } = await server.patch('merge', `${DEPLOYMENTS}/web`, patch);
      return body.metadata.generation;
    };
    assert.equal(await generation({ metadata: { labels: { a: 'b' } } }), 1);
    assert.equal(await generation({ spec: { replicas: 2 } }), 2);
    assert.equal(await generation({ spec: { replicas: 2 } }), 2);
    assert.equal(await generation({ metadata: { generation: 9 } }), 2);
    const { body } = await server.patch('merge', `${DEPLOYMENTS}/web/status`, {
      status: { replicas: 1 },
    });
    assert.equal(body.metadata.generation, 2);
  });
});

describe('status', () => {
  it('is changed only through its endpoint, which changes nothing else', async () => {
    using server = new TestServer();
    const created = await server.given('post', DEPLOYMENTS, {
      ...deployment,
      status: { replicas: 9 },
    });
    assert.deepEqual(created['status'], {});
    const path = `${DEPLOYMENTS}/web`;
    const status = { replicas: 3, observedGeneration: 1 };
    const spec = { ...(created['spec'] as object), replicas: 5 };
    const updated = await server.given('put', `${path}/status`, { ...created, spec, status });
    assert.deepEqual(updated['status'], status);
    assert.deepEqual(updated['spec'], created['spec']);
    const main = await server.given('put', path, { ...updated, spec, status: { replicas: 8 } });
    assert.deepEqual(main['status'], status);
    assert.deepEqual((main['spec'] as { replicas: number }).replicas, 5);
  });

  it('detects conflicts, and is returned with the whole object', async () => {
    using server = new TestServer();
    const created = await server.given('post', DEPLOYMENTS, deployment);
    const path = `${DEPLOYMENTS}/web/status`;
    await server.patch('merge', `${DEPLOYMENTS}/web`, { spec: { replicas: 2 } });
    assert.equal((await server.put(path, created)).status, 409);
    const whole = await server.get(`${DEPLOYMENTS}/web`);
    assert.deepEqual((await server.get(path)).body, whole.body);
    assert.equal((await server.get(`${DEPLOYMENTS}/none/status`)).status, 404);
  });
});

describe('a dry run', () => {
  const services = '/api/v1/namespaces/default/services';

  it('returns the result and leaves no trace', async () => {
    using server = new TestServer();
    await given(server, 'a');
    await server.settle();
    const before = server.revision;
    const created = await server.post(`${MAPS}?dryRun=All`, { metadata: { name: 'b' } });
    assert.equal(created.status, 201);
    assert.ok(created.body.metadata.uid);
    assert.equal(created.body.metadata.resourceVersion, undefined);
    const patched = await server.patch('merge', `${MAPS}/a?dryRun=All`, { data: { k: 'v' } });
    assert.deepEqual(patched.body['data'], { k: 'v' });
    const applied = await server.patch('apply', `${MAPS}/c?dryRun=All&fieldManager=me`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'c' },
    });
    assert.equal(applied.status, 201);
    assert.equal((await server.delete(`${MAPS}/a`, { dryRun: ['All'] })).status, 200);
    assert.equal((await server.delete(`${MAPS}?dryRun=All`)).status, 200);
    const { body } = await server.get(MAPS);
    assert.deepEqual(
      body.items?.map(({ metadata }) => metadata.name),
      ['a'],
    );
    assert.equal((await server.get(`${MAPS}/a`)).body['data'], undefined);
    await server.settle();
    assert.equal(server.revision, before);
  });

  it('finds the same errors', async () => {
    using server = new TestServer();
    await given(server, 'a');
    assert.equal(
      (await server.post(`${MAPS}?dryRun=All`, { metadata: { name: 'a' } })).status,
      409,
    );
    assert.equal(
      (await server.post(`${MAPS}?dryRun=All`, { metadata: { name: 'A' } })).status,
      422,
    );
  });

  it('releases the addresses and ports that it allocated', async () => {
    using server = new TestServer();
    const spec = {
      type: 'NodePort',
      clusterIP: '10.0.0.9',
      ports: [{ port: 1, nodePort: 30_000 }],
    };
    const service = { metadata: { name: 's' }, spec };
    for (const _ of [1, 2]) {
      const { status, body } = await server.post(`${services}?dryRun=All`, service);
      assert.equal(status, 201);
      assert.equal((body['spec'] as { clusterIP: string }).clusterIP, '10.0.0.9');
    }
    await server.given('post', services, service);
    const taken = await server.post(services, { ...service, metadata: { name: 't' } });
    assert.equal(taken.status, 422);
    await server.delete(`${services}/s?dryRun=All`);
    assert.equal(
      (await server.post(services, { ...service, metadata: { name: 't' } })).status,
      422,
    );
    await server.delete(`${services}/s`);
    await server.given('post', services, { ...service, metadata: { name: 't' } });
  });

  it('of a create that fails releases them, too', async () => {
    using server = new TestServer();
    const spec = { clusterIP: '10.0.0.9', ports: [{ port: 1 }] };
    const faulty = { metadata: { name: 'Bad Name' }, spec };
    assert.equal((await server.post(services, faulty)).status, 422);
    await server.given('post', services, { metadata: { name: 'good' }, spec });
  });

  it('accepts a resourceVersion in a dry run, which does not reach the storage', async () => {
    using server = new TestServer();
    const path = '/api/v1/namespaces/default/configmaps';
    const body = { metadata: { name: 'a', resourceVersion: '5' } };
    const tried = await server.post(`${path}?dryRun=All`, body);
    assert.equal(tried.status, 201);
    assert.equal(tried.body.metadata.resourceVersion, '5');
    const created = await server.post(path, body);
    assert.equal(created.status, 500);
    assert.equal(
      created.body.message,
      'resourceVersion should not be set on objects to be created',
    );
  });

  it('words a strategic patch of the wrong type as a real server does', async () => {
    using server = new TestServer();
    const path = '/api/v1/namespaces/default/services';
    const spec = { ports: [{ port: 80 }] };
    await server.given('post', path, { metadata: { name: 'a' }, spec });
    const messages = [];
    for (const patch of [
      { metadata: { labels: 'x' } },
      { metadata: { labels: 5 } },
      { metadata: { finalizers: 'x' } },
      { spec: 'x' },
      { metadata: { labels: { a: 1 } } },
      { metadata: { labels: { a: true } } },
      { spec: { ports: [{ port: 1.5 }] } },
      { spec: { ports: [{ port: 'x' }] } },
    ]) {
      const { body } = await server.patch('strategic', `${path}/a`, patch);
      messages.push(/": ([^"]*)$/.exec(body.message ?? '')?.[1]);
    }
    assert.deepEqual(messages, [
      'cannot restore map from string',
      'cannot restore map from int64',
      'cannot restore slice from string',
      'cannot restore struct from: string',
      'cannot convert int64 to string',
      'unrecognized type: string',
      'cannot convert float64 to int32',
      'unrecognized type: int32',
    ]);
  });

  it('quotes what a refused patch did not touch in the order of its fields', async () => {
    using server = new TestServer();
    const path = '/api/v1/namespaces/default/configmaps';
    await server.given('post', path, { metadata: { name: 'a', labels: { a: 'b' } } });
    const { body } = await server.patch('merge', `${path}/a`, { metadata: { labels: 'x' } });
    assert.match(
      body.message ?? '',
      /"\{\\"apiVersion\\":\\"v1\\",\\"kind\\":\\"ConfigMap\\",\\"metadata\\":\{.*\\"labels\\":\\"x\\"/,
    );
    assert.match(body.message ?? '', /\\"managedFields\\":\[\{\\"manager\\":/);
  });

  it('finds conflicts with appliers of another version', async () => {
    using server = new TestServer();
    const path = (version: string): string =>
      `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers/a`;
    const object = (version: string, spec: object): object => ({
      apiVersion: `autoscaling/${version}`,
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'a' },
      spec: {
        maxReplicas: 3,
        scaleTargetRef: { kind: 'Deployment', name: 'a', apiVersion: 'apps/v1' },
        ...spec,
      },
    });
    const target = { type: 'Utilization', averageUtilization: 50 };
    const metrics = [{ type: 'Resource', resource: { name: 'cpu', target } }];
    const first = await server.patch(
      'apply',
      `${path('v2')}?fieldManager=one`,
      object('v2', { metrics }),
    );
    assert.equal(first.status, 201, first.text);
    const second = await server.patch(
      'apply',
      `${path('v1')}?fieldManager=two`,
      object('v1', { targetCPUUtilizationPercentage: 70 }),
    );
    assert.equal(second.status, 409, second.text);
    assert.match(second.body.message ?? '', /conflict with "one".*: \.spec\.metrics/s);
  });
});
