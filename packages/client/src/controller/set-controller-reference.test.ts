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
  it('gives the object its controller, and leaves the one that was given', () => {
    const draft: Pod = { metadata: { name: 'web-0', labels: { app: 'web' } } };
    const before = structuredClone(draft);
    const pod = setControllerReference(owner, draft, kind);
    assert.deepEqual(pod, {
      metadata: {
        namespace: 'ns',
        name: 'web-0',
        labels: { app: 'web' },
        ownerReferences: [reference],
      },
    });
    assert.deepEqual(draft, before);
    assert.ok(isControlledBy(pod, owner));
  });

  it('works for an object without metadata', () => {
    assert.deepEqual(setControllerReference(owner, {}, kind).metadata, {
      namespace: 'ns',
      ownerReferences: [reference],
    });
  });

  it('can let a foreground deletion of the owner go on', () => {
    const pod = setControllerReference(owner, {}, kind, { blockOwnerDeletion: false });
    assert.equal(getControllerOf(pod)?.blockOwnerDeletion, false);
  });

  it('keeps other owners, and makes an owner the controller', () => {
    const other = { apiVersion: 'v1', kind: 'ConfigMap', name: 'shared', uid: 'uid-2' };
    const { blockOwnerDeletion: _, controller: __, ...plain } = reference;
    const pod = setControllerReference(
      owner,
      { metadata: { ownerReferences: [plain, other] } },
      kind,
    );
    assert.deepEqual(pod.metadata.ownerReferences, [other, reference]);
  });

  it('changes nothing the second time, except what a newer version of the owner is called', () => {
    const once = setControllerReference(owner, {}, kind);
    assert.deepEqual(setControllerReference(owner, once, kind), once);
    const newer = setControllerReference(owner, once, { ...kind, version: 'v2' });
    assert.deepEqual(newer.metadata.ownerReferences, [
      { ...reference, apiVersion: 'apps.example.com/v2' },
    ]);
  });

  it('refuses a second controller, and one that took the name of the first', () => {
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

  it('refuses an owner in another namespace', () => {
    assert.throws(
      () => setControllerReference(owner, { metadata: { namespace: 'b', name: 'x' } }, kind),
      {
        code: 'CONTROLLER_OWNER_NAMESPACE',
        message: 'object b/x cannot be owned by WebSet web of namespace ns',
      },
    );
  });

  it('lets an owner that lives in no namespace own things in any', () => {
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

  it('needs an owner that exists', () => {
    assert.throws(() => setControllerReference({ metadata: { name: 'web' } }, {}, kind), {
      code: 'META_OBJECT_KEY_INVALID',
    });
  });
});
