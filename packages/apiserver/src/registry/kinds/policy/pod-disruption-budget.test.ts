import { describe, it } from 'node:test';

import { TestKind } from '../../../testing/test-kind.ts';

const inSpec = (spec: object): { spec: object } => ({ spec });

describe('a PodDisruptionBudget', () => {
  it('rejects invalid or contradicting limits', async () => {
    using kind = new TestKind('/apis/policy/v1/namespaces/default/poddisruptionbudgets', {
      metadata: { name: 'Any_Name' },
      spec: { minAvailable: 1, selector: { matchLabels: { a: 'b' } } },
    });
    await kind.refusesToCreate([
      [
        inSpec({ maxUnavailable: '50%' }),
        'spec: Invalid value: {"MinAvailable":1,"Selector":{"matchLabels":{"a":"b"}},"MaxUnavailable":"50%","UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
      ],
      [
        inSpec({ minAvailable: -1 }),
        'spec.minAvailable: Invalid value: -1: must be greater than or equal to 0',
      ],
      [
        inSpec({ minAvailable: '101%' }),
        'spec.minAvailable: Invalid value: "101%": must not be greater than 100%',
      ],
      [
        inSpec({ unhealthyPodEvictionPolicy: 'X' }),
        'spec.unhealthyPodEvictionPolicy: Unsupported value: "X": supported values: "AlwaysAllow", "IfHealthyBudget"',
      ],
      [
        inSpec({ selector: { matchLabels: { 'a b': 'c' } } }),
        "spec.selector.matchLabels: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      ],
    ]);
    const budget = await kind.given();
    await kind.refusesToUpdate(
      budget,
      [
        [
          { status: { disruptionsAllowed: -1 } },
          'status.disruptionsAllowed: Invalid value: -1: must be greater than or equal to 0',
        ],
        [
          {
            status: {
              conditions: [{ type: 'a b', status: 'X', observedGeneration: -1, reason: '1' }],
            },
          },
          "status.conditions[0].type: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
          'status.conditions[0].status: Unsupported value: "X": supported values: "False", "True", "Unknown"',
          'status.conditions[0].observedGeneration: Invalid value: -1: must be greater than or equal to zero',
          'status.conditions[0].lastTransitionTime: Required value',
          "status.conditions[0].reason: Invalid value: \"1\": a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')",
        ],
        [
          {
            status: {
              conditions: [
                {
                  type: 'A',
                  status: 'True',
                  reason: 'R',
                  lastTransitionTime: '2026-01-01T00:00:00Z',
                },
                { type: 'A' },
              ],
            },
          },
          'status.conditions[1].type: Duplicate value: "A"',
          'status.conditions[1].status: Unsupported value: "": supported values: "False", "True", "Unknown"',
          'status.conditions[1].lastTransitionTime: Required value',
          'status.conditions[1].reason: Required value',
        ],
      ],
      '/status',
    );
  });
});
