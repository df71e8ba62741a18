import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ApiServer } from '@client-ts/apiserver';
import type { Deployment, StatefulSet } from 'client-ts/api/apps/v1';
import type { PodSpec } from 'client-ts/api/core/v1';
import { Clientset } from 'client-ts/kubernetes';
import { parseManifests, applyObjects } from 'client-ts/manifests';
import {
  cordon,
  drain,
  eventsFor,
  HealthClient,
  pauseRollout,
  restartRollout,
  resumeRollout,
  rolloutHistory,
  rolloutStatus,
  scale,
  topNodes,
  topPods,
  uncordon,
  undoRollout,
} from 'client-ts/operations';

const namespace = 'default';
const labels = { app: 'web' };

function template(image: string) {
  return { metadata: { labels }, spec: { containers: [{ name: 'web', image }] } };
}

function deployment(name: string): Deployment {
  return {
    metadata: { name },
    spec: { replicas: 2, selector: { matchLabels: labels }, template: template('web:1') },
  };
}

/** The embedded server has no controllers: the tests write what they would. */
describe('operations', () => {
  let server: ApiServer;
  let client: Clientset;

  before(async () => {
    server = await ApiServer.start();
    client = new Clientset(server.config);
  });

  after(async () => {
    await client.close();
    await server.close();
  });

  it('follows the rollout of a deployment to its end', async () => {
    const { appsV1 } = client;
    await appsV1.deployments(namespace).create(deployment('followed'));
    const states: object[] = [
      { observedGeneration: 1, replicas: 1, updatedReplicas: 1 },
      { observedGeneration: 1, replicas: 3, updatedReplicas: 2 },
      {
        observedGeneration: 1,
        replicas: 2,
        updatedReplicas: 2,
        readyReplicas: 2,
        availableReplicas: 1,
      },
      {
        observedGeneration: 1,
        replicas: 2,
        updatedReplicas: 2,
        readyReplicas: 2,
        availableReplicas: 2,
      },
    ];
    const messages: string[] = [];
    for await (const { message, isDone } of rolloutStatus(client, { name: 'followed' })) {
      messages.push(message);
      const status = states.shift();
      if (isDone || status === undefined) continue;
      await appsV1.deployments(namespace).patchStatus('followed', { status }, { type: 'merge' });
    }
    const finish = 'Waiting for deployment "followed" rollout to finish:';
    assert.deepEqual(messages, [
      'Waiting for deployment spec update to be observed...',
      `${finish} 1 out of 2 new replicas have been updated...`,
      `${finish} 1 old replicas are pending termination...`,
      `${finish} 1 of 2 updated replicas are available...`,
      'deployment "followed" successfully rolled out',
    ]);
  });

  it('ends with an error when the deadline is exceeded or the object is missing', async () => {
    const deployments = client.appsV1.deployments(namespace);
    await deployments.create(deployment('late'));
    const conditions = [
      { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' },
    ];
    const status = { observedGeneration: 1, conditions } as never;
    await deployments.patchStatus('late', { status }, { type: 'merge' });
    const code = 'OPERATIONS_ROLLOUT_FAILED';
    await assert.rejects(rolloutStatus(client, { name: 'late' }).next(), {
      code,
      message: 'deployment "late" exceeded its progress deadline',
    });
    await assert.rejects(rolloutStatus(client, { name: 'none' }).next(), { code });
  });

  it('follows stateful sets and daemon sets', async () => {
    const set: StatefulSet = {
      metadata: { name: 'db' },
      spec: {
        serviceName: 'db',
        replicas: 2,
        selector: { matchLabels: labels },
        template: template('db:1'),
      },
    };
    const sets = client.appsV1.statefulSets(namespace);
    await sets.create(set);
    const status = { observedGeneration: 1, replicas: 2, readyReplicas: 1 };
    await sets.patchStatus('db', { status }, { type: 'merge' });
    const found = await rolloutStatus(client, { kind: 'StatefulSet', name: 'db' }).next();
    assert.equal(found.value?.message, 'Waiting for 1 pods to be ready...');
    const daemons = client.appsV1.daemonSets(namespace);
    await daemons.create({
      metadata: { name: 'agent' },
      spec: { selector: { matchLabels: labels }, template: template('agent:1') },
    });
    await daemons.patchStatus(
      'agent',
      {
        status: {
          observedGeneration: 1,
          desiredNumberScheduled: 1,
          updatedNumberScheduled: 1,
          numberAvailable: 1,
        },
      },
      { type: 'merge' },
    );
    const agent = { kind: 'DaemonSet', metadata: { name: 'agent' } } as const;
    const { value } = await rolloutStatus(client, agent).next();
    assert.deepEqual(value, {
      isDone: true,
      message: 'daemon set "agent" successfully rolled out',
    });
  });

  it('restarts, pauses and resumes', async () => {
    const deployments = client.appsV1.deployments(namespace);
    await deployments.create(deployment('restarted'));
    await restartRollout(client, { name: 'restarted' });
    const { spec } = await deployments.get('restarted');
    assert.ok(spec?.template.metadata?.annotations?.['kubectl.kubernetes.io/restartedAt']);
    await pauseRollout(client, { name: 'restarted' });
    await assert.rejects(restartRollout(client, { name: 'restarted' }), {
      code: 'OPERATIONS_ROLLOUT_UNSUPPORTED',
    });
    await resumeRollout(client, { name: 'restarted' });
    await restartRollout(client, { name: 'restarted' });
  });

  it('lists the revisions of a deployment and returns to one', async () => {
    const deployments = client.appsV1.deployments(namespace);
    const stored = await deployments.create(deployment('undone'));
    const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'undone', controller: true };
    for (const revision of ['1', '2', '10']) {
      const hash = { ...labels, 'pod-template-hash': revision };
      await client.appsV1.replicaSets(namespace).create({
        metadata: {
          name: `undone-${revision}`,
          ownerReferences: [{ ...owner, uid: stored.metadata.uid }],
          annotations: {
            'deployment.kubernetes.io/revision': revision,
            'kubernetes.io/change-cause': `image ${revision}`,
          },
        },
        spec: {
          selector: { matchLabels: hash },
          template: { ...template(`web:${revision}`), metadata: { labels: hash } },
        },
      });
    }
    const history = await rolloutHistory(client, { name: 'undone' });
    assert.deepEqual(
      history.map(({ revision, changeCause }) => [revision, changeCause]),
      [
        [1, 'image 1'],
        [2, 'image 2'],
        [10, 'image 10'],
      ],
    );
    const image = async (): Promise<string | undefined> =>
      (await deployments.get('undone')).spec?.template.spec?.containers[0]?.image;
    assert.equal((await undoRollout(client, { name: 'undone' })).revision, 2);
    assert.equal(await image(), 'web:2');
    await undoRollout(client, { name: 'undone' }, { toRevision: 10 });
    assert.equal(await image(), 'web:10');
    const { metadata } = (await deployments.get('undone')).spec?.template ?? {};
    assert.deepEqual(metadata?.labels, labels);
    await assert.rejects(undoRollout(client, { name: 'undone' }, { toRevision: 7 }), {
      code: 'OPERATIONS_REVISION_NOT_FOUND',
    });
  });

  it('returns a stateful set to the patch of a controller revision', async () => {
    const stored = await client.appsV1.statefulSets(namespace).get('db');
    const owner = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db', controller: true };
    for (const revision of [1, 2]) {
      const spec = { template: { $patch: 'replace', ...template(`db:${revision}`) } };
      await client.appsV1.controllerRevisions(namespace).create({
        metadata: {
          name: `db-${revision}`,
          ownerReferences: [{ ...owner, uid: stored.metadata.uid }],
        },
        revision,
        data: { spec } as never,
      });
    }
    const db = { kind: 'StatefulSet', name: 'db' } as const;
    assert.equal((await undoRollout(client, db, { toRevision: 2 })).revision, 2);
    const { spec } = await client.appsV1.statefulSets(namespace).get('db');
    assert.equal(spec?.template.spec?.containers[0]?.image, 'db:2');
  });

  it('scales, and only from the expected number if there is one', async () => {
    await client.appsV1.deployments(namespace).create(deployment('scaled'));
    const scaled = await scale(client, 'deployments.apps', 'scaled', 5, { ifReplicas: 2 });
    assert.equal(scaled.spec?.replicas, 5);
    await assert.rejects(scale(client, 'deploy', 'scaled', 1, { ifReplicas: 2 }), {
      code: 'OPERATIONS_REPLICAS_CHANGED',
      message: '"scaled" has 5 replicas, expected 2',
    });
  });

  it('lists the events about an object, oldest first', async () => {
    const about = await client.coreV1.configMaps(namespace).create({ metadata: { name: 'seen' } });
    const { uid } = about.metadata;
    for (const [name, time, other] of [
      ['a', '2026-01-01T00:00:02Z', uid],
      ['b', '2026-01-01T00:00:01Z', uid],
      ['c', '2026-01-01T00:00:03Z', 'another'],
    ] as const) {
      await client.coreV1.events(namespace).create({
        metadata: { name },
        involvedObject: { kind: 'ConfigMap', namespace, name: 'seen', uid: other },
        lastTimestamp: time,
        reason: name,
      });
    }
    const events = await eventsFor(client, about);
    assert.deepEqual(
      events.map(({ reason }) => reason),
      ['b', 'a'],
    );
  });

  it('reports usage, and a server without metrics', async () => {
    const code = 'OPERATIONS_METRICS_UNAVAILABLE';
    await assert.rejects(topPods(client), { code, hint: /metrics-server/ });
    await assert.rejects(topNodes(client), { code });
    await client.coreV1.nodes().create({ metadata: { name: 'metered' } });
    const allocatable = { cpu: '2', memory: '1Gi' };
    await client.coreV1
      .nodes()
      .patchStatus('metered', { status: { allocatable } }, { type: 'merge' });
    await applyObjects(client, parseManifests(metrics), { fieldManager: 'test' });
    assert.deepEqual(await topPods(client, { namespace }), [
      {
        name: 'web-0',
        namespace,
        labels: {},
        cpu: 0.25,
        memory: 3 * 2 ** 20,
        containers: [
          { name: 'a', cpu: 0.15, memory: 2 ** 20 },
          { name: 'b', cpu: 0.1, memory: 2 ** 21 },
        ],
      },
    ]);
    assert.deepEqual(await topNodes(client), [
      { name: 'metered', cpu: 0.5, memory: 2 ** 29, allocatable: { cpu: 2, memory: 2 ** 30 } },
    ]);
  });

  it('asks for the health of the server', async () => {
    await using health = new HealthClient(server.config);
    const ready = await health.readyz();
    assert.ok(ready.isHealthy && ready.checks.some(({ name }) => name === 'etcd'));
    const fewer = await health.livez({ exclude: ['etcd'] });
    assert.ok(fewer.isHealthy);
    using _fault = server.faults.add({
      match: { path: '/readyz' },
      fault: { kind: 'status', code: 500, message: '[+]ping ok\n[-]etcd failed: reason withheld' },
    });
    const { isHealthy, checks } = await health.readyz();
    assert.equal(isHealthy, false);
    assert.deepEqual(checks, [
      { name: 'ping', isHealthy: true },
      { name: 'etcd', isHealthy: false },
    ]);
  });
});

/** metrics-server, as custom resources. */
const metrics = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: nodes.metrics.k8s.io
  annotations: { api-approved.kubernetes.io: unapproved }
spec: &spec
  group: metrics.k8s.io
  scope: Cluster
  names: { plural: nodes, kind: NodeMetrics, singular: nodemetrics, listKind: NodeMetricsList }
  versions:
  - name: v1beta1
    served: true
    storage: true
    schema: &schema
      openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true }
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: pods.metrics.k8s.io
  annotations: { api-approved.kubernetes.io: unapproved }
spec:
  group: metrics.k8s.io
  scope: Namespaced
  names: { plural: pods, kind: PodMetrics, singular: podmetrics, listKind: PodMetricsList }
  versions:
  - name: v1beta1
    served: true
    storage: true
    schema:
      openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true }
---
apiVersion: metrics.k8s.io/v1beta1
kind: NodeMetrics
metadata: { name: metered }
timestamp: 2026-01-01T00:00:00Z
window: 15s
usage: { cpu: 500m, memory: 512Mi }
---
apiVersion: metrics.k8s.io/v1beta1
kind: PodMetrics
metadata: { name: web-0, namespace: default }
timestamp: 2026-01-01T00:00:00Z
window: 15s
containers:
- { name: a, usage: { cpu: 150m, memory: 1Mi } }
- { name: b, usage: { cpu: 100m, memory: 2Mi } }
`;

describe('draining a node', () => {
  let server: ApiServer;
  let client: Clientset;

  before(async () => {
    server = await ApiServer.start();
    client = new Clientset(server.config);
    await client.coreV1.nodes().create({ metadata: { name: 'n' } });
    const spec = { selector: { matchLabels: labels }, template: template('a') };
    await client.appsV1.daemonSets(namespace).create({ metadata: { name: 'owner' }, spec });
    await client.appsV1.replicaSets(namespace).create({ metadata: { name: 'owner' }, spec });
  });

  after(async () => {
    await client.close();
    await server.close();
  });

  /** Runs a pod on the node, of an owner that exists: the garbage collector deletes it otherwise. */
  async function run(
    name: string,
    owner?: 'DaemonSet' | 'ReplicaSet',
    spec: Partial<PodSpec> = {},
  ): Promise<void> {
    const { metadata } =
      owner === 'DaemonSet'
        ? await client.appsV1.daemonSets(namespace).get('owner')
        : await client.appsV1.replicaSets(namespace).get('owner');
    const reference = { apiVersion: 'apps/v1', kind: owner ?? '', name: 'owner', controller: true };
    const ownerReferences = [{ ...reference, uid: metadata.uid }];
    await client.coreV1.pods(namespace).create({
      metadata: { name, labels: { app: name }, ...(owner !== undefined && { ownerReferences }) },
      spec: { nodeName: 'n', containers: [{ name: 'a', image: 'a' }], ...spec },
    });
  }

  const names = async (): Promise<string[]> =>
    (await client.coreV1.pods(namespace).list()).items.map(({ metadata }) => metadata.name);

  it('cordons and uncordons', async () => {
    await cordon(client, 'n');
    assert.equal((await client.coreV1.nodes().get('n')).spec?.unschedulable, true);
    await uncordon(client, 'n');
    assert.equal((await client.coreV1.nodes().get('n')).spec?.unschedulable, undefined);
  });

  it('refuses what would be lost or come back, and evicts nothing', async () => {
    await run('alone');
    await run('agent', 'DaemonSet');
    await run('data', 'ReplicaSet', { volumes: [{ name: 'v', emptyDir: {} }] });
    await assert.rejects(drain(client, 'n'), (error: Error & { code?: string }) => {
      assert.equal(error.code, 'OPERATIONS_DRAIN_REFUSED');
      assert.match(error.message, /use force\): default\/alone/);
      assert.match(error.message, /use ignoreDaemonSets\): default\/agent/);
      assert.match(error.message, /use deleteEmptyDirData\): default\/data/);
      return true;
    });
    assert.equal((await client.coreV1.nodes().get('n')).spec?.unschedulable, true);
    assert.deepEqual(await names(), ['agent', 'alone', 'data']);
  });

  it('waits for a disruption budget, and evicts the pods that may go', async () => {
    await client.policyV1.podDisruptionBudgets(namespace).create({
      metadata: { name: 'budget' },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'data' } } },
    });
    const allow = async (disruptionsAllowed: number): Promise<void> => {
      const counts = { currentHealthy: 2, desiredHealthy: 1, expectedPods: 2 };
      const status = { observedGeneration: 1, disruptionsAllowed, ...counts };
      await client.policyV1
        .podDisruptionBudgets(namespace)
        .patchStatus('budget', { status }, { type: 'merge' });
    };
    await client.coreV1
      .pods(namespace)
      .patchStatus(
        'data',
        { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } },
        { type: 'merge' },
      );
    await allow(0);
    const seen = new Set<string>();
    await drain(client, 'n', {
      force: true,
      ignoreDaemonSets: true,
      deleteEmptyDirData: true,
      gracePeriodSeconds: 0,
      retryMs: 1,
      onEvent: ({ type, pod }) => {
        const event = `${type} ${pod.metadata.name}`;
        if (event === 'blocked data' && !seen.has(event)) void allow(1);
        seen.add(event);
      },
    });
    assert.deepEqual([...seen].sort(), [
      'blocked data',
      'evicted alone',
      'evicted data',
      'evicting alone',
      'evicting data',
      'skipped agent',
    ]);
    assert.deepEqual(await names(), ['agent']);
  });

  it('ends at its timeout', async () => {
    await run('stuck', 'ReplicaSet');
    await client.coreV1
      .pods(namespace)
      .patch('stuck', { metadata: { finalizers: ['example.com/hold'] } }, { type: 'merge' });
    const options = { ignoreDaemonSets: true, timeoutMs: 1, gracePeriodSeconds: 0 };
    await assert.rejects(drain(client, 'n', options), { code: 'OPERATIONS_TIMEOUT' });
  });
});
