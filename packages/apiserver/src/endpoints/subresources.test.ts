import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { TestObject } from '../testing/test-object.ts';
import { TestServer } from '../testing/test-server.ts';

const PODS = '/api/v1/namespaces/default/pods';
const BUDGETS = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';

async function pod(server: TestServer, name = 'p', spec: object = {}): Promise<TestObject> {
  return await server.given('post', PODS, {
    metadata: { name, labels: { app: 'web' } },
    spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
  });
}

function conditions(object: TestObject): string[] {
  const { conditions: found = [] } = object['status'] as {
    conditions?: { type: string; status: string }[];
  };
  return found.map(({ type, status }) => `${type} ${status}`);
}

describe('what is created and not stored', () => {
  const NAMESPACE = '/api/v1/namespaces/default';
  const REVIEWS = '/apis/authorization.k8s.io/v1';
  const spec = { user: 'x', resourceAttributes: { verb: 'get', namespace: 'default' } };

  it('is of the namespace in the path, and of no other', async () => {
    using server = new TestServer();
    await pod(server);
    await server.given('post', `${NAMESPACE}/serviceaccounts`, { metadata: { name: 'a' } });
    for (const [path, body] of [
      [`${PODS}/p/binding`, { metadata: { name: 'p' }, target: { name: 'n' } }],
      [`${PODS}/p/eviction`, { metadata: { name: 'p' } }],
      [`${NAMESPACE}/serviceaccounts/a/token`, { metadata: {}, spec: {} }],
      [`${REVIEWS}/namespaces/default/localsubjectaccessreviews`, { metadata: {}, spec }],
    ] as const) {
      const elsewhere = { ...body, metadata: { ...body.metadata, namespace: 'other' } };
      const refused = await server.post(path, elsewhere);
      assert.equal(refused.status, 400, path);
      assert.equal(
        refused.body.message,
        'the namespace of the provided object does not match the namespace sent on the request',
      );
      assert.equal((await server.post(path, body)).status, 201, path);
    }
  });

  it('has no namespace if it is a review of the whole cluster', async () => {
    using server = new TestServer();
    const metadata = { namespace: 'default' };
    const path = `${REVIEWS}/subjectaccessreviews`;
    assert.equal((await server.post(path, { metadata, spec })).status, 201);
  });
});

describe('binding', () => {
  const binding = { metadata: { name: 'p' }, target: { kind: 'Node', name: 'n' } };

  for (const path of [`${PODS}/p/binding`, '/api/v1/namespaces/default/bindings']) {
    it(`through ${path} assigns a pod to a node, once`, async () => {
      using server = new TestServer();
      await pod(server);
      const { status, body } = await server.post(path, binding);
      assert.equal(status, 201);
      assert.equal(body['status'], 'Success');
      const bound = await server.get(`${PODS}/p`);
      assert.equal((bound.body['spec'] as { nodeName: string }).nodeName, 'n');
      assert.ok(conditions(bound.body).includes('PodScheduled True'));
      assert.equal((await server.post(path, binding)).status, 409);
    });
  }

  it('requires a pod, its name and a node', async () => {
    using server = new TestServer();
    assert.equal((await server.post(`${PODS}/p/binding`, binding)).status, 404);
    await pod(server);
    const other = { ...binding, metadata: { name: 'q' } };
    assert.equal((await server.post(`${PODS}/p/binding`, other)).status, 400);
    const nowhere = await server.post('/api/v1/namespaces/default/bindings', {});
    assert.equal(nowhere.status, 500);
    assert.equal(nowhere.body.message, 'target.name: Required value');
    const { target } = binding;
    const nameless = await server.post('/api/v1/namespaces/default/bindings', { target });
    assert.equal(nameless.body.message, 'Name parameter required.');
  });

  it('supports dry run', async () => {
    using server = new TestServer();
    await pod(server);
    assert.equal((await server.post(`${PODS}/p/binding?dryRun=All`, binding)).status, 201);
    const { body } = await server.get(`${PODS}/p`);
    assert.equal((body['spec'] as { nodeName?: string }).nodeName, undefined);
  });
});

describe('eviction', () => {
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } };

  /** Creates a budget whose status allows this many disruptions. */
  async function budget(server: TestServer, disruptionsAllowed: number): Promise<void> {
    const spec = { minAvailable: 1, selector: { matchLabels: { app: 'web' } } };
    const created = await server.given('post', BUDGETS, { metadata: { name: 'b' }, spec });
    const { generation = 0 } = created.metadata;
    await server.given('put', `${BUDGETS}/b/status`, {
      ...created,
      status: {
        observedGeneration: generation,
        disruptionsAllowed,
        currentHealthy: 2,
        desiredHealthy: 1,
        expectedPods: 2,
      },
    });
  }

  async function running(server: TestServer): Promise<TestObject> {
    const created = await pod(server, 'p', { nodeName: 'n' });
    return await server.given('put', `${PODS}/p/status`, {
      ...created,
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
    });
  }

  it('deletes the pod with its grace period and records the reason', async () => {
    using server = new TestServer();
    await running(server);
    assert.equal((await server.post(`${PODS}/p/eviction`, eviction)).status, 201);
    const { body } = await server.get(`${PODS}/p`);
    assert.equal(body.metadata.deletionGracePeriodSeconds, 30);
    assert.ok(conditions(body).includes('DisruptionTarget True'));
  });

  it('uses up a budget, then has to wait', async () => {
    using server = new TestServer();
    await running(server);
    await budget(server, 1);
    assert.equal((await server.post(`${PODS}/p/eviction`, eviction)).status, 201);
    const { body } = await server.get(`${BUDGETS}/b`);
    const { disruptionsAllowed, disruptedPods } = body['status'] as {
      disruptionsAllowed: number;
      disruptedPods: object;
    };
    assert.equal(disruptionsAllowed, 0);
    assert.deepEqual(Object.keys(disruptedPods), ['p']);
  });

  it('is rejected by a budget that allows none, and changes nothing', async () => {
    using server = new TestServer();
    const before = await running(server);
    await budget(server, 0);
    const { revision } = server;
    const { status, body } = await server.post(`${PODS}/p/eviction`, eviction);
    assert.equal(status, 429);
    assert.equal(body.details?.causes?.[0]?.reason, 'DisruptionBudget');
    assert.equal(server.revision, revision);
    assert.deepEqual((await server.get(`${PODS}/p`)).body, before);
  });

  it('checks the uid and version that it names', async () => {
    using server = new TestServer();
    const { metadata } = await running(server);
    const { uid, resourceVersion } = metadata;
    const attempt = async (preconditions: object): Promise<number> =>
      (await server.post(`${PODS}/p/eviction`, { ...eviction, deleteOptions: { preconditions } }))
        .status;
    assert.equal(await attempt({ uid: 'another' }), 409);
    assert.equal(await attempt({ resourceVersion: '1' }), 409);
    assert.equal(await attempt({ uid, resourceVersion }), 201);
  });
});

describe('scale', () => {
  const deployment = {
    metadata: { name: 'web' },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'c', image: 'i' }] },
      },
    },
  };
  const path = `${DEPLOYMENTS}/web/scale`;

  it('is a view of the object, with its version', async () => {
    using server = new TestServer();
    const { metadata } = await server.given('post', DEPLOYMENTS, deployment);
    const { body } = await server.get(path);
    assert.equal(body.kind, 'Scale');
    assert.deepEqual(body['spec'], { replicas: 2 });
    assert.equal(body.metadata.resourceVersion, metadata.resourceVersion);
    assert.equal((body['status'] as { selector: string }).selector, 'app=web');
  });

  it('changes the number of replicas and nothing else', async () => {
    using server = new TestServer();
    await server.given('post', DEPLOYMENTS, deployment);
    const { body } = await server.get(path);
    const scaled = await server.given('put', path, {
      ...body,
      metadata: { ...body.metadata, labels: { not: 'here' } },
      spec: { replicas: 5 },
    });
    assert.deepEqual(scaled['spec'], { replicas: 5 });
    const stale = await server.put(path, { ...body, spec: { replicas: 6 } });
    assert.equal(stale.status, 409);
    await server.patch('merge', path, { spec: { replicas: 7 } });
    const whole = await server.get(`${DEPLOYMENTS}/web`);
    assert.equal((whole.body['spec'] as { replicas: number }).replicas, 7);
    assert.equal(whole.body.metadata.labels, undefined);
    assert.equal(whole.body.metadata.generation, 3);
    assert.equal((await server.patch('merge', path, { spec: { replicas: -1 } })).status, 422);
  });
});

describe('subresources that need a node', () => {
  it('answer like a server without nodes', async () => {
    using server = new TestServer();
    await pod(server, 'p');
    await pod(server, 'placed', { nodeName: 'n' });
    assert.equal((await server.get(`${PODS}/none/log`)).status, 404);
    const empty = await server.get(`${PODS}/p/log`);
    assert.equal(empty.status, 204);
    assert.equal(empty.text, '');
    const placed = await server.get(`${PODS}/placed/log`);
    assert.equal(placed.status, 404);
    const wrong = await server.get(`${PODS}/p/log?container=x`);
    assert.equal(wrong.status, 400);
    assert.equal(wrong.body.message, 'container x is not valid for pod p');
    assert.equal((await server.get(`${PODS}/p/log?tailLines=-1`)).status, 422);
    const exec = await server.get(`${PODS}/p/exec?command=ls`);
    assert.equal(exec.status, 400);
    assert.equal(exec.body.message, 'pod p does not have a host assigned');
  });
});

describe('service account tokens', () => {
  const accounts = '/api/v1/namespaces/default/serviceaccounts';

  it('authenticate the account until it is deleted', async () => {
    using server = new TestServer();
    await server.given('post', accounts, { metadata: { name: 'robot' } });
    const { body } = await server.post(`${accounts}/robot/token`, { spec: {} });
    assert.deepEqual(
      body.metadata.managedFields?.map(({ fieldsV1, subresource }) => [fieldsV1, subresource]),
      [[{ 'f:spec': { 'f:expirationSeconds': {} } }, 'token']],
    );
    const { token } = body['status'] as { token: string };
    const headers = { authorization: `Bearer ${token}` };
    const who = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    const review = await server.post(who, {}, { headers });
    assert.equal(review.status, 201);
    const { userInfo } = review.body['status'] as { userInfo: { username: string } };
    assert.equal(userInfo.username, 'system:serviceaccount:default:robot');
    await server.delete(`${accounts}/robot`);
    assert.equal((await server.post(who, {}, { headers })).status, 401);
  });
});
