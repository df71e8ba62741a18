/**
 * Clients that read and write only the metadata of objects.
 *
 * @module
 */

export {
  MetadataClient,
  type MetadataResourceClient,
  type NamespaceableMetadataClient,
} from './metadata-client.ts';
export {
  METADATA_ERRORS,
  MetadataError,
  type MetadataErrorCode,
  type PartialObjectMetadata,
} from './partial-object.ts';
