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

  it('rejects invalid update strategies', async () => {
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
