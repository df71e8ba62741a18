import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestKind } from '../../../testing/test-kind.ts';

const inSpec = (spec: object): { spec: object } => ({ spec });

describe('flow control', () => {
  const FLOW = '/apis/flowcontrol.apiserver.k8s.io/v1';

  it('FlowSchema: rejects invalid rules and subjects', async () => {
    using kind = new TestKind(`${FLOW}/flowschemas`, {
      metadata: { name: 'f' },
      spec: { priorityLevelConfiguration: { name: 'global-default' } },
    });
    const rules = (change: object): { spec: object } =>
      inSpec({
        rules: [
          {
            subjects: [{ kind: 'User', user: { name: 'u' } }],
            resourceRules: [
              { verbs: ['get'], apiGroups: [''], resources: ['pods'], namespaces: ['*'] },
            ],
            ...change,
          },
        ],
      });
    await kind.created(rules({}));
    await kind.refusesToCreate([
      [
        inSpec({ matchingPrecedence: -1 }),
        'spec.matchingPrecedence: Invalid value: -1: must be a positive value',
      ],
      [
        inSpec({ matchingPrecedence: 10_001 }),
        'spec.matchingPrecedence: Invalid value: 10001: must not be greater than 10000',
      ],
      [
        inSpec({ matchingPrecedence: 1 }),
        "spec.matchingPrecedence: Invalid value: 1: only the schema named 'exempt' may have matchingPrecedence 1",
      ],
      [
        inSpec({ distinguisherMethod: { type: 'X' } }),
        'spec.distinguisherMethod.type: Unsupported value: {"Type":"X"}: supported values: "ByNamespace", "ByUser"',
      ],
      [
        inSpec({ priorityLevelConfiguration: { name: '' } }),
        'spec.priorityLevelConfiguration.name: Required value: must reference a priority level',
      ],
      [
        rules({ subjects: [] }),
        'spec.rules[0].subjects: Required value: subjects must contain at least one value',
      ],
      [
        rules({ resourceRules: [] }),
        'spec.rules[0]: Required value: at least one of resourceRules and nonResourceRules has to be non-empty',
      ],
      [
        rules({ subjects: [{ kind: 'X' }] }),
        'spec.rules[0].subjects[0].kind: Unsupported value: "X": supported values: "Group", "ServiceAccount", "User"',
      ],
      [
        rules({ subjects: [{ kind: 'User', group: { name: 'g' } }] }),
        "spec.rules[0].subjects[0].user: Required value: user is required when subject kind is 'User'",
        "spec.rules[0].subjects[0].group: Forbidden: group is forbidden when subject kind is not 'Group'",
      ],
      [
        rules({ subjects: [{ kind: 'ServiceAccount', serviceAccount: { name: 'A' } }] }),
        "spec.rules[0].subjects[0].serviceAccount.name: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        'spec.rules[0].subjects[0].serviceAccount.namespace: Required value: must specify namespace for service account',
      ],
      [
        rules({
          resourceRules: [
            { verbs: ['fly'], apiGroups: ['*', ''], resources: [], namespaces: ['A'] },
          ],
        }),
        'spec.rules[0].resourceRules[0].verbs: Unsupported value: ["fly"]: supported values: "create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"',
        'spec.rules[0].resourceRules[0].apiGroups: Invalid value: ["*",""]: if \'*\' is present, must not specify other api groups',
        'spec.rules[0].resourceRules[0].resources: Required value: resource rules must supply at least one resource',
        "spec.rules[0].resourceRules[0].namespaces[0]: Invalid value: \"A\": each member of this list must be '*' or a DNS-1123 label; a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      ],
      [
        rules({
          resourceRules: [{ verbs: [], apiGroups: [''], resources: ['*'], namespaces: [] }],
        }),
        'spec.rules[0].resourceRules[0].verbs: Required value: verbs must contain at least one value',
        'spec.rules[0].resourceRules[0].namespaces: Required value: resource rules that are not cluster scoped must supply at least one namespace',
      ],
      [
        rules({ nonResourceRules: [{ verbs: ['*', 'get'], nonResourceURLs: [] }] }),
        'spec.rules[0].nonResourceRules[0].verbs: Invalid value: ["*","get"]: if \'*\' is present, must not specify other verbs',
        'spec.rules[0].nonResourceRules[0].nonResourceURLs: Required value: nonResourceURLs must contain at least one value',
      ],
    ]);
    const object = await kind.given();
    await kind.refusesToUpdate(
      object,
      [
        [
          { status: { conditions: [{ type: 'A' }, { type: 'A' }, {}] } },
          'status.conditions[1].type: Duplicate value: "A"',
          'status.conditions[2].type: Required value',
        ],
      ],
      '/status',
    );
  });

  it('PriorityLevelConfiguration: rejects invalid limits', async () => {
    using kind = new TestKind(`${FLOW}/prioritylevelconfigurations`, {
      metadata: { name: 'p' },
      spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } },
    });
    const queue = (queuing: object): { spec: object } =>
      inSpec({ limited: { limitResponse: { type: 'Queue', queuing } } });
    const { spec } = await kind.created(queue({}));
    assert.deepEqual(
      (spec as { limited: { limitResponse: { queuing: object } } }).limited.limitResponse.queuing,
      {
        queues: 64,
        handSize: 8,
        queueLengthLimit: 50,
      },
    );
    await kind.refusesToCreate([
      [
        inSpec({ type: 'Exempt' }),
        "spec.type: Invalid value: \"Exempt\": must be 'Exempt' if and only if `name` is 'exempt'",
        'spec.limited: Forbidden: must be nil if the type is not Limited',
      ],
      [
        inSpec({ type: 'X' }),
        'spec.type: Unsupported value: "X": supported values: "Exempt", "Limited"',
      ],
      [inSpec({ exempt: {} }), 'spec.exempt: Forbidden: must be nil if the type is Limited'],
      [
        inSpec({ limited: undefined }),
        'spec.limited: Required value: must not be empty when type is Limited',
      ],
      [
        inSpec({
          limited: {
            nominalConcurrencyShares: -1,
            lendablePercent: 101,
            borrowingLimitPercent: -1,
          },
        }),
        'spec.limited.nominalConcurrencyShares: Invalid value: -1: must be a non-negative integer',
        'spec.limited.lendablePercent: Invalid value: 101: must be between 0 and 100, inclusive',
        'spec.limited.borrowingLimitPercent: Invalid value: -1: if specified, must be a non-negative integer',
      ],
      [
        inSpec({ limited: { limitResponse: { type: 'X' } } }),
        'spec.limited.limitResponse.type: Unsupported value: "X": supported values: "Queue", "Reject"',
      ],
      [
        inSpec({ limited: { limitResponse: { type: 'Reject', queuing: {} } } }),
        'spec.limited.limitResponse.queuing: Forbidden: must be nil if limited.limitResponse.type is not Limited',
      ],
      [
        inSpec({ limited: { limitResponse: { type: 'Queue' } } }),
        'spec.limited.limitResponse.queuing: Required value: must not be empty if limited.limitResponse.type is Limited',
      ],
      [
        queue({ queues: 4, handSize: 8 }),
        'spec.limited.limitResponse.queuing.handSize: Invalid value: 8: should not be greater than queues (4)',
      ],
      [
        queue({ queues: -1, handSize: -1, queueLengthLimit: -1 }),
        'spec.limited.limitResponse.queuing.queueLengthLimit: Invalid value: -1: must be positive',
        'spec.limited.limitResponse.queuing.queues: Invalid value: -1: must be positive',
        'spec.limited.limitResponse.queuing.handSize: Invalid value: -1: must be positive',
      ],
    ]);
  });
});
