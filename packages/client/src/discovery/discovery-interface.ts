import type { APIResource, APIResourceList } from '../meta/types.ts';
import type {
  APIGroup,
  DiscoveryOptions,
  GroupVersionForDiscovery,
  VersionInfo,
} from './documents.ts';
import type { OpenAPIV3 } from './openapi.ts';

/** The API groups and resources of a server. */
export interface ServerResources {
  /** In the order of the server: the core group first. */
  readonly groups: readonly APIGroup[];
  /** One list for each group-version, in the same order. */
  readonly resources: readonly APIResourceList[];
  /**
   * The error for each group-version whose resources are missing. One API server that is down must
   * not hide the others, so this is a part of the result and not thrown.
   */
  readonly failures: ReadonlyMap<string, Error>;
}

/** Selects resources. */
export type ResourcePredicate = (groupVersion: string, resource: APIResource) => boolean;

/** Returns the lists with only the selected resources; empty lists are omitted. */
export function filteredBy(
  lists: readonly APIResourceList[],
  predicate: ResourcePredicate,
): APIResourceList[] {
  return lists
    .map((list) => ({
      ...list,
      resources: list.resources.filter((resource) => predicate(list.groupVersion, resource)),
    }))
    .filter(({ resources }) => resources.length > 0);
}

/** Selects resources that support all verbs: `supportsAllVerbs(['list', 'watch'])`. */
export function supportsAllVerbs(verbs: readonly string[]): ResourcePredicate {
  return (_groupVersion, resource) => verbs.every((verb) => resource.verbs.includes(verb));
}

/** False for subresources such as `pods/log`. */
export function isTopLevel({ name }: Pick<APIResource, 'name'>): boolean {
  return !name.includes('/');
}

/** Returns the versions of a group, the preferred one first. */
export function preferredFirst(group: APIGroup): GroupVersionForDiscovery[] {
  const { preferredVersion, versions } = group;
  const isPreferred = ({ version }: GroupVersionForDiscovery): boolean =>
    version === preferredVersion?.version;
  return [...versions.filter(isPreferred), ...versions.filter((each) => !isPreferred(each))];
}

/**
 * Returns every resource once, in the preferred version or, if it does not exist there, in the
 * first that has it. Subresources and empty lists are omitted.
 */
export function preferredOf({ groups, resources, failures }: ServerResources): ServerResources {
  const lists = new Map(resources.map((list) => [list.groupVersion, list]));
  const chosen = new Set<APIResource>();
  for (const group of groups) {
    const names = new Set<string>();
    for (const { groupVersion } of preferredFirst(group)) {
      for (const resource of lists.get(groupVersion)?.resources ?? []) {
        if (names.has(resource.name)) continue;
        names.add(resource.name);
        chosen.add(resource);
      }
    }
  }
  return {
    groups,
    resources: filteredBy(
      resources,
      (_groupVersion, resource) => isTopLevel(resource) && chosen.has(resource),
    ),
    failures,
  };
}

/** Returns only namespaced resources. */
export function namespacedOf({ groups, resources, failures }: ServerResources): ServerResources {
  return { groups, resources: filteredBy(resources, (_, { namespaced }) => namespaced), failures };
}

/** Discovery of a server, by a client or a cache. */
export interface DiscoveryInterface {
  /** Returns the groups, core first. Rejects if they cannot be read. */
  serverGroups(options?: DiscoveryOptions): Promise<readonly APIGroup[]>;
  /**
   * Returns groups and resources, with the failures of group-versions. Rejects only if the groups
   * cannot be read.
   */
  serverResources(options?: DiscoveryOptions): Promise<ServerResources>;
  /** Returns every resource once, in the preferred version, without subresources. */
  preferredResources(options?: DiscoveryOptions): Promise<ServerResources>;
  /** The same without what lives outside of namespaces. */
  preferredNamespacedResources(options?: DiscoveryOptions): Promise<ServerResources>;
  /**
   * Returns the resources of a group-version: `v1`, `apps/v1`. Subresources are named `parent/sub`.
   */
  resourcesForGroupVersion(
    groupVersion: string,
    options?: DiscoveryOptions,
  ): Promise<APIResourceList>;
  /** Returns the version of the server. */
  serverVersion(options?: DiscoveryOptions): Promise<VersionInfo>;
  /** Returns the OpenAPI v3 documents. */
  openAPIV3(): OpenAPIV3;
}

/** Discovery with a cache. */
export interface CachedDiscoveryInterface extends DiscoveryInterface {
  /** Invalidates the cache: the next call reads from the server. */
  invalidate(): void;
}

/** The common part of clients and caches. */
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
