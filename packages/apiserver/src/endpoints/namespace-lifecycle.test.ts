import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestServer } from '../testing/test-server.ts';

const HOME = '/api/v1/namespaces/gone';
const POD = {
  metadata: { name: 'p', finalizers: ['x.io/y'] },
  spec: { containers: [{ name: 'c', image: 'i' }] },
};
const ACCOUNT = { metadata: { name: 'sa', finalizers: ['x.io/y'] } };
const REVIEW = {
  metadata: { namespace: 'gone' },
  spec: { user: 'x', resourceAttributes: { namespace: 'gone', verb: 'get', resource: 'pods' } },
};
const REVIEWS = '/apis/authorization.k8s.io/v1/namespaces/gone/localsubjectaccessreviews';

/** Whatever creates something, by path and body. */
const CREATES: readonly (readonly [string, object])[] = [
  ['configmaps', { metadata: { name: 'c' } }],
  ['configmaps?dryRun=All', { metadata: { name: 'c' } }],
  ['serviceaccounts/sa/token', { spec: {} }],
  ['pods/p/binding', { target: { kind: 'Node', name: 'n' } }],
  ['pods/p/eviction', { metadata: { name: 'p' } }],
  ['bindings', { metadata: { name: 'p' }, target: { kind: 'Node', name: 'n' } }],
];

describe('a namespace', () => {
  it('that does not exist takes nothing new', async () => {
    using server = new TestServer();
    for (const [path, body] of CREATES) {
      const { status, body: answer } = await server.post(`${HOME}/${path}`, body);
      assert.deepEqual([status, answer['message']], [404, 'namespaces "gone" not found'], path);
    }
    assert.equal((await server.post(REVIEWS, REVIEW)).status, 201);
  });

  it('that is being deleted takes nothing new', async () => {
    using server = new TestServer();
    await server.given('post', '/api/v1/namespaces', { metadata: { name: 'gone' } });
    await server.given('post', `${HOME}/pods`, POD);
    await server.given('post', `${HOME}/serviceaccounts`, ACCOUNT);
    await server.delete(HOME);
    for (const [path, body] of CREATES) {
      const { status, body: answer } = await server.post(`${HOME}/${path}`, body);
      assert.equal(status, 403, path);
      assert.match(
        String(answer['message']),
        /" is forbidden: unable to create new content in namespace gone because it is being terminated$/,
      );
    }
    const generated = await server.post(`${HOME}/configmaps`, { metadata: { generateName: 'x-' } });
    assert.match(String(generated.body['message']), /^configmaps "x-" is forbidden/);
    assert.equal((await server.post(REVIEWS, REVIEW)).status, 201);
  });
});
