import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestKind } from '../../../testing/test-kind.ts';

const TEMPLATE = {
  metadata: { labels: { app: 'a' } },
  spec: { containers: [{ name: 'main', image: 'registry.example.com/app:1' }] },
};

const inSpec = (spec: object): { spec: object } => ({ spec });

describe('a ReplicationController', () => {
  it('gets selector and labels from its template', async () => {
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
