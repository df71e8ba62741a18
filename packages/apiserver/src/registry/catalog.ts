import { apiVersionOf, type GroupVersion } from 'client-ts/meta';

import { comparePriority } from '../crd/custom-resource.ts';
import { canonicalObject } from '../schema/decode.ts';
import type { Model } from '../schema/model.ts';
import type { Store, StoredObject } from '../store/store.ts';
import type { CustomResource } from './custom-resource.ts';
import type { ApiObject } from './object.ts';
import { Registry } from './registry.ts';
import type { ResourceCatalog, ResourceInfo } from './resource.ts';
import type { Conversion, ServedResource } from './served-resource.ts';
import type { Strategy } from './strategy.ts';

/** The built-in API, as the catalog uses it. */
export interface BuiltIns {
  /** The types of the release that the server implements. */
  readonly model: Model;
  readonly groupVersions: readonly GroupVersion[];
  readonly resources: (group: string, version: string) => readonly ResourceInfo[];
  readonly strategyFor: (group: string, resource: string) => Strategy;
  /** Returns the labels for field selectors of kinds that have more than name and namespace. */
  readonly fieldLabelsFor: (group: string, resource: string) => readonly string[] | undefined;
  /** Returns conversions that change more than the `apiVersion`. */
  readonly conversionFor: (info: ResourceInfo) => Conversion | undefined;
}

/** Resources that are stored under another group. */
const STORED_ELSEWHERE: ReadonlyMap<string, string> = new Map([['events.k8s.io/events', '']]);

/**
 * Every served resource, by group, version and plural. Custom resources are added and removed at
 * run time.
 */
export class Catalog implements ResourceCatalog {
  readonly builtIns: BuiltIns;
  readonly #store: Store;
  readonly #builtInGroups: ReadonlySet<string>;
  readonly #served = new Map<string, ServedResource>();
  readonly #byGroupVersion = new Map<string, readonly ServedResource[]>();
  readonly #registries = new Map<string, Registry>();
  readonly #custom = new Map<string, CustomResource>();
  readonly #listeners = new Set<() => void>();
  #groupVersions: readonly GroupVersion[];
  #generation = 0;

  constructor(store: Store, builtIns: BuiltIns) {
    this.#store = store;
    this.builtIns = builtIns;
    this.#groupVersions = builtIns.groupVersions;
    this.#builtInGroups = new Set(builtIns.groupVersions.map(({ group }) => group));
    for (const { group, version } of builtIns.groupVersions) {
      for (const info of builtIns.resources(group, version)) this.#add(this.#serve(info));
    }
  }

  /** Returns a catalog of the same built-in resources, with the objects of another store. */
  over(store: Store): Catalog {
    return new Catalog(store, this.builtIns);
  }

  /** The types of the release that the server implements. */
  get model(): Model {
    return this.builtIns.model;
  }

  get generation(): number {
    return this.#generation;
  }

  groupVersions(): readonly GroupVersion[] {
    return this.#groupVersions;
  }

  resources(group: string, version: string): readonly ResourceInfo[] {
    return (this.#byGroupVersion.get(`${group}/${version}`) ?? []).map(({ info }) => info);
  }

  served(group: string, version: string, resource: string): ServedResource | undefined {
    return this.#served.get(`${group}/${version}/${resource}`);
  }

  /** Returns the other served versions of a resource, and other groups that share its objects. */
  equivalents(served: ServedResource): readonly ServedResource[] {
    const { crd, resource } = served.info;
    return this.#groupVersions.flatMap(({ group, version }) => {
      const other = this.served(group, version, resource);
      if (other === undefined || other === served) return [];
      const isSame =
        crd === undefined ? other.registry === served.registry : other.info.crd === crd;
      return isSame ? [other] : [];
    });
  }

  /** Returns true for groups that are not built in, whether or not a custom resource uses them. */
  isCustomGroup(group: string): boolean {
    return !this.#builtInGroups.has(group);
  }

  hasGroupVersion(group: string, version: string): boolean {
    return this.#byGroupVersion.has(`${group}/${version}`);
  }

  /** Returns the registry of a resource, which is independent of the served version. */
  registry(group: string, resource: string): Registry | undefined {
    return this.#registries.get(`${group}/${resource}`);
  }

  /** Returns the registry of a kind in a served version. */
  registryOfKind(group: string, version: string, kind: string): Registry | undefined {
    const resources = this.#byGroupVersion.get(`${group}/${version}`);
    const found = resources?.find(({ info }) => info.kind === kind);
    return found && this.registry(found.registry.group, found.info.resource);
  }

  /** Iterates over the registry of every resource, each once. */
  registries(): Iterable<Registry> {
    return this.#registries.values();
  }

  /** Returns the `apiVersion` that a resource is stored in. */
  storageVersion({ group, resource, version, crd }: Omit<ResourceInfo, 'schema'>): string {
    const custom = crd === undefined ? undefined : this.#custom.get(crd);
    return custom?.storedAs ?? this.#storedAs(group, resource) ?? apiVersionOf({ group, version });
  }

  /** Calls `listener` after custom resources were added, changed or removed. */
  subscribe(listener: () => void): Disposable {
    // Wrapped, so that the same function can subscribe twice.
    const call = (): void => listener();
    this.#listeners.add(call);
    return { [Symbol.dispose]: () => void this.#listeners.delete(call) };
  }

  /** Serves a custom resource, and replaces what its definition described before. */
  setCustom(custom: CustomResource): void {
    this.#forget(custom.crd);
    this.#custom.set(custom.crd, custom);
    const { registry } = custom;
    this.#registries.set(`${registry.group}/${registry.resource}`, registry);
    for (const served of custom.served) this.#add(served);
    this.#changed();
  }

  /** Removes the resources of a definition, if any. */
  removeCustom(crd: string): void {
    if (this.#forget(crd)) this.#changed();
  }

  #forget(crd: string): boolean {
    const custom = this.#custom.get(crd);
    if (custom === undefined) return false;
    this.#custom.delete(crd);
    this.#registries.delete(`${custom.registry.group}/${custom.registry.resource}`);
    for (const served of custom.served) {
      const { group, version, resource } = served.info;
      const groupVersion = `${group}/${version}`;
      this.#served.delete(`${groupVersion}/${resource}`);
      const rest = (this.#byGroupVersion.get(groupVersion) ?? []).filter((one) => one !== served);
      if (rest.length === 0) this.#byGroupVersion.delete(groupVersion);
      else this.#byGroupVersion.set(groupVersion, rest);
    }
    return true;
  }

  #changed(): void {
    this.#generation += 1;
    const custom = [...this.#custom.values()].flatMap(({ served }) => served);
    this.#groupVersions = [...this.builtIns.groupVersions, ...this.#customGroupVersions(custom)];
    for (const listener of this.#listeners) listener();
  }

  /** Returns the groups by name, with their versions in order of preference. */
  #customGroupVersions(resources: readonly ServedResource[]): GroupVersion[] {
    const found = new Map<string, GroupVersion>();
    for (const { info } of resources) {
      const { group, version } = info;
      found.set(apiVersionOf(info), { group, version });
    }
    for (const builtIn of this.builtIns.groupVersions) found.delete(apiVersionOf(builtIn));
    return [...found.values()].sort((left, right) =>
      left.group === right.group
        ? comparePriority(left.version, right.version)
        : left.group < right.group
          ? -1
          : 1,
    );
  }

  #add(served: ServedResource): void {
    const { group, version, resource } = served.info;
    const groupVersion = `${group}/${version}`;
    this.#served.set(`${groupVersion}/${resource}`, served);
    const siblings = this.#byGroupVersion.get(groupVersion) ?? [];
    this.#byGroupVersion.set(groupVersion, [...siblings, served]);
  }

  #serve(info: ResourceInfo): ServedResource {
    const { group, resource } = info;
    const servedAs = apiVersionOf(info);
    const storedAs = this.#storedAs(group, resource) ?? servedAs;
    const fieldLabels = this.builtIns.fieldLabelsFor(group, resource);
    const special = this.builtIns.conversionFor(info);
    const conversion =
      (special && canonicalConversion(special, info)) ??
      (storedAs === servedAs ? undefined : renameVersion(servedAs, storedAs));
    return {
      info,
      registry: this.#registryFor(info),
      ...(conversion && { conversion }),
      ...(fieldLabels && { fieldLabels }),
      uncached: resource === 'events',
    };
  }

  /** A built-in resource is stored in the first version that has it. */
  #storedAs(group: string, resource: string): string | undefined {
    const storageGroup = storageGroupOf(group, resource);
    const version = this.builtIns.groupVersions.find(
      (candidate) =>
        candidate.group === storageGroup &&
        this.builtIns
          .resources(candidate.group, candidate.version)
          .some((info) => info.resource === resource),
    );
    return version && apiVersionOf(version);
  }

  #registryFor(info: ResourceInfo): Registry {
    const { group, resource, kind, scope, subresources } = info;
    const storageGroup = storageGroupOf(group, resource);
    const key = `${storageGroup}/${resource}`;
    let registry = this.#registries.get(key);
    if (registry === undefined) {
      registry = new Registry({
        group: storageGroup,
        resource,
        kind,
        namespaced: scope === 'Namespaced',
        strategy: this.builtIns.strategyFor(storageGroup, resource),
        hasStatus: subresources.some(({ name }) => name === 'status'),
        store: this.#store,
        // Schemas are linked on first use.
        canonical: (object) => canonicalObject(info.schema, object),
      });
      this.#registries.set(key, registry);
    }
    return registry;
  }
}

function storageGroupOf(group: string, resource: string): string {
  return STORED_ELSEWHERE.get(`${group}/${resource}`) ?? group;
}

/** Puts converted objects into canonical field order. */
function canonicalConversion(conversion: Conversion, info: ResourceInfo): Conversion {
  return {
    ...conversion,
    fromStorage: (object): StoredObject =>
      canonicalObject(info.schema, conversion.fromStorage(object)),
  };
}

/** Converts between versions of the same shape, which differ in `apiVersion` only. */
function renameVersion(served: string, stored: string): Conversion {
  return {
    fromStorage: (object): StoredObject => ({ ...object, apiVersion: served }),
    toStorage: (object): ApiObject => ({ ...object, apiVersion: stored }),
  };
}
