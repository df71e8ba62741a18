/**
 * The names that most programs need; everything else is in the subpaths.
 *
 * @module
 */

export { loadConfig, type LoadConfigOptions } from './clientcmd/load-config.ts';
export { mutableCopy } from './codec/mutable-copy.ts';
export { DiscoveryClient } from './discovery/discovery-client.ts';
export { RESTMapper } from './discovery/rest-mapper.ts';
export { DynamicClient } from './dynamic/dynamic-client.ts';
export { Clientset, type ClientsetOptions } from './kubernetes/clientset.ts';
export { ClientError } from './lib/errors.ts';
export type { Logger } from './lib/logger.ts';
export { ApiError } from './meta/api-error.ts';
export {
  isAlreadyExists,
  isConflict,
  isExpired,
  isForbidden,
  isNotFound,
} from './meta/error-guards.ts';
export { MetadataClient } from './metadata/metadata-client.ts';
export type { Cached } from './rest/object-types.ts';
export { RESTClient } from './rest/rest-client.ts';
export type { Config } from './transport/config.ts';
export { retryOnConflict } from './wait/retry.ts';
export { waitFor } from './wait/wait-for.ts';
