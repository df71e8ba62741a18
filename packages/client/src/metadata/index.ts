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
