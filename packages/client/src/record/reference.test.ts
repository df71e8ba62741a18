import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deployments } from '../api/apps/v1.ts';
import { nodes, type Pod, pods } from '../api/core/v1.ts';
import { RecordError } from './record-error.ts';
import { referenceTo } from './reference.ts';

const pod: Pod = {
  metadata: { name: 'web', namespace: 'shop', uid: 'u1', resourceVersion: '7', labels: { a: 'b' } },
};

describe('referenceTo', () => {
  it('takes what identifies an object', () => {
    assert.deepEqual(referenceTo({ apiVersion: 'v1', kind: 'Pod', ...pod }), {
      apiVersion: 'v1',
      kind: 'Pod',
      name: 'web',
      namespace: 'shop',
      uid: 'u1',
      resourceVersion: '7',
    });
  });

  it('takes from the descriptor what an object in a list does not say', () => {
    const { apiVersion, kind } = referenceTo(pod, { descriptor: pods });
    assert.deepEqual({ apiVersion, kind }, { apiVersion: 'v1', kind: 'Pod' });
    assert.equal(referenceTo(pod, { descriptor: deployments }).apiVersion, 'apps/v1');
  });

  it('believes the object before the descriptor', () => {
    const { kind } = referenceTo({ apiVersion: 'v1', kind: 'Pod', ...pod }, { descriptor: nodes });
    assert.equal(kind, 'Pod');
  });

  it('leaves out what the object does not have', () => {
    assert.deepEqual(referenceTo({ metadata: { name: 'n1' } }, { descriptor: nodes }), {
      apiVersion: 'v1',
      kind: 'Node',
      name: 'n1',
    });
  });

  it('makes no reference to a reference, but a part of it can be named', () => {
    const reference = { kind: 'Pod', name: 'web' };
    assert.deepEqual(referenceTo(reference), reference);
    assert.notEqual(referenceTo(reference), reference);
    const fieldPath = 'spec.containers{main}';
    assert.deepEqual(referenceTo(reference, { fieldPath }), { ...reference, fieldPath });
    assert.equal(referenceTo(pod, { descriptor: pods, fieldPath }).fieldPath, fieldPath);
  });

  it('refuses an object that does not say what it is', () => {
    for (const [object, missing] of [
      [pod, 'kind'],
      [{ ...pod, kind: 'Pod' as const }, 'apiVersion'],
      [{ ...pod, apiVersion: 'v1' as const }, 'kind'],
    ] as const) {
      assert.throws(
        () => referenceTo(object),
        (error) =>
          error instanceof RecordError &&
          error.code === 'RECORD_REFERENCE_INVALID' &&
          error.message === `the object web says no ${missing}`,
      );
    }
  });
});
