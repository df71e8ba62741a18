import { MEDIA_TYPES, mediaTypeEssence, mediaTypeParameters } from '../codec/media-types.ts';
import { isJsonObject, type JsonObject } from '../lib/json.ts';
import { apiVersionOf } from '../meta/resource.ts';
import type { APIResource, APIResourceList } from '../meta/types.ts';
import { staleGroupVersion } from './discovery-error.ts';
import { type APIGroup, entries, list, strings } from './documents.ts';

/*
 * Aggregated discovery: all groups, versions and resources in one document, instead of one request
 * per group-version.
 */

/** Servers compare the parameters as text, so `g`, `v` and `as` must have this order. */
const AGGREGATED = (version: string): string =>
  `${MEDIA_TYPES.json};g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;

/** The media types that this client can decode, in order of preference. */
export const ACCEPT_AGGREGATED: string = [
  AGGREGATED('v2'),
  AGGREGATED('v2beta1'),
  MEDIA_TYPES.json,
].join(',');

/** {@link ACCEPT_AGGREGATED}, limited to what the server serves itself, without its peers. */
export const ACCEPT_NO_PEER: string = `${AGGREGATED('v2')};profile=nopeer,${ACCEPT_AGGREGATED}`;

/** True if a response is aggregated. Proxies may add parameters and change their order. */
export function isAggregated(contentType: string): boolean {
  if (mediaTypeEssence(contentType) !== MEDIA_TYPES.json) return false;
  const parameters = mediaTypeParameters(contentType);
  const version = parameters.get('v');
  return (
    parameters.get('g') === 'apidiscovery.k8s.io' &&
    (version === 'v2' || version === 'v2beta1') &&
    parameters.get('as') === 'APIGroupDiscoveryList'
  );
}

/** The result of discovery, aggregated or not. */
export interface DiscoveredGroups {
  readonly groups: readonly APIGroup[];
  /** By group-version. Undefined if each group-version must be requested separately. */
  readonly resources?: ReadonlyMap<string, APIResourceList>;
  /** By group-version: why its resources are missing. */
  readonly failures: ReadonlyMap<string, Error>;
}

/**
 * Merges the results of `/api` and `/apis`. The resources are kept only if both have them: with the
 * resources of one half alone, the other half would look empty.
 */
export function joinDiscovered(halves: readonly DiscoveredGroups[]): DiscoveredGroups {
  const resources = halves.flatMap((half) => [...(half.resources ?? [])]);
  return {
    groups: halves.flatMap((half) => half.groups),
    ...(halves.every((half) => half.resources !== undefined) && { resources: new Map(resources) }),
    failures: new Map(halves.flatMap((half) => [...half.failures])),
  };
}

/**
 * Converts an aggregated document to the groups and resource lists of unaggregated discovery. A
 * version that the server marks as stale is removed from its group and reported as failed, because
 * its resources are outdated or missing.
 */
export function splitGroupsAndResources(document: unknown): Required<DiscoveredGroups> {
  const groups: APIGroup[] = [];
  const resources = new Map<string, APIResourceList>();
  const failures = new Map<string, Error>();
  for (const item of entries(document, 'APIGroupDiscoveryList', 'items').filter(isJsonObject)) {
    const name = nameOfGroup(item);
    const versions = list(item['versions']).flatMap((found) => {
      if (!isJsonObject(found) || typeof found['version'] !== 'string') return [];
      const { version } = found;
      const groupVersion = apiVersionOf({ group: name, version });
      if (found['freshness'] === 'Stale') {
        failures.set(groupVersion, staleGroupVersion(groupVersion));
        return [];
      }
      resources.set(groupVersion, {
        kind: 'APIResourceList',
        apiVersion: 'v1',
        groupVersion,
        resources: list(found['resources']).filter(isJsonObject).flatMap(flatten),
      });
      return [{ groupVersion, version }];
    });
    const [preferredVersion] = versions;
    groups.push({ name, versions, ...(preferredVersion !== undefined && { preferredVersion }) });
  }
  return { groups, resources, failures };
}

/** The core group has no name, and its metadata may be empty. */
function nameOfGroup({ metadata }: JsonObject): string {
  const name = isJsonObject(metadata) ? metadata['name'] : undefined;
  return typeof name === 'string' ? name : '';
}

/**
 * Returns the entries of a resource and its subresources. A resource without a kind cannot be used
 * itself and is omitted; its subresources are kept.
 */
function flatten(found: JsonObject): APIResource[] {
  const { resource: name, singularResource: singular, scope } = found;
  if (typeof name !== 'string') return [];
  const common = {
    singularName: typeof singular === 'string' ? singular : '',
    namespaced: scope === 'Namespaced',
  };
  const subresources = list(found['subresources']).flatMap((sub) => {
    const kind = isJsonObject(sub) ? kindOf(sub) : undefined;
    if (kind === undefined || !isJsonObject(sub) || typeof sub['subresource'] !== 'string') {
      return [];
    }
    return [
      { name: `${name}/${sub['subresource']}`, ...common, ...kind, verbs: strings(sub['verbs']) },
    ];
  });
  const kind = kindOf(found);
  if (kind === undefined) return subresources;
  const shortNames = strings(found['shortNames']);
  const categories = strings(found['categories']);
  return [
    {
      name,
      ...common,
      ...kind,
      verbs: strings(found['verbs']),
      ...(shortNames.length > 0 && { shortNames }),
      ...(categories.length > 0 && { categories }),
    },
    ...subresources,
  ];
}

/** Returns the kind, with group and version only where they differ from those of the document. */
function kindOf({
  responseKind,
}: JsonObject): Pick<APIResource, 'group' | 'kind' | 'version'> | undefined {
  if (!isJsonObject(responseKind)) return undefined;
  const { group, version, kind } = responseKind;
  if (typeof kind !== 'string' || kind === '') return undefined;
  return {
    ...(typeof group === 'string' && group !== '' && { group }),
    ...(typeof version === 'string' && version !== '' && { version }),
    kind,
  };
}
