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

describe('a Deployment', () => {
  const deployments = (): TestKind => new TestKind(`${APPS}/deployments`, WORKLOAD);

  it('rejects invalid rollout settings', async () => {
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

  it('increments the generation for changed annotations too', async () => {
    using kind = deployments();
    const object = await kind.given();
    const { metadata } = await kind.updated(object, { metadata: { annotations: { a: 'b' } } });
    assert.equal(metadata.generation, 2);
  });

  it('rejects a status whose counters contradict each other', async () => {
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

  it('warns about names that are not hostnames', async () => {
    using kind = deployments();
    assert.deepEqual(await kind.warnings({ metadata: { name: 'a.b' } }), [
      'metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]',
    ]);
  });
});
