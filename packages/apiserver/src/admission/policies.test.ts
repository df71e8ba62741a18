import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readRecording, replay } from '../testing/replay.ts';
import { TestServer } from '../testing/test-server.ts';
import { configureWebhook, EVERYTHING, TestWebhook } from '../testing/test-webhook.ts';

const API = '/apis/admissionregistration.k8s.io/v1';
const MAPS = '/api/v1/namespaces/default/configmaps';

describe('validating admission policies', () => {
  it('answer requests as a genuine server does', async () => {
    using server = new TestServer({ authorization: 'rbac' });
    const recorded = readRecording('admission-policies.json');
    assert.ok(recorded.length > 100, 'the recording is complete');
    await replay(server, recorded);
  });

  it('see a namespace as it is, and nothing of one that is gone', async () => {
    using server = new TestServer();
    await server.given('post', `${API}/validatingadmissionpolicies`, {
      metadata: { name: 'p' },
      spec: {
        matchConstraints: { resourceRules: [{ ...EVERYTHING, resources: ['namespaces'] }] },
        validations: [{ expression: 'namespaceObject == null', message: 'a namespace has none' }],
      },
    });
    await server.given('post', `${API}/validatingadmissionpolicybindings`, {
      metadata: { name: 'b' },
      spec: { policyName: 'p', validationActions: ['Deny'] },
    });
    assert.equal(
      (await server.post('/api/v1/namespaces', { metadata: { name: 'n' } })).status,
      201,
    );
  });

  it('cannot lock the door to their own configuration', async () => {
    using server = new TestServer();
    await server.given('post', `${API}/validatingadmissionpolicies`, {
      metadata: { name: 'p' },
      spec: {
        matchConstraints: { resourceRules: [EVERYTHING] },
        validations: [{ expression: 'false' }],
      },
    });
    await server.given('post', `${API}/validatingadmissionpolicybindings`, {
      metadata: { name: 'b' },
      spec: { policyName: 'p', validationActions: ['Deny'] },
    });
    assert.equal((await server.post(MAPS, { metadata: { name: 'm' } })).status, 422);
    const { status } = await server.delete(`${API}/validatingadmissionpolicybindings/b`);
    assert.equal(status, 200);
    assert.equal((await server.post(MAPS, { metadata: { name: 'm' } })).status, 201);
  });
});

describe('match conditions of webhooks', () => {
  it('decide whether it is called', async () => {
    await using webhook = await TestWebhook.start(() => ({ allowed: true }));
    using server = new TestServer();
    await configureWebhook(server, 'Validating', webhook.clientConfig(), {
      matchConditions: [
        { name: 'name', expression: 'request.name.startsWith("a")' },
        {
          name: 'user',
          expression: 'authorizer.group("").resource("pods").check("list").allowed()',
        },
      ],
    });
    await server.given('post', MAPS, { metadata: { name: 'b' } });
    assert.equal(webhook.reviews.length, 0);
    await server.given('post', MAPS, { metadata: { name: 'a' } });
    assert.equal(webhook.reviews.length, 1);
  });

  it('that fail refuse the request, unless failures are ignored', async () => {
    for (const kind of ['Validating', 'Mutating'] as const) {
      await using webhook = await TestWebhook.start(() => ({ allowed: true }));
      using server = new TestServer();
      const matchConditions = [{ name: 'c', expression: 'object.data.x == "1"' }];
      await configureWebhook(server, kind, webhook.clientConfig(), { matchConditions });
      const refused = await server.post(MAPS, { metadata: { name: 'a' } });
      assert.equal(refused.status, 403);
      assert.equal(
        refused.body['message'],
        `configmaps "a" is forbidden: expression 'object.data.x == "1"' resulted in error: no such key: data`,
      );
      assert.equal(webhook.reviews.length, 0);
    }
  });
});
