import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestKind } from '../../../testing/test-kind.ts';

const APPS = '/apis/apps/v1/namespaces/default';
const TEMPLATE = {
  metadata: { labels: { app: 'a' } },
  spec: { containers: [{ name: 'main', image: 'registry.example.com/app:1' }] },
};
const SPEC = { selector: { matchLabels: { app: 'a' } }, template: TEMPLATE };
const WORKLOAD = { metadata: { name: 'w' }, spec: SPEC };

const inSpec = (spec: object): { spec: object } => ({ spec });

describe('every workload', () => {
  const kinds = ['deployments', 'replicasets', 'statefulsets', 'daemonsets'];

  it('selects the pods that it makes', async () => {
    for (const resource of kinds) {
      using kind = new TestKind(`${APPS}/${resource}`, WORKLOAD);
      const { body } = await kind.tryCreate(inSpec({ selector: { matchLabels: { app: 'b' } } }));
      assert.deepEqual(
        body.details?.causes,
        [
          {
            reason: 'FieldValueInvalid',
            field: 'spec.template.metadata.labels',
            message: 'Invalid value: {"app":"a"}: `selector` does not match template `labels`',
          },
        ],
        resource,
      );
    }
  });

  it('makes pods that restart and last', async () => {
    for (const resource of kinds) {
      using kind = new TestKind(`${APPS}/${resource}`, WORKLOAD);
      await kind.refusesToCreate([
        [
          inSpec({ template: { spec: { restartPolicy: 'Never' } } }),
          'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
        ],
        [
          inSpec({ template: { spec: { containers: [] } } }),
          'spec.template.spec.containers: Required value',
        ],
      ]);
    }
  });

  it('keeps its selector', async () => {
    for (const resource of kinds) {
      using kind = new TestKind(`${APPS}/${resource}`, {
        ...WORKLOAD,
        spec: { ...SPEC, template: { ...TEMPLATE, metadata: { labels: { app: 'a', b: 'c' } } } },
      });
      const object = await kind.given();
      const { body } = await kind.tryUpdate(
        object,
        inSpec({ selector: { matchLabels: { b: 'c' } } }),
      );
      assert.equal(body.code, 422, resource);
    }
  });

  it('counts the changes of its spec', async () => {
    for (const resource of kinds) {
      using kind = new TestKind(`${APPS}/${resource}`, WORKLOAD);
      const object = await kind.given();
      assert.equal(object.metadata.generation, 1);
      const changed = await kind.updated(
        object,
        inSpec({ template: { metadata: { annotations: { a: 'b' } } } }),
      );
      assert.equal(changed.metadata.generation, 2, resource);
      const same = await kind.updated(object, { metadata: { labels: { a: 'b' } } });
      assert.equal(same.metadata.generation, 1, resource);
    }
  });

  it('changes its status through an endpoint of its own', async () => {
    for (const resource of kinds) {
      using kind = new TestKind(`${APPS}/${resource}`, WORKLOAD);
      const object = await kind.given();
      const { status, spec } = await kind.updated(
        object,
        { status: { observedGeneration: 1 }, spec: { minReadySeconds: 5 } },
        '/status',
      );
      assert.equal((status as { observedGeneration: number }).observedGeneration, 1, resource);
      assert.deepEqual(spec, object['spec']);
    }
  });
});

describe('a Deployment', () => {
  const deployments = (): TestKind => new TestKind(`${APPS}/deployments`, WORKLOAD);

  it('rolls out in a way that can be', async () => {
    using kind = deployments();
    await kind.refusesToCreate([
      [
        inSpec({ replicas: -1 }),
        'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
      ],
      [
        inSpec({ selector: undefined }),
        'spec.selector: Required value',
        'spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`',
      ],
      [
        inSpec({ selector: { matchLabels: undefined } }),
        'spec.selector: Invalid value: {}: empty selector is invalid for deployment',
      ],
      [
        inSpec({ minReadySeconds: -1 }),
        'spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0',
      ],
      [
        inSpec({ minReadySeconds: 600 }),
        'spec.progressDeadlineSeconds: Invalid value: 600: must be greater than minReadySeconds',
      ],
      [
        inSpec({ strategy: { type: 'X' } }),
        'spec.strategy: Unsupported value: {"Type":"X","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"',
      ],
      [
        inSpec({ strategy: { type: 'Recreate', rollingUpdate: {} } }),
        "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'",
      ],
      [
        inSpec({ strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } }),
        'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0',
      ],
      [
        inSpec({ strategy: { rollingUpdate: { maxSurge: '10', maxUnavailable: '101%' } } }),
        "spec.strategy.rollingUpdate.maxSurge: Invalid value: \"10\": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
        'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "101%": must not be greater than 100%',
      ],
      [
        inSpec({ strategy: { rollingUpdate: { maxSurge: -1 } } }),
        'spec.strategy.rollingUpdate.maxSurge: Invalid value: -1: must be greater than or equal to 0',
      ],
      [
        inSpec({ revisionHistoryLimit: -1 }),
        'spec.revisionHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
      ],
      [
        inSpec({ template: { spec: { activeDeadlineSeconds: 5 } } }),
        'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported',
      ],
    ]);
  });

  it('counts changes of annotations as well', async () => {
    using kind = deployments();
    const object = await kind.given();
    const { metadata } = await kind.updated(object, { metadata: { annotations: { a: 'b' } } });
    assert.equal(metadata.generation, 2);
  });

  it('has a status that adds up', async () => {
    using kind = deployments();
    const object = await kind.given();
    await kind.refusesToUpdate(
      object,
      [
        [
          { status: { replicas: -1 } },
          'status.replicas: Invalid value: -1: must be greater than or equal to 0',
          'status.updatedReplicas: Invalid value: 0: cannot be greater than status.replicas',
          'status.readyReplicas: Invalid value: 0: cannot be greater than status.replicas',
          'status.availableReplicas: Invalid value: 0: cannot be greater than status.replicas',
        ],
        [
          { status: { replicas: 1, updatedReplicas: 2 } },
          'status.updatedReplicas: Invalid value: 2: cannot be greater than status.replicas',
        ],
        [
          { status: { replicas: 2, readyReplicas: 1, availableReplicas: 2 } },
          'status.availableReplicas: Invalid value: 2: cannot be greater than readyReplicas',
        ],
      ],
      '/status',
    );
  });

  it('warns about names that are no host names', async () => {
    using kind = deployments();
    assert.deepEqual(await kind.warnings({ metadata: { name: 'a.b' } }), [
      'metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]',
    ]);
  });
});

describe('a StatefulSet', () => {
  const sets = (): TestKind =>
    new TestKind(`${APPS}/statefulsets`, { ...WORKLOAD, spec: { ...SPEC, serviceName: 's' } });

  it('fills in how it is updated', async () => {
    using kind = sets();
    const { spec } = await kind.created();
    const { template: _, selector: _selector, ...rest } = spec as Record<string, unknown>;
    assert.deepEqual(rest, {
      replicas: 1,
      serviceName: 's',
      podManagementPolicy: 'OrderedReady',
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      revisionHistoryLimit: 10,
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
    });
  });

  it('is updated in a way that can be', async () => {
    using kind = sets();
    await kind.refusesToCreate([
      [
        inSpec({ podManagementPolicy: 'X' }),
        "spec.podManagementPolicy: Invalid value: \"X\": must be 'OrderedReady' or 'Parallel'",
      ],
      [
        inSpec({ updateStrategy: { type: 'X' } }),
        'spec.updateStrategy: Invalid value: {"Type":"X","RollingUpdate":null}: must be \'RollingUpdate\' or \'OnDelete\'',
      ],
      [
        inSpec({ updateStrategy: { type: 'OnDelete', rollingUpdate: { partition: 1 } } }),
        'spec.updateStrategy.rollingUpdate: Invalid value: {"Partition":1,"MaxUnavailable":null}: only allowed for updateStrategy \'RollingUpdate\'',
      ],
      [
        inSpec({ updateStrategy: { rollingUpdate: { partition: -1 } } }),
        'spec.updateStrategy.rollingUpdate.partition: Invalid value: -1: must be greater than or equal to 0',
      ],
      [
        inSpec({ replicas: -1 }),
        'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
      ],
      [
        inSpec({ ordinals: { start: -1 } }),
        'spec.ordinals.start: Invalid value: -1: must be greater than or equal to 0',
      ],
      [
        inSpec({ persistentVolumeClaimRetentionPolicy: { whenDeleted: 'X' } }),
        'spec.persistentVolumeClaimRetentionPolicy.whenDeleted: Unsupported value: "X": supported values: "Retain", "Delete"',
      ],
      [
        inSpec({ selector: { matchLabels: undefined } }),
        'spec.selector: Invalid value: {}: empty selector is invalid for statefulset',
      ],
    ]);
  });

  it('changes few things once it is there', async () => {
    using kind = sets();
    const object = await kind.given();
    await kind.updated(object, inSpec({ replicas: 3, minReadySeconds: 2 }));
    await kind.refusesToUpdate(object, [
      [
        inSpec({ serviceName: 't' }),
        "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
      ],
      [
        inSpec({ podManagementPolicy: 'Parallel' }),
        "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
      ],
    ]);
  });
});

describe('a DaemonSet', () => {
  const sets = (): TestKind => new TestKind(`${APPS}/daemonsets`, WORKLOAD);

  it('counts the generations of its template', async () => {
    using kind = sets();
    const name = 'deprecated.daemonset.template.generation';
    const object = await kind.given();
    assert.equal(object.metadata.annotations?.[name], '1');
    const changed = await kind.updated(
      object,
      inSpec({ template: { spec: { hostNetwork: true } } }),
    );
    assert.equal(changed.metadata.annotations?.[name], '2');
    const same = await kind.updated(object, { metadata: { annotations: {} } });
    assert.equal(same.metadata.annotations?.[name], '1');
  });

  it('is updated in a way that can be', async () => {
    using kind = sets();
    await kind.refusesToCreate([
      [
        inSpec({ updateStrategy: { type: 'X' } }),
        'spec.updateStrategy: Unsupported value: {"Type":"X","RollingUpdate":null}: supported values: "RollingUpdate", "OnDelete"',
      ],
      [
        inSpec({ updateStrategy: { rollingUpdate: { maxUnavailable: 0 } } }),
        'spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0',
      ],
      [
        inSpec({ updateStrategy: { rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } } }),
        'spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero',
      ],
      [
        inSpec({ updateStrategy: { rollingUpdate: { maxUnavailable: '200%' } } }),
        'spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: "200%": must not be greater than 100%',
      ],
      [
        inSpec({ selector: { matchLabels: undefined } }),
        'spec.selector: Invalid value: {}: empty selector is invalid for daemonset',
      ],
    ]);
  });
});

describe('a ReplicationController', () => {
  it('takes selector and labels from its template', async () => {
    using kind = new TestKind('/api/v1/namespaces/default/replicationcontrollers', {
      metadata: { name: 'r' },
      spec: { template: TEMPLATE },
    });
    const { metadata, spec } = await kind.created();
    assert.deepEqual(metadata.labels, { app: 'a' });
    assert.deepEqual((spec as { selector: unknown }).selector, { app: 'a' });
    assert.equal((spec as { replicas: unknown }).replicas, 1);
    await kind.refusesToCreate([
      [
        inSpec({ template: undefined }),
        'spec.selector: Required value',
        'spec.template: Required value',
      ],
      [
        inSpec({ selector: { app: 'b' } }),
        'spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`',
      ],
      [
        inSpec({ replicas: -1 }),
        'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
      ],
    ]);
  });
});

describe('a ControllerRevision', () => {
  it('holds an object that stays', async () => {
    using kind = new TestKind(`${APPS}/controllerrevisions`, {
      metadata: { name: 'r' },
      data: { a: null },
      revision: 1,
    });
    await kind.refusesToCreate([
      [{ data: undefined }, 'data: Required value: data is mandatory'],
      [{ data: 5 }, 'data: Required value: data must be a valid JSON object'],
      [{ revision: -1 }, 'revision: Invalid value: -1: must be greater than or equal to 0'],
    ]);
    const object = await kind.given();
    await kind.updated(object, { revision: 2 });
    await kind.refusesToUpdate(object, [
      [{ data: { a: 1 } }, 'data: Invalid value: {"a":1}: field is immutable'],
    ]);
  });
});

describe('a PodTemplate', () => {
  it('has a template that pods can be made from', async () => {
    using kind = new TestKind('/api/v1/namespaces/default/podtemplates', {
      metadata: { name: 't' },
      template: TEMPLATE,
    });
    await kind.refusesToCreate([
      [{ template: { spec: { containers: [] } } }, 'template.spec.containers: Required value'],
    ]);
    const object = await kind.given();
    const { metadata } = await kind.updated(object, { template: { spec: { hostname: 'h' } } });
    assert.equal(metadata.generation, 2);
  });
});
