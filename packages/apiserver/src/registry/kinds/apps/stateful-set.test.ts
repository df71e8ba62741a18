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

describe('a StatefulSet', () => {
  const sets = (): TestKind =>
    new TestKind(`${APPS}/statefulsets`, { ...WORKLOAD, spec: { ...SPEC, serviceName: 's' } });

  it('defaults its update strategy', async () => {
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

  it('rejects invalid update strategies', async () => {
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

  it('rejects changes of immutable fields', async () => {
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
