/**
 * What a server serves, with caches, and the mapping from kinds to resources.
 *
 * @module
 */

export {
  CachedDiscoveryClient,
  defaultCacheDirectory,
  discoveryCacheDirectory,
  type DiskCacheForConfigOptions,
  type DiskCacheOptions,
} from './cached-discovery-client.ts';
export { DiscoveryClient, type DiscoveryClientOptions } from './discovery-client.ts';
export {
  DISCOVERY_ERRORS,
  DiscoveryError,
  type DiscoveryErrorCode,
  GroupDiscoveryFailedError,
} from './discovery-error.ts';
export {
  type CachedDiscoveryInterface,
  type DiscoveryInterface,
  filteredBy,
  type ResourcePredicate,
  type ServerResources,
  supportsAllVerbs,
} from './discovery-interface.ts';
export type {
  APIGroup,
  DiscoveryOptions,
  GroupVersionForDiscovery,
  VersionInfo,
} from './documents.ts';
export {
  AmbiguousMatchError,
  isAmbiguousError,
  isNoMatchError,
  NoMatchError,
} from './mapping-error.ts';
export { type DiscoveryDelegate, MemCacheClient } from './mem-cache-client.ts';
export type { OpenAPIV3, OpenAPIV3Path } from './openapi.ts';
export type { PartialKind, PartialResource } from './resource-table.ts';
export {
  type Mappable,
  type MapperSource,
  RESTMapper,
  type RESTMapperOptions,
} from './rest-mapper.ts';
export { ScaleClient, type ScaleInterface } from './scale-client.ts';
