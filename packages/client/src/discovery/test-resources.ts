import type { APIResource, APIResourceList } from '../meta/types.ts';
import type { APIGroup } from './documents.ts';
import type { ServerResources } from './discovery-interface.ts';

/** A namespaced resource with what tests leave out filled in: `widgets` is of kind `Widget`. */
export function resource(name: string, more: Partial<APIResource> = {}): APIResource {
  const singular = name.replace(/s$/, '');
  const kind = singular.charAt(0).toUpperCase() + singular.slice(1);
  const verbs = ['create', 'get', 'list', 'watch'];
  return { name, singularName: singular, namespaced: true, kind, verbs, ...more };
}

/** Resources by group-version, in the order of the server; the first version of a group is preferred. */
export function serverResources(
  lists: Readonly<Record<string, readonly APIResource[]>>,
  failures: ReadonlyMap<string, Error> = new Map(),
): ServerResources {
  const groups = new Map<string, string[]>();
  for (const groupVersion of Object.keys(lists)) {
    const name = groupVersion.includes('/') ? groupVersion.slice(0, groupVersion.indexOf('/')) : '';
    groups.set(name, [...(groups.get(name) ?? []), groupVersion]);
  }
  return {
    groups: [...groups].map(([name, versions]) => group(name, versions)),
    resources: Object.entries(lists).map(([groupVersion, resources]) =>
      resourceList(groupVersion, resources),
    ),
    failures,
  };
}

/** A group; the first of its group-versions is preferred. */
export function group(name: string, groupVersions: readonly string[]): APIGroup {
  const versions = groupVersions.map((groupVersion) => ({
    groupVersion,
    version: groupVersion.slice(groupVersion.indexOf('/') + 1),
  }));
  const [preferredVersion] = versions;
  return { name, versions, ...(preferredVersion !== undefined && { preferredVersion }) };
}

/** A list as discovery returns it. */
export function resourceList(
  groupVersion: string,
  resources: readonly APIResource[],
): APIResourceList {
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources: [...resources] };
}
