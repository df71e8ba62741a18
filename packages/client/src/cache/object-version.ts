import { identityOf } from '../meta/object.ts';

/**
 * Returns true if both are the same state of the same object: one uid and one resourceVersion. A
 * cluster that was created again counts its versions from the start, so a version alone does not
 * tell. Objects without a version are never the same.
 */
export function isSameState(left: object, right: object): boolean {
  const version = versionOf(left) ?? '';
  return version !== '' && version === versionOf(right) && uidOf(left) === uidOf(right);
}

function uidOf(object: object): unknown {
  const identity = identityOf(object);
  if (identity !== undefined) return identity.uid;
  const { metadata } = object as { readonly metadata?: { readonly uid?: unknown } };
  return metadata?.uid ?? '';
}

/**
 * The resourceVersion that an object carries; undefined for everything that is no object of the
 * API, since stores also hold other things.
 */
export function versionOf(object: object): string | undefined {
  const identity = identityOf(object);
  if (identity !== undefined) return identity.resourceVersion;
  const { metadata } = object as { readonly metadata?: { readonly resourceVersion?: unknown } };
  const version = metadata?.resourceVersion;
  return typeof version === 'string' ? version : undefined;
}
