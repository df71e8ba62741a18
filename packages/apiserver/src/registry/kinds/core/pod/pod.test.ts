import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestKind } from '../../../../testing/test-kind.ts';

const PODS = '/api/v1/namespaces/default/pods';
const CONTAINER = { name: 'main', image: 'registry.example.com/app:1' };
const POD = { metadata: { name: 'p' }, spec: { containers: [CONTAINER] } };
const LABEL_RULE =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

const pods = (): TestKind => new TestKind(PODS, POD);
const inSpec = (spec: object): { spec: object } => ({ spec });
const inContainer = (change: object): { spec: object } => ({
  spec: { containers: [{ ...CONTAINER, ...change }] },
});

describe('a new pod', () => {
  it('requires containers with a name and an image', async () => {
    using kind = pods();
    await kind.refusesToCreate([
      [inSpec({ containers: [] }), 'spec.containers: Required value'],
      [inSpec({ containers: undefined }), 'spec.containers: Required value'],
      [inContainer({ name: undefined }), 'spec.containers[0].name: Required value'],
      [inContainer({ name: 'A' }), `spec.containers[0].name: Invalid value: "A": ${LABEL_RULE}`],
      [inContainer({ image: '' }), 'spec.containers[0].image: Required value'],
      [
        inContainer({ image: ' x' }),
        'spec.containers[0].image: Invalid value: " x": must not have leading or trailing whitespace',
      ],
      [
        inSpec({ containers: [CONTAINER, CONTAINER] }),
        'spec.containers[1].name: Duplicate value: "main"',
      ],
      [
        inSpec({ initContainers: [{ ...CONTAINER }] }),
        'spec.initContainers[0].name: Duplicate value: "main"',
      ],
      [
        inContainer({ imagePullPolicy: 'Often' }),
        'spec.containers[0].imagePullPolicy: Unsupported value: "Often": supported values: "Always", "IfNotPresent", "Never"',
      ],
      [
        inContainer({ terminationMessagePolicy: 'Never' }),
        'spec.containers[0].terminationMessagePolicy: Unsupported value: "Never": supported values: "File", "FallbackToLogsOnError"',
      ],
    ]);
  });

  it('rejects duplicate ports', async () => {
    using kind = pods();
    const ports = (...list: object[]): { spec: object } => inContainer({ ports: list });
    await kind.refusesToCreate([
      [ports({}), 'spec.containers[0].ports[0].containerPort: Required value'],
      [
        ports({ containerPort: 70_000 }),
        'spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
      ],
      [
        ports({ containerPort: 1, protocol: 'ICMP' }),
        'spec.containers[0].ports[0].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"',
      ],
      [
        ports({ containerPort: 1, name: 'a' }, { containerPort: 2, name: 'a' }),
        'spec.containers[0].ports[1].name: Duplicate value: "a"',
      ],
      [
        ports({ containerPort: 1, hostPort: 5 }, { containerPort: 2, hostPort: 5 }),
        'spec.containers[0].ports[1].hostPort: Duplicate value: "TCP//5"',
      ],
    ]);
  });

  it('rejects variables with several sources', async () => {
    using kind = pods();
    const env = (variable: object): { spec: object } => inContainer({ env: [variable] });
    const valueFrom = (source: object): { spec: object } => env({ name: 'A', valueFrom: source });
    await kind.refusesToCreate([
      [env({ value: 'x' }), 'spec.containers[0].env[0].name: Required value'],
      [
        env({ name: 'A', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }),
        'spec.containers[0].env[0].valueFrom: Invalid value: "": may not be specified when `value` is not empty',
      ],
      [
        valueFrom({}),
        'spec.containers[0].env[0].valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
      ],
      [
        valueFrom({ fieldRef: {} }),
        'spec.containers[0].env[0].valueFrom.fieldRef.fieldPath: Required value',
      ],
      [
        valueFrom({ configMapKeyRef: { name: 'c', key: '' } }),
        'spec.containers[0].env[0].valueFrom.configMapKeyRef.key: Required value',
      ],
    ]);
  });

  it('rejects requests above limits', async () => {
    using kind = pods();
    const field = 'spec.containers[0].resources';
    const resources = (limits: object, requests: object): { spec: object } =>
      inContainer({ resources: { limits, requests } });
    await kind.refusesToCreate([
      [
        resources({ cpu: '1' }, { cpu: '2' }),
        `${field}.requests: Invalid value: "2": must be less than or equal to cpu limit of 1`,
      ],
      [
        resources({}, { cpu: '-1' }),
        `${field}.requests[cpu]: Invalid value: "-1": must be greater than or equal to 0`,
      ],
      [
        resources({}, { pods: '1' }),
        `${field}.requests[pods]: Invalid value: "pods": must be a standard resource for containers`,
      ],
      [
        resources({}, { 'example.com/gpu': '1' }),
        `${field}.limits: Required value: Limit must be set for non overcommitable resources`,
      ],
      [
        resources({ 'example.com/gpu': '2' }, { 'example.com/gpu': '1' }),
        `${field}.requests: Invalid value: "1": must be equal to example.com/gpu limit of 2`,
      ],
      [
        resources({ 'example.com/gpu': '500m' }, {}),
        `${field}.limits[example.com/gpu]: Invalid value: "500m": must be an integer`,
        `${field}.requests[example.com/gpu]: Invalid value: "500m": must be an integer`,
      ],
    ]);
  });

  it('rejects mounts of missing volumes, and volumes with several sources', async () => {
    using kind = pods();
    const volume = (source: object): { spec: object } =>
      inSpec({ volumes: [{ name: 'v', ...source }] });
    await kind.refusesToCreate([
      [
        inContainer({ volumeMounts: [{ name: 'x', mountPath: '/x' }] }),
        'spec.containers[0].volumeMounts[0].name: Not found: "x"',
      ],
      [
        inSpec({
          volumes: [{ name: 'v', emptyDir: {} }],
          containers: [
            {
              ...CONTAINER,
              volumeMounts: [
                { name: 'v', mountPath: '/x' },
                { name: 'v', mountPath: '/x' },
              ],
            },
          ],
        }),
        'spec.containers[0].volumeMounts[1].mountPath: Invalid value: "/x": must be unique',
      ],
      [
        inSpec({
          volumes: [
            { name: 'v', emptyDir: {} },
            { name: 'v', emptyDir: {} },
          ],
        }),
        'spec.volumes[1].name: Duplicate value: "v"',
      ],
      [
        volume({ emptyDir: {}, hostPath: { path: '/x' } }),
        'spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type',
      ],
      [volume({ hostPath: {} }), 'spec.volumes[0].hostPath.path: Required value'],
      [volume({ configMap: {} }), 'spec.volumes[0].configMap.name: Required value'],
      [volume({ secret: {} }), 'spec.volumes[0].secret.secretName: Required value'],
      [
        volume({ nfs: { server: 's', path: 'x' } }),
        'spec.volumes[0].nfs.path: Invalid value: "x": must be an absolute path',
      ],
      [
        volume({ persistentVolumeClaim: {} }),
        'spec.volumes[0].persistentVolumeClaim.claimName: Required value',
      ],
      [
        volume({ configMap: { name: 'c', items: [{ key: 'k', path: '../x' }] } }),
        'spec.volumes[0].configMap.items[0].path: Invalid value: "../x": must not contain \'..\'',
      ],
    ]);
    const { spec } = await kind.created(inSpec({ volumes: [{ name: 'v' }] }));
    assert.deepEqual((spec as { volumes: unknown }).volumes, [{ name: 'v', emptyDir: {} }]);
  });

  it('rejects invalid probes', async () => {
    using kind = pods();
    const field = 'spec.containers[0].livenessProbe';
    const probe = (livenessProbe: object): { spec: object } => inContainer({ livenessProbe });
    await kind.refusesToCreate([
      [probe({}), `${field}: Required value: must specify a handler type`],
      [
        probe({ exec: { command: ['x'] }, tcpSocket: { port: 1 } }),
        `${field}.tcpSocket: Forbidden: may not specify more than 1 handler type`,
      ],
      [probe({ exec: {} }), `${field}.exec.command: Required value`],
      [
        probe({ httpGet: { port: 0 } }),
        `${field}.httpGet.port: Invalid value: 0: must be between 1 and 65535, inclusive`,
      ],
      [
        probe({ exec: { command: ['x'] }, successThreshold: 2 }),
        `${field}.successThreshold: Invalid value: 2: must be 1`,
      ],
      [
        probe({ exec: { command: ['x'] }, periodSeconds: -1 }),
        `${field}.periodSeconds: Invalid value: -1: must be greater than or equal to 0`,
      ],
    ]);
  });

  it('rejects invalid policies, hostnames and tolerations', async () => {
    using kind = pods();
    await kind.refusesToCreate([
      [
        inSpec({ restartPolicy: 'Sometimes' }),
        'spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"',
      ],
      [
        inSpec({ dnsPolicy: 'Mine' }),
        'spec.dnsPolicy: Unsupported value: "Mine": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"',
      ],
      [
        inSpec({ dnsPolicy: 'None' }),
        'spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None',
      ],
      [
        inSpec({ activeDeadlineSeconds: 0 }),
        'spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive',
      ],
      [inSpec({ hostname: 'A' }), `spec.hostname: Invalid value: "A": ${LABEL_RULE}`],
      [
        inSpec({ tolerations: [{ operator: 'Equal', value: 'x' }] }),
        'spec.tolerations[0].operator: Invalid value: "Equal": operator must be Exists when `key` is empty, which means "match all values and all keys"',
      ],
      [
        inSpec({ nodeName: 'n', schedulingGates: [{ name: 'a' }] }),
        'spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared',
      ],
      [
        inSpec({
          hostNetwork: true,
          containers: [{ ...CONTAINER, ports: [{ containerPort: 80, hostPort: 81 }] }],
        }),
        'spec.containers[0].ports[0].hostPort: Invalid value: 81: must match `containerPort` when `hostNetwork` is true',
      ],
    ]);
  });
});

describe('admission of a new pod', () => {
  it('rejects ephemeral containers', async () => {
    using kind = pods();
    await kind.refusesToCreate([
      [
        inSpec({ ephemeralContainers: [{ ...CONTAINER, name: 'e' }] }),
        'spec.ephemeralContainers: Forbidden: cannot be set on create',
      ],
    ]);
  });

  it('sets the priority of its class', async () => {
    using kind = pods();
    const spec = async (change: object): Promise<Record<string, unknown>> =>
      (await kind.created(inSpec(change)))['spec'] as Record<string, unknown>;
    const critical = await spec({ priorityClassName: 'system-node-critical' });
    assert.equal(critical['priority'], 2_000_001_000);
    await kind.server.given('post', '/apis/scheduling.k8s.io/v1/priorityclasses', {
      metadata: { name: 'usual' },
      value: 7,
      globalDefault: true,
      preemptionPolicy: 'Never',
    });
    const usual = await spec({});
    assert.deepEqual(
      [usual['priorityClassName'], usual['priority'], usual['preemptionPolicy']],
      ['usual', 7, 'Never'],
    );
    await kind.refusesToCreate([
      [
        inSpec({ priorityClassName: 'none' }),
        '403: pods "p" is forbidden: no PriorityClass with name none was found',
      ],
      [
        inSpec({ priority: 5 }),
        '403: pods "p" is forbidden: the integer value of priority (5) must not be provided in pod spec; priority admission controller computed 7 from the given PriorityClass name',
      ],
    ]);
  });

  it('adds tolerations for lost nodes, unless the pod has its own', async () => {
    using kind = pods();
    const { spec } = await kind.created(
      inSpec({ tolerations: [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists' }] }),
    );
    assert.deepEqual((spec as { tolerations: unknown }).tolerations, [
      { key: 'node.kubernetes.io/not-ready', operator: 'Exists' },
      {
        key: 'node.kubernetes.io/unreachable',
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 300,
      },
    ]);
  });

  it('adds the topology labels of the node', async () => {
    using kind = pods();
    await kind.server.given('post', '/api/v1/nodes', {
      metadata: { name: 'n', labels: { 'topology.kubernetes.io/zone': 'z', other: 'x' } },
    });
    const { metadata } = await kind.created(inSpec({ nodeName: 'n' }));
    assert.deepEqual(metadata.labels, { 'topology.kubernetes.io/zone': 'z' });
  });

  it('reports the condition of a pod with scheduling gates', async () => {
    using kind = pods();
    const { status } = await kind.created(inSpec({ schedulingGates: [{ name: 'a' }] }));
    assert.deepEqual((status as { conditions: unknown }).conditions, [
      {
        type: 'PodScheduled',
        status: 'False',
        lastProbeTime: null,
        lastTransitionTime: '2026-01-01T00:00:00Z',
        reason: 'SchedulingGated',
        message: 'Scheduling is blocked due to non-empty scheduling gates',
      },
    ]);
  });
});
