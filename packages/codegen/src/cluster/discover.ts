import { ClientError } from 'client-ts/lib';
import {
  type APIResourceList,
  apiVersionOf,
  type GroupVersion,
  parseApiVersion,
  validateDns1035Label,
  validateDns1123Subdomain,
} from 'client-ts/meta';
import type { Transport } from 'client-ts/transport';

import type { ResourceFacts } from '../descriptor.ts';
import { getJson } from './get-json.ts';

interface ApiGroupList {
  readonly groups?: readonly {
    readonly name: string;
    readonly versions: readonly { readonly groupVersion: string }[];
  }[];
}

/** Every group-version that the server has, in the order it names them. The core group is not in. */
export async function discoverGroupVersions(
  transport: Transport,
  signal?: AbortSignal,
): Promise<GroupVersion[]> {
  const list = (await getJson(transport, '/apis', signal)) as ApiGroupList;
  return (list.groups ?? [])
    .flatMap(({ versions }) => versions.map(({ groupVersion }) => parseApiVersion(groupVersion)))
    .map(checkedGroupVersion);
}

/** Names become paths of files: what a server says is not trusted with that. */
function checkedGroupVersion(groupVersion: GroupVersion): GroupVersion {
  const { group, version } = groupVersion;
  const [fault] = [...validateDns1123Subdomain(group), ...validateDns1035Label(version)];
  if (fault === undefined) return groupVersion;
  throw new ClientError(
    'DISCOVERY_INVALID',
    `the server names a group-version ${JSON.stringify(apiVersionOf(groupVersion))}: ${fault}`,
  );
}

/** The resources of a group-version with their subresources, in the order of their names. */
export async function discoverResources(
  transport: Transport,
  groupVersion: GroupVersion,
  signal?: AbortSignal,
): Promise<ResourceFacts[]> {
  const { group, version } = groupVersion;
  const path = `/apis/${group}/${version}`;
  const list = (await getJson(transport, path, signal)) as unknown as APIResourceList;
  const byName = (list.resources ?? []).toSorted((left, right) =>
    left.name < right.name ? -1 : 1,
  );
  return byName
    .filter(({ name }) => !name.includes('/'))
    .map((resource) => ({
      group,
      version,
      resource: resource.name,
      kind: resource.kind,
      singular: resource.singularName || resource.kind.toLowerCase(),
      namespaced: resource.namespaced,
      verbs: resource.verbs.toSorted(),
      shortNames: resource.shortNames ?? [],
      categories: resource.categories ?? [],
      subresources: byName
        .filter(({ name }) => name.startsWith(`${resource.name}/`))
        .map((subresource) => ({
          name: subresource.name.slice(resource.name.length + 1),
          kind: {
            group: subresource.group ?? group,
            version: subresource.version ?? version,
            kind: subresource.kind,
          },
          verbs: subresource.verbs.toSorted(),
        })),
    }));
}
