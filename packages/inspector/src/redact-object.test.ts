import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redactObject } from './redact-object.ts';

const CANARY = 'canary-5f2d';

function shown(object: object): string {
  return JSON.stringify(redactObject(object).object);
}

test('hides the data of a Secret and its last applied configuration', () => {
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: 'db',
      annotations: {
        'kubectl.kubernetes.io/last-applied-configuration': `{"stringData":{"p":"${CANARY}"}}`,
        team: 'shop',
      },
    },
    data: { password: CANARY, user: CANARY },
    stringData: { more: CANARY },
    type: 'Opaque',
  };
  const { object, isRedacted } = redactObject(secret);
  assert.equal(isRedacted, true);
  assert.ok(!JSON.stringify(object).includes(CANARY));
  assert.deepEqual(object, {
    ...secret,
    metadata: {
      name: 'db',
      annotations: {
        'kubectl.kubernetes.io/last-applied-configuration': '<hidden>',
        team: 'shop',
      },
    },
    data: { password: '<hidden>', user: '<hidden>' },
    stringData: { more: '<hidden>' },
  });
});

test('takes an object without a kind for a Secret', () => {
  assert.ok(!shown({ metadata: { name: 'db' }, data: { a: CANARY } }).includes(CANARY));
});

test('hides a Secret within another object', () => {
  const secret = { apiVersion: 'v1', kind: 'Secret', data: { a: CANARY }, type: 'Opaque' };
  for (const object of [
    { kind: 'List', items: [secret] },
    { kind: 'ManifestWork', spec: { workload: { manifests: [secret] } } },
  ]) {
    assert.ok(!shown(object).includes(CANARY), shown(object));
  }
});

test('hides annotations of a Secret that contain objects, of any tool', () => {
  const annotations = {
    'kapp.k14s.io/original': CANARY,
    'example.com/last-applied': CANARY,
    'example.com/state': ` {"data":{"a":"${CANARY}"}}`,
    'objectset.rio.cattle.io/applied': CANARY.repeat(30),
  };
  const secret = { kind: 'Secret', metadata: { name: 'db', annotations, labels: { app: 'web' } } };
  assert.ok(!shown(secret).includes(CANARY), shown(secret));
  assert.match(shown(secret), /"labels":\{"app":"web"\}/);
});

test('hides credentials in fields, variables and text of any object', () => {
  const container = { env: [{ name: 'DB_PASSWORD', value: CANARY }] };
  const objects: object[] = [
    { kind: 'TokenRequest', status: { token: CANARY } },
    { kind: 'Pod', spec: { containers: [container] } },
    { kind: 'ExecCredential', status: { clientKeyData: CANARY, token: CANARY } },
    { kind: 'Database', spec: { password: CANARY, connection: { apiToken: CANARY } } },
    { kind: 'Database', spec: { adminPassword: CANARY, aws: { secretAccessKey: CANARY } } },
    { kind: 'Pod', spec: { containers: [{ args: ['--db-password', CANARY, '--verbose'] }] } },
    { kind: 'ConfigMap', data: { config: `Authorization: Bearer ${CANARY}` } },
    {
      kind: 'Pod',
      metadata: {
        annotations: {
          'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({
            kind: 'Pod',
            spec: { containers: [container] },
          }),
        },
      },
    },
  ];
  for (const object of objects) assert.ok(!shown(object).includes(CANARY), shown(object));
});

test('shows references to secrets and everything else as it is', () => {
  const pod = {
    kind: 'Pod',
    metadata: { name: 'web', labels: { key: 'value' } },
    spec: {
      containers: [
        {
          name: 'web',
          args: ['--token-file=/var/token'],
          env: [{ name: 'PW', valueFrom: { secretKeyRef: { name: 'db', key: 'password' } } }],
        },
      ],
      volumes: [{ name: 'v', secret: { secretName: 'db', items: [{ key: 'k', path: 'p' }] } }],
      tolerations: [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists' }],
      automountServiceAccountToken: false,
    },
  };
  assert.deepEqual(redactObject(pod), { object: pod, isRedacted: false });
});
