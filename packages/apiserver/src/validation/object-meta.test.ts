import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { ObjectMeta } from 'client-ts/meta';

import type { FieldError } from './field-error.ts';
import {
  validateFieldManager,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from './object-meta.ts';

const shown = (errors: readonly FieldError[]): string[] =>
  errors.map(({ field, message }) => `${field}: ${message}`);
const create = (change: ObjectMeta): string[] =>
  shown(validateObjectMeta({ name: 'a', namespace: 'n', ...change }, { namespaced: true }));

const OLD: ObjectMeta = {
  name: 'a',
  namespace: 'n',
  uid: 'u',
  resourceVersion: '1',
  generation: 3,
};
const update = (change: ObjectMeta, old: ObjectMeta = OLD): string[] =>
  shown(validateObjectMetaUpdate({ ...OLD, ...change }, old));

const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const NAME_PART =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const OWNER = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'x' };

describe('the metadata of a new object', () => {
  it('requires a name, and a namespace for namespaced kinds', () => {
    assert.deepEqual(create({}), []);
    assert.deepEqual(create({ name: '' }), [
      'metadata.name: Required value: name or generateName is required',
    ]);
    assert.deepEqual(create({ name: 'A' }), [`metadata.name: Invalid value: "A": ${SUBDOMAIN}`]);
    assert.deepEqual(create({ generateName: 'AB-' }), [
      `metadata.generateName: Invalid value: "AB-": ${SUBDOMAIN}`,
    ]);
    assert.deepEqual(create({ namespace: '' }), ['metadata.namespace: Required value']);
    assert.deepEqual(
      shown(validateObjectMeta({ name: 'a', namespace: 'n' }, { namespaced: false })),
      ['metadata.namespace: Forbidden: not allowed on this type'],
    );
    assert.deepEqual(create({ generation: -1 }), [
      'metadata.generation: Invalid value: -1: must be greater than or equal to 0',
    ]);
  });

  it('rejects invalid labels and annotations, and too many annotations', () => {
    assert.deepEqual(create({ labels: { 'a b': 'c d' } }), [
      `metadata.labels: Invalid value: "a b": ${NAME_PART}`,
      "metadata.labels: Invalid value: \"c d\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
    ]);
    assert.deepEqual(create({ annotations: { 'a b': '' } }), [
      `metadata.annotations: Invalid value: "a b": ${NAME_PART}`,
    ]);
    const most = 256 * 1024;
    assert.deepEqual(create({ annotations: { a: 'x'.repeat(most - 1) } }), []);
    assert.deepEqual(create({ annotations: { a: 'x'.repeat(most) } }), [
      'metadata.annotations: Too long: may not be more than 262144 bytes',
    ]);
  });

  it('rejects incomplete owners and several controllers', () => {
    assert.deepEqual(
      create({ ownerReferences: [{ apiVersion: '', kind: '', name: '', uid: '' }] }),
      [
        'metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty',
        'metadata.ownerReferences.kind: Invalid value: "": must not be empty',
        'metadata.ownerReferences.name: Invalid value: "": must not be empty',
        'metadata.ownerReferences.uid: Invalid value: "": must not be empty',
      ],
    );
    const controller = { ...OWNER, controller: true };
    assert.deepEqual(create({ ownerReferences: [controller, OWNER] }), []);
    const [first] = create({ ownerReferences: [controller, { ...controller, name: 'q' }] });
    assert.match(
      first ?? '',
      /^metadata\.ownerReferences: Invalid value: \[\{"apiVersion":"v1","kind":"Pod","name":"p","uid":"x","controller":true\},.*Only one reference can have Controller set to true\. Found "true" in references for Pod\/p and Pod\/q$/,
    );
    assert.deepEqual(create({ ownerReferences: [{ ...OWNER, kind: 'Event' }] }), [
      'metadata.ownerReferences: Invalid value: {"apiVersion":"v1","kind":"Event","name":"p","uid":"x"}: /v1, Kind=Event is disallowed from being an owner',
    ]);
  });

  it('rejects invalid finalizers', () => {
    assert.deepEqual(create({ finalizers: ['example.com/x', 'orphan'] }), []);
    assert.deepEqual(create({ finalizers: ['x'] }), [
      'metadata.finalizers[0]: Invalid value: "x": name is neither a standard finalizer name nor is it fully qualified',
    ]);
    assert.deepEqual(create({ finalizers: ['orphan', 'foregroundDeletion'] }), [
      'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
    ]);
    const custom = { namespaced: true, kubeFinalizers: false };
    assert.deepEqual(
      shown(validateObjectMeta({ name: 'a', namespace: 'n', finalizers: ['x'] }, custom)),
      [],
    );
  });

  it('rejects invalid managed fields', () => {
    assert.deepEqual(
      create({
        managedFields: [
          { operation: 'Move', fieldsType: 'V2', manager: 'x\u0007', subresource: 's'.repeat(257) },
        ],
      }),
      [
        'metadata.managedFields[0].operation: Invalid value: "Move": must be `Apply` or `Update`',
        'metadata.managedFields[0].fieldsType: Invalid value: "V2": must be `FieldsV1`',
        'metadata.managedFields[0].manager: Invalid value: "x\\a": invalid character U+0007 (at position 1)',
        'metadata.managedFields[0].subresource: Too long: may not be more than 256 bytes',
      ],
    );
    assert.deepEqual(shown(validateFieldManager('m'.repeat(129), 'fieldManager')), [
      'fieldManager: Too long: may not be more than 128 bytes',
    ]);
    assert.deepEqual(shown(validateFieldManager('ä b-c/1', 'fieldManager')), []);
  });
});

describe('the metadata of an update', () => {
  it('rejects changes of identity', () => {
    assert.deepEqual(update({}), []);
    const immutable = (field: string, value: string): string =>
      `metadata.${field}: Invalid value: ${value}: field is immutable`;
    assert.deepEqual(update({ name: 'b' }), [immutable('name', '"b"')]);
    assert.deepEqual(update({ namespace: 'm' }), [immutable('namespace', '"m"')]);
    assert.deepEqual(update({ uid: 'v' }), [immutable('uid', '"v"')]);
    assert.deepEqual(update({ creationTimestamp: '2026-01-01T00:00:00Z' }), [
      immutable('creationTimestamp', '"2026-01-01T00:00:00Z"'),
    ]);
    assert.deepEqual(update({ deletionTimestamp: '2026-01-01T00:00:00Z' }), [
      immutable('deletionTimestamp', '"2026-01-01T00:00:00Z"'),
    ]);
    assert.deepEqual(update({ deletionGracePeriodSeconds: 5 }), [
      immutable('deletionGracePeriodSeconds', '5'),
    ]);
  });

  it('requires a resourceVersion, and no earlier generation', () => {
    assert.deepEqual(update({ resourceVersion: '' }), [
      'metadata.resourceVersion: Invalid value: "": must be specified for an update',
    ]);
    assert.deepEqual(update({ generation: 2 }), [
      'metadata.generation: Invalid value: 2: must not be decremented',
    ]);
    assert.deepEqual(update({ generation: 4 }), []);
  });

  it('rejects new finalizers on a deleted object', () => {
    const going = { ...OLD, deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['a.b/c'] };
    const added = { ...going, finalizers: ['x.y/z', 'a.b/c', 'd.e/f'] };
    assert.deepEqual(update(added, going), [
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"d.e/f", "x.y/z"}',
    ]);
    assert.deepEqual(update({ ...going, finalizers: [] }, going), []);
    assert.deepEqual(update({ finalizers: ['x.y/z'] }), []);
  });
});
