import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { TestObject } from '../../testing/test-object.ts';
import { TestServer } from '../../testing/test-server.ts';

const NAMESPACE = '/api/v1/namespaces/default';
const QUOTAS = `${NAMESPACE}/resourcequotas`;
const PODS = `${NAMESPACE}/pods`;

type Amounts = Record<string, string>;

const quota = (hard: Amounts, spec: object = {}): object => ({
  metadata: { name: 'q' },
  spec: { hard, ...spec },
});

const pod = (name: string, spec: object = {}, resources: object = {}): object => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i', resources }], ...spec },
});

const requesting = (name: string, requests: Amounts, limits: Amounts = {}): object =>
  pod(name, {}, { requests, limits });

async function usedOf(server: TestServer): Promise<Amounts> {
  const { body } = await server.get(`${QUOTAS}/q`);
  return (body['status'] as { used: Amounts }).used;
}

async function refusal(server: TestServer, path: string, body: object): Promise<string> {
  const { status, body: answer } = await server.post(path, body);
  assert.equal(status, 403, JSON.stringify(answer));
  return String(answer['message']);
}

async function withQuota(hard: Amounts, spec: object = {}): Promise<TestServer> {
  const server = new TestServer();
  await server.given('post', QUOTAS, quota(hard, spec));
  return server;
}

describe('a ResourceQuota', () => {
  it('counts the objects that exist before it', async () => {
    using server = new TestServer();
    await server.given('post', PODS, requesting('a', { cpu: '100m', memory: '64Mi' }));
    await server.given('post', PODS, requesting('b', { cpu: '1', memory: '1Gi' }));
    await server.given('post', QUOTAS, quota({ pods: '1', 'requests.cpu': '2', memory: '2Gi' }));
    const { body } = await server.get(`${QUOTAS}/q`);
    assert.deepEqual(body['status'], {
      hard: { memory: '2Gi', pods: '1', 'requests.cpu': '2' },
      used: { memory: '1088Mi', pods: '2', 'requests.cpu': '1100m' },
    });
  });

  it('refuses what exceeds it, and names what was asked, used and limited', async () => {
    using server = await withQuota({ pods: '2', 'requests.cpu': '1', 'limits.memory': '1Gi' });
    const ask = (name: string): object =>
      requesting(name, { cpu: '600m', memory: '1Mi' }, { memory: '600Mi' });
    await server.given('post', PODS, ask('a'));
    assert.equal(
      await refusal(server, PODS, ask('b')),
      'pods "b" is forbidden: exceeded quota: q, requested: limits.memory=600Mi,requests.cpu=600m, used: limits.memory=600Mi,requests.cpu=600m, limited: limits.memory=1Gi,requests.cpu=1',
    );
    assert.deepEqual(await usedOf(server), {
      'limits.memory': '600Mi',
      pods: '1',
      'requests.cpu': '600m',
    });
  });

  it('requires containers to state the compute resources that it limits', async () => {
    using server = await withQuota({ 'limits.cpu': '2', 'requests.cpu': '1', memory: '1Gi' });
    const containers = [
      { name: 'b', image: 'i' },
      { name: 'a', image: 'i', resources: { requests: { cpu: '1' } } },
    ];
    assert.equal(
      await refusal(server, PODS, pod('p', { containers })),
      'pods "p" is forbidden: failed quota: q: must specify limits.cpu for: a,b; memory for: a,b; requests.cpu for: b',
    );
  });

  it('takes back what deleted objects used', async () => {
    using server = await withQuota({ configmaps: '1', 'count/configmaps': '1' });
    const path = `${NAMESPACE}/configmaps`;
    await server.given('post', path, { metadata: { name: 'a' } });
    assert.match(
      await refusal(server, path, { metadata: { name: 'b' } }),
      /exceeded quota: q, requested: configmaps=1,count\/configmaps=1, used: configmaps=1,count\/configmaps=1, limited: configmaps=1,count\/configmaps=1$/,
    );
    await server.delete(`${path}/a`);
    assert.deepEqual(await usedOf(server), { configmaps: '0', 'count/configmaps': '0' });
    await server.given('post', path, { metadata: { name: 'b' } });
  });

  it('is exact when requests arrive together', async () => {
    using server = await withQuota({ 'count/secrets': '3' });
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        server.post(`${NAMESPACE}/secrets`, { metadata: { name: `s${index}` } }),
      ),
    );
    assert.equal(answers.filter(({ status }) => status === 201).length, 3);
    assert.equal(answers.filter(({ status }) => status === 403).length, 7);
    assert.deepEqual(await usedOf(server), { 'count/secrets': '3' });
  });

  it('checks dry runs and does not count them', async () => {
    using server = await withQuota({ pods: '1' });
    const dry = `${PODS}?dryRun=All`;
    assert.equal((await server.post(dry, pod('a'))).status, 201);
    assert.deepEqual(await usedOf(server), { pods: '0' });
    await server.given('post', PODS, pod('a'));
    assert.match(await refusal(server, dry, pod('b')), /exceeded quota/);
  });

  it('does not count objects that are refused or exist already', async () => {
    using server = await withQuota({ pods: '3' });
    await server.given('post', PODS, pod('a'));
    assert.equal((await server.post(PODS, pod('a'))).status, 409);
    assert.equal((await server.post(PODS, pod('b', { restartPolicy: 'X' }))).status, 422);
    assert.deepEqual(await usedOf(server), { pods: '1' });
  });

  it('counts what apply and generated names create', async () => {
    using server = await withQuota({ 'count/configmaps': '2' });
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
    const apply = `${NAMESPACE}/configmaps/a?fieldManager=m`;
    assert.equal((await server.patch('apply', apply, map)).status, 201);
    assert.equal((await server.patch('apply', apply, map)).status, 200);
    const generated = { metadata: { generateName: 'x-' } };
    await server.given('post', `${NAMESPACE}/configmaps`, generated);
    assert.match(
      await refusal(server, `${NAMESPACE}/configmaps`, generated),
      /^configmaps "x-[a-z0-9]{5}" is forbidden: exceeded quota/,
    );
  });

  it('follows its own limits', async () => {
    using server = await withQuota({ pods: '1' });
    await server.given('post', PODS, pod('a'));
    await server.given('put', `${QUOTAS}/q`, quota({ pods: '2', 'count/pods': '2' }));
    const { body } = await server.get(`${QUOTAS}/q`);
    assert.deepEqual(body['status'], {
      hard: { 'count/pods': '2', pods: '2' },
      used: { 'count/pods': '1', pods: '1' },
    });
    await server.given('post', PODS, pod('b'));
  });

  it('counts quotas, itself included', async () => {
    using server = await withQuota({ resourcequotas: '1' });
    assert.deepEqual(await usedOf(server), { resourcequotas: '1' });
    const second = { metadata: { name: 'r' }, spec: {} };
    assert.match(await refusal(server, QUOTAS, second), /exceeded quota: q, requested: resource/);
  });

  it('records who wrote its status', async () => {
    using server = await withQuota({ pods: '1' });
    const { body } = await server.get(`${QUOTAS}/q`);
    const managers = body.metadata.managedFields ?? [];
    const own = managers.find(({ subresource }) => subresource === 'status');
    assert.equal(own?.manager, 'kube-controller-manager');
  });

  it('shows a status that was written by hand once, and then what is used again', async () => {
    using server = await withQuota({ pods: '5' });
    const { body } = await server.get(`${QUOTAS}/q`);
    const status = { hard: { pods: '1' }, used: { pods: '1' } };
    const written = await server.given('put', `${QUOTAS}/q/status`, { ...body, status });
    assert.deepEqual(written['status'], status);
    assert.deepEqual((await server.get(`${QUOTAS}/q`)).body['status'], {
      hard: { pods: '5' },
      used: { pods: '0' },
    });
  });

  it('ends with its deletion', async () => {
    using server = await withQuota({ pods: '0' });
    assert.equal((await server.post(PODS, pod('a'))).status, 403);
    await server.delete(`${QUOTAS}/q`);
    await server.given('post', PODS, pod('a'));
  });

  it('concerns its namespace only', async () => {
    using server = await withQuota({ pods: '0' });
    await server.given('post', '/api/v1/namespaces', { metadata: { name: 'other' } });
    await server.given('post', '/api/v1/namespaces/other/pods', pod('a'));
  });
});

describe('a quota of pods', () => {
  it('does not count pods that have ended, except as objects', async () => {
    using server = await withQuota({ pods: '1', 'count/pods': '5', 'requests.cpu': '1' });
    const created = await server.given('post', PODS, requesting('a', { cpu: '1' }));
    const status = { phase: 'Succeeded' };
    await server.given('put', `${PODS}/a/status`, { ...created, status });
    assert.deepEqual(await usedOf(server), { 'count/pods': '1', pods: '0', 'requests.cpu': '0' });
    await server.given('post', PODS, requesting('b', { cpu: '1' }));
  });

  it('counts a pod whose deletion is overdue only as an object', async () => {
    using server = await withQuota({ pods: '1', 'count/pods': '2' });
    await server.given('post', PODS, pod('a', { nodeName: 'n' }));
    await server.delete(`${PODS}/a`);
    assert.deepEqual(await usedOf(server), { 'count/pods': '1', pods: '1' });
    await server.clock.advance(61_000);
    assert.deepEqual(await usedOf(server), { 'count/pods': '1', pods: '0' });
    await server.delete(`${PODS}/a?gracePeriodSeconds=0`);
    assert.deepEqual(await usedOf(server), { 'count/pods': '0', pods: '0' });
  });

  it('adds init containers, sidecars, overhead and pod-level resources as the scheduler does', async () => {
    using server = await withQuota({ cpu: '10', 'limits.cpu': '10', memory: '10Gi' });
    const of = (name: string, cpu: string, more: object = {}): object => ({
      name,
      image: 'i',
      resources: { requests: { cpu, memory: '1Mi' }, limits: { cpu } },
      ...more,
    });
    await server.given('post', '/apis/node.k8s.io/v1/runtimeclasses', {
      metadata: { name: 'heavy' },
      handler: 'h',
      overhead: { podFixed: { cpu: '250m' } },
    });
    const spec = {
      runtimeClassName: 'heavy',
      initContainers: [of('s', '1', { restartPolicy: 'Always' }), of('i', '2')],
      containers: [of('c', '500m'), of('d', '500m')],
    };
    await server.given('post', PODS, { metadata: { name: 'a' }, spec });
    // The init container beside the sidecar needs more than the containers beside it.
    assert.deepEqual(await usedOf(server), {
      cpu: '3250m',
      'limits.cpu': '3250m',
      memory: '3Mi',
    });
    const whole = {
      containers: [{ name: 'c', image: 'i' }],
      resources: { requests: { cpu: '2' } },
    };
    await server.given('post', PODS, { metadata: { name: 'b' }, spec: whole });
    assert.equal((await usedOf(server))['cpu'], '5250m');
  });

  it('counts huge pages, extended resources and ephemeral storage', async () => {
    using server = await withQuota({
      'ephemeral-storage': '1Gi',
      'limits.ephemeral-storage': '1Gi',
      'hugepages-2Mi': '10Mi',
      'requests.hugepages-2Mi': '10Mi',
      'requests.example.com/gpu': '2',
    });
    const amounts = {
      cpu: '1',
      'ephemeral-storage': '100Mi',
      'hugepages-2Mi': '4Mi',
      'example.com/gpu': '2',
    };
    await server.given('post', PODS, requesting('a', amounts, amounts));
    assert.deepEqual(await usedOf(server), {
      'ephemeral-storage': '100Mi',
      'hugepages-2Mi': '4Mi',
      'limits.ephemeral-storage': '100Mi',
      'requests.example.com/gpu': '2',
      'requests.hugepages-2Mi': '4Mi',
    });
    assert.equal(
      await refusal(server, PODS, requesting('b', amounts, amounts)),
      'pods "b" is forbidden: exceeded quota: q, requested: requests.example.com/gpu=2, used: requests.example.com/gpu=2, limited: requests.example.com/gpu=2',
    );
  });

  it('checks a resize, and counts what the pod holds until it is done', async () => {
    using server = await withQuota({ 'requests.cpu': '2' });
    const created = await server.given('post', PODS, requesting('a', { cpu: '1' }));
    const resize = async (cpu: string): Promise<TestObject> => {
      const containers = [{ name: 'c', resources: { requests: { cpu } } }];
      const path = `${PODS}/a/resize`;
      return (await server.patch('strategic', path, { spec: { containers } })).body;
    };
    assert.equal(
      (await resize('3'))['message'],
      'pods "a" is forbidden: exceeded quota: q, requested: requests.cpu=2, used: requests.cpu=1, limited: requests.cpu=2',
    );
    await resize('1500m');
    assert.deepEqual(await usedOf(server), { 'requests.cpu': '1500m' });
    const held = { requests: { cpu: '1500m' } };
    const containerStatuses = [
      { name: 'c', image: 'i', imageID: '', ready: true, restartCount: 0, resources: held },
    ];
    const current = (await server.get(`${PODS}/a`)).body;
    await server.given('put', `${PODS}/a/status`, { ...current, status: { containerStatuses } });
    await resize('500m');
    assert.deepEqual(await usedOf(server), { 'requests.cpu': '1500m' });
    assert.equal(created.metadata.name, 'a');
  });
});

describe('a quota of other objects', () => {
  it('counts services by type', async () => {
    using server = await withQuota({
      services: '4',
      'services.loadbalancers': '1',
      'services.nodeports': '2',
    });
    // The service `kubernetes` counts, too.
    const path = `${NAMESPACE}/services`;
    const service = (name: string, type: string, more: object = {}): object => ({
      metadata: { name },
      spec: { type, ports: [{ port: 80 }], ...more },
    });
    await server.given('post', path, service('a', 'LoadBalancer'));
    await server.given('post', path, service('b', 'ClusterIP'));
    assert.equal(
      await refusal(server, path, service('c', 'LoadBalancer')),
      'services "c" is forbidden: exceeded quota: q, requested: services.loadbalancers=1, used: services.loadbalancers=1, limited: services.loadbalancers=1',
    );
    const two = [
      { name: 'x', port: 1 },
      { name: 'y', port: 2 },
    ];
    const change = { spec: { type: 'NodePort', ports: two } };
    const { status, body } = await server.patch('merge', `${path}/b`, change);
    assert.equal(status, 403);
    assert.match(
      String(body['message']),
      /requested: services.nodeports=2, used: services.nodeports=1, limited: services.nodeports=2$/,
    );
    await server.delete(`${path}/a`);
    assert.equal((await server.patch('merge', `${path}/b`, change)).status, 200);
    assert.deepEqual(await usedOf(server), {
      services: '2',
      'services.loadbalancers': '0',
      'services.nodeports': '2',
    });
    const without = { allocateLoadBalancerNodePorts: false };
    await server.given('post', path, service('d', 'LoadBalancer', without));
    assert.equal((await usedOf(server))['services.nodeports'], '2');
  });

  it('counts storage in total and per class', async () => {
    const gold = 'gold.storageclass.storage.k8s.io/';
    using server = await withQuota({
      'requests.storage': '10Gi',
      persistentvolumeclaims: '5',
      [`${gold}requests.storage`]: '2Gi',
      [`${gold}persistentvolumeclaims`]: '1',
    });
    const path = `${NAMESPACE}/persistentvolumeclaims`;
    const claim = (name: string, storage: string, storageClassName?: string): object => ({
      metadata: { name },
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage } },
        storageClassName,
      },
    });
    await server.given('post', path, claim('a', '1Gi', 'gold'));
    await server.given('post', path, claim('b', '1', 'silver'));
    assert.equal(
      await refusal(server, path, claim('c', '2Gi', 'gold')),
      `persistentvolumeclaims "c" is forbidden: exceeded quota: q, requested: ${gold}persistentvolumeclaims=1,${gold}requests.storage=2Gi, used: ${gold}persistentvolumeclaims=1,${gold}requests.storage=1Gi, limited: ${gold}persistentvolumeclaims=1,${gold}requests.storage=2Gi`,
    );
    assert.deepEqual(await usedOf(server), {
      [`${gold}persistentvolumeclaims`]: '1',
      [`${gold}requests.storage`]: '1Gi',
      persistentvolumeclaims: '2',
      'requests.storage': '1073741825',
    });
  });

  it('counts any resource, also custom ones that are defined later', async () => {
    using server = await withQuota({
      'count/deployments.apps': '0',
      'count/widgets.example.com': '1',
    });
    assert.deepEqual(await usedOf(server), { 'count/deployments.apps': '0' });
    await server.given('post', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        names: { plural: 'widgets', kind: 'Widget' },
        scope: 'Namespaced',
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object' } },
          },
        ],
      },
    });
    await server.settle();
    assert.equal((await usedOf(server))['count/widgets.example.com'], '0');
    const path = '/apis/example.com/v1/namespaces/default/widgets';
    const widget = (name: string): object => ({
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name },
    });
    await server.given('post', path, widget('a'));
    assert.equal(
      await refusal(server, path, widget('b')),
      'widgets.example.com "b" is forbidden: exceeded quota: q, requested: count/widgets.example.com=1, used: count/widgets.example.com=1, limited: count/widgets.example.com=1',
    );
    await server.delete(`${path}/a`);
    assert.equal((await usedOf(server))['count/widgets.example.com'], '0');
  });

  it('counts devices per class, also by the extended resource of the class', async () => {
    const gpu = 'gpu.deviceclass.resource.k8s.io/devices';
    using server = new TestServer();
    await server.given('post', '/apis/resource.k8s.io/v1/deviceclasses', {
      metadata: { name: 'gpu' },
      spec: { extendedResourceName: 'example.com/gpu' },
    });
    await server.given(
      'post',
      QUOTAS,
      quota({
        'count/resourceclaims.resource.k8s.io': '9',
        [gpu]: '40',
        'requests.example.com/gpu': '40',
        'requests.deviceclass.resource.kubernetes.io/gpu': '40',
      }),
    );
    const path = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims';
    const claim = (name: string, request: object): object => ({
      metadata: { name },
      spec: { devices: { requests: [{ name: 'r', ...request }] } },
    });
    await server.given('post', path, claim('a', { exactly: { deviceClassName: 'gpu', count: 2 } }));
    const all = { deviceClassName: 'gpu', allocationMode: 'All' };
    await server.given('post', path, claim('b', { exactly: all }));
    assert.deepEqual(await usedOf(server), {
      'count/resourceclaims.resource.k8s.io': '2',
      [gpu]: '34',
      'requests.deviceclass.resource.kubernetes.io/gpu': '34',
      'requests.example.com/gpu': '34',
    });
    const alternatives = [
      { name: 'x', deviceClassName: 'gpu', count: 7 },
      { name: 'y', deviceClassName: 'gpu', count: 3 },
    ];
    assert.match(
      await refusal(server, path, claim('c', { firstAvailable: alternatives })),
      /requested: gpu.deviceclass.resource.k8s.io\/devices=7,/,
    );
  });
});

describe('a server without controllers', () => {
  const bare = async (hard: Amounts, used?: Amounts): Promise<TestServer> => {
    const server = new TestServer({ controllers: false });
    const created = await server.given('post', QUOTAS, quota(hard));
    if (used !== undefined) {
      await server.given('put', `${QUOTAS}/q/status`, { ...created, status: { hard, used } });
    }
    return server;
  };

  it('leaves the first count of a quota to a controller', async () => {
    using server = await bare({ pods: '1' });
    assert.deepEqual((await server.get(`${QUOTAS}/q`)).body['status'], {});
    await server.given('post', PODS, pod('a'));
  });

  it('refuses objects until their usage is known', async () => {
    using server = await bare({ pods: '1', services: '1' }, { services: '0' });
    assert.equal(
      await refusal(server, PODS, pod('a')),
      'pods "a" is forbidden: status unknown for quota: q, resources: pods',
    );
  });

  it('adds what a request uses, and leaves it to a controller to take it back', async () => {
    using server = await bare({ pods: '1' }, { pods: '0' });
    await server.given('post', PODS, pod('a'));
    assert.deepEqual(await usedOf(server), { pods: '1' });
    const { body } = await server.get(`${QUOTAS}/q`);
    assert.ok(body.metadata.managedFields?.some(({ manager }) => manager === 'kube-apiserver'));
    await server.delete(`${PODS}/a`);
    assert.match(await refusal(server, PODS, pod('b')), /exceeded quota: q, requested: pods=1/);
  });
});
