import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';

import type { Deployment } from 'client-ts/api/apps/v1';
import type { PodTemplateSpec } from 'client-ts/api/core/v1';
import { compareStrings } from 'client-ts/internal';
import { VirtualClock } from 'client-ts/testing';
import { conditions, waitFor } from 'client-ts/wait';

import { testBed } from './bed/bed.ts';
import { useTestBed } from './bed/use-bed.ts';
import { FakeKubelet } from './kubelet/fake-kubelet.ts';

const NS = 'default';
const labels = { app: 'web' };

function template(overrides: Partial<PodTemplateSpec['spec']> = {}): PodTemplateSpec {
  return {
    metadata: { labels },
    spec: {
      containers: [
        { name: 'web', image: 'nginx:1', ports: [{ name: 'http', containerPort: 8080 }] },
      ],
      ...overrides,
    },
  };
}

function deployment(replicas: number): Deployment {
  return {
    metadata: { name: 'web' },
    spec: { replicas, selector: { matchLabels: labels }, template: template() },
  };
}

describe('WorkloadControllers', () => {
  const bed = useTestBed({ before, after, beforeEach }, { controllers: 'simulated' });
  const client = () => bed().client;
  const pods = () => client().coreV1.pods(NS);

  it('make the pods of a Deployment, with all containers ready', async () => {
    const deployments = client().appsV1.deployments(NS);
    const spec = template({
      initContainers: [{ name: 'init', image: 'busybox' }],
      containers: [
        { name: 'web', image: 'nginx:1' },
        { name: 'log', image: 'fluent:1' },
      ],
    });
    const wanted = deployment(3);
    await deployments.create({
      ...wanted,
      spec: { ...wanted.spec, selector: { matchLabels: labels }, template: spec },
    });
    const available = await waitFor(
      deployments,
      'web',
      (found) => found?.status?.availableReplicas === 3,
    );
    assert.equal(available?.status?.updatedReplicas, 3);
    const times = available.status.conditions?.flatMap((condition) => [
      condition.lastTransitionTime,
      condition.lastUpdateTime,
    ]);
    assert.equal(times?.length, 4);
    for (const time of times) assert.ok(time !== undefined && !Number.isNaN(Date.parse(time)));
    const { items } = await pods().list();
    assert.equal(items.length, 3);
    for (const { status, spec: pod } of items) {
      assert.equal(status?.phase, 'Running');
      assert.equal(pod?.nodeName, 'node-1');
      assert.deepEqual(
        status.containerStatuses?.map(({ name, ready }) => [name, ready]),
        [
          ['web', true],
          ['log', true],
        ],
      );
      assert.equal(status.initContainerStatuses?.[0]?.state?.terminated?.reason, 'Completed');
    }
    assert.deepEqual(bed().requests({ user: 'system:client-ts:test-bed' }), []);
  });

  it('roll out a new template and scale to zero', async () => {
    const deployments = client().appsV1.deployments(NS);
    await deployments.create(deployment(2));
    await waitFor(deployments, 'web', (found) => found?.status?.readyReplicas === 2);
    const containers = [{ name: 'web', image: 'nginx:2' }];
    const patch = { spec: { template: { spec: { containers } } } };
    await deployments.patch('web', patch, { type: 'strategic' });
    await waitFor(
      deployments,
      'web',
      (found) =>
        found?.status?.observedGeneration === found?.metadata.generation &&
        found?.status?.updatedReplicas === 2 &&
        found.status.replicas === 2 &&
        found.status.availableReplicas === 2,
    );
    const running = await pods().list();
    const images = running.items
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      .map(({ spec }) => spec?.containers[0]?.image);
    assert.deepEqual(images, ['nginx:2', 'nginx:2']);
    const revision = (found: { readonly metadata: { annotations?: Record<string, string> } }) =>
      found.metadata.annotations?.['deployment.kubernetes.io/revision'];
    await waitFor(deployments, 'web', (found) => found !== undefined && revision(found) === '2');
    const back = {
      spec: { template: { spec: { containers: [{ name: 'web', image: 'nginx:1' }] } } },
    };
    await deployments.patch('web', back, { type: 'strategic' });
    await waitFor(deployments, 'web', (found) => found !== undefined && revision(found) === '3');
    const { items: sets } = await client().appsV1.replicaSets(NS).list();
    const revisions = sets.map((set) => revision(set) ?? '').toSorted(compareStrings);
    assert.deepEqual(revisions, ['2', '3']);
    await deployments.patch('web', { spec: { replicas: 0 } }, { type: 'merge' });
    await waitFor(deployments, 'web', (found) => (found?.status?.replicas ?? 0) === 0);
  });

  it('make the pods of a ReplicationController', async () => {
    const controllers = client().coreV1.replicationControllers(NS);
    const spec = { replicas: 2, selector: labels, template: template() };
    await controllers.create({ metadata: { name: 'old' }, spec });
    await waitFor(controllers, 'old', (found) => found?.status?.readyReplicas === 2);
    assert.equal((await pods().list()).items.length, 2);
  });

  it('start the pods of a StatefulSet in order, with their claims', async () => {
    const sets = client().appsV1.statefulSets(NS);
    await sets.create({
      metadata: { name: 'db' },
      spec: {
        replicas: 2,
        serviceName: 'db',
        selector: { matchLabels: labels },
        template: template(),
        volumeClaimTemplates: [
          {
            metadata: { name: 'data' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        ],
      },
    });
    await waitFor(sets, 'db', (found) => found?.status?.readyReplicas === 2);
    const { items } = await pods().list();
    assert.deepEqual(items.map(({ metadata }) => metadata.name).toSorted(), ['db-0', 'db-1']);
    const [first, second] = items.toSorted((left, right) =>
      left.metadata.name < right.metadata.name ? -1 : 1,
    );
    assert.ok(
      Number(first?.metadata.resourceVersion) < Number(second?.metadata.resourceVersion),
      'db-1 came after db-0 was ready',
    );
    const claims = await client().coreV1.persistentVolumeClaims(NS).list();
    assert.deepEqual(
      claims.items.map(({ metadata }) => metadata.name),
      ['data-db-0', 'data-db-1'],
    );
    assert.equal(second?.spec?.volumes?.[0]?.persistentVolumeClaim?.claimName, 'data-db-1');
    const before = (await sets.get('db')).status?.updateRevision;
    const containers = [{ name: 'web', image: 'nginx:2' }];
    await sets.patch('db', { spec: { template: { spec: { containers } } } }, { type: 'strategic' });
    await waitFor(
      sets,
      'db',
      (found) =>
        found?.status?.updateRevision !== before &&
        found?.status?.currentRevision === found?.status?.updateRevision &&
        found?.status?.readyReplicas === 2,
    );
    await sets.patch('db', { spec: { replicas: 1 } }, { type: 'merge' });
    await waitFor(pods(), 'db-1', conditions.deleted());
    assert.equal((await pods().get('db-0')).spec?.containers[0]?.image, 'nginx:2');
    const volumes = client().coreV1.persistentVolumeClaims(NS);
    await volumes.delete('data-db-0');
    await volumes.delete('data-db-1');
    await waitFor(volumes, 'data-db-1', conditions.deleted());
    assert.ok((await volumes.get('data-db-0')).metadata.deletionTimestamp, 'a pod uses it');
  });

  it('run a DaemonSet on every node that it tolerates, also on new ones', async () => {
    const nodes = client().coreV1.nodes();
    const taints = [{ key: 'gpu', effect: 'NoSchedule' }] as const;
    await nodes.create({ metadata: { name: 'gpu' } });
    await nodes.patch('gpu', { spec: { taints: [...taints] } }, { type: 'merge' });
    const sets = client().appsV1.daemonSets(NS);
    await sets.create({
      metadata: { name: 'agent' },
      spec: { selector: { matchLabels: labels }, template: template() },
    });
    await waitFor(sets, 'agent', (found) => found?.status?.numberReady === 1);
    assert.equal((await sets.get('agent')).status?.desiredNumberScheduled, 1);
    await nodes.patch('gpu', { spec: { taints: null } }, { type: 'merge' });
    await waitFor(sets, 'agent', (found) => found?.status?.numberReady === 2);
    const { items } = await pods().list();
    assert.deepEqual(items.map(({ spec }) => spec?.nodeName ?? '').toSorted(compareStrings), [
      'gpu',
      'node-1',
    ]);
  });

  it('complete Jobs, by number and by index', async () => {
    const jobs = client().batchV1.jobs(NS);
    await jobs.create({
      metadata: { name: 'import' },
      spec: { completions: 3, parallelism: 2, template: template({ restartPolicy: 'Never' }) },
    });
    const done = await waitFor(jobs, 'import', conditions.jobComplete);
    assert.deepEqual([done.status?.succeeded, done.status?.active ?? 0], [3, 0]);
    await jobs.create({
      metadata: { name: 'indexed' },
      spec: {
        completions: 3,
        parallelism: 3,
        completionMode: 'Indexed',
        template: template({ restartPolicy: 'Never' }),
      },
    });
    const indexed = await waitFor(jobs, 'indexed', conditions.jobComplete);
    assert.equal(indexed.status?.completedIndexes, '0-2');
  });

  it('fail Jobs whose pods fail more often than allowed', async () => {
    const jobs = client().batchV1.jobs(NS);
    const failing = template({ restartPolicy: 'Never' });
    const annotations = { 'client-ts/exit-code': '3' };
    await jobs.create({
      metadata: { name: 'broken' },
      spec: { backoffLimit: 1, template: { ...failing, metadata: { labels, annotations } } },
    });
    const failed = await waitFor(jobs, 'broken', conditions.jobFailed);
    assert.equal(failed.status?.failed, 2);
    assert.equal(failed.status?.conditions?.at(-1)?.reason, 'BackoffLimitExceeded');
    const { items } = await pods().list();
    const ended = items[0]?.status?.containerStatuses?.[0]?.state?.terminated;
    assert.equal(ended?.exitCode, 3);
  });

  it('keep suspended Jobs without pods until they are resumed', async () => {
    const jobs = client().batchV1.jobs(NS);
    const spec = { suspend: true, template: template({ restartPolicy: 'Never' }) };
    await jobs.create({ metadata: { name: 'later' }, spec });
    await waitFor(jobs, 'later', conditions.jobSuspended);
    assert.deepEqual((await pods().list()).items, []);
    await jobs.patch('later', { spec: { suspend: false } }, { type: 'merge' });
    await waitFor(jobs, 'later', conditions.jobComplete);
  });

  it('give Services the endpoints of their ready pods', async () => {
    await client()
      .coreV1.services(NS)
      .create({
        metadata: { name: 'web' },
        spec: { selector: labels, ports: [{ port: 80, targetPort: 'http' }] },
      });
    await client().appsV1.deployments(NS).create(deployment(2));
    const endpoints = await waitFor(
      client().coreV1.endpoints(NS),
      'web',
      (found) => found?.subsets?.[0]?.addresses?.length === 2,
    );
    assert.equal(endpoints?.subsets?.[0]?.ports?.[0]?.port, 8080);
    const labelSelector = 'kubernetes.io/service-name=web';
    const slices = await client().discoveryV1.endpointSlices(NS).list({ labelSelector });
    assert.deepEqual(
      slices.items.map(({ endpoints: all }) => all?.map((one) => one.conditions?.ready)),
      [[true, true]],
    );
    const [pod] = (await pods().list()).items;
    const annotations = { 'client-ts/ready': 'false' };
    await pods().patch(pod?.metadata.name ?? '', { metadata: { annotations } }, { type: 'merge' });
    await waitFor(
      client().coreV1.endpoints(NS),
      'web',
      (found) => found?.subsets?.[0]?.notReadyAddresses?.length === 1,
    );
  });

  it('forget everything after a reset, and work again', async () => {
    const deployments = client().appsV1.deployments(NS);
    await deployments.create(deployment(2));
    await waitFor(deployments, 'web', (found) => found?.status?.readyReplicas === 2);
    await bed().reset();
    assert.deepEqual((await pods().list()).items, []);
    await deployments.create(deployment(1));
    await waitFor(deployments, 'web', (found) => found?.status?.readyReplicas === 1);
    assert.equal((await pods().list()).items.length, 1);
  });
});

describe('WorkloadControllers of other beds', () => {
  it('delete finished Jobs when the clock says so', async () => {
    const clock = new VirtualClock();
    await using bed = await testBed({ controllers: 'simulated', clock });
    const jobs = bed.client.batchV1.jobs(NS);
    const spec = { ttlSecondsAfterFinished: 60, template: template({ restartPolicy: 'Never' }) };
    await jobs.create({ metadata: { name: 'a' }, spec });
    for (let step = 0; step < 200; step += 1) {
      if (conditions.jobComplete(await jobs.get('a'))) break;
      await clock.advance(10);
    }
    await clock.advance(30_000);
    assert.equal((await jobs.get('a')).status?.succeeded, 1);
    const gone = waitFor(jobs, 'a', conditions.deleted());
    await clock.advance(60_000);
    await gone;
  });

  it('run programs in containers, if the server has a kubelet', async () => {
    const kubelet = new FakeKubelet({ programs: { migrate: async () => 4 } });
    await using bed = await testBed({ controllers: 'simulated', server: { kubelet } });
    const jobs = bed.client.batchV1.jobs(NS);
    const containers = [{ name: 'migrate', image: 'migrate:1' }];
    const spec = template({ restartPolicy: 'Never', containers });
    await jobs.create({ metadata: { name: 'a' }, spec: { backoffLimit: 0, template: spec } });
    const failed = await waitFor(jobs, 'a', conditions.jobFailed);
    assert.equal(failed.status?.failed, 1);
    await kubelet.close();
  });
});
