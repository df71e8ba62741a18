import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import {
  annotationsOf,
  getControllerOf,
  identityOf,
  isBeingDeleted,
  isControlledBy,
  labelsOf,
  nameOf,
  namespaceOf,
  newControllerRef,
  stampIdentity,
} from './object.ts';

const pod = { kind: 'Pod', metadata: { name: 'web-0', namespace: 'default' } };
const node = { kind: 'Node', metadata: { name: 'n1' } };

describe('accessors', () => {
  it('return empty values for missing fields', () => {
    assert.equal(nameOf(pod), 'web-0');
    assert.equal(namespaceOf(pod), 'default');
    assert.equal(namespaceOf(node), '');
    assert.equal(nameOf({}), '');
    assert.deepEqual(labelsOf({ metadata: { labels: { a: 'b' } } }), { a: 'b' });
    assert.deepEqual(labelsOf({}), {});
    assert.deepEqual(annotationsOf({ metadata: { annotations: { a: 'b' } } }), { a: 'b' });
    assert.deepEqual(annotationsOf({}), {});
  });

  it('recognise an object that is being deleted', () => {
    assert.ok(isBeingDeleted({ metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }));
    assert.equal(isBeingDeleted(pod), false);
    const withNull = JSON.parse('{"metadata":{"deletionTimestamp":null}}') as typeof pod;
    assert.equal(isBeingDeleted(withNull), false);
  });
});

describe('owners', () => {
  const owner = { kind: 'ReplicaSet', metadata: { name: 'web', uid: 'u1' } };
  const reference = newControllerRef(owner, { group: 'apps', version: 'v1', kind: 'ReplicaSet' });
  const owned = {
    metadata: { ownerReferences: [{ ...reference, uid: 'u0', controller: false }, reference] },
  };

  it('are referred to by name and uid', () => {
    assert.deepEqual(reference, {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      name: 'web',
      uid: 'u1',
      controller: true,
      blockOwnerDeletion: true,
    });
    const kind = { group: '', version: 'v1', kind: 'Pod' };
    assert.equal(newControllerRef(owner, kind).apiVersion, 'v1');
    assert.throws(() => newControllerRef(pod, kind), {
      message: 'the owner of kind Pod has no metadata.uid: create it first',
    });
    assert.throws(() => newControllerRef({}, kind), /no metadata\.name/);
  });

  it('include at most one controller', () => {
    assert.equal(getControllerOf(owned), reference);
    assert.equal(getControllerOf(pod), undefined);
  });

  it('are distinguished by uid', () => {
    assert.ok(isControlledBy(owned, owner));
    assert.equal(isControlledBy(owned, { metadata: { name: 'web', uid: 'u2' } }), false);
    assert.equal(isControlledBy(pod, { metadata: { name: 'web' } }), false);
  });
});

test('accessors read the attached identity, which copies do not inherit', () => {
  const object = {
    get metadata(): never {
      return assert.fail('the object was touched');
    },
  };
  stampIdentity(object, { key: 'default/web', resourceVersion: '7' });
  assert.equal(nameOf(object), 'web');
  assert.equal(namespaceOf(object), 'default');
  assert.deepEqual(Reflect.ownKeys(object), ['metadata']);
  assert.equal(identityOf(Object.create(object) as object), undefined);
  assert.equal(identityOf({ metadata: { name: 'plain' } }), undefined);
});
