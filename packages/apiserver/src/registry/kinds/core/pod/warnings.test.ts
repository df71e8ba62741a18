import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { type Part, TestKind, warningsIn } from '../../../../testing/test-kind.ts';

const PODS = '/api/v1/namespaces/default/pods';
const CONTAINER = { name: 'main', image: 'registry.example.com/app:1' };
const POD = { metadata: { name: 'p' }, spec: { containers: [CONTAINER] } };

const pods = (): TestKind => new TestKind(PODS, POD);
const inSpec = (spec: object): { spec: object } => ({ spec });
const inContainer = (change: object): { spec: object } => ({
  spec: { containers: [{ ...CONTAINER, ...change }] },
});

describe('warnings about a pod', () => {
  const warned = async (change: Part, ...warnings: string[]): Promise<void> => {
    using kind = pods();
    assert.deepEqual(await kind.warnings(change), warnings, JSON.stringify(change));
  };

  it('are absent for an ordinary pod', async () => {
    await warned({});
  });

  it('cover names that are not hostnames', async () => {
    await warned(
      { metadata: { name: 'a.b' } },
      `metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]`,
    );
  });

  it('cover variables that hide others', async () => {
    await warned(
      inContainer({
        env: [
          { name: 'A', value: '1' },
          { name: 'A', value: '2' },
          { name: 'A', value: '$(A)3' },
        ],
      }),
      'spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply',
    );
  });

  it('cover deprecated node labels', async () => {
    const old = 'beta.kubernetes.io/os';
    const says = 'deprecated since v1.14; use "kubernetes.io/os" instead';
    await warned(inSpec({ nodeSelector: { [old]: 'x' } }), `spec.nodeSelector[${old}]: ${says}`);
    await warned(
      inSpec({
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: old, operator: 'Exists' }] }],
            },
          },
        },
      }),
      `spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].key: ${old} is ${says}`,
    );
    await warned(
      inSpec({
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: old,
            whenUnsatisfiable: 'DoNotSchedule',
            labelSelector: { matchLabels: { a: 'b' } },
          },
        ],
      }),
      `spec.topologySpreadConstraints[0].topologyKey: ${old} is ${says}`,
    );
  });

  it('cover selectors that match nothing', async () => {
    await warned(
      inSpec({
        topologySpreadConstraints: [
          { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' },
        ],
      }),
      'spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod',
    );
  });

  it('cover fractional bytes', async () => {
    await warned(
      inContainer({ resources: { requests: { memory: '1500m' } } }),
      'spec.containers[0].resources.requests[memory]: fractional byte value "1500m" is invalid, must be an integer',
    );
  });

  it('cover duplicate ports', async () => {
    await warned(
      inContainer({ ports: [{ containerPort: 80 }, { containerPort: 80 }] }),
      'spec.containers[0].ports[1]: duplicate port definition with spec.containers[0].ports[0]',
    );
    await warned(
      inSpec({
        containers: [
          { ...CONTAINER, ports: [{ name: 'a', containerPort: 80 }] },
          { ...CONTAINER, name: 'other', ports: [{ name: 'a', containerPort: 81 }] },
        ],
      }),
      'spec.containers[1].ports[0]: duplicate port name "a" with spec.containers[0].ports[0], services and probes that select ports by name will use spec.containers[0].ports[0]',
    );
  });

  it('cover unsupported volume sources', async () => {
    await warned(
      inSpec({ volumes: [{ name: 'v', rbd: { monitors: ['m'], image: 'i' } }] }),
      'spec.volumes[0].rbd: deprecated in v1.28, non-functional in v1.31+',
    );
  });

  it('cover files that hide each other', async () => {
    const source = (name: string): object => ({
      configMap: { name, items: [{ key: 'k', path: 'p' }] },
    });
    await warned(
      inSpec({
        volumes: [{ name: 'v', projected: { sources: [source('a'), { secret: { name: 's' } }] } }],
      }),
    );
  });

  it('cover annotations that fields have replaced', async () => {
    await warned(
      { metadata: { annotations: { 'scheduler.alpha.kubernetes.io/critical-pod': '' } } },
      'metadata.annotations[scheduler.alpha.kubernetes.io/critical-pod]: non-functional in v1.16+; use the "priorityClassName" field instead',
    );
    await warned(
      { metadata: { annotations: { 'seccomp.security.alpha.kubernetes.io/pod': 'unconfined' } } },
      'metadata.annotations[seccomp.security.alpha.kubernetes.io/pod]: non-functional in v1.27+; use the "seccompProfile" field instead',
    );
  });

  it('cover non-canonical addresses', async () => {
    await warned(
      inSpec({ hostAliases: [{ ip: '2001:DB8::1', hostnames: ['a'] }] }),
      'spec.hostAliases[0].ip: IPv6 address "2001:DB8::1" should be in RFC 5952 canonical format ("2001:db8::1")',
    );
  });

  it('cover pull secrets without a name', async () => {
    await warned(
      inSpec({ imagePullSecrets: [{ name: '' }] }),
      'spec.imagePullSecrets[0].name: invalid empty name ""',
    );
  });
});

describe('the AppArmor profile of a pod', () => {
  const prefix = 'container.apparmor.security.beta.kubernetes.io/';

  it('comes from annotations where there is no field', async () => {
    using kind = pods();
    const answer = await kind.tryCreate({
      metadata: { annotations: { [`${prefix}main`]: 'localhost/x' } },
    });
    const { containers } = answer.body['spec'] as { containers: { securityContext: object }[] };
    assert.deepEqual(containers[0]?.securityContext, {
      appArmorProfile: { type: 'Localhost', localhostProfile: 'x' },
    });
    assert.deepEqual(warningsIn(answer), [
      `metadata.annotations[${prefix}main]: deprecated since v1.30; use the "appArmorProfile" field instead`,
    ]);
  });
});
