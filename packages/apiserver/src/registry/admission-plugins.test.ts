import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestServer } from '../testing/test-server.ts';
import { parseAdmissionPlugins, selectedPlugins } from './admission-plugins.ts';

const NAMESPACE = '/api/v1/namespaces/default';
const POD = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };

describe('the selection of admission plugins', () => {
  it('has all but ServiceAccount by default', () => {
    const byDefault = selectedPlugins([]);
    assert.equal(byDefault.has('ServiceAccount'), false);
    assert.equal(byDefault.has('LimitRanger'), true);
    assert.equal(selectedPlugins(['ServiceAccount']).has('ServiceAccount'), true);
    assert.equal(selectedPlugins(['-LimitRanger']).has('LimitRanger'), false);
  });

  it('is read from the flags of kube-apiserver', () => {
    assert.deepEqual(parseAdmissionPlugins('', ''), []);
    assert.deepEqual(
      parseAdmissionPlugins('ServiceAccount, NamespaceLifecycle', 'Priority,NodeRestriction'),
      ['ServiceAccount', '-Priority'],
    );
  });

  it('names what it does not know, does not have or cannot do without', () => {
    const rows: readonly (readonly [string, string, RegExp])[] = [
      ['ServiceAcount', '', /there is no admission plugin "ServiceAcount"; .*ServiceAccount/],
      ['', 'limitranger', /there is no admission plugin "limitranger"/],
      ['NodeRestriction', '', /this server does not have "NodeRestriction"/],
      ['', 'NamespaceLifecycle', /"NamespaceLifecycle" cannot be switched off/],
      ['Priority', 'Priority', /"Priority" is both enabled and disabled/],
    ];
    for (const [enabled, disabled, message] of rows) {
      assert.throws(() => parseAdmissionPlugins(enabled, disabled), {
        name: 'OptionError',
        message,
      });
    }
  });
});

describe('an admission plugin that is off', () => {
  it('neither defaults nor refuses', async () => {
    using server = new TestServer({
      admissionPlugins: [
        '-DefaultIngressClass',
        '-DefaultStorageClass',
        '-DefaultTolerationSeconds',
        '-LimitRanger',
        '-PodSecurity',
        '-Priority',
        '-ResourceQuota',
        '-RuntimeClass',
        '-StorageObjectInUseProtection',
      ],
    });
    await server.given('post', `${NAMESPACE}/limitranges`, {
      metadata: { name: 'l' },
      spec: { limits: [{ type: 'Container', default: { cpu: '1' }, max: { cpu: '1' } }] },
    });
    await server.given('post', `${NAMESPACE}/resourcequotas`, {
      metadata: { name: 'q' },
      spec: { hard: { pods: '0' } },
    });
    const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
    await server.patch('merge', NAMESPACE, { metadata: { labels } });
    const classes = '/apis/storage.k8s.io/v1/storageclasses';
    const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
    await server.given('post', classes, { metadata: { name: 's', annotations }, provisioner: 'p' });
    const spec = { ...POD.spec, priorityClassName: 'missing', runtimeClassName: 'missing' };
    const { status, body } = await server.post(`${NAMESPACE}/pods`, { ...POD, spec });
    assert.equal(status, 201, JSON.stringify(body));
    const pod = body['spec'] as Record<string, unknown>;
    assert.deepEqual([pod['tolerations'], pod['priority']], [undefined, undefined]);
    const claim = await server.post(`${NAMESPACE}/persistentvolumeclaims`, {
      metadata: { name: 'c' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    });
    assert.equal(claim.body.metadata.finalizers, undefined);
    const { storageClassName } = claim.body['spec'] as { storageClassName?: string };
    assert.equal(storageClassName, undefined);
  });

  it('asks no webhook and no policy', async () => {
    const webhook = {
      name: 'w.example.com',
      clientConfig: { url: 'https://127.0.0.1:1/' },
      rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    };
    const group = '/apis/admissionregistration.k8s.io/v1';
    const answers = async (server: TestServer): Promise<number> => {
      for (const sort of ['mutating', 'validating']) {
        await server.given('post', `${group}/${sort}webhookconfigurations`, {
          metadata: { name: 'w' },
          webhooks: [webhook],
        });
      }
      await server.given('post', `${group}/validatingadmissionpolicies`, {
        metadata: { name: 'p' },
        spec: {
          matchConstraints: { resourceRules: webhook.rules },
          validations: [{ expression: 'false' }],
        },
      });
      await server.given('post', `${group}/validatingadmissionpolicybindings`, {
        metadata: { name: 'p' },
        spec: { policyName: 'p', validationActions: ['Deny'] },
      });
      return (await server.post(`${NAMESPACE}/pods`, POD)).status;
    };
    using off = new TestServer({
      admissionPlugins: [
        '-MutatingAdmissionPolicy',
        '-MutatingAdmissionWebhook',
        '-ValidatingAdmissionPolicy',
        '-ValidatingAdmissionWebhook',
      ],
    });
    assert.equal(await answers(off), 201);
    using withPolicies = new TestServer({
      admissionPlugins: ['-MutatingAdmissionWebhook', '-ValidatingAdmissionWebhook'],
    });
    assert.equal(await answers(withPolicies), 422);
    using withWebhooks = new TestServer({ admissionPlugins: ['-ValidatingAdmissionPolicy'] });
    assert.equal(await answers(withWebhooks), 500);
  });
});
