import assert from 'node:assert/strict';
import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { describe, it } from 'node:test';

import { TestServer } from '../testing/test-server.ts';

const CONFIGURATION = '/.well-known/openid-configuration';

describe('the issuer of service account tokens', () => {
  it('is described, with the location of its keys', async () => {
    using server = new TestServer();
    for (const path of [CONFIGURATION, `${CONFIGURATION}/`]) {
      const { body, headers } = await server.get(path, { headers: { host: 'a.example.com:1' } });
      assert.equal(headers['cache-control'], 'public, max-age=3600');
      assert.equal(body['issuer'], 'https://kubernetes.default.svc');
      assert.equal(body['jwks_uri'], 'https://a.example.com:1/openid/v1/jwks');
    }
  });

  it('publishes the key that verifies its tokens', async () => {
    using server = new TestServer();
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } };
    await server.given('post', accounts, account);
    const issued = await server.given('post', `${accounts}/robot/token`, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { audiences: ['https://kubernetes.default.svc'] },
    });
    const { token } = issued['status'] as { token: string };
    const { body, headers } = await server.get('/openid/v1/jwks');
    assert.equal(headers['content-type'], 'application/jwk-set+json');
    const [key] = body['keys'] as [JsonWebKey];
    const [head, claims, signature = ''] = token.split('.');
    const publicKey = createPublicKey({ key, format: 'jwk' });
    const content = Buffer.from(`${head}.${claims}`);
    assert.ok(verify('sha256', content, publicKey, Buffer.from(signature, 'base64url')));
  });

  it('rejects other encodings and methods', async () => {
    using server = new TestServer();
    const asJson = { headers: { accept: 'application/json' } };
    const refused = await server.get('/openid/v1/jwks', asJson);
    assert.equal(refused.status, 406);
    assert.match(refused.body.message ?? '', /application\/jwk-set\+json$/);
    assert.equal((await server.get(CONFIGURATION, asJson)).status, 200);
    assert.equal((await server.post('/openid/v1/jwks', {})).status, 405);
    assert.equal((await server.get('/openid/v1')).status, 404);
  });

  it('is in the list of paths', async () => {
    using server = new TestServer();
    const paths = (await server.get('/')).body['paths'] as string[];
    assert.ok(paths.includes(CONFIGURATION) && paths.includes('/openapi/v2'));
    for (const path of paths) {
      if (path === '/openapi/v3/') continue;
      assert.equal((await server.get(path)).status, 200, path);
    }
  });
});
