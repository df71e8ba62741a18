export {
  MetadataClient,
  type MetadataResourceClient,
  type NamespaceableMetadataClient,
} from './metadata-client.ts';
export { METADATA_ERRORS, MetadataError, type MetadataErrorCode } from './metadata-error.ts';
export type { PartialObjectMetadata } from './partial-object.ts';
