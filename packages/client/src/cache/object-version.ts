import { identityOf } from '../meta/object-identity.ts';

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
