import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestKind } from '../../../testing/test-kind.ts';

describe('a Namespace', () => {
  const namespaces = (): TestKind =>
    new TestKind('/api/v1/namespaces', { metadata: { name: 'n' } });

  it('gets a label with its name, and a finalizer', async () => {
    using kind = namespaces();
    const namespace = await kind.created({ metadata: { labels: { a: 'b' } }, spec: {} });
    assert.deepEqual(namespace.metadata.labels, { a: 'b', 'kubernetes.io/metadata.name': 'n' });
    assert.deepEqual(namespace['spec'], { finalizers: ['kubernetes'] });
    assert.deepEqual(namespace['status'], { phase: 'Active' });
    await kind.refusesToCreate([
      [{ metadata: { name: 'a.b' } }, 'metadata.name: Invalid value: "a.b": must not contain dots'],
      [
        { spec: { finalizers: ['x'] } },
        'spec.finalizers: Invalid value: "x": name is neither a standard finalizer name nor is it fully qualified',
      ],
    ]);
  });

  it('keeps its label and finalizers, except through /finalize', async () => {
    using kind = namespaces();
    const namespace = await kind.given();
    const updated = await kind.updated(namespace, {
      metadata: { labels: undefined },
      spec: { finalizers: [] },
    });
    assert.deepEqual(updated.metadata.labels, { 'kubernetes.io/metadata.name': 'n' });
    assert.deepEqual(updated['spec'], { finalizers: ['kubernetes'] });
    const finalized = await kind.updated(namespace, { spec: { finalizers: [] } }, '/finalize');
    assert.deepEqual(finalized['spec'], {});
    await kind.refusesToUpdate(
      namespace,
      [
        [
          { spec: { finalizers: ['x'] } },
          'spec.finalizers[0]: Invalid value: "x": name is neither a standard finalizer name nor is it fully qualified',
        ],
      ],
      '/finalize',
    );
    await kind.refusesToUpdate(
      namespace,
      [
        [
          { status: { phase: 'Terminating' } },
          'status.Phase: Invalid value: "Terminating": may only be \'Active\' if `deletionTimestamp` is empty',
        ],
      ],
      '/status',
    );
  });
});
