import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestServer } from '../testing/test-server.ts';
import { configureWebhook, type TestResponse, TestWebhook } from '../testing/test-webhook.ts';

const API = '/apis/admissionregistration.k8s.io/v1';
const MAPS = '/api/v1/namespaces/default/configmaps';

const allow = (): TestResponse => ({ allowed: true });

describe('failing webhooks', () => {
  const PREFIX = 'Internal error occurred: failed calling webhook "test.example.com": ';
  const cases: readonly (readonly [string, () => TestResponse, string | RegExp])[] = [
    [
      'a server error',
      () => ({ http: 500, text: 'oops\n' }),
      'failed to call webhook: an error on the server ("oops") has prevented the request from succeeding',
    ],
    [
      'a missing path',
      () => ({ http: 404, text: 'nothing' }),
      'failed to call webhook: the server could not find the requested resource',
    ],
    [
      'a closed connection',
      () => 'hang up',
      /failed to call webhook: Post "https:\/\/127.0.0.1:\d+\/review\?timeout=10s": EOF$/,
    ],
    [
      'another uid',
      () => ({ uid: 'x', allowed: true }),
      /received invalid webhook response: expected response.uid="[-0-9a-f]+", got "x"$/,
    ],
    [
      'no response',
      () => ({ http: 200, text: '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"}' }),
      'received invalid webhook response: webhook response was absent',
    ],
    [
      'the other version',
      () => ({
        http: 200,
        text: '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1beta1","response":{}}',
      }),
      'failed to call webhook: converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion',
    ],
    [
      'a patch without its type',
      () => ({ allowed: true, patch: 'W10=' }),
      'received invalid webhook response: webhook returned response.patch but not response.patchType',
    ],
    [
      'a type without a patch',
      () => ({ allowed: true, patchType: 'JSONPatch' }),
      'received invalid webhook response: webhook returned response.patchType but not response.patch',
    ],
    [
      'a patch of another type',
      () => ({
        allowed: true,
        patchType: 'Merge',
        patch: Buffer.from('[{"op":"test"}]').toString('base64'),
      }),
      'unsupported patch type "Merge"',
    ],
    [
      'a patch that is no list',
      () => ({
        allowed: true,
        patchType: 'JSONPatch',
        patch: Buffer.from('{}').toString('base64'),
      }),
      'received undecodable patch in webhook response: json: cannot unmarshal object into Go value of type jsonpatch.Patch',
    ],
  ];
  for (const [title, respond, expected] of cases) {
    it(`${title} fails the request, or is ignored`, async () => {
      await using webhook = await TestWebhook.start(respond);
      using server = new TestServer();
      await configureWebhook(server, 'Mutating', webhook.clientConfig());
      const { status, body } = await server.post(MAPS, { metadata: { name: 'a' } });
      assert.equal(status, 500);
      const message = String(body['message']);
      assert.ok(message.startsWith(PREFIX), message);
      const detail = message.slice(PREFIX.length);
      if (typeof expected === 'string') assert.equal(detail, expected);
      else assert.match(detail, expected);
      await server.delete(`${API}/mutatingwebhookconfigurations/test`);
      await configureWebhook(server, 'Mutating', webhook.clientConfig(), {
        failurePolicy: 'Ignore',
      });
      assert.equal((await server.post(MAPS, { metadata: { name: 'a' } })).status, 201);
    });
  }

  it('time out', async () => {
    using server = new TestServer();
    await using webhook = await TestWebhook.start(async (): Promise<TestResponse> => {
      await server.clock.advance(2000);
      return 'never';
    });
    await configureWebhook(server, 'Validating', webhook.clientConfig(), { timeoutSeconds: 2 });
    const { body } = await server.post(MAPS, { metadata: { name: 'a' } });
    assert.equal(
      body['message'],
      `${PREFIX}failed to call webhook: Post "https://127.0.0.1:${webhook.port}/review?timeout=2s": context deadline exceeded`,
    );
  });

  it('are not trusted without their certificate authority', async () => {
    await using webhook = await TestWebhook.start(allow);
    using server = new TestServer();
    const { url = null } = webhook.clientConfig();
    await configureWebhook(server, 'Validating', { url });
    const { body } = await server.post(MAPS, { metadata: { name: 'a' } });
    assert.match(
      String(body['message']),
      /: tls: failed to verify certificate: x509: certificate signed by unknown authority$/,
    );
  });

  it('refuse a connection', async () => {
    const webhook = await TestWebhook.start(allow);
    await webhook[Symbol.asyncDispose]();
    using server = new TestServer();
    await configureWebhook(server, 'Validating', webhook.clientConfig());
    const { body } = await server.post(MAPS, { metadata: { name: 'a' } });
    assert.equal(
      body['message'],
      `${PREFIX}failed to call webhook: Post "https://127.0.0.1:${webhook.port}/review?timeout=10s": dial tcp 127.0.0.1:${webhook.port}: connect: connection refused`,
    );
  });
});

describe('webhooks behind a service', () => {
  const service = { namespace: 'default', name: 'hook', path: '/check' };

  it('are found where the option says, by the name of the service', async () => {
    await using webhook = await TestWebhook.start(allow, ['hook.default.svc']);
    using server = new TestServer({
      resolveService: ({ name, namespace, port }) => {
        assert.deepEqual([name, namespace, port], ['hook', 'default', 443]);
        return { host: '127.0.0.1', port: webhook.port };
      },
    });
    await configureWebhook(server, 'Validating', { service, caBundle: webhook.caBundle });
    assert.equal((await server.post(MAPS, { metadata: { name: 'a' } })).status, 201);
    assert.deepEqual(webhook.paths, ['/check?timeout=10s']);
  });

  it('are found by an external name', async () => {
    await using webhook = await TestWebhook.start(allow, ['hook.default.svc']);
    using server = new TestServer();
    await server.given('post', '/api/v1/namespaces/default/services', {
      metadata: { name: 'hook' },
      spec: { type: 'ExternalName', externalName: 'localhost' },
    });
    await configureWebhook(server, 'Validating', {
      service: { ...service, port: webhook.port },
      caBundle: webhook.caBundle,
    });
    assert.equal((await server.post(MAPS, { metadata: { name: 'a' } })).status, 201);
  });

  it('fail without the service', async () => {
    using server = new TestServer();
    await configureWebhook(server, 'Validating', { service });
    const { body } = await server.post(MAPS, { metadata: { name: 'a' } });
    assert.equal(
      body['message'],
      'Internal error occurred: failed calling webhook "test.example.com": failed to call webhook: Post "https://hook.default.svc:443/check?timeout=10s": service "hook" not found',
    );
  });
});
