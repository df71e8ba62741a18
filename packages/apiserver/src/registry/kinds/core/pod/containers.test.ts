import { describe, it } from 'node:test';

import { TestKind } from '../../../../testing/test-kind.ts';

const PODS = '/api/v1/namespaces/default/pods';
const CONTAINER = { name: 'main', image: 'registry.example.com/app:1' };
const POD = { metadata: { name: 'p' }, spec: { containers: [CONTAINER] } };

const pods = (): TestKind => new TestKind(PODS, POD);
const inSpec = (spec: object): { spec: object } => ({ spec });

const inContainer = (change: object): { spec: object } =>
  inSpec({ containers: [{ ...CONTAINER, ...change }] });

describe('the containers of a pod', () => {
  it('reject invalid environment sources', async () => {
    using kind = pods();
    const from = (valueFrom: object): { spec: object } =>
      inContainer({ env: [{ name: 'A', valueFrom }] });
    const envFrom = (change: object): { spec: object } => inContainer({ envFrom: [change] });
    await kind.refusesToCreate([
      [
        from({ fieldRef: { fieldPath: 'spec.x' } }),
        'spec.containers[0].env[0].valueFrom.fieldRef.fieldPath: Invalid value: "spec.x": error converting fieldPath: field label not supported: spec.x',
      ],
      [
        from({ fieldRef: { fieldPath: "metadata.labels['a b']" } }),
        "spec.containers[0].env[0].valueFrom.fieldRef: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      ],
      [
        from({ fieldRef: { fieldPath: "status.podIP['x']" } }),
        "spec.containers[0].env[0].valueFrom.fieldRef.fieldPath: Invalid value: \"status.podIP['x']\": error converting fieldPath: field label does not support subscript: status.podIP['x']",
      ],
      [
        from({ fieldRef: { fieldPath: 'metadata.labels' } }),
        'spec.containers[0].env[0].valueFrom.fieldRef.fieldPath: Unsupported value: "metadata.labels": supported values: "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName", "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"',
      ],
      [
        from({ fieldRef: { apiVersion: 'v9', fieldPath: 'metadata.name' } }),
        'spec.containers[0].env[0].valueFrom.fieldRef.fieldPath: Invalid value: "metadata.name": error converting fieldPath: unsupported pod version: v9',
      ],
      [
        from({ resourceFieldRef: {} }),
        'spec.containers[0].env[0].valueFrom.resourceFieldRef.resource: Required value',
      ],
      [
        from({ resourceFieldRef: { resource: 'limits.x' } }),
        'spec.containers[0].env[0].valueFrom.resourceFieldRef.resource: Unsupported value: "limits.x": supported values: "limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage", "requests.memory"',
      ],
      [
        from({ resourceFieldRef: { resource: 'limits.cpu', divisor: '3' } }),
        'spec.containers[0].env[0].valueFrom.resourceFieldRef.divisor: Invalid value: "limits.cpu": only divisor\'s values 1m and 1 are supported with the cpu resource',
      ],
      [
        from({ resourceFieldRef: { resource: 'limits.memory', divisor: '3' } }),
        'spec.containers[0].env[0].valueFrom.resourceFieldRef.divisor: Invalid value: "limits.memory": only divisor\'s values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the memory resource',
      ],
      [
        from({ secretKeyRef: { key: 'a b' } }),
        "spec.containers[0].env[0].valueFrom.secretKeyRef.name: Invalid value: \"\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        "spec.containers[0].env[0].valueFrom.secretKeyRef.key: Invalid value: \"a b\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
      ],
      [
        from({ configMapKeyRef: { name: 'c', key: 'a b' } }),
        "spec.containers[0].env[0].valueFrom.configMapKeyRef.key: Invalid value: \"a b\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
      ],
      [
        from({ fieldRef: { fieldPath: 'metadata.name' }, secretKeyRef: { name: 's', key: 'k' } }),
        'spec.containers[0].env[0].valueFrom: Invalid value: "": may not have more than one field specified at a time',
      ],
      [
        from({ fileKeyRef: {} }),
        'spec.containers[0].env[0].valueFrom.fileKeyRef.key: Required value',
        'spec.containers[0].env[0].valueFrom.fileKeyRef.volumeName: Required value',
        'spec.containers[0].env[0].valueFrom.fileKeyRef.path: Required value',
        'spec.containers[0].env[0].valueFrom.fileKeyRef.volumeName: Not found: ""',
      ],
      [
        envFrom({}),
        'spec.containers[0].envFrom: Invalid value: "": must specify one of: `configMapRef` or `secretRef`',
      ],
      [
        envFrom({ configMapRef: {}, secretRef: {} }),
        'spec.containers[0].envFrom[0].configMapRef.name: Required value',
        'spec.containers[0].envFrom[0].secretRef.name: Required value',
        'spec.containers[0].envFrom: Invalid value: "": may not have more than one field specified at a time',
      ],
      [
        envFrom({ prefix: '=', secretRef: { name: 's' } }),
        'spec.containers[0].envFrom[0].prefix: Invalid value: "=": a valid environment variable name must consist only of printable ASCII characters other than \'=\'',
      ],
      [
        inContainer({ env: [{ name: 'a=b', value: 'x' }] }),
        'spec.containers[0].env[0].name: Invalid value: "a=b": a valid environment variable name must consist only of printable ASCII characters other than \'=\'',
      ],
    ]);
  });

  it('reject invalid probes, hooks and policies', async () => {
    using kind = pods();
    const lifecycle = (change: object): { spec: object } => inContainer({ lifecycle: change });
    const probe = (readinessProbe: object): { spec: object } => inContainer({ readinessProbe });
    await kind.refusesToCreate([
      [
        lifecycle({ preStop: {} }),
        'spec.containers[0].lifecycle.preStop: Required value: must specify a handler type',
      ],
      [
        lifecycle({ preStop: { exec: {}, sleep: { seconds: 99 } } }),
        'spec.containers[0].lifecycle.preStop.exec.command: Required value',
        'spec.containers[0].lifecycle.preStop.sleep: Forbidden: may not specify more than 1 handler type',
      ],
      [
        lifecycle({ preStop: { sleep: { seconds: 99 } } }),
        'spec.containers[0].lifecycle.preStop.sleep: Invalid value: 99: must be non-negative and less than terminationGracePeriodSeconds (30)',
      ],
      [
        lifecycle({ postStart: { httpGet: { port: 'A_', path: '', scheme: 'X' } } }),
        'spec.containers[0].lifecycle.postStart.httpGet.port: Invalid value: "A_": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
        'spec.containers[0].lifecycle.postStart.httpGet.port: Invalid value: "A_": must contain at least one letter (a-z)',
        'spec.containers[0].lifecycle.postStart.httpGet.scheme: Unsupported value: "X": supported values: "HTTP", "HTTPS"',
      ],
      [
        lifecycle({ stopSignal: 'SIGTERM' }),
        'spec.containers[0].lifecycle.stopSignal: Forbidden: may not be set for containers with empty `spec.os.name`',
      ],
      [
        probe({ httpGet: { port: 80, httpHeaders: [{ name: 'a b' }], host: 'x' } }),
        "spec.containers[0].readinessProbe.httpGet.httpHeaders: Invalid value: \"a b\": a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')",
      ],
      [
        probe({ tcpSocket: { port: 'A_' } }),
        'spec.containers[0].readinessProbe.tcpSocket.port: Invalid value: "A_": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
        'spec.containers[0].readinessProbe.tcpSocket.port: Invalid value: "A_": must contain at least one letter (a-z)',
      ],
      [
        probe({ grpc: { port: 0 } }),
        'spec.containers[0].readinessProbe.grpc.port: Invalid value: 0: must be between 1 and 65535, inclusive',
      ],
      [
        probe({ exec: { command: ['x'] }, terminationGracePeriodSeconds: 5 }),
        'spec.containers[0].readinessProbe.terminationGracePeriodSeconds: Invalid value: 5: must not be set for readinessProbes',
      ],
      [
        inContainer({
          startupProbe: { exec: { command: ['x'] }, terminationGracePeriodSeconds: 0 },
        }),
        'spec.containers[0].startupProbe.terminationGracePeriodSeconds: Invalid value: 0: must be greater than 0',
      ],
      [
        inContainer({
          resizePolicy: [
            { resourceName: 'x', restartPolicy: 'X' },
            { resourceName: 'cpu' },
            { resourceName: 'cpu' },
          ],
        }),
        'spec.containers[0].resizePolicy: Unsupported value: "x": supported values: "cpu", "memory"',
        'spec.containers[0].resizePolicy: Unsupported value: "X": supported values: "NotRequired", "RestartContainer"',
        'spec.containers[0].resizePolicy: Required value',
        'spec.containers[0].resizePolicy[2]: Duplicate value: "cpu"',
        'spec.containers[0].resizePolicy: Required value',
      ],
      [
        inContainer({ restartPolicy: 'X' }),
        'spec.containers[0].restartPolicy: Unsupported value: "X": supported values: "Always", "Never", "OnFailure"',
      ],
      [
        inContainer({ resources: { claims: [{ name: 'x' }, { name: '' }] } }),
        'spec.containers[0].resources.claims[0]: Not found: "x": must be one of the names in pod.spec.resourceClaims which is empty',
        'spec.containers[0].resources.claims[1]: Required value',
      ],
      [
        inContainer({ resources: { limits: { 'hugepages-2Mi': '1Mi' } } }),
        'spec.containers[0].resources.limits[hugepages-2Mi]: Invalid value: "1Mi": 1Mi is not positive integer multiple of hugepages-2Mi',
        'spec.containers[0].resources.requests[hugepages-2Mi]: Invalid value: "1Mi": 1Mi is not positive integer multiple of hugepages-2Mi',
        'spec.containers[0].resources: Forbidden: HugePages require cpu or memory',
      ],
      [
        inContainer({ resources: { limits: { 'hugepages-2Mi': '3Mi', cpu: '1' } } }),
        'spec.containers[0].resources.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi',
        'spec.containers[0].resources.requests[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi',
      ],
      [
        inContainer({ ports: [{ containerPort: 80, hostPort: 70_000, hostIP: 'x', name: 'A_' }] }),
        'spec.containers[0].ports[0].name: Invalid value: "A_": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
        'spec.containers[0].ports[0].name: Invalid value: "A_": must contain at least one letter (a-z)',
        'spec.containers[0].ports[0].hostPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
      ],
    ]);
  });

  it('have different rules as init containers and sidecars', async () => {
    using kind = pods();
    const init = (change: object): { spec: object } =>
      inSpec({ initContainers: [{ name: 'i', image: 'x', ...change }] });
    const probe = { exec: { command: ['x'] } };
    await kind.refusesToCreate([
      [
        init({ restartPolicy: 'Sometimes' }),
        'spec.initContainers[0].restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "Never", "OnFailure"',
      ],
      [
        init({ lifecycle: { preStop: { exec: { command: ['x'] } } } }),
        'spec.initContainers[0].lifecycle: Forbidden: may not be set for init containers without restartPolicy=Always',
      ],
      [
        init({ livenessProbe: probe, readinessProbe: probe, startupProbe: probe }),
        'spec.initContainers[0].livenessProbe: Forbidden: may not be set for init containers without restartPolicy=Always',
        'spec.initContainers[0].readinessProbe: Forbidden: may not be set for init containers without restartPolicy=Always',
        'spec.initContainers[0].startupProbe: Forbidden: may not be set for init containers without restartPolicy=Always',
      ],
      [
        init({ restartPolicy: 'Always', readinessProbe: {} }),
        'spec.initContainers[0].readinessProbe: Required value: must specify a handler type',
      ],
      [
        init({
          ports: [
            { containerPort: 80, hostPort: 81 },
            { containerPort: 82, hostPort: 81 },
          ],
        }),
        'spec.initContainers[0].ports[1].hostPort: Duplicate value: "TCP//81"',
      ],
    ]);
    await kind.created(
      init({ restartPolicy: 'Always', livenessProbe: probe, startupProbe: probe }),
    );
  });
});
