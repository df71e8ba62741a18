import { ClientError, isJsonObject, type JsonObject, type JsonValue } from 'client-ts/internal';
import {
  apiVersionOf,
  type GroupVersion,
  parseApiVersion,
  validateDns1035Label,
  validateDns1123Subdomain,
} from 'client-ts/meta';
import type { Transport } from 'client-ts/transport';

import { everyVerb, type ResourceFacts } from '../descriptor.ts';
import { getJson } from './get-json.ts';

/** Every group-version that the server has, in the order it names them. The core group is not in. */
export async function discoverGroupVersions(
  transport: Transport,
  signal?: AbortSignal,
): Promise<GroupVersion[]> {
  const { groups } = await getJson(transport, '/apis', signal);
  return objectsIn(groups)
    .flatMap(({ versions }) => objectsIn(versions))
    .map(({ groupVersion }) => checkedGroupVersion(parseApiVersion(textOf(groupVersion))));
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

/**
 * The resources of a group-version with their subresources, in the order of their names. Verbs that
 * no client has are left out.
 */
export async function discoverResources(
  transport: Transport,
  groupVersion: GroupVersion,
  signal?: AbortSignal,
): Promise<ResourceFacts[]> {
  const { group, version } = groupVersion;
  const { resources } = await getJson(transport, `/apis/${group}/${version}`, signal);
  const byName = objectsIn(resources)
    .map((resource) => ({
      name: textOf(resource['name']),
      kind: textOf(resource['kind']),
      singular: textOf(resource['singularName']),
      namespaced: resource['namespaced'] === true,
      verbs: textsIn(resource['verbs'])
        .filter((verb) => everyVerb.includes(verb))
        .toSorted(),
      shortNames: textsIn(resource['shortNames']),
      categories: textsIn(resource['categories']),
      group: textOf(resource['group']) || group,
      version: textOf(resource['version']) || version,
    }))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));
  return byName
    .filter(({ name }) => name !== '' && !name.includes('/'))
    .map(({ name, kind, singular, ...facts }) => ({
      ...facts,
      group,
      version,
      resource: name,
      kind,
      singular: singular || kind.toLowerCase(),
      subresources: byName
        .filter((subresource) => subresource.name.startsWith(`${name}/`))
        .map((subresource) => ({
          name: subresource.name.slice(name.length + 1),
          kind: {
            group: subresource.group,
            version: subresource.version,
            kind: subresource.kind,
          },
          verbs: subresource.verbs,
        })),
    }));
}

function objectsIn(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function textsIn(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
