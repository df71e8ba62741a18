import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestServer } from '../testing/test-server.ts';

const ADDRESSES = '/apis/networking.k8s.io/v1/ipaddresses';
const SERVICES = '/api/v1/namespaces/default/services';
const API_SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices';
const FLOW = '/apis/flowcontrol.apiserver.k8s.io/v1';

async function names(server: TestServer, path: string): Promise<string[]> {
  return ((await server.get(path)).body.items ?? []).map(({ metadata }) => metadata.name ?? '');
}

describe('IPAddresses', () => {
  it('exist as long as the services that have them', async () => {
    using server = new TestServer();
    assert.deepEqual(await names(server, ADDRESSES), ['10.0.0.1']);
    await server.given('post', SERVICES, {
      metadata: { name: 'web' },
      spec: { clusterIP: '10.0.0.7', ports: [{ port: 80 }] },
    });
    const { body } = await server.get(`${ADDRESSES}/10.0.0.7`);
    assert.deepEqual(body['spec'], {
      parentRef: { resource: 'services', namespace: 'default', name: 'web' },
    });
    assert.deepEqual(body.metadata.labels, {
      'ipaddress.kubernetes.io/ip-family': 'IPv4',
      'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io',
    });
    await server.delete(`${SERVICES}/web`);
    assert.deepEqual(await names(server, ADDRESSES), ['10.0.0.1']);
  });

  it('do not exist for headless services and dry runs', async () => {
    using server = new TestServer();
    const spec = { ports: [{ port: 80 }] };
    const headless = { metadata: { name: 'a' }, spec: { ...spec, clusterIP: 'None' } };
    await server.given('post', SERVICES, headless);
    await server.given('post', `${SERVICES}?dryRun=All`, { metadata: { name: 'b' }, spec });
    assert.deepEqual(await names(server, ADDRESSES), ['10.0.0.1']);
  });

  it('come back if they are deleted before their service', async () => {
    using server = new TestServer();
    await server.delete(`${ADDRESSES}/10.0.0.1`);
    await server.settle();
    assert.deepEqual(await names(server, ADDRESSES), ['10.0.0.1']);
  });
});

describe('the Service kubernetes', () => {
  it('leads to the address of the server, also to a new one', async () => {
    using server = new TestServer();
    for (const port of [6443, 7443]) {
      server.backend.publish({ address: '127.0.0.1', port }, 'certificate');
      const service = await server.get(`${SERVICES}/kubernetes`);
      assert.deepEqual((service.body['spec'] as { ports: object[] }).ports, [
        { name: 'https', protocol: 'TCP', port: 443, targetPort: port },
      ]);
      const endpoints = await server.get('/api/v1/namespaces/default/endpoints/kubernetes');
      const ports = [{ name: 'https', port, protocol: 'TCP' }];
      assert.deepEqual(endpoints.body['subsets'], [{ addresses: [{ ip: '127.0.0.1' }], ports }]);
      const slice = await server.get(
        '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes',
      );
      assert.deepEqual(slice.body['endpoints'], [
        { addresses: ['127.0.0.1'], conditions: { ready: true } },
      ]);
    }
    const { revision } = server;
    server.backend.publish({ address: '127.0.0.1', port: 7443 }, 'certificate');
    assert.equal(server.revision, revision);
  });
});

describe('namespaces of the system', () => {
  it('come back after their deletion', async () => {
    using server = new TestServer();
    const path = '/api/v1/namespaces/kube-node-lease';
    const { uid } = (await server.get(path)).body.metadata;
    await server.delete(path);
    await server.settle();
    const { metadata, status } = (await server.get(path)).body;
    assert.notEqual(metadata.uid, uid);
    assert.deepEqual(status, { phase: 'Active' });
  });
});

describe('APIServices', () => {
  const crd = {
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object' } },
        },
      ],
    },
  };

  it('come and go with custom resources', async () => {
    using server = new TestServer();
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    await server.given('post', definitions, crd);
    await server.settle();
    const { body } = await server.get(`${API_SERVICES}/v1.example.com`);
    assert.deepEqual(body['spec'], {
      group: 'example.com',
      version: 'v1',
      groupPriorityMinimum: 1000,
      versionPriority: 100,
    });
    assert.deepEqual(body.metadata.labels, {
      'kube-aggregator.kubernetes.io/automanaged': 'true',
    });
    await server.delete(`${definitions}/widgets.example.com`);
    await server.settle();
    assert.equal((await server.get(`${API_SERVICES}/v1.example.com`)).status, 404);
  });

  it('of built-in versions come back, and those of others stay', async () => {
    using server = new TestServer();
    await server.delete(`${API_SERVICES}/v1.apps`);
    await server.given('post', API_SERVICES, {
      metadata: { name: 'v1.metrics.example' },
      spec: {
        group: 'metrics.example',
        version: 'v1',
        groupPriorityMinimum: 100,
        versionPriority: 100,
        insecureSkipTLSVerify: true,
        service: { namespace: 'default', name: 'metrics' },
      },
    });
    await server.settle();
    const all = await names(server, API_SERVICES);
    assert.ok(all.includes('v1.apps'));
    assert.ok(all.includes('v1.metrics.example'));
  });
});

describe('flow control', () => {
  it('says of every FlowSchema whether its priority level exists', async () => {
    using server = new TestServer();
    const schema = (level: string): object => ({
      metadata: { name: level },
      spec: { priorityLevelConfiguration: { name: level }, matchingPrecedence: 500 },
    });
    await server.given('post', `${FLOW}/flowschemas`, schema('workload-low'));
    await server.given('post', `${FLOW}/flowschemas`, schema('nowhere'));
    await server.settle();
    const dangling = async (name: string): Promise<object | undefined> => {
      const { status } = (await server.get(`${FLOW}/flowschemas/${name}`)).body;
      return (status as { conditions: object[] }).conditions[0];
    };
    assert.deepEqual(await dangling('workload-low'), {
      type: 'Dangling',
      status: 'False',
      lastTransitionTime: '2026-01-01T00:00:00Z',
      reason: 'Found',
      message:
        'This FlowSchema references the PriorityLevelConfiguration object named "workload-low" and it exists',
    });
    assert.match(JSON.stringify(await dangling('nowhere')), /"status":"True".*"NotFound"/);
  });

  it('brings default objects back', async () => {
    using server = new TestServer();
    await server.delete(`${FLOW}/flowschemas/probes`);
    await server.delete(`${FLOW}/prioritylevelconfigurations/workload-low`);
    await server.settle();
    assert.equal((await server.get(`${FLOW}/flowschemas/probes`)).status, 200);
    assert.equal(
      (await server.get(`${FLOW}/prioritylevelconfigurations/workload-low`)).status,
      200,
    );
  });

  it('names the flow of a request in its answer', async () => {
    using server = new TestServer({ tokens: { eve: { name: 'eve', groups: [] } } });
    const uid = async (name: string): Promise<string | undefined> =>
      (await server.get(`${FLOW}/flowschemas/${name}`)).body.metadata.uid;
    const flowOf = async (path: string, headers = {}): Promise<unknown> =>
      (await server.get(path, { headers })).headers['x-kubernetes-pf-flowschema-uid'];
    assert.equal(await flowOf('/api/v1/pods'), await uid('exempt'));
    const eve = { authorization: 'Bearer eve' };
    assert.equal(await flowOf('/api/v1/pods', eve), await uid('global-default'));
    assert.equal(await flowOf('/readyz', eve), await uid('probes'));
    await server.given('post', `${FLOW}/flowschemas`, {
      metadata: { name: 'pods-of-eve' },
      spec: {
        priorityLevelConfiguration: { name: 'workload-low' },
        matchingPrecedence: 1000,
        rules: [
          {
            subjects: [{ kind: 'User', user: { name: 'eve' } }],
            resourceRules: [
              { verbs: ['list'], apiGroups: [''], resources: ['pods'], clusterScope: true },
            ],
          },
        ],
      },
    });
    assert.equal(await flowOf('/api/v1/pods', eve), await uid('pods-of-eve'));
    assert.equal(await flowOf('/api/v1/secrets', eve), await uid('global-default'));
  });
});
