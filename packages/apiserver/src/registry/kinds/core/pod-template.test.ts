import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestKind } from '../../../testing/test-kind.ts';

const TEMPLATE = {
  metadata: { labels: { app: 'a' } },
  spec: { containers: [{ name: 'main', image: 'registry.example.com/app:1' }] },
};

describe('a PodTemplate', () => {
  it('rejects an invalid template', async () => {
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
