import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { parseManifests } from 'client-ts/manifests';
import { formatTime } from 'client-ts/meta';

import { testCli } from '../test-cli.ts';
import { compareWithKubectl } from '../test-kubectl.ts';
import { load } from '../test-objects.ts';

const file = fileURLToPath(new URL('../../testdata/described.yaml', import.meta.url));

/** Events of ages that do not change while the test runs. */
function events(uids: ReadonlyMap<string, string>, now: number): object[] {
  const minutesAgo = (minutes: number): string => formatTime(now - (minutes + 0.5) * 60_000);
  const about = (kind: string, name: string, fieldPath?: string): object => ({
    kind,
    name,
    namespace: kind === 'Node' ? '' : 'shop',
    uid: uids.get(`${kind}/${name}`),
    ...(fieldPath !== undefined && { fieldPath }),
  });
  const event = (name: string, involvedObject: object, fields: object): object => ({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name, namespace: 'kind' in involvedObject ? 'shop' : '' },
    involvedObject,
    type: 'Normal',
    ...fields,
  });
  const pod = about('Pod', 'web-1-a', 'spec.containers{app}');
  return [
    event('pulled', pod, {
      reason: 'Pulled',
      message: 'pulled "app:1"\n',
      source: { component: 'kubelet', host: 'node-1' },
      firstTimestamp: minutesAgo(50),
      lastTimestamp: minutesAgo(50),
      count: 1,
    }),
    event('backoff', pod, {
      type: 'Warning',
      reason: 'BackOff',
      message: 'back-off',
      source: { component: 'kubelet' },
      firstTimestamp: minutesAgo(40),
      lastTimestamp: minutesAgo(20),
      count: 12,
    }),
    event('scaled', about('Deployment', 'web'), {
      reason: 'ScalingReplicaSet',
      message: 'scaled up',
      reportingComponent: 'deployment-controller',
      firstTimestamp: minutesAgo(30),
      lastTimestamp: minutesAgo(30),
    }),
    event('of-widget', about('Widget', 'w'), {
      reason: 'Made',
      message: 'made',
      source: { component: 'maker' },
      firstTimestamp: minutesAgo(30),
      lastTimestamp: minutesAgo(30),
    }),
  ];
}

test('describe prints what kubectl prints', async (t) => {
  const cli = await testCli(t);
  const uids = await load(cli, parseManifests(readFileSync(file, 'utf8'), { source: file }));
  for (const event of events(uids, Date.now())) {
    await cli.create('/api/v1/namespaces/shop/events', event);
  }
  await cli.remove('/api/v1/namespaces/shop/pods/ending');
  const lines = `
    ns shop | ns default | node node-1 | node node-2 | pod web-1-a | pod plain | pod ending | deploy web
    rs web-1 | rc old | sts db | ds agent | job report | cj nightly | svc web | svc balanced
    svc elsewhere | ep legacy | endpointslice web-x | endpointslice none | ing web | ing all
    ingressclass nginx | netpol web | netpol deny | cm settings | cm empty | secret login
    pv pv-1 | pv pv-2 | pvc data | pvc waiting | sc fast | csinode node-1 | sa shop | role reader
    rolebinding readers | clusterrole cluster-admin | clusterrolebinding cluster-admin | hpa web
    hpa.v1.autoscaling web | pdb web | pdb min | quota a-best-effort -n limited | quota b-compute -n limited | ns limited
    limits -n limited | priorityclass important
    crd widgets.example.com | widget w | lease node-1 -n kube-node-lease | event pulled
    pods -l app=web | pod/web-1-a pod/plain | pods web-1 | pods,svc -l app=web --show-events
    pod plain --show-events=false | pods -A -l app=web | pods -l app=nothing | configmaps
    pod missing | nothing x | pod/plain pod/missing
  `;
  const commands = lines
    .trim()
    .split(/ \| |\n */)
    .map((line) => ['describe', ...line.split(' ')])
    .map((args) => (args.includes('-n') ? args : [...args, '-n', 'shop']));
  await compareWithKubectl(t, cli, 'describe', commands);
});

test('describe reads the names from files', async (t) => {
  const cli = await testCli(t);
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'in-file' } };
  await cli.create('/api/v1/namespaces/default/configmaps', {
    ...map,
    data: { key: 'of the server' },
  });
  writeFileSync(join(cli.directory, 'map.json'), JSON.stringify({ ...map, data: { key: 'file' } }));
  const { code, out } = await cli.run('describe', '-f', 'map.json');
  assert.equal(code, 0);
  assert.match(out, /^Name: +in-file$/m);
  assert.match(out, /^key:\n----\nof the server$/m);
  assert.match(out, /^Events: +<none>$/m);
});

test('describe never prints a value of a secret', async (t) => {
  const cli = await testCli(t);
  const token = Buffer.from('do-not-print').toString('base64');
  await cli.create('/api/v1/namespaces/default/serviceaccounts', {
    metadata: { name: 'robot' },
  });
  await cli.create('/api/v1/namespaces/default/secrets', {
    metadata: { name: 'token', annotations: { 'kubernetes.io/service-account.name': 'robot' } },
    type: 'kubernetes.io/service-account-token',
    data: { token, 'ca.crt': token },
  });
  const { out } = await cli.run('describe', 'secret', 'token');
  assert.match(out, /^token: +12 bytes$/m);
  assert.doesNotMatch(out, /do-not-print/);
  assert.ok(!out.includes(token));
});

test('describe says why it cannot read events', async (t) => {
  const cli = await testCli(t, { authorization: 'rbac' });
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  await cli.create(`${rbac}/clusterroles`, {
    metadata: { name: 'maps' },
    rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }],
  });
  await cli.create(`${rbac}/clusterrolebindings`, {
    metadata: { name: 'maps' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'maps' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' }],
  });
  await cli.create('/api/v1/namespaces/default/configmaps', { metadata: { name: 'settings' } });
  const { code, out } = await cli.run('describe', 'cm', 'settings', '--as', 'jane');
  assert.equal(code, 0);
  assert.match(out, /^Events: +<unreadable: events is forbidden: User "jane" cannot list/m);
});

test('describe needs a type or a file, and no selector beside names', async (t) => {
  const cli = await testCli(t);
  for (const args of [[], ['pods', '-f', 'x.yaml'], ['pod', 'a', '-l', 'a=b'], ['pod/a', '-A']]) {
    const { code, err } = await cli.run('describe', ...args);
    assert.equal(code, 2, err);
  }
});
