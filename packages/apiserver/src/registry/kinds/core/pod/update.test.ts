import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestKind } from '../../../../testing/test-kind.ts';
import type { TestObject } from '../../../../testing/test-object.ts';

const PODS = '/api/v1/namespaces/default/pods';
const CONTAINER = { name: 'main', image: 'registry.example.com/app:1' };
const POD = {
  metadata: { name: 'p' },
  spec: { containers: [CONTAINER], activeDeadlineSeconds: 100 },
};

const pods = (): TestKind => new TestKind(PODS, POD);

/** Returns the containers of a stored pod, each with a change. */
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

  it('rejects other changes, and names the changed fields', async () => {
    using kind = pods();
    const pod = await kind.given();
    const { body } = await kind.tryUpdate(pod, { spec: { hostname: 'h' } });
    assert.equal(
      body.details?.causes?.[0]?.message,
      'Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)\n' +
        'changed fields: spec.hostname',
    );
  });

  it('rejects longer deadlines and new gates', async () => {
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

  it('may restrict the nodes of a gated pod, but not widen them', async () => {
    using kind = pods();
    const affinity = (...expressions: object[]): object => ({
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: expressions }],
        },
      },
    });
    const first = { key: 'a', operator: 'Exists' };
    const second = { key: 'b', operator: 'Exists' };
    const pod = await kind.given({
      spec: {
        schedulingGates: [{ name: 'a' }],
        nodeSelector: { a: 'b' },
        affinity: affinity(first),
      },
    });
    await kind.updated(pod, { spec: { affinity: affinity(first, second) } });
    const free = await kind.given({
      metadata: { name: 'q' },
      spec: { schedulingGates: [{ name: 'a' }] },
    });
    await kind.updated(free, { spec: { affinity: affinity(first) } });
    await kind.refusesToUpdate(pod, [
      [
        { spec: { nodeSelector: { a: 'c' } } },
        'spec.nodeSelector: Invalid value: {"a":"c"}: only additions to spec.nodeSelector are allowed (no mutations or deletions)',
      ],
      [
        { spec: { affinity: affinity(second) } },
        'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]: Invalid value: {"matchExpressions":[{"key":"b","operator":"Exists"}]}: only additions are allowed (no mutations or deletions)',
      ],
      [
        { spec: { affinity: undefined } },
        'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms: Invalid value: []: no additions/deletions to non-empty NodeSelectorTerms list are allowed',
      ],
    ]);
  });

  it('may extend tolerations, and reset a negative grace period', async () => {
    using kind = pods();
    const toleration = { key: 'x', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 };
    const pod = await kind.given({
      spec: { terminationGracePeriodSeconds: -1, tolerations: [toleration] },
    });
    await kind.updated(pod, { spec: { terminationGracePeriodSeconds: 1 } });
    const longer = { ...toleration, tolerationSeconds: 9 };
    await kind.updated(pod, { spec: { tolerations: [longer] } });
    await kind.refusesToUpdate(pod, [
      [
        { spec: { tolerations: [{ ...toleration, key: 'y' }] } },
        'spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds',
      ],
      [
        changed(pod, { image: ' x' }),
        'spec.containers[0].image: Invalid value: " x": must not have leading or trailing whitespace',
      ],
      [
        { spec: { activeDeadlineSeconds: -1 } },
        'spec.activeDeadlineSeconds: Invalid value: -1: must be between 1 and 2147483647, inclusive',
        'spec.activeDeadlineSeconds: Invalid value: -1: must be between 0 and 2147483647, inclusive',
      ],
    ]);
  });

  it('keeps what the server has set', async () => {
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

describe('a status update of a pod', () => {
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

  it('rejects invalid addresses and conditions', async () => {
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

  it('rejects restarts of terminated containers', async () => {
    using kind = pods();
    const ended = { name: 'main', state: { terminated: { exitCode: 1 } } };
    const running = { name: 'main', state: { running: {} } };
    for (const [restartPolicy, exitCode, mayRun] of [
      ['Never', 1, false],
      ['OnFailure', 1, true],
      ['OnFailure', 0, false],
      ['Always', 0, true],
    ] as const) {
      const name = `${restartPolicy}-${exitCode}`.toLowerCase();
      const pod = await kind.given({ metadata: { name }, spec: { restartPolicy } });
      const terminated = { ...ended, state: { terminated: { exitCode } } };
      const stored = await kind.server.given('put', `${PODS}/${name}/status`, {
        ...pod,
        status: { containerStatuses: [terminated] },
      });
      const change = { status: { containerStatuses: [running] } };
      const { status } = await kind.tryUpdate(stored, change, '/status');
      assert.equal(status === 200, mayRun, name);
    }
  });
});
