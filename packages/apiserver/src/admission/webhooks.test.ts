import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from 'client-ts/internal';

import { TestServer } from '../testing/test-server.ts';
import {
  configureWebhook,
  EVERYTHING,
  patchResponse,
  type TestResponse,
  type TestReview,
  TestWebhook,
} from '../testing/test-webhook.ts';

const API = '/apis/admissionregistration.k8s.io/v1';
const MAPS = '/api/v1/namespaces/default/configmaps';
const MAPS_RULE = { ...EVERYTHING, resources: ['configmaps'] };

const allow = (): TestResponse => ({ allowed: true });

describe('validating webhooks', () => {
  it('see the request as a real server shows it', async () => {
    await using webhook = await TestWebhook.start(allow);
    using server = new TestServer();
    await configureWebhook(server, 'Validating', webhook.clientConfig());
    const { status } = await server.post(`${MAPS}?fieldManager=me&dryRun=All`, {
      metadata: { generateName: 'a-' },
      data: { key: 'value' },
    });
    assert.equal(status, 201);
    const [review] = webhook.reviews;
    const { uid, object, ...request } = review?.request ?? { uid: '' };
    const stored = object as { metadata: { name: string; uid: string; managedFields: unknown[] } };
    assert.deepEqual(
      [review?.apiVersion, review?.kind, typeof uid],
      ['admission.k8s.io/v1', 'AdmissionReview', 'string'],
    );
    assert.match(stored.metadata.name, /^a-/);
    assert.equal(typeof stored.metadata.uid, 'string');
    assert.equal(stored.metadata.managedFields.length, 1);
    assert.ok(!('resourceVersion' in stored.metadata));
    const kind = { group: '', version: 'v1', kind: 'ConfigMap' };
    const resource = { group: '', version: 'v1', resource: 'configmaps' };
    assert.deepEqual(request, {
      kind,
      resource,
      requestKind: kind,
      requestResource: resource,
      name: stored.metadata.name,
      namespace: 'default',
      operation: 'CREATE',
      userInfo: { username: 'admin', groups: ['system:masters', 'system:authenticated'] },
      oldObject: null,
      dryRun: true,
      options: {
        kind: 'CreateOptions',
        apiVersion: 'meta.k8s.io/v1',
        dryRun: ['All'],
        fieldManager: 'me',
      },
    });
    assert.deepEqual(webhook.paths, ['/review?timeout=10s']);
  });

  it('deny a request with their own status', async () => {
    await using webhook = await TestWebhook.start(() => ({
      allowed: false,
      status: { message: 'no such luck', code: 418, reason: 'Teapot' },
      warnings: ['still a warning'],
    }));
    using server = new TestServer();
    await configureWebhook(server, 'Validating', webhook.clientConfig());
    const { status, body, headers } = await server.post(MAPS, { metadata: { name: 'a' } });
    assert.equal(status, 418);
    assert.deepEqual(body, {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'admission webhook "test.example.com" denied the request: no such luck',
      reason: 'Teapot',
      code: 418,
    });
    assert.deepEqual(headers['warning'], ['299 - "still a warning"']);
    assert.equal((await server.get(`${MAPS}/a`)).status, 404);
  });

  it('are asked in v1beta1 if they know nothing else, and need not repeat the uid', async () => {
    await using webhook = await TestWebhook.start(() => ({ uid: '', allowed: false }));
    using server = new TestServer();
    await configureWebhook(server, 'Validating', webhook.clientConfig(), {
      admissionReviewVersions: ['v1beta1'],
    });
    assert.equal((await server.post(MAPS, { metadata: { name: 'a' } })).status, 400);
    assert.equal(webhook.reviews[0]?.apiVersion, 'admission.k8s.io/v1beta1');
  });

  it('deny a request without explanation with a 400', async () => {
    await using webhook = await TestWebhook.start(() => ({ allowed: false }));
    using server = new TestServer();
    await configureWebhook(server, 'Validating', webhook.clientConfig());
    const { status, body } = await server.post(MAPS, { metadata: { name: 'a' } });
    assert.equal(status, 400);
    assert.equal(
      body['message'],
      'admission webhook "test.example.com" denied the request without explanation',
    );
  });

  it('may not change the object', async () => {
    await using webhook = await TestWebhook.start(() =>
      patchResponse({ op: 'add', path: '/data', value: {} }),
    );
    using server = new TestServer();
    await configureWebhook(server, 'Validating', webhook.clientConfig());
    const { status, body } = await server.post(MAPS, { metadata: { name: 'a' } });
    assert.equal(status, 500);
    assert.equal(
      body['message'],
      'Internal error occurred: failed calling webhook "test.example.com": received invalid webhook response: validating webhook may not return response.patch',
    );
  });

  it('see both objects of an update, and the old one of a deletion', async () => {
    await using webhook = await TestWebhook.start(allow);
    using server = new TestServer();
    await server.given('post', MAPS, { metadata: { name: 'a' }, data: { key: 'old' } });
    await configureWebhook(server, 'Validating', webhook.clientConfig());
    await server.put(`${MAPS}/a`, { metadata: { name: 'a' }, data: { key: 'new' } });
    await server.patch('merge', `${MAPS}/a`, { data: { key: 'newer' } });
    await server.delete(`${MAPS}/a`, { gracePeriodSeconds: 0 });
    const seen = webhook.reviews.map(({ request }) => {
      const { operation, object, oldObject, options } = request as JsonObject;
      return [
        operation,
        (object as { data?: unknown } | null)?.data,
        (oldObject as { data?: unknown } | null)?.data,
        (options as JsonObject)['kind'],
      ];
    });
    assert.deepEqual(seen, [
      ['UPDATE', { key: 'new' }, { key: 'old' }, 'UpdateOptions'],
      ['UPDATE', { key: 'newer' }, { key: 'new' }, 'UpdateOptions'],
      ['DELETE', undefined, { key: 'newer' }, 'DeleteOptions'],
    ]);
    assert.equal((await server.get(`${MAPS}/a`)).status, 404);
  });

  it('are asked about every object of a deleted collection', async () => {
    await using webhook = await TestWebhook.start(({ request }) => ({
      allowed: ((request['oldObject'] as JsonObject)['metadata'] as JsonObject)['name'] === 'a',
    }));
    using server = new TestServer();
    for (const name of ['a', 'b']) await server.given('post', MAPS, { metadata: { name } });
    await configureWebhook(server, 'Validating', webhook.clientConfig());
    const { status } = await server.delete(MAPS);
    assert.equal(status, 400);
    assert.deepEqual(
      webhook.reviews.map(({ request }) => [request['operation'], request['name']]),
      [
        ['DELETE', undefined],
        ['DELETE', undefined],
      ],
    );
    assert.equal((await server.get(`${MAPS}/a`)).status, 404);
    assert.equal((await server.get(`${MAPS}/b`)).status, 200);
  });

  it('cannot lock their own configuration', async () => {
    await using webhook = await TestWebhook.start(() => ({ allowed: false }));
    using server = new TestServer();
    await configureWebhook(server, 'Validating', webhook.clientConfig(), { rules: [EVERYTHING] });
    const { status } = await server.delete(`${API}/validatingwebhookconfigurations/test`);
    assert.equal(status, 200);
    assert.deepEqual(webhook.reviews, []);
  });

  const writes = {
    apply: async (server: TestServer) =>
      await server.patch('apply', `${MAPS}/a?fieldManager=me`, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'a' },
        data: { mine: 'y' },
      }),
    merge: async (server: TestServer) =>
      await server.patch('merge', `${MAPS}/a`, { data: { mine: 'y' } }),
    put: async (server: TestServer) =>
      await server.put(`${MAPS}/a`, { metadata: { name: 'a' }, data: { mine: 'y', other: 'x' } }),
  };
  for (const [title, write] of Object.entries(writes)) {
    it(`see the object again that another request has changed meanwhile: ${title}`, async () => {
      let isFirst = true;
      using server = new TestServer();
      await using webhook = await TestWebhook.start(async () => {
        if (isFirst) {
          isFirst = false;
          await server.given('put', `${MAPS}/a`, { metadata: { name: 'a' }, data: { other: 'x' } });
        }
        return { allowed: true };
      });
      await server.given('post', MAPS, { metadata: { name: 'a' } });
      await configureWebhook(server, 'Validating', webhook.clientConfig());
      const { body, text } = await write(server);
      assert.deepEqual(body['data'], { mine: 'y', other: 'x' }, text);
      assert.equal(webhook.reviews.length, 3);
      assert.deepEqual((await server.get(`${MAPS}/a`)).body, body);
    });
  }
});

describe('mutating webhooks', () => {
  it('change the object in the order of their names', async () => {
    await using first = await TestWebhook.start(() =>
      patchResponse({ op: 'add', path: '/data', value: { order: 'first' } }),
    );
    await using second = await TestWebhook.start(({ request }) => {
      const { data } = request['object'] as { data: { order: string } };
      return patchResponse({ op: 'add', path: '/data/seen', value: data.order });
    });
    using server = new TestServer();
    await configureWebhook(server, 'Mutating', second.clientConfig(), {}, 'b');
    await configureWebhook(server, 'Mutating', first.clientConfig(), {}, 'a');
    const { body } = await server.post(MAPS, { metadata: { name: 'a' } });
    assert.deepEqual(body['data'], { order: 'first', seen: 'first' });
    assert.deepEqual((await server.get(`${MAPS}/a`)).body['data'], body['data']);
  });

  it('see built-in admission and defaults, and get their own changes defaulted', async () => {
    await using webhook = await TestWebhook.start(() =>
      patchResponse({ op: 'add', path: '/spec/containers/-', value: { name: 'b', image: 'b' } }),
    );
    using server = new TestServer();
    await configureWebhook(server, 'Mutating', webhook.clientConfig(), {
      rules: [{ ...EVERYTHING, resources: ['pods'] }],
    });
    const { status, body } = await server.post('/api/v1/namespaces/default/pods', {
      metadata: { name: 'a' },
      spec: { containers: [{ name: 'a', image: 'a' }] },
    });
    assert.equal(status, 201);
    const [review] = webhook.reviews as [TestReview];
    const { spec } = review.request['object'] as { spec: JsonObject };
    assert.equal((spec['tolerations'] as unknown[]).length, 2);
    assert.equal(spec['restartPolicy'], 'Always');
    const containers = (body['spec'] as { containers: JsonObject[] }).containers;
    assert.equal(containers[1]?.['imagePullPolicy'], 'Always');
    assert.equal(((body['spec'] as JsonObject)['tolerations'] as unknown[]).length, 2);
  });

  it('can be asked again if a later one changes the object', async () => {
    await using first = await TestWebhook.start(allow);
    await using second = await TestWebhook.start(() =>
      patchResponse({ op: 'add', path: '/data', value: { key: 'value' } }),
    );
    using server = new TestServer();
    const again = { reinvocationPolicy: 'IfNeeded' };
    await configureWebhook(server, 'Mutating', first.clientConfig(), again, 'a');
    await configureWebhook(server, 'Mutating', second.clientConfig(), again, 'b');
    await server.given('post', MAPS, { metadata: { name: 'a' } });
    const seen = first.reviews.map(({ request }) => (request['object'] as JsonObject)['data']);
    assert.deepEqual(seen, [undefined, { key: 'value' }]);
    assert.equal(second.reviews.length, 1);
  });

  it('leave the managed fields to the server', async () => {
    await using webhook = await TestWebhook.start(() =>
      patchResponse(
        { op: 'replace', path: '/metadata/managedFields', value: [{ operation: 'Guess' }] },
        { op: 'add', path: '/data', value: { key: 'value' } },
      ),
    );
    using server = new TestServer();
    await configureWebhook(server, 'Mutating', webhook.clientConfig());
    const { body, headers } = await server.post(`${MAPS}?fieldManager=me`, {
      metadata: { name: 'a', labels: { a: 'b' } },
    });
    assert.deepEqual(
      body.metadata.managedFields?.map(({ manager, fieldsV1 }) => [manager, fieldsV1]),
      [['me', { 'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } } }]],
    );
    assert.deepEqual(headers['warning'], [
      '299 - ".metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: operation must be `Apply` or `Update`"',
    ]);
  });

  it('fail the request with a patch that does not apply', async () => {
    await using webhook = await TestWebhook.start(() =>
      patchResponse({ op: 'add', path: '/data/a/b', value: 1 }),
    );
    using server = new TestServer();
    await configureWebhook(server, 'Mutating', webhook.clientConfig());
    const { status, body } = await server.post(MAPS, { metadata: { name: 'a' } });
    assert.equal(status, 500);
    assert.equal(
      body['message'],
      'Internal error occurred: add operation does not apply: doc is missing path: "/data/a/b": missing value',
    );
  });

  it('make objects that are validated like any other', async () => {
    await using webhook = await TestWebhook.start(() =>
      patchResponse({ op: 'add', path: '/metadata/labels', value: { bad: 'not valid!' } }),
    );
    using server = new TestServer();
    await configureWebhook(server, 'Mutating', webhook.clientConfig());
    const { status } = await server.post(MAPS, { metadata: { name: 'a' } });
    assert.equal(status, 422);
  });

  it('cannot change what is deleted', async () => {
    await using webhook = await TestWebhook.start(() =>
      patchResponse({ op: 'add', path: '/data', value: {} }),
    );
    using server = new TestServer();
    await server.given('post', MAPS, { metadata: { name: 'a' } });
    await configureWebhook(server, 'Mutating', webhook.clientConfig());
    const { status, body } = await server.delete(`${MAPS}/a`);
    assert.equal(status, 500);
    assert.equal(
      body['message'],
      'Internal error occurred: admission webhook "test.example.com" attempted to modify the object, which is not supported for this operation',
    );
  });
});

describe('rules and selectors', () => {
  const cases: readonly (readonly [string, JsonObject, boolean])[] = [
    ['another group', { rules: [{ ...MAPS_RULE, apiGroups: ['apps'] }] }, false],
    ['another version', { rules: [{ ...MAPS_RULE, apiVersions: ['v2'] }] }, false],
    ['another operation', { rules: [{ ...MAPS_RULE, operations: ['UPDATE'] }] }, false],
    ['subresources only', { rules: [{ ...EVERYTHING, resources: ['*/*'] }] }, true],
    [
      'a named subresource',
      { rules: [{ ...EVERYTHING, resources: ['configmaps/status'] }] },
      false,
    ],
    ['cluster scope', { rules: [{ ...MAPS_RULE, scope: 'Cluster' }] }, false],
    ['namespaced scope', { rules: [{ ...MAPS_RULE, scope: 'Namespaced' }] }, true],
    ['labels of the object', { objectSelector: { matchLabels: { app: 'a' } } }, true],
    ['other labels', { objectSelector: { matchLabels: { app: 'b' } } }, false],
    [
      'the namespace',
      { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'default' } } },
      true,
    ],
    [
      'other namespaces',
      {
        namespaceSelector: {
          matchExpressions: [
            { key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['default'] },
          ],
        },
      },
      false,
    ],
  ];
  for (const [title, overrides, isCalled] of cases) {
    it(`${title}: ${isCalled ? 'called' : 'not called'}`, async () => {
      await using webhook = await TestWebhook.start(allow);
      using server = new TestServer();
      await configureWebhook(server, 'Validating', webhook.clientConfig(), overrides);
      await server.given('post', MAPS, { metadata: { name: 'a', labels: { app: 'a' } } });
      assert.equal(webhook.reviews.length, isCalled ? 1 : 0);
    });
  }

  it('match equivalent resources, converted to the version of the rule', async () => {
    await using webhook = await TestWebhook.start(allow);
    using server = new TestServer();
    const rules = [
      { ...EVERYTHING, apiGroups: ['autoscaling'], apiVersions: ['v1'], resources: ['*'] },
    ];
    const config = webhook.clientConfig();
    await configureWebhook(server, 'Validating', config, { rules, matchPolicy: 'Exact' }, 'exact');
    await configureWebhook(server, 'Validating', config, { rules }, 'equivalent');
    await server.given('post', '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers', {
      metadata: { name: 'a' },
      spec: {
        maxReplicas: 3,
        scaleTargetRef: { kind: 'Deployment', name: 'a', apiVersion: 'apps/v1' },
        metrics: [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
          },
        ],
      },
    });
    assert.equal(webhook.reviews.length, 1);
    const [{ request }] = webhook.reviews as [TestReview];
    const { kind, requestKind, object } = request;
    const group = 'autoscaling';
    assert.deepEqual(kind, { group, version: 'v1', kind: 'HorizontalPodAutoscaler' });
    assert.deepEqual(requestKind, { group, version: 'v2', kind: 'HorizontalPodAutoscaler' });
    const { apiVersion, spec } = object as { apiVersion: string; spec: JsonObject };
    assert.equal(apiVersion, 'autoscaling/v1');
    assert.equal(spec['targetCPUUtilizationPercentage'], 50);
  });

  it('cover subresources: status, scale, eviction, binding, token, connections', async () => {
    await using webhook = await TestWebhook.start(allow);
    using server = new TestServer();
    const pods = '/api/v1/namespaces/default/pods';
    const spec = { containers: [{ name: 'a', image: 'a' }] };
    await server.given('post', pods, { metadata: { name: 'a' }, spec });
    await server.given('post', '/api/v1/namespaces/default/serviceaccounts', {
      metadata: { name: 'a' },
    });
    await server.given('post', '/apis/apps/v1/namespaces/default/replicasets', {
      metadata: { name: 'a' },
      spec: {
        selector: { matchLabels: { app: 'a' } },
        template: { metadata: { labels: { app: 'a' } }, spec },
      },
    });
    const rules = [{ ...EVERYTHING, resources: ['*/*'] }];
    await configureWebhook(server, 'Validating', webhook.clientConfig(), { rules });
    await server.patch('merge', `${pods}/a/status`, { status: { message: 'x' } });
    await server.patch('merge', '/apis/apps/v1/namespaces/default/replicasets/a/scale', {
      spec: { replicas: 2 },
    });
    await server.post('/api/v1/namespaces/default/serviceaccounts/a/token', { spec: {} });
    await server.get(`${pods}/a/exec?command=ls&command=-l&stdout=true`);
    await server.post(`${pods}/a/binding`, { target: { name: 'node' } });
    await server.post(`${pods}/a/eviction`, { metadata: { name: 'a' } });
    const seen = webhook.reviews.map(({ request }) => [
      request['operation'],
      request['subResource'],
      (request['kind'] as JsonObject)['kind'],
      (request['object'] as JsonObject)['kind'],
    ]);
    const bound = webhook.reviews[4]?.request['object'] as JsonObject;
    assert.equal((bound['metadata'] as JsonObject)['namespace'], 'default');
    assert.deepEqual(seen, [
      ['UPDATE', 'status', 'Pod', 'Pod'],
      ['UPDATE', 'scale', 'Scale', 'Scale'],
      ['CREATE', 'token', 'TokenRequest', 'TokenRequest'],
      ['CONNECT', 'exec', 'PodExecOptions', 'PodExecOptions'],
      ['CREATE', 'binding', 'Binding', 'Binding'],
      ['CREATE', 'eviction', 'Eviction', 'Eviction'],
    ]);
    const [, scaled, , connected] = webhook.reviews;
    const scale = scaled?.request as unknown as Record<'object' | 'oldObject', JsonObject>;
    assert.deepEqual(scale.object['spec'], { replicas: 2 });
    assert.deepEqual(scale.oldObject['spec'], { replicas: 1 });
    assert.deepEqual(connected?.request['object'], {
      kind: 'PodExecOptions',
      apiVersion: 'v1',
      stdout: true,
      command: ['ls', '-l'],
    });
    assert.equal(connected?.request['options'], null);
  });
});
