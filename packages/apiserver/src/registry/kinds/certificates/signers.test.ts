import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { ADMIN_REQUEST, REQUEST } from '../../../testing/test-certificate-requests.ts';
import { TestServer } from '../../../testing/test-server.ts';

const CSRS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const asBob = { headers: { 'impersonate-user': 'bob' } };
const CERTIFICATE = Buffer.from(
  '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n',
).toString('base64');

const csr = (name: string, spec: object = {}): object => ({
  metadata: { name },
  spec: { request: REQUEST, signerName: 'x.io/y', usages: ['client auth'], ...spec },
});

const approved = {
  status: { conditions: [{ type: 'Approved', status: 'True', reason: 'r', message: 'm' }] },
};

async function serverFor(rules: readonly object[]): Promise<TestServer> {
  const server = new TestServer({ authorization: 'rbac' });
  const resources = ['', '/approval', '/status'].map((part) => `certificatesigningrequests${part}`);
  const own = { apiGroups: ['certificates.k8s.io'], resources, verbs: ['*'] };
  await server.given('post', `${RBAC}/clusterroles`, {
    metadata: { name: 'r' },
    rules: [own, ...rules],
  });
  await server.given('post', `${RBAC}/clusterrolebindings`, {
    metadata: { name: 'r' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'r' },
    subjects: [{ kind: 'User', name: 'bob', apiGroup: 'rbac.authorization.k8s.io' }],
  });
  await server.given('post', CSRS, csr('a'));
  return server;
}

const forSigner = (verb: string, name: string): object => ({
  apiGroups: ['certificates.k8s.io'],
  resources: ['signers'],
  resourceNames: [name],
  verbs: [verb],
});

describe('the signer of a certificate request', () => {
  it('is approved for by users with the permission for it', async () => {
    using server = await serverFor([forSigner('sign', 'x.io/y')]);
    const { status, body } = await server.patch('merge', `${CSRS}/a/approval`, approved, asBob);
    assert.equal(status, 403);
    assert.equal(
      body['message'],
      'certificatesigningrequests.certificates.k8s.io "a" is forbidden: user not permitted to approve requests with signerName "x.io/y"',
    );
    using allowed = await serverFor([forSigner('approve', 'x.io/y')]);
    const path = `${CSRS}/a/approval`;
    assert.equal((await allowed.patch('merge', path, approved, asBob)).status, 200);
  });

  it('is signed for by users with the permission for its domain', async () => {
    using server = await serverFor([forSigner('approve', 'x.io/y')]);
    const issued = { status: { certificate: CERTIFICATE } };
    const { status, body } = await server.patch('merge', `${CSRS}/a/status`, issued, asBob);
    assert.equal(status, 403);
    assert.match(String(body['message']), /user not permitted to sign requests with signerName/);
    const failed = { status: { conditions: [{ type: 'Failed', status: 'True' }] } };
    assert.equal((await server.patch('merge', `${CSRS}/a/status`, failed, asBob)).status, 403);
    using allowed = await serverFor([forSigner('sign', 'x.io/*')]);
    assert.equal((await allowed.patch('merge', `${CSRS}/a/status`, issued, asBob)).status, 200);
  });

  it('makes no administrators', async () => {
    using server = await serverFor([]);
    const spec = { request: ADMIN_REQUEST, signerName: 'kubernetes.io/kube-apiserver-client' };
    const { status, body } = await server.post(CSRS, csr('m', spec), asBob);
    assert.equal(status, 403);
    assert.equal(
      body['message'],
      'certificatesigningrequests.certificates.k8s.io "m" is forbidden: use of kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed',
    );
    assert.equal((await server.post(CSRS, csr('n', { request: ADMIN_REQUEST }))).status, 201);
  });
});
