import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestKind } from '../../testing/test-kind.ts';
import type { TestObject } from '../../testing/test-object.ts';

const PODS = '/api/v1/namespaces/default/pods';
const CONTAINER = { name: 'main', image: 'registry.example.com/app:1' };
const POD = {
  metadata: { name: 'p' },
  spec: { containers: [CONTAINER], activeDeadlineSeconds: 100 },
};

const pods = (): TestKind => new TestKind(PODS, POD);

/** The containers of a pod as it came back, each with a change. */
function changed(pod: TestObject, change: object): { spec: object } {
  const { containers } = pod['spec'] as { containers: object[] };
  return { spec: { containers: containers.map((container) => ({ ...container, ...change })) } };
}

describe('an update of a pod', () => {
  it('may change images, tolerations, deadlines and gates', async () => {
    using kind = pods();
    const pod = await kind.given({ spec: { schedulingGates: [{ name: 'a' }, { name: 'b' }] } });
    const { metadata } = await kind.updated(pod, changed(pod, { image: 'x:2' }));
    assert.equal(metadata.generation, 2);
    await kind.updated(pod, { spec: { activeDeadlineSeconds: 50 } });
    await kind.updated(pod, { spec: { schedulingGates: [{ name: 'b' }] } });
    const { tolerations } = pod['spec'] as { tolerations: object[] };
    await kind.updated(pod, {
      spec: { tolerations: [...tolerations, { key: 'x', operator: 'Exists' }] },
    });
    await kind.updated(pod, { spec: { nodeSelector: { disk: 'fast' } } });
    await kind.updated(pod, { metadata: { labels: { a: 'b' } } });
  });

  it('changes nothing else, and says what it would have changed', async () => {
    using kind = pods();
    const pod = await kind.given();
    const { body } = await kind.tryUpdate(pod, { spec: { hostname: 'h' } });
    assert.equal(
      body.details?.causes?.[0]?.message,
      'Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)\n' +
        '@@ -64,7 +64,7 @@\n   "SELinuxChangePolicy": null\n  },\n  "ImagePullSecrets": null,\n- "Hostname": "",\n+ "Hostname": "h",\n  "Subdomain": "",\n  "SetHostnameAsFQDN": null,\n  "Affinity": null,\n',
    );
  });

  it('can only make a deadline shorter, and gates fewer', async () => {
    using kind = pods();
    const pod = await kind.given();
    await kind.refusesToUpdate(pod, [
      [
        { spec: { activeDeadlineSeconds: 200 } },
        'spec.activeDeadlineSeconds: Invalid value: 200: must be less than or equal to previous value',
      ],
      [
        { spec: { activeDeadlineSeconds: undefined } },
        'spec.activeDeadlineSeconds: Invalid value: null: must not update from a positive integer to nil value',
      ],
      [
        { spec: { schedulingGates: [{ name: 'a' }] } },
        "spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate 'a'",
      ],
      [
        { spec: { containers: [] } },
        'spec.containers: Required value',
        'spec.containers: Forbidden: pod updates may not add or remove containers',
      ],
      [changed(pod, { image: '' }), 'spec.containers[0].image: Required value'],
      [
        { metadata: { name: 'q' } },
        '400: the name of the object (q) does not match the name on the URL (p)',
      ],
    ]);
  });

  it('keeps what the server gave it', async () => {
    using kind = pods();
    const pod = await kind.given();
    const { metadata, spec, status } = await kind.updated(pod, {
      metadata: { generation: 7, creationTimestamp: undefined, labels: { a: 'b' } },
      spec: { priority: undefined, tolerations: undefined },
      status: { phase: 'Running' },
    });
    assert.equal(metadata.generation, 1);
    assert.deepEqual([spec, status], [pod['spec'], pod['status']]);
  });
});

describe('an update of the status of a pod', () => {
  it('changes only the status', async () => {
    using kind = pods();
    const pod = await kind.given({ spec: { nodeName: 'n' } });
    const { spec, status } = await kind.updated(
      pod,
      {
        spec: { hostname: 'h' },
        status: { phase: 'Running', podIP: '10.1.2.3', hostIP: '10.1.2.4' },
      },
      '/status',
    );
    assert.deepEqual(spec, pod['spec']);
    assert.deepEqual(status, {
      phase: 'Running',
      podIP: '10.1.2.3',
      podIPs: [{ ip: '10.1.2.3' }],
      hostIP: '10.1.2.4',
      qosClass: 'BestEffort',
    });
  });

  it('makes sense', async () => {
    using kind = pods();
    const pod = await kind.given({ spec: { nodeName: 'n', restartPolicy: 'Never' } });
    await kind.refusesToUpdate(
      pod,
      [
        [
          { status: { podIPs: [{ ip: 'x' }], podIP: 'x' } },
          'status.podIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        ],
        [
          { status: { podIP: '1.1.1.1', podIPs: [{ ip: '1.1.1.1' }, { ip: '1.1.1.2' }] } },
          'status.podIPs: Invalid value: [{"IP":"1.1.1.1"},{"IP":"1.1.1.2"}]: may specify no more than one IP for each IP family',
        ],
        [
          { status: { nominatedNodeName: 'A b' } },
          "status.nominatedNodeName: Invalid value: \"A b\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
          'status.nominatedNodeName: Forbidden: may not be set on pods that are already bound to a node',
        ],
        [
          { status: { qosClass: 'Guaranteed' } },
          'status.qosClass: Invalid value: "Guaranteed": field is immutable',
        ],
        [
          { status: { conditions: [{ type: 'A b', status: 'True' }] } },
          "status.conditions[0].Type: Invalid value: \"A b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        ],
        [
          { metadata: { labels: { 'a b': 'c' } } },
          "metadata.labels: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        ],
      ],
      '/status',
    );
  });
});
