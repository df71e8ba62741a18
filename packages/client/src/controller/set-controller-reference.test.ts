import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Pod } from '../api/core/v1.ts';
import { getControllerOf, isControlledBy } from '../meta/object.ts';
import { ControllerError } from './controller-error.ts';
import { setControllerReference } from './set-controller-reference.ts';

const kind = { group: 'apps.example.com', version: 'v1', kind: 'WebSet' };
const owner = { metadata: { namespace: 'ns', name: 'web', uid: 'uid-1' } };
const reference = {
  apiVersion: 'apps.example.com/v1',
  kind: 'WebSet',
  name: 'web',
  uid: 'uid-1',
  controller: true,
  blockOwnerDeletion: true,
};

describe('setControllerReference', () => {
  it('sets the controller of the object and returns the same object', () => {
    const pod: Pod = { metadata: { name: 'web-0', labels: { app: 'web' } } };
    const returned = setControllerReference(owner, pod, kind);
    assert.equal(returned, pod);
    assert.deepEqual(pod, {
      metadata: {
        namespace: 'ns',
        name: 'web-0',
        labels: { app: 'web' },
        ownerReferences: [reference],
      },
    });
    assert.ok(isControlledBy(pod, owner));
  });

  it('does not write to the metadata object, which may be shared', () => {
    const metadata = Object.freeze({ name: 'web-0' });
    const pod: Pod = { metadata };
    setControllerReference(owner, pod, kind);
    assert.deepEqual(metadata, { name: 'web-0' });
  });

  it('works for an object without metadata', () => {
    assert.deepEqual(setControllerReference(owner, {}, kind).metadata, {
      namespace: 'ns',
      ownerReferences: [reference],
    });
  });

  it('can leave foreground deletion of the owner unblocked', () => {
    const pod = setControllerReference(owner, {}, kind, { blockOwnerDeletion: false });
    assert.equal(getControllerOf(pod)?.blockOwnerDeletion, false);
  });

  it('keeps other owners and turns an owner into the controller', () => {
    const other = { apiVersion: 'v1', kind: 'ConfigMap', name: 'shared', uid: 'uid-2' };
    const { blockOwnerDeletion: _, controller: __, ...plain } = reference;
    const pod = setControllerReference(
      owner,
      { metadata: { ownerReferences: [plain, other] } },
      kind,
    );
    assert.deepEqual(pod.metadata.ownerReferences, [other, reference]);
  });

  it('is idempotent, and updates the apiVersion of the owner', () => {
    const once = setControllerReference(owner, {}, kind);
    assert.deepEqual(setControllerReference(owner, structuredClone(once), kind), once);
    const newer = setControllerReference(owner, once, { ...kind, version: 'v2' });
    assert.deepEqual(newer.metadata.ownerReferences, [
      { ...reference, apiVersion: 'apps.example.com/v2' },
    ]);
  });

  it('rejects a second controller, also one with the same name', () => {
    for (const other of [
      { metadata: { namespace: 'ns', name: 'other', uid: 'uid-2' } },
      { metadata: { namespace: 'ns', name: 'web', uid: 'uid-3' } },
    ]) {
      const pod = setControllerReference(other, { kind: 'Pod', metadata: { name: 'web-0' } }, kind);
      assert.throws(
        () => setControllerReference(owner, pod, kind),
        (error) =>
          error instanceof ControllerError &&
          error.code === 'CONTROLLER_OWNER_CONFLICT' &&
          error.message ===
            `Pod ns/web-0 is controlled by WebSet ${other.metadata.name} (uid ${other.metadata.uid}), not by WebSet web (uid uid-1)`,
      );
    }
  });

  it('rejects an owner in another namespace and changes nothing', () => {
    const object = { metadata: { namespace: 'b', name: 'x' } };
    assert.throws(() => setControllerReference(owner, object, kind), {
      code: 'CONTROLLER_OWNER_NAMESPACE',
      message: 'object b/x cannot be owned by WebSet web in namespace ns',
    });
    assert.deepEqual(object, { metadata: { namespace: 'b', name: 'x' } });
  });

  it('accepts a cluster-scoped owner for an object in any namespace', () => {
    const clusterWide = { metadata: { name: 'web', uid: 'uid-1' } };
    const inNamespace = setControllerReference(
      clusterWide,
      { metadata: { namespace: 'b', generateName: 'x-' } },
      kind,
    );
    assert.equal(inNamespace.metadata.namespace, 'b');
    const outside = setControllerReference(clusterWide, { metadata: { name: 'x' } }, kind);
    assert.ok(!('namespace' in outside.metadata));
  });

  it('rejects an owner without a uid', () => {
    assert.throws(() => setControllerReference({ metadata: { name: 'web' } }, {}, kind), {
      code: 'META_OBJECT_KEY_INVALID',
    });
  });
});
