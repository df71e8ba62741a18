import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestServer } from '../testing/test-server.ts';
import type { ReceivedRequest } from './received-request.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';

function recorded(): { readonly server: TestServer; readonly requests: ReceivedRequest[] } {
  const requests: ReceivedRequest[] = [];
  const onRequest = (request: ReceivedRequest): void => void requests.push(request);
  return { server: new TestServer({ onRequest, authorization: 'rbac' }), requests };
}

describe('onRequest', () => {
  it('reports who asked for what, what was sent, and the status', async () => {
    const { server, requests } = recorded();
    using _ = server;
    const headers = { 'user-agent': 'probe/1', 'impersonate-user': 'jane' };
    await server.post(MAPS, { metadata: { name: 'a' } });
    await server.get(`${MAPS}/a?pretty=false`, { headers });
    const [created, refused] = requests;
    assert.equal(created?.user?.name, 'admin');
    assert.deepEqual(JSON.parse(Buffer.from(created.body).toString()), { metadata: { name: 'a' } });
    assert.equal(created.status, 201);
    assert.equal(created.verb, 'create');
    assert.ok(refused);
    const { user, body, contentType, ...rest } = refused;
    assert.deepEqual([user?.name, body.length, contentType], ['jane', 0, '']);
    assert.deepEqual(rest, {
      verb: 'get',
      group: '',
      version: 'v1',
      resource: 'configmaps',
      subresource: '',
      namespace: 'default',
      name: 'a',
      url: `${MAPS}/a?pretty=false`,
      userAgent: 'probe/1',
      status: 403,
    });
  });

  it('reports requests that are not for a resource, and those without a known user', async () => {
    const { server, requests } = recorded();
    using _ = server;
    await server.get('/version');
    await server.get(MAPS, { headers: { authorization: 'Bearer forged' } });
    assert.deepEqual(
      requests.map(({ user, verb, resource, url, status }) => [
        user?.name,
        verb,
        resource,
        url,
        status,
      ]),
      [
        ['admin', 'get', '', '/version', 200],
        [undefined, 'list', 'configmaps', MAPS, 401],
      ],
    );
  });
});
