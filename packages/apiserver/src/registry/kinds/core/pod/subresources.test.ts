import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { findingsIn, TestKind } from '../../../../testing/test-kind.ts';
import type { TestObject } from '../../../../testing/test-object.ts';

const PODS = '/api/v1/namespaces/default/pods';
const CONTAINER = {
  name: 'main',
  image: 'registry.example.com/app:1',
  resources: { requests: { cpu: '1' }, limits: { cpu: '2' } },
};
const POD = { metadata: { name: 'p', labels: { app: 'a' } }, spec: { containers: [CONTAINER] } };

const pods = (): TestKind => new TestKind(PODS, POD);

function resized(pod: TestObject, resources: object): { spec: object } {
  const { containers } = pod['spec'] as { containers: object[] };
  return { spec: { containers: containers.map((container) => ({ ...container, resources })) } };
}

describe('pods/resize', () => {
  it('changes resources and nothing else', async () => {
    using kind = pods();
    const pod = await kind.given();
    const resources = { requests: { cpu: '1500m' }, limits: { cpu: '2' } };
    const { metadata, spec } = await kind.updated(
      pod,
      { ...resized(pod, resources), metadata: { labels: { other: 'b' } } },
      '/resize',
    );
    assert.equal(metadata.generation, 2);
    assert.deepEqual(metadata.labels, { app: 'a' });
    const { containers } = spec as { containers: readonly { resources: object }[] };
    assert.deepEqual(containers[0]?.resources, resources);
  });

  it('rejects changes of the QoS class and of containers that cannot be resized', async () => {
    using kind = pods();
    const pod = await kind.given();
    await kind.refusesToUpdate(
      pod,
      [
        [
          resized(pod, { requests: { cpu: '2' }, limits: { cpu: '2', memory: '1Gi' } }),
          'spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing',
        ],
        [
          resized(pod, {}),
          'spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing',
          'spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed',
          'spec.containers[0].resources.limits: Forbidden: resource limits cannot be removed',
        ],
        [
          resized(pod, {
            requests: { cpu: '1', 'ephemeral-storage': '1Gi' },
            limits: { cpu: '2' },
          }),
          'spec: Forbidden: only cpu and memory resources are mutable',
        ],
        [
          resized(pod, { requests: { cpu: '3' }, limits: { cpu: '2' } }),
          'spec.containers[0].resources.requests: Invalid value: "3": must be less than or equal to cpu limit of 2',
        ],
        [
          { spec: { containers: [] } },
          'spec.containers: Required value',
          'spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing',
          'spec.containers: Forbidden: containers may not be added or removed on resize',
        ],
      ],
      '/resize',
    );
  });
});

describe('ephemeral containers', () => {
  const ephemeral = { name: 'debug', image: 'busybox' };

  it('can be added, but not changed or removed', async () => {
    using kind = pods();
    const pod = await kind.given();
    const url = `${PODS}/p/ephemeralcontainers`;
    const change = { spec: { ephemeralContainers: [ephemeral] } };
    const added = await kind.updated(pod, change, '/ephemeralcontainers');
    const { ephemeralContainers } = added['spec'] as { ephemeralContainers: object[] };
    assert.deepEqual(ephemeralContainers, [
      {
        name: 'debug',
        image: 'busybox',
        resources: {},
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
        imagePullPolicy: 'Always',
      },
    ]);
    const stored = await kind.server.given('put', url, { ...pod, spec: added['spec'] });
    await kind.refusesToUpdate(
      stored,
      [
        [
          { spec: { ephemeralContainers: [] } },
          'spec.ephemeralContainers: Forbidden: existing ephemeral containers "debug" may not be removed\n',
        ],
        [
          { spec: { ephemeralContainers: [{ ...ephemeralContainers[0], image: 'x' }] } },
          'spec.ephemeralContainers: Forbidden: existing ephemeral containers "debug" may not be changed\nchanged fields: spec.ephemeralContainers[0].image',
        ],
        [
          {
            spec: { ephemeralContainers: [...ephemeralContainers, { name: 'debug', image: 'x' }] },
          },
          'spec.ephemeralContainers[1].name: Duplicate value: "debug"',
          'spec.ephemeralContainers: Forbidden: existing ephemeral containers "debug" may not be changed\nchanged fields: spec.ephemeralContainers[1].image',
        ],
        [
          {
            spec: {
              ephemeralContainers: [
                ...ephemeralContainers,
                { name: 'b', image: 'x', targetContainerName: 'y' },
              ],
            },
          },
          'spec.ephemeralContainers[1].targetContainerName: Not found: "y"',
        ],
        [
          {
            spec: {
              ephemeralContainers: [
                ...ephemeralContainers,
                { name: 'b', image: 'x', ports: [{ containerPort: 1 }] },
              ],
            },
          },
          'spec.ephemeralContainers[1].ports: Forbidden: cannot be set for an Ephemeral Container',
        ],
      ],
      '/ephemeralcontainers',
    );
  });
});

describe('pods/binding', () => {
  const bind = async (kind: TestKind, body: object): Promise<string[]> =>
    findingsIn(await kind.server.post(`${PODS}/p/binding`, body));

  it('sets the node of a pod, once', async () => {
    using kind = pods();
    await kind.given();
    await kind.server.given('post', '/api/v1/nodes', {
      metadata: { name: 'n', labels: { 'topology.kubernetes.io/region': 'r' } },
    });
    const binding = { metadata: { name: 'p' }, target: { kind: 'Node', name: 'n' } };
    assert.deepEqual(await bind(kind, { ...binding, metadata: { name: 'q' } }), [
      '400: name in URL does not match name in Binding object',
    ]);
    assert.deepEqual(await bind(kind, { ...binding, target: { kind: 'Pod', name: 'n' } }), [
      '500: target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>"',
    ]);
    assert.deepEqual(await bind(kind, binding), []);
    const { body: pod } = await kind.server.get(`${PODS}/p`);
    assert.equal((pod['spec'] as { nodeName: string }).nodeName, 'n');
    assert.deepEqual(pod.metadata.labels, { app: 'a', 'topology.kubernetes.io/region': 'r' });
    assert.deepEqual((pod['status'] as { conditions: unknown }).conditions, [
      {
        type: 'PodScheduled',
        status: 'True',
        lastProbeTime: null,
        lastTransitionTime: '2026-01-01T00:00:00Z',
      },
    ]);
    assert.deepEqual(await bind(kind, binding), [
      '409: Operation cannot be fulfilled on pods/binding "p": pod p is already assigned to node "n"',
    ]);
  });

  it('rejects pods with scheduling gates', async () => {
    using kind = pods();
    await kind.given({ spec: { schedulingGates: [{ name: 'a' }] } });
    const binding = { metadata: { name: 'p' }, target: { name: 'n' } };
    assert.deepEqual(await bind(kind, binding), [
      '409: Operation cannot be fulfilled on pods/binding "p": pod p has non-empty .spec.schedulingGates',
    ]);
  });
});

describe('pods/eviction', () => {
  const PDBS = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';

  async function protectedPod(kind: TestKind, allowed: number): Promise<void> {
    const pod = await kind.given({ spec: { nodeName: 'n' } });
    const pdb = await kind.server.given('post', PDBS, {
      metadata: { name: 'pdb' },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'a' } } },
    });
    await kind.server.given('put', `${PDBS}/pdb/status`, {
      ...pdb,
      status: {
        observedGeneration: 1,
        disruptionsAllowed: allowed,
        currentHealthy: 1 + allowed,
        desiredHealthy: 1,
        expectedPods: 2,
      },
    });
    await kind.server.given('put', `${PODS}/p/status`, {
      ...pod,
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
    });
  }

  it('is rejected if a budget allows no disruption', async () => {
    using kind = pods();
    await protectedPod(kind, 0);
    const { status, body } = await kind.server.post(`${PODS}/p/eviction`, {
      metadata: { name: 'p' },
    });
    assert.equal(status, 429);
    assert.equal(body.message, "Cannot evict pod as it would violate the pod's disruption budget.");
    assert.deepEqual(body.details?.causes, [
      {
        reason: 'DisruptionBudget',
        message: 'The disruption budget pdb needs 1 healthy pods and has 1 currently',
      },
    ]);
  });

  it('uses up a disruption of the budget, and deletes the pod', async () => {
    using kind = pods();
    await protectedPod(kind, 1);
    const { status } = await kind.server.post(`${PODS}/p/eviction`, { metadata: { name: 'p' } });
    assert.equal(status, 201);
    const { body: pdb } = await kind.server.get(`${PDBS}/pdb`);
    const state = pdb['status'] as { disruptionsAllowed: number; disruptedPods: object };
    assert.equal(state.disruptionsAllowed, 0);
    assert.deepEqual(state.disruptedPods, { p: '2026-01-01T00:00:00Z' });
    const { body: pod } = await kind.server.get(`${PODS}/p`);
    assert.equal(pod.metadata.deletionGracePeriodSeconds, 30);
  });
});
