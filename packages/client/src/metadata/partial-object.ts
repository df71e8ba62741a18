import { identityOf } from '../meta/object.ts';
import type { KubernetesObject, ObjectMeta } from '../meta/types.ts';
import type { ResourceList, Stored } from '../rest/object-types.ts';
import { MetadataError } from './metadata-error.ts';

/** An object of any kind, of which only the metadata is known. */
export interface PartialObjectMetadata {
  apiVersion?: 'meta.k8s.io/v1';
  kind?: 'PartialObjectMetadata';
  metadata?: ObjectMeta;
}

const partialType = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata' } as const;

/**
 * What is left of an object without all but its metadata. Servers that cannot do it themselves send
 * the whole object. Throws a `METADATA_MISSING` for an answer that is no object.
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

/** The same without a look at the metadata: that of a bookmark has no more than a version. */
export function bare(object: KubernetesObject): Stored<PartialObjectMetadata> {
  if (isPartialAndReadOnly(object)) return object;
  const { metadata } = object as Stored<PartialObjectMetadata>;
  const partial = { ...partialType, metadata };
  return identityOf(object) === undefined ? partial : Object.freeze(partial);
}

/** What is read when it is touched stays untouched if there is nothing to leave out. */
function isPartialAndReadOnly(object: KubernetesObject): object is Stored<PartialObjectMetadata> {
  const { apiVersion, kind } = partialType;
  return (
    identityOf(object) !== undefined && object.kind === kind && object.apiVersion === apiVersion
  );
}

/** A list whose items are reduced to their metadata. */
export function partialListOf(
  list: ResourceList<KubernetesObject>,
): ResourceList<Stored<PartialObjectMetadata>> {
  const { apiVersion } = partialType;
  const items = list.items.map(partialOf);
  return { apiVersion, kind: 'PartialObjectMetadataList', metadata: list.metadata, items };
}
