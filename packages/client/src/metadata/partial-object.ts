import { ClientError, type ClientErrorOptions, defineErrors } from '../lib/errors.ts';
import { identityOf } from '../meta/object.ts';
import type { KubernetesObject, ObjectMeta } from '../meta/types.ts';
import type { ResourceList, Stored } from '../rest/object-types.ts';

/** Every error of the metadata client, and what to do about it. Codes are stable. */
export const METADATA_ERRORS = {
  METADATA_MISSING: {
    retry: 'never',
    hint: 'Check the resource, and proxies on the way to the server.',
  },
} as const;

/** The codes of {@link MetadataError}. */
export type MetadataErrorCode = keyof typeof METADATA_ERRORS;

/** The server sent an object without metadata. */
export class MetadataError extends ClientError {
  declare readonly code: MetadataErrorCode;

  constructor(code: MetadataErrorCode, message: string, options: ClientErrorOptions = {}) {
    super(code, message, options);
  }

  static {
    defineErrors(this, 'MetadataError', 'METADATA', METADATA_ERRORS);
  }
}

/** An object of any kind of which only the metadata was read. */
export interface PartialObjectMetadata {
  apiVersion?: 'meta.k8s.io/v1';
  kind?: 'PartialObjectMetadata';
  metadata?: ObjectMeta;
}

const partialType = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata' } as const;

/**
 * Returns the metadata of an object. Old servers send the whole object. Throws `METADATA_MISSING`
 * for a response without the metadata of an object.
 */
export function partialOf(object: KubernetesObject): Stored<PartialObjectMetadata> {
  if (isPartialAndReadOnly(object)) return object;
  const { metadata } = object;
  const { name = '', generateName = '', uid = '', creationTimestamp = '' } = metadata ?? {};
  if (metadata === undefined || `${name}${generateName}${uid}${creationTimestamp}` === '') {
    const { apiVersion = '?', kind = '?' } = object;
    throw new MetadataError(
      'METADATA_MISSING',
      `the server answered ${apiVersion} ${kind}, which has no metadata of an object`,
    );
  }
  return bare(object);
}

/** As {@link partialOf}, without the check: the metadata of a bookmark has only a version. */
export function bare(object: KubernetesObject): Stored<PartialObjectMetadata> {
  if (isPartialAndReadOnly(object)) return object;
  const { metadata } = object as Stored<PartialObjectMetadata>;
  const partial = { ...partialType, metadata };
  return identityOf(object) === undefined ? partial : Object.freeze(partial);
}

/** A read-only object that is already partial is passed on without decoding it. */
function isPartialAndReadOnly(object: KubernetesObject): object is Stored<PartialObjectMetadata> {
  const { apiVersion, kind } = partialType;
  return (
    identityOf(object) !== undefined && object.kind === kind && object.apiVersion === apiVersion
  );
}

/** Returns a list whose items are reduced to their metadata. */
export function partialListOf(
  list: ResourceList<KubernetesObject>,
): ResourceList<Stored<PartialObjectMetadata>> {
  const { apiVersion } = partialType;
  const items = list.items.map(partialOf);
  return { apiVersion, kind: 'PartialObjectMetadataList', metadata: list.metadata, items };
}
