import {
  apiVersionOf,
  type GroupResource,
  type GroupVersion,
  parseApiVersion,
  type ResourceDescriptor,
  type SubresourceDescriptor,
  type Verb,
} from '../meta/resource.ts';
import type { APIResource } from '../meta/types.ts';
import { isTopLevel, preferredFirst, type ServerResources } from './discovery-interface.ts';

/**
 * A resource by any of its names: plural, singular or short, in any case. Omitted parts match
 * anything; the empty group is the core group.
 */
export interface PartialResource {
  readonly group?: string;
  readonly version?: string;
  readonly resource: string;
}

/** A kind. Omitted parts match anything; the empty group is the core group. */
export interface PartialKind {
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
}

const VERBS: ReadonlySet<string> = new Set<Verb>([
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
]);

/**
 * The resources of a server, indexed by name and kind. Results are in order of priority: the core
 * group, then the other groups in the order of the server, and within a group the preferred version
 * first.
 */
export class ResourceTable {
  readonly #names = new Map<string, ResourceDescriptor[]>();
  readonly #shortNames = new Map<string, ResourceDescriptor[]>();
  readonly #kinds = new Map<string, ResourceDescriptor[]>();
  readonly #categories = new Map<string, ResourceDescriptor[]>();
  /** The failures of group-versions that are missing from the table. */
  readonly failures: ReadonlyMap<string, Error>;

  constructor({ groups, resources, failures }: ServerResources) {
    this.failures = failures;
    const lists = new Map(resources.map((list) => [list.groupVersion, list.resources]));
    const ordered = groups.toSorted(
      (left, right) => Number(right.name === '') - Number(left.name === ''),
    );
    for (const { groupVersion } of ordered.flatMap(preferredFirst)) {
      const list = lists.get(groupVersion) ?? [];
      for (const resource of list.filter(isTopLevel)) {
        this.#add(describe(resource, parseApiVersion(groupVersion), list));
      }
    }
  }

  /**
   * Returns all resources with a name. A full name takes precedence over a short one. A group that
   * does not exist may be a prefix of one: `storageclasses` in `storage` are those of
   * `storage.k8s.io`, unless a version is given too.
   */
  findResources(wanted: PartialResource): ResourceDescriptor[] {
    const name = wanted.resource.toLowerCase();
    const candidates = [this.#names.get(name) ?? [], this.#shortNames.get(name) ?? []];
    const { group = '', version = '' } = wanted;
    const ways = [
      (found: GroupVersion) => isWithin(found, wanted),
      (found: GroupVersion) => group !== '' && version === '' && found.group.startsWith(group),
    ];
    for (const isWanted of ways) {
      for (const candidate of candidates) {
        const found = candidate.filter(isWanted);
        if (found.length > 0) return found.filter((each) => !isOutdone(each, found, name));
      }
    }
    return [];
  }

  /**
   * Returns all resources of a kind. Case matters only between kinds that differ in nothing else.
   */
  findKinds(wanted: PartialKind): ResourceDescriptor[] {
    const found = (this.#kinds.get(wanted.kind.toLowerCase()) ?? []).filter((each) =>
      isWithin(each, wanted),
    );
    const exact = found.filter(({ kind }) => kind === wanted.kind);
    return exact.length > 0 ? exact : found;
  }

  /** Returns the members of a category, without duplicates: `all`, `api-extensions`. */
  findCategory(category: string): GroupResource[] {
    const members = new Map<string, GroupResource>();
    for (const { group, resource } of this.#categories.get(category) ?? []) {
      members.set(`${resource}.${group}`, { group, resource });
    }
    return [...members.values()];
  }

  #add(descriptor: ResourceDescriptor): void {
    const { resource, singular, shortNames, kind, categories } = descriptor;
    for (const name of new Set([resource, singular])) append(this.#names, name, descriptor);
    for (const name of shortNames) append(this.#shortNames, name.toLowerCase(), descriptor);
    append(this.#kinds, kind.toLowerCase(), descriptor);
    for (const category of categories) append(this.#categories, category, descriptor);
  }
}

function append<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

/** A plural takes precedence over an equal singular. */
function isOutdone(
  { resource, group, version }: ResourceDescriptor,
  all: readonly ResourceDescriptor[],
  name: string,
): boolean {
  const isOther = (other: ResourceDescriptor): boolean =>
    other.resource === name && other.group === group && other.version === version;
  return resource !== name && all.some(isOther);
}

function isWithin(found: GroupVersion, { group, version = '' }: Partial<GroupVersion>): boolean {
  return (
    (group === undefined || group === found.group) && (version === '' || version === found.version)
  );
}

function describe(
  resource: APIResource,
  groupVersion: GroupVersion,
  list: readonly APIResource[],
): ResourceDescriptor {
  const { name, kind, singularName, namespaced } = resource;
  const { verbs, shortNames = [], categories = [] } = resource;
  return {
    ...groupVersion,
    resource: name,
    kind,
    singular: singularName === '' ? kind.toLowerCase() : singularName,
    scope: namespaced ? 'Namespaced' : 'Cluster',
    verbs: verbs.filter((verb): verb is Verb => VERBS.has(verb)),
    subresources: list
      .filter((each) => each.name.startsWith(`${name}/`))
      .map((each) => describeSubresource(each, groupVersion)),
    shortNames,
    categories,
  };
}

function describeSubresource(
  { name, group = '', version = '', kind, verbs }: APIResource,
  parent: GroupVersion,
): SubresourceDescriptor {
  const own = version === '' ? parent : { group, version };
  return { name: name.slice(name.indexOf('/') + 1), kind: { ...own, kind }, verbs };
}

/** Returns `deployments.v1.apps`, for messages; unknown parts are omitted. */
export function nameOfResource({ group = '', version = '', resource }: PartialResource): string {
  return [resource, version, group].filter((part) => part !== '').join('.');
}

/** Returns `kind "Deployment" in version "apps/v1"`, for messages. */
export function nameOfKind({ group, version = '', kind }: PartialKind): string {
  const named = `kind ${JSON.stringify(kind)}`;
  if (version !== '') {
    return `${named} in version ${JSON.stringify(apiVersionOf({ group: group ?? '', version }))}`;
  }
  return group === undefined ? named : `${named} in group ${JSON.stringify(group)}`;
}

/**
 * Parses a resource argument of kubectl: `pods`, `po`, `Deployment`, `deployments.apps`,
 * `deployments.v1.apps`. A dot may separate a name from a group or from version and group, so there
 * can be several readings; the most specific comes first.
 */
export function parseResourceArgument(argument: string): {
  readonly resources: readonly PartialResource[];
  readonly kinds: readonly PartialKind[];
} {
  const [name = '', ...rest] = argument.split('.');
  const [version = '', ...others] = rest;
  const places = [
    ...(others.length > 0 ? [{ version, group: others.join('.') }] : []),
    rest.length > 0 ? { group: rest.join('.') } : {},
  ];
  return {
    resources: places.map((place) => ({ resource: name, ...place })),
    kinds: places.map((place) => ({ kind: name, ...place })),
  };
}
