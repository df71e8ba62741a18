import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { TestObject } from '../../../../testing/test-object.ts';
import { TestServer } from '../../../../testing/test-server.ts';

const NAMESPACE = '/api/v1/namespaces/default';
const PODS = `${NAMESPACE}/pods`;
const MOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

const pod = (spec: object = {}, container: object = {}): object => ({
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', image: 'i', ...container }], ...spec },
});

async function serverWith(...accounts: readonly object[]): Promise<TestServer> {
  const server = new TestServer({ admissionPlugins: ['ServiceAccount'] });
  for (const account of accounts) {
    const { name } = (account as TestObject).metadata;
    await server.delete(`${NAMESPACE}/serviceaccounts/${name}`);
    await server.given('post', `${NAMESPACE}/serviceaccounts`, account);
  }
  return server;
}

const DEFAULT = { metadata: { name: 'default' } };

interface Spec {
  serviceAccountName: string;
  serviceAccount: string;
  volumes?: { name: string; projected?: object }[];
  imagePullSecrets?: object[];
  containers: { volumeMounts?: { name: string; mountPath: string }[] }[];
}

async function created(server: TestServer, body: object): Promise<Spec> {
  const { spec } = await server.given('post', PODS, body);
  return spec as Spec;
}

async function refusal(server: TestServer, body: object): Promise<unknown> {
  const { status, body: answer } = await server.post(PODS, body);
  assert.equal(status, 403);
  return answer['message'];
}

describe('the admission plugin ServiceAccount', () => {
  it('gives a pod the default account and its token', async () => {
    using server = await serverWith(DEFAULT);
    const { serviceAccountName, serviceAccount, volumes, containers } = await created(
      server,
      pod(),
    );
    assert.deepEqual([serviceAccountName, serviceAccount], ['default', 'default']);
    const { name = '', projected } = volumes?.[0] ?? {};
    assert.match(name, /^kube-api-access-[a-z0-9]{5}$/);
    assert.deepEqual(projected, {
      sources: [
        { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        {
          downwardAPI: {
            items: [
              {
                path: 'namespace',
                fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' },
              },
            ],
          },
        },
      ],
      defaultMode: 420,
    });
    assert.deepEqual(containers[0]?.volumeMounts, [{ name, readOnly: true, mountPath: MOUNT }]);
  });

  it('mounts no token where something else is mounted, or if the pod declines it', async () => {
    using server = await serverWith(DEFAULT);
    const volumes = [{ name: 'x', emptyDir: {} }];
    const mounted = pod({ volumes }, { volumeMounts: [{ name: 'x', mountPath: MOUNT }] });
    assert.equal((await created(server, mounted)).volumes?.length, 1);
    await server.delete(`${PODS}/p`);
    const { volumes: none } = await created(server, pod({ automountServiceAccountToken: false }));
    assert.equal(none, undefined);
  });

  it('refuses an account that does not exist', async () => {
    using server = await serverWith(DEFAULT);
    assert.equal(
      await refusal(server, pod({ serviceAccountName: 'nope' })),
      'pods "p" is forbidden: error looking up service account default/nope: serviceaccount "nope" not found',
    );
  });

  it('takes pull secrets from the account, and limits secrets if it says so', async () => {
    using server = await serverWith({
      metadata: {
        name: 'strict',
        annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' },
      },
      secrets: [{ name: 'mine' }],
      imagePullSecrets: [{ name: 'pull' }],
      automountServiceAccountToken: false,
    });
    const serviceAccountName = 'strict';
    const from = (name: string): object => ({ envFrom: [{ secretRef: { name } }] });
    assert.equal(
      await refusal(server, pod({ serviceAccountName }, from('other'))),
      'pods "p" is forbidden: container c with envFrom referencing secret.secretName="other" is not allowed because service account strict does not reference that secret',
    );
    const spec = await created(server, pod({ serviceAccountName }, from('mine')));
    assert.deepEqual(spec.imagePullSecrets, [{ name: 'pull' }]);
    assert.equal(spec.volumes, undefined);
    const ephemeralContainers = [{ name: 'e', image: 'i', ...from('other') }];
    const { status } = await server.patch('strategic', `${PODS}/p/ephemeralcontainers`, {
      spec: { ephemeralContainers },
    });
    assert.equal(status, 500);
  });

  it('keeps mirror pods away from accounts and secrets', async () => {
    using server = await serverWith(DEFAULT);
    const mirror = (spec: object, container: object = {}): object => ({
      ...pod({ nodeName: 'n', ...spec }, container),
      metadata: { name: 'p', annotations: { 'kubernetes.io/config.mirror': 'x' } },
    });
    assert.match(
      String(await refusal(server, mirror({ serviceAccountName: 'default' }))),
      /a mirror pod may not reference service accounts$/,
    );
    assert.match(
      String(await refusal(server, mirror({}, { envFrom: [{ secretRef: { name: 's' } }] }))),
      /a mirror pod may not reference secrets$/,
    );
  });

  it('does not run unless asked for', async () => {
    using server = new TestServer();
    const { serviceAccountName } = await created(server, pod());
    assert.equal(serviceAccountName, undefined);
  });
});
