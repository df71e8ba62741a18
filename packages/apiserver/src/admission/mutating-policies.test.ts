import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readRecording, replay } from '../testing/replay.ts';
import { TestServer } from '../testing/test-server.ts';
import { configureWebhook, EVERYTHING, TestWebhook } from '../testing/test-webhook.ts';

const API = '/apis/admissionregistration.k8s.io/v1';
const MAPS = '/api/v1/namespaces/default/configmaps';

/** Creates a policy with one JSON patch for all requests, and binds it. */
async function bind(
  server: TestServer,
  name: string,
  expression: string,
  reinvocationPolicy = 'Never',
): Promise<void> {
  await server.given('post', `${API}/mutatingadmissionpolicies`, {
    metadata: { name },
    spec: {
      matchConstraints: { resourceRules: [{ ...EVERYTHING, operations: ['CREATE', 'UPDATE'] }] },
      reinvocationPolicy,
      mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression } }],
    },
  });
  await server.given('post', `${API}/mutatingadmissionpolicybindings`, {
    metadata: { name },
    spec: { policyName: name },
  });
}

describe('mutating admission policies', () => {
  it('answer requests as a genuine server does', async () => {
    using server = new TestServer({ authorization: 'rbac' });
    const recorded = readRecording('mutating-policies.json');
    assert.ok(recorded.length > 1000, 'the recording is complete');
    await replay(server, recorded);
  });

  it('run before webhooks, and again after those if they ask for it', async () => {
    const patch = [{ op: 'add', path: '/data/hook', value: 'seen' }];
    await using webhook = await TestWebhook.start(() => ({
      allowed: true,
      patchType: 'JSONPatch',
      patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
    }));
    using server = new TestServer();
    await configureWebhook(server, 'Mutating', webhook.clientConfig());
    const note = (key: string): string =>
      `[JSONPatch{op: "add", path: "/data/${key}", value: has(object.data.hook) ? "after" : "before"}]`;
    await bind(server, 'once', note('once'));
    await bind(server, 'again', note('again'), 'IfNeeded');
    const { body } = await server.post(MAPS, { metadata: { name: 'a' }, data: { x: 'y' } });
    assert.deepEqual(body['data'], { x: 'y', hook: 'seen', once: 'before', again: 'after' });
    const { data } = (webhook.reviews[0]?.request['object'] ?? {}) as { data?: object };
    assert.deepEqual(data, { x: 'y', once: 'before', again: 'before' });
  });

  it('make a webhook that asks for it see what a later round changed', async () => {
    await using webhook = await TestWebhook.start(() => ({ allowed: true }));
    using server = new TestServer();
    await configureWebhook(server, 'Mutating', webhook.clientConfig(), {
      reinvocationPolicy: 'IfNeeded',
    });
    await bind(
      server,
      'count',
      `[JSONPatch{op: "add", path: "/data/n", value: has(object.data.n) ? object.data.n + "x" : "x"}]`,
      'IfNeeded',
    );
    const { body } = await server.post(MAPS, { metadata: { name: 'a' }, data: { x: 'y' } });
    assert.deepEqual(body['data'], { x: 'y', n: 'xx' });
    assert.equal(webhook.reviews.length, 2);
  });

  it('cannot change their own configuration', async () => {
    using server = new TestServer();
    const label = `[JSONPatch{op: "add", path: "/metadata/labels", value: {"a": "b"}}]`;
    await bind(server, 'label', label);
    const map = await server.post(MAPS, { metadata: { name: 'a' } });
    assert.deepEqual(map.body.metadata.labels, { a: 'b' });
    await bind(server, 'other', label);
    const { body } = await server.get(`${API}/mutatingadmissionpolicies/other`);
    assert.equal(body.metadata.labels, undefined);
  });
});
