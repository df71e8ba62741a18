import {
  type DeleteOptions,
  type GroupResource,
  newConflict,
  newInvalid,
  newUnknownError,
} from 'client-ts/meta';

import type { StoredObject } from '../store/store.ts';
import type { ApiObject } from './object.ts';

/** Throws a 409 if the `uid` of an update differs from the stored one. */
export function checkUid(
  resource: GroupResource,
  object: ApiObject,
  old: ApiObject,
  key: string,
): void {
  const { uid } = object.metadata;
  if (uid === undefined || uid === '' || uid === old.metadata.uid) return;
  const path = key.replace(/^\/[^/]*/, '/registry');
  throw newConflict(
    resource,
    old.metadata.name ?? '',
    `StorageError: invalid object, Code: 4, Key: ${path}, ResourceVersion: 0, ` +
      `AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, ` +
      `UID in object meta: ${old.metadata.uid ?? ''}`,
  );
}

/**
 * Throws a 409 if the `resourceVersion` of an update is not the current one. Most kinds accept
 * updates without one.
 */
export function checkVersion(
  { group, resource }: GroupResource,
  object: ApiObject,
  old: ApiObject,
  allowsUnconditional: boolean,
): void {
  const { resourceVersion: wanted = '', name = '' } = object.metadata;
  if (wanted === '' || wanted === '0') {
    if (allowsUnconditional) return;
    // kube-apiserver puts the resource here, not the kind.
    throw newInvalid({ group, kind: resource }, name, [
      {
        reason: 'FieldValueInvalid',
        message: 'Invalid value: 0: must be specified for an update',
        field: 'metadata.resourceVersion',
      },
    ]);
  }
  if (!/^\d+$/.test(wanted)) {
    throw newUnknownError(`strconv.ParseUint: parsing ${JSON.stringify(wanted)}: invalid syntax`);
  }
  if (wanted !== old.metadata.resourceVersion) {
    throw newConflict(
      { group, resource },
      old.metadata.name ?? '',
      'the object has been modified; please apply your changes to the latest version and try again',
    );
  }
}

/** Throws a 409 if the preconditions of a delete do not hold. */
export function checkDeletion(
  { group, kind }: { readonly group: string; readonly kind: string },
  { metadata = {} }: StoredObject,
  { preconditions = {} }: DeleteOptions,
): void {
  const { uid, resourceVersion } = preconditions;
  const { name = '', uid: actualUid = '', resourceVersion: actualVersion = '' } = metadata;
  // kube-apiserver puts the kind here, not the resource.
  const subject = { group, resource: kind };
  if (uid !== undefined && uid !== actualUid) {
    throw newConflict(
      subject,
      name,
      `the UID in the precondition (${uid}) does not match the UID in record (${actualUid}). ` +
        'The object might have been deleted and then recreated',
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== actualVersion) {
    throw newConflict(
      subject,
      name,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ` +
        `ResourceVersion in record (${actualVersion}). The object might have been modified`,
    );
  }
}

/** Checks the preconditions for kinds that are emptied first, with their own messages. */
export function checkDeletionOfFull(
  resource: GroupResource,
  { metadata = {} }: StoredObject,
  { preconditions = {} }: DeleteOptions,
): void {
  const { uid, resourceVersion } = preconditions;
  const { name = '', uid: actualUid = '', resourceVersion: actualVersion = '' } = metadata;
  if (uid !== undefined && uid !== actualUid) {
    throw newConflict(
      resource,
      name,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${actualUid}`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== actualVersion) {
    throw newConflict(
      resource,
      name,
      `Precondition failed: ResourceVersion in precondition: ${resourceVersion}, ` +
        `ResourceVersion in object meta: ${actualVersion}`,
    );
  }
}
