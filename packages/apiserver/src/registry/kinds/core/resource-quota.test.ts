import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestKind } from '../../../testing/test-kind.ts';
import { TestServer } from '../../../testing/test-server.ts';

const NAMESPACE = '/api/v1/namespaces/default';

const inSpec = (spec: object): { spec: object } => ({ spec });

describe('a ResourceQuota', () => {
  it('rejects invalid resources and scopes', async () => {
    // A server that counts changes the quota after each write.
    using kind = new TestKind(
      `${NAMESPACE}/resourcequotas`,
      { metadata: { name: 'q' }, spec: { hard: { pods: '5' } } },
      new TestServer({ controllers: false }),
    );
    await kind.refusesToCreate([
      [
        inSpec({ hard: { x: '1' } }),
        'spec.hard[x]: Invalid value: "x": must be a standard resource type or fully qualified',
        'spec.hard[x]: Invalid value: "x": must be a standard resource for quota',
      ],
      [
        inSpec({ hard: { pods: '-1' } }),
        'spec.hard[pods]: Invalid value: "-1": must be greater than or equal to 0',
      ],
      [
        inSpec({ hard: { pods: '1500m' } }),
        'spec.hard[pods]: Invalid value: "1500m": must be an integer',
      ],
      [inSpec({ scopes: ['X'] }), 'spec.scopes: Invalid value: ["X"]: unsupported scope'],
      [
        inSpec({ scopes: ['BestEffort', 'NotBestEffort'] }),
        'spec.scopes: Invalid value: ["BestEffort","NotBestEffort"]: conflicting scopes',
      ],
      [
        inSpec({ scopes: ['BestEffort'], hard: { services: '1' } }),
        'spec.scopes: Invalid value: ["BestEffort"]: unsupported scope applied to resource',
      ],
      [
        inSpec({
          scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In' }] },
        }),
        "spec.scopeSelector.matchExpressions.values: Required value: must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
      ],
      [
        inSpec({
          scopeSelector: {
            matchExpressions: [{ scopeName: 'BestEffort', operator: 'In', values: ['a'] }],
          },
        }),
        'spec.scopeSelector.matchExpressions.operator: Invalid value: "In": must be \'Exists\' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity',
      ],
      [
        inSpec({
          scopeSelector: {
            matchExpressions: [{ scopeName: 'X', operator: 'Exists', values: ['a'] }],
          },
        }),
        'spec.scopeSelector.matchExpressions.scopeName: Invalid value: "X": unsupported scope',
        "spec.scopeSelector.matchExpressions.values: Invalid value: [\"a\"]: must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
      ],
    ]);
    const quota = await kind.given();
    await kind.refusesToUpdate(quota, [
      [
        inSpec({ scopes: ['Terminating'] }),
        'spec.scopes: Invalid value: ["Terminating"]: field is immutable',
      ],
    ]);
    await kind.refusesToUpdate(
      quota,
      [
        [
          { status: { used: { pods: '-1' } } },
          'status.used[pods]: Invalid value: "-1": must be greater than or equal to 0',
        ],
      ],
      '/status',
    );
    assert.deepEqual(
      await kind.warnings({
        metadata: { name: 'r' },
        spec: { hard: { cpu: '2', 'limits.cpu': '1' } },
      }),
      ['ResourceQuota cpu (2) should be less than limits.cpu (1)'],
    );
  });
});
