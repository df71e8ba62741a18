import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deployments } from '../api/apps/v1.ts';
import { nodes, type Pod, pods } from '../api/core/v1.ts';
import { RecordError } from './record-error.ts';
import { getReference } from './reference.ts';

const pod: Pod = {
  metadata: { name: 'web', namespace: 'shop', uid: 'u1', resourceVersion: '7', labels: { a: 'b' } },
};

describe('getReference', () => {
  it('returns the fields that identify an object', () => {
    assert.deepEqual(getReference({ apiVersion: 'v1', kind: 'Pod', ...pod }), {
      apiVersion: 'v1',
      kind: 'Pod',
      name: 'web',
      namespace: 'shop',
      uid: 'u1',
      resourceVersion: '7',
    });
  });

  it('uses the descriptor for an item of a list', () => {
    const { apiVersion, kind } = getReference(pod, { descriptor: pods });
    assert.deepEqual({ apiVersion, kind }, { apiVersion: 'v1', kind: 'Pod' });
    assert.equal(getReference(pod, { descriptor: deployments }).apiVersion, 'apps/v1');
  });

  it('prefers the kind of the object to the descriptor', () => {
    const { kind } = getReference({ apiVersion: 'v1', kind: 'Pod', ...pod }, { descriptor: nodes });
    assert.equal(kind, 'Pod');
  });

  it('omits fields that the object does not have', () => {
    assert.deepEqual(getReference({ metadata: { name: 'n1' } }, { descriptor: nodes }), {
      apiVersion: 'v1',
      kind: 'Node',
      name: 'n1',
    });
  });

  it('returns a copy of a reference, with a field path if given', () => {
    const reference = { kind: 'Pod', name: 'web' };
    assert.deepEqual(getReference(reference), reference);
    assert.notEqual(getReference(reference), reference);
    const fieldPath = 'spec.containers{main}';
    assert.deepEqual(getReference(reference, { fieldPath }), { ...reference, fieldPath });
    assert.equal(getReference(pod, { descriptor: pods, fieldPath }).fieldPath, fieldPath);
  });

  it('rejects an object without a kind or apiVersion', () => {
    for (const [object, missing] of [
      [pod, 'kind'],
      [{ ...pod, kind: 'Pod' as const }, 'apiVersion'],
      [{ ...pod, apiVersion: 'v1' as const }, 'kind'],
    ] as const) {
      assert.throws(
        () => getReference(object),
        (error) =>
          error instanceof RecordError &&
          error.code === 'RECORD_REFERENCE_INVALID' &&
          error.message === `object "web" has no ${missing}`,
      );
    }
  });
});
