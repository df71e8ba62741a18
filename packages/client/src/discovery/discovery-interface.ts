import type { APIResourceList } from '../meta/types.ts';
import type { DiscoveryOptions } from './discovery-options.ts';
import type { APIGroup, VersionInfo } from './documents.ts';
import type { OpenAPIV3 } from './openapi.ts';
import { namespacedOf, preferredOf, type ServerResources } from './server-resources.ts';

/** What can be asked about a server: by a client, or by a cache in front of one. */
export interface DiscoveryInterface {
  /** The groups, core first. Rejects if they cannot be read. */
  serverGroups(options?: DiscoveryOptions): Promise<readonly APIGroup[]>;
  /**
   * Groups and resources, with the reasons for what is missing. Rejects only if not even the groups
   * can be read.
   */
  serverResources(options?: DiscoveryOptions): Promise<ServerResources>;
  /** Every resource once, in the version that the server prefers; no subresources. */
  preferredResources(options?: DiscoveryOptions): Promise<ServerResources>;
  /** The same without what lives outside of namespaces. */
  preferredNamespacedResources(options?: DiscoveryOptions): Promise<ServerResources>;
  /** What is in one group-version: `v1`, `apps/v1`. Subresources are named `parent/sub`. */
  resourcesForGroupVersion(
    groupVersion: string,
    options?: DiscoveryOptions,
  ): Promise<APIResourceList>;
  /** The version of the server. */
  serverVersion(options?: DiscoveryOptions): Promise<VersionInfo>;
  /** The OpenAPI v3 documents. */
  openAPIV3(): OpenAPIV3;
}

/** The same with answers that may be old. */
export interface CachedDiscoveryInterface extends DiscoveryInterface {
  /** Nothing that is known now will be told again: the next question goes to the server. */
  invalidate(): void;
}

/** What is the same for clients and caches. */
export abstract class Discovery implements DiscoveryInterface {
  abstract serverGroups(options?: DiscoveryOptions): Promise<readonly APIGroup[]>;
  abstract serverResources(options?: DiscoveryOptions): Promise<ServerResources>;
  abstract resourcesForGroupVersion(
    groupVersion: string,
    options?: DiscoveryOptions,
  ): Promise<APIResourceList>;
  abstract serverVersion(options?: DiscoveryOptions): Promise<VersionInfo>;
  abstract openAPIV3(): OpenAPIV3;

  async preferredResources(options: DiscoveryOptions = {}): Promise<ServerResources> {
    return preferredOf(await this.serverResources(options));
  }

  async preferredNamespacedResources(options: DiscoveryOptions = {}): Promise<ServerResources> {
    return namespacedOf(await this.preferredResources(options));
  }
}
