import assert from 'node:assert/strict';
import { test } from 'node:test';

import { run } from '../run.ts';
import { pod, testCli } from '../test-cli.ts';
import { parseCondition } from './wait.ts';

const apps = '/apis/apps/v1/namespaces/default/deployments';

function web(): object {
  const labels = { app: 'web' };
  return {
    metadata: { name: 'web' },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a' }] } },
    },
  };
}

test('changes and follows rollouts', async (t) => {
  const cli = await testCli(t);
  await cli.create(apps, web());
  const status = await cli.run('rollout', 'status', 'deployment/web', '--watch=false');
  assert.deepEqual(status, {
    code: 0,
    out: 'Waiting for deployment spec update to be observed...\n',
    err: '',
  });
  const restarted = await cli.run('rollout', 'restart', 'deploy', 'web');
  assert.equal(restarted.out, 'deployment.apps/web restarted\n');
  assert.equal(
    (await cli.run('rollout', 'pause', 'deploy/web')).out,
    'deployment.apps/web paused\n',
  );
  assert.equal(
    (await cli.run('rollout', 'resume', 'deploy/web')).out,
    'deployment.apps/web resumed\n',
  );
  const history = await cli.run('rollout', 'history', 'deploy/web');
  assert.equal(history.out, 'deployment.apps/web \nNo rollout history found.\n');
  const { metadata } = JSON.parse((await cli.run('get', 'deploy/web', '-o', 'json')).out) as {
    metadata: { uid: string };
  };
  const labels = { app: 'web', 'pod-template-hash': 'x' };
  const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', controller: true };
  await cli.create('/apis/apps/v1/namespaces/default/replicasets', {
    metadata: {
      name: 'web-1',
      annotations: { 'deployment.kubernetes.io/revision': '1' },
      ownerReferences: [{ ...owner, uid: metadata.uid }],
    },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a' }] } },
    },
  });
  const kept = await cli.run('rollout', 'history', 'deploy/web');
  assert.equal(kept.out, 'deployment.apps/web \nREVISION  CHANGE-CAUSE\n1         <none>\n\n');
  const undone = await cli.run('rollout', 'undo', 'deploy/web');
  assert.equal(undone.code, 1);
  assert.match(undone.err, /an earlier revision of Deployment "web" is not kept/);
  const late = await cli.run('rollout', 'status', 'deploy/web', '--timeout', '1ms');
  assert.equal(late.code, 1);
  assert.match(late.err, /timed out waiting for the condition/);
  assert.equal((await cli.run('rollout', 'status', 'pod/web')).code, 2);
  assert.match((await cli.run('rollout', 'stats', 'deploy/web')).err, /did you mean status\?/);
});

test('scales', async (t) => {
  const cli = await testCli(t);
  await cli.create(apps, web());
  const scaled = await cli.run('scale', '--replicas', '3', 'deployment/web');
  assert.equal(scaled.out, 'deployment.apps/web scaled\n');
  const refused = await cli.run('scale', '--replicas=1', '--current-replicas=2', 'deploy/web');
  assert.equal(refused.code, 1);
  assert.match(refused.err, /"web" has 3 replicas, expected 2/);
  assert.equal((await cli.run('scale', 'deploy/web')).code, 2);
});

test('waits for conditions as kubectl does', async (t) => {
  const cli = await testCli(t);
  await cli.create('/api/v1/namespaces/default/pods', pod('web'));
  await cli.setPhase('default', 'web', 'Running');
  const phase = await cli.run('wait', '--for', 'jsonpath={.status.phase}=Running', 'pod/web');
  assert.deepEqual(phase, { code: 0, out: 'pod/web condition met\n', err: '' });
  const gone = await cli.run('wait', '--for=delete', 'pod/none');
  assert.equal(gone.out, 'pod/none condition met\n');
  const late = await cli.run('wait', '--for=condition=Ready', 'pod/web', '--timeout', '1ms');
  assert.equal(late.code, 1);
  assert.match(late.err, /timed out waiting for the condition on pods\/web/);
  assert.equal((await cli.run('wait', '--for=nothing', 'pod/web')).code, 2);
  assert.equal((await cli.run('wait', 'pod/web')).code, 2);
  const ready = { status: { conditions: [{ type: 'Ready', status: 'False' }] } } as object;
  assert.ok(parseCondition('condition=ready=false')(ready));
  assert.ok(!parseCondition('condition=ready')(ready));
});

/** Serves `metrics.k8s.io` as custom resources. */
const metrics = ['Cluster NodeMetrics nodes', 'Namespaced PodMetrics pods']
  .map((words) => {
    const [scope = '', kind = '', plural = ''] = words.split(' ');
    return `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ${plural}.metrics.k8s.io
  annotations: { api-approved.kubernetes.io: unapproved }
spec:
  group: metrics.k8s.io
  scope: ${scope}
  names: { plural: ${plural}, kind: ${kind}, singular: ${kind.toLowerCase()}, listKind: ${kind}List }
  versions:
  - name: v1beta1
    served: true
    storage: true
    schema:
      openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true }
---
apiVersion: metrics.k8s.io/v1beta1
kind: ${kind}
metadata: { name: one }
timestamp: 2026-01-01T00:00:00Z
window: 15s
usage: { cpu: 1500m, memory: 512Mi }
containers:
- { name: a, usage: { cpu: 150m, memory: 1Mi } }
- { name: b, usage: { cpu: 100001u, memory: 2Mi } }
`;
  })
  .join('---');

test('prints usage as kubectl top does', async (t) => {
  const cli = await testCli(t);
  const missing = await cli.run('top', 'pods');
  assert.equal(missing.code, 1);
  assert.match(missing.err, /Install metrics-server/);
  const context = cli.context({ readInput: () => Promise.resolve(metrics) });
  assert.equal(await run(['apply', '-f', '-'], context), 0);
  await cli.create('/api/v1/nodes', { metadata: { name: 'one' } });
  const nodes = await cli.run('top', 'nodes');
  assert.equal(
    nodes.out,
    'NAME   CPU(cores)   CPU(%)      MEMORY(bytes)   MEMORY(%)\n' +
      'one    1500m        <unknown>   512Mi           <unknown>\n',
  );
  const pods = await cli.run('top', 'pods', '-A');
  assert.equal(
    pods.out,
    'NAMESPACE   NAME   CPU(cores)   MEMORY(bytes)\ndefault     one    251m         3Mi\n',
  );
  const each = await cli.run('top', 'pod', 'one', '--containers', '--no-headers');
  assert.equal(each.out, 'one   a     150m   1Mi\none   b     101m   2Mi\n');
  const sum = await cli.run('top', 'pods', '-A', '--sum', '--no-headers');
  assert.match(sum.out, /^ +________ +________\n +251m +3Mi\n$/m);
  const unknown = await cli.run('top', 'pod', 'nope');
  assert.deepEqual({ code: unknown.code, out: unknown.out }, { code: 1, out: '' });
  const { code, err } = await cli.run('top', 'deployments');
  assert.equal(code, 2);
  assert.match(err, /must be pods or nodes/);
});

test('cordons, drains and uncordons a node', async (t) => {
  const cli = await testCli(t);
  await cli.create('/api/v1/nodes', { metadata: { name: 'n' } });
  await cli.create('/api/v1/namespaces/default/pods', pod('web', { nodeName: 'n' }));
  assert.equal((await cli.run('cordon', 'n')).out, 'node/n cordoned\n');
  using patches = cli.server.faults.add({
    match: { verb: 'patch', resource: 'nodes' },
    fault: { kind: 'latency', ms: 0 },
  });
  assert.equal((await cli.run('cordon', 'n')).out, 'node/n already cordoned\n');
  assert.equal(patches.hits, 0);
  const refused = await cli.run('drain', 'n');
  assert.equal(refused.code, 1);
  assert.match(refused.err, /pods that no controller replaces \(use force\): default\/web/);
  const drained = await cli.run('drain', 'n', '--force', '--grace-period', '0');
  assert.deepEqual(drained, {
    code: 0,
    out: 'node/n already cordoned\nevicting pod default/web\npod/web evicted\nnode/n drained\n',
    err: '',
  });
  assert.equal((await cli.run('uncordon', 'n')).out, 'node/n uncordoned\n');
  assert.equal((await cli.run('uncordon', 'none')).code, 1);
});
