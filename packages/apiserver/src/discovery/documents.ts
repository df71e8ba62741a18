import { createHash } from 'node:crypto';

import {
  type APIResource,
  type APIResourceList,
  apiVersionOf,
  type GroupVersion,
} from 'client-ts/meta';

import type { ResourceCatalog, ResourceInfo } from '../registry/resource.ts';

/** A resource as discovery shows it. */
export type DiscoveredResource = Omit<ResourceInfo, 'schema'>;

/** The resources that discovery shows. */
export interface DiscoveryCatalog extends Pick<ResourceCatalog, 'groupVersions'> {
  resources(group: string, version: string): readonly DiscoveredResource[];
}

/** The input of discovery. */
export interface DiscoverySource {
  readonly catalog: DiscoveryCatalog;
  /**
   * Returns the apiVersion in which a resource is stored; undefined for kinds that are not stored.
   */
  readonly storageVersion: (info: DiscoveredResource) => string | undefined;
}

interface GroupVersionForDiscovery {
  readonly groupVersion: string;
  readonly version: string;
}

/** A group in `/apis`. */
export interface APIGroup {
  readonly name: string;
  readonly versions: readonly GroupVersionForDiscovery[];
  readonly preferredVersion: GroupVersionForDiscovery;
}

/** `GET /api`: the versions of the core group. */
export function apiVersions({ catalog }: DiscoverySource, serverAddress: string): object {
  const versions = catalog
    .groupVersions()
    .filter(({ group }) => group === '')
    .map(({ version }) => version);
  return {
    kind: 'APIVersions',
    versions,
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  };
}

/** `GET /apis`: every group but the core group. */
export function apiGroupList(source: DiscoverySource): object {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groupsOf(source.catalog) };
}

/** `GET /apis/<group>`; undefined for a group that is not served. */
export function apiGroup({ catalog }: DiscoverySource, name: string): object | undefined {
  const group = groupsOf(catalog).find((candidate) => candidate.name === name);
  return group && { kind: 'APIGroup', apiVersion: 'v1', ...group };
}

/** `GET /api/v1`, `GET /apis/<group>/<version>`: resources and their subresources. */
export function apiResourceList(
  source: DiscoverySource,
  { group, version }: GroupVersion,
): APIResourceList {
  const resources: APIResource[] = [];
  for (const info of source.catalog.resources(group, version)) {
    resources.push(apiResource(source, info), ...subresourcesOf(info));
  }
  const isCustom = source.catalog.resources(group, version).some(({ crd }) => crd !== undefined);
  if (!isCustom) resources.sort((left, right) => (left.name < right.name ? -1 : 1));
  // The list of the core group has no apiVersion of its own, for historical reasons.
  const apiVersion = group === '' ? {} : { apiVersion: 'v1' };
  return {
    kind: 'APIResourceList',
    ...apiVersion,
    groupVersion: apiVersionOf({ group, version }),
    resources,
  };
}

/** Aggregated discovery in one document: `/api` for the core group, `/apis` for the others. */
export function aggregatedDiscovery({ catalog }: DiscoverySource, part: 'api' | 'apis'): object {
  const names = new Map<string, GroupVersion[]>();
  for (const groupVersion of catalog.groupVersions()) {
    if ((groupVersion.group === '') !== (part === 'api')) continue;
    const versions = names.get(groupVersion.group) ?? [];
    versions.push(groupVersion);
    names.set(groupVersion.group, versions);
  }
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: [...names].map(([name, versions]) => ({
      metadata: name === '' ? {} : { name },
      versions: versions.map(({ group, version }) => ({
        version,
        resources: [...catalog.resources(group, version)]
          .sort((left, right) => (left.resource < right.resource ? -1 : 1))
          .map((info) => aggregatedResource(info)),
        freshness: 'Current',
      })),
    })),
  };
}

function groupsOf(catalog: DiscoveryCatalog): APIGroup[] {
  const groups = new Map<string, GroupVersionForDiscovery[]>();
  for (const { group, version } of catalog.groupVersions()) {
    if (group === '') continue;
    const versions = groups.get(group) ?? [];
    versions.push({ groupVersion: `${group}/${version}`, version });
    groups.set(group, versions);
  }
  return [...groups].map(([name, versions]) => ({
    name,
    versions,
    preferredVersion: versions[0] as GroupVersionForDiscovery,
  }));
}

function apiResource(source: DiscoverySource, info: DiscoveredResource): APIResource {
  const storedAs = storedVersion(source, info);
  return {
    name: info.resource,
    singularName: info.singular,
    namespaced: info.scope === 'Namespaced',
    kind: info.kind,
    verbs: [...info.verbs],
    ...listed('shortNames', info.shortNames),
    ...listed('categories', info.categories),
    ...(storedAs !== undefined && { storageVersionHash: storageVersionHash(storedAs, info.kind) }),
  };
}

/** Returns the version that a real server stores a resource in, which it may not serve. */
function storedVersion(source: DiscoverySource, info: DiscoveredResource): string | undefined {
  const { group, storedAs } = info;
  return storedAs === undefined
    ? source.storageVersion(info)
    : apiVersionOf({ group, version: storedAs });
}

function subresourcesOf(info: DiscoveredResource): APIResource[] {
  return info.subresources.map(({ name, kind, verbs }) => ({
    name: `${info.resource}/${name}`,
    singularName: '',
    namespaced: info.scope === 'Namespaced',
    ...differingGroupVersion(kind, info),
    kind: kind.kind,
    verbs: [...verbs],
  }));
}

/** Returns group and version of a subresource's kind if they differ from its parent's. */
function differingGroupVersion(
  kind: GroupVersion,
  parent: GroupVersion,
): { group?: string; version?: string } {
  if (kind.group === parent.group && kind.version === parent.version) return {};
  return {
    ...(kind.group !== '' && { group: kind.group }),
    ...(kind.version !== '' && { version: kind.version }),
  };
}

function aggregatedResource(info: DiscoveredResource): object {
  const subresources = info.subresources.map(({ name, kind, verbs }) => ({
    subresource: name,
    responseKind: { group: '', version: '', ...differingGroupVersion(kind, info), kind: kind.kind },
    verbs,
  }));
  const responseKind =
    info.crd === undefined
      ? { group: '', version: '', kind: info.kind }
      : { group: info.group, version: info.version, kind: info.kind };
  return {
    resource: info.resource,
    responseKind,
    scope: info.scope,
    singularResource: info.singular,
    verbs: info.verbs,
    ...listed('shortNames', info.shortNames),
    ...listed('categories', info.categories),
    ...(subresources.length > 0 && { subresources }),
  };
}

function listed<Name extends string>(
  name: Name,
  values: readonly string[],
): { [Key in Name]?: string[] } {
  return values.length === 0 ? {} : ({ [name]: [...values] } as { [Key in Name]?: string[] });
}

/** A hash that changes with the storage version of a resource, for clients. */
function storageVersionHash(apiVersion: string, kind: string): string {
  const name = apiVersion.includes('/') ? `${apiVersion}/${kind}` : `/${apiVersion}/${kind}`;
  return createHash('sha256').update(name).digest().subarray(0, 8).toString('base64');
}

/** The commits of releases, which `kubectl --match-server-version` compares. */
const COMMITS: ReadonlyMap<string, string> = new Map([
  ['1.34.11', '3a634765b787dd069f7f714fa77d767cb7d43795'],
  ['1.35.8', '1c2e10a409eb1b03f2f28f401ce935312e20d9fb'],
  ['1.36.4', 'bb826b1d48562f110659e64e8ec444327433db95'],
]);

/** The names that Go has for systems and machines. */
const GO_SYSTEMS: ReadonlyMap<string, string> = new Map([['win32', 'windows']]);
const GO_MACHINES: ReadonlyMap<string, string> = new Map([
  ['ia32', '386'],
  ['x64', 'amd64'],
]);

/** `GET /version` of a Kubernetes release: `1.36.4`. */
export function versionInfo(release: string): object {
  const [major = '', minor = ''] = release.split('.');
  return {
    major,
    minor,
    emulationMajor: major,
    emulationMinor: minor,
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(Number(minor) - 1),
    gitVersion: `v${release}`,
    gitCommit: COMMITS.get(release) ?? '',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: '',
    compiler: 'client-ts',
    platform: `${GO_SYSTEMS.get(process.platform) ?? process.platform}/${GO_MACHINES.get(process.arch) ?? process.arch}`,
  };
}
