import type { APIResource, APIResourceList } from '../meta/types.ts';
import type {
  APIGroup,
  DiscoveryOptions,
  GroupVersionForDiscovery,
  VersionInfo,
} from './documents.ts';
import type { OpenAPIV3 } from './openapi.ts';

/** Everything that a server serves, as far as it could be found out. */
export interface ServerResources {
  /** In the order of the server: the core group first. */
  readonly groups: readonly APIGroup[];
  /** One list for each group-version, in the same order. */
  readonly resources: readonly APIResourceList[];
  /**
   * By group-version: why its resources are missing. Empty if nothing is. One API server that is
   * down must not hide all the others, so this is a part of the answer and not an error.
   */
  readonly failures: ReadonlyMap<string, Error>;
}

/** Tells which resources are wanted. */
export type ResourcePredicate = (groupVersion: string, resource: APIResource) => boolean;

/** The lists with only what is wanted in them; those that end up empty are left out. */
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

/** Wants what can do all of this: `supportsAllVerbs(['list', 'watch'])`. */
export function supportsAllVerbs(verbs: readonly string[]): ResourcePredicate {
  return (_groupVersion, resource) => verbs.every((verb) => resource.verbs.includes(verb));
}

/** False for `pods/log` and its like, which exist only below an object. */
export function isTopLevel({ name }: Pick<APIResource, 'name'>): boolean {
  return !name.includes('/');
}

/** The versions of a group, the preferred one first. */
export function preferredFirst(group: APIGroup): GroupVersionForDiscovery[] {
  const { preferredVersion, versions } = group;
  const isPreferred = ({ version }: GroupVersionForDiscovery): boolean =>
    version === preferredVersion?.version;
  return [...versions.filter(isPreferred), ...versions.filter((each) => !isPreferred(each))];
}

/**
 * Every resource once, in the version that the server prefers, or, if it does not exist there, in
 * the first that has it. Subresources are left out, and so are lists that end up empty.
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

/** The same without what lives outside of namespaces. */
export function namespacedOf({ groups, resources, failures }: ServerResources): ServerResources {
  return { groups, resources: filteredBy(resources, (_, { namespaced }) => namespaced), failures };
}

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
