import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestKind } from '../../../testing/test-kind.ts';

const NETWORKING = '/apis/networking.k8s.io/v1';

const inSpec = (spec: object): { spec: object } => ({ spec });

describe('an IngressClass', () => {
  it('requires a controller, which is immutable', async () => {
    using kind = new TestKind(`${NETWORKING}/ingressclasses`, {
      metadata: { name: 'c' },
      spec: { controller: 'example.com/c', parameters: { kind: 'K', name: 'n' } },
    });
    const object = await kind.given();
    const { parameters } = object['spec'] as { parameters: { scope: string } };
    assert.equal(parameters.scope, 'Cluster');
    await kind.refusesToUpdate(object, [
      [
        inSpec({ controller: 'example.com/d' }),
        'spec.controller: Invalid value: "example.com/d": field is immutable',
      ],
      [
        inSpec({ parameters: { kind: '', name: '' } }),
        'spec.parameters.kind: Required value',
        'spec.parameters.name: Required value',
      ],
      [
        inSpec({ parameters: { scope: 'X' } }),
        'spec.parameters.scope: Unsupported value: "X": supported values: "Cluster", "Namespace"',
      ],
      [
        inSpec({ parameters: { scope: 'Namespace' } }),
        "spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'",
      ],
      [
        inSpec({ parameters: { namespace: 'a' } }),
        "spec.parameters.namespace: Forbidden: `parameters.scope` is set to 'Cluster'",
      ],
    ]);
  });
});
