import { apiVersionOf, type GroupVersion } from 'client-ts/meta';
import { canonicalObject } from '../schema/decode.ts';
import type { Store, StoredObject } from '../store/store.ts';
import type { ApiObject } from './object.ts';
import { Registry } from './registry.ts';
import type { ResourceCatalog, ResourceInfo } from './resource.ts';
import type { Conversion, ServedResource } from './served-resource.ts';
import type { Strategy } from './strategy.ts';

/** What the catalog needs to know of the built-in API. */
export interface BuiltIns {
  readonly groupVersions: readonly GroupVersion[];
  readonly resources: (group: string, version: string) => readonly ResourceInfo[];
  readonly strategyFor: (group: string, resource: string) => Strategy;
  readonly selectableFieldsFor: (group: string, resource: string) => readonly string[];
  /** Conversions that are more than another apiVersion. */
  readonly conversionFor: (info: ResourceInfo) => Conversion | undefined;
}

/** Resources that share their storage with one of another group. */
const STORED_ELSEWHERE: ReadonlyMap<string, GroupVersion> = new Map([
  ['events.k8s.io/events', { group: '', version: 'v1' }],
]);

/**
 * Every resource that the server serves, found by group, version and plural. Custom resources are
 * added and taken away while it runs.
 */
export class Catalog implements ResourceCatalog {
  readonly #store: Store;
  readonly #builtIns: BuiltIns;
  readonly #served = new Map<string, ServedResource>();
  readonly #byGroupVersion = new Map<string, ServedResource[]>();
  readonly #registries = new Map<string, Registry>();
  #custom = new Map<string, readonly ServedResource[]>();
  #generation = 0;

  constructor(store: Store, builtIns: BuiltIns) {
    this.#store = store;
    this.#builtIns = builtIns;
    for (const { group, version } of builtIns.groupVersions) {
      for (const info of builtIns.resources(group, version)) this.#add(this.#serve(info));
    }
  }

  get generation(): number {
    return this.#generation;
  }

  groupVersions(): readonly GroupVersion[] {
    const versions: GroupVersion[] = [...this.#builtIns.groupVersions];
    const known = new Set(versions.map(apiVersionOf));
    for (const resources of this.#custom.values()) {
      for (const { info } of resources) {
        const { group, version } = info;
        if (known.has(apiVersionOf(info))) continue;
        known.add(apiVersionOf(info));
        versions.push({ group, version });
      }
    }
    return versions;
  }

  resources(group: string, version: string): readonly ResourceInfo[] {
    return (this.#byGroupVersion.get(`${group}/${version}`) ?? []).map(({ info }) => info);
  }

  find(group: string, version: string, resource: string): ResourceInfo | undefined {
    return this.served(group, version, resource)?.info;
  }

  served(group: string, version: string, resource: string): ServedResource | undefined {
    return this.#served.get(`${group}/${version}/${resource}`);
  }

  /** True for groups that only custom resources have. */
  isCustomGroup(group: string): boolean {
    return !this.#builtIns.groupVersions.some((known) => known.group === group);
  }

  hasGroup(group: string): boolean {
    return this.groupVersions().some((known) => known.group === group);
  }

  hasGroupVersion(group: string, version: string): boolean {
    return this.groupVersions().some(
      (known) => known.group === group && known.version === version,
    );
  }

  /** The resource that objects of a kind are found under. */
  byKind(group: string, version: string, kind: string): ServedResource | undefined {
    return this.#byGroupVersion.get(`${group}/${version}`)?.find(({ info }) => info.kind === kind);
  }

  /** Every stored resource once, in one of the versions that it is served in. */
  stored(): readonly ServedResource[] {
    const seen = new Map<Registry, ServedResource>();
    for (const served of this.#served.values()) {
      if (!seen.has(served.registry)) seen.set(served.registry, served);
    }
    return [...seen.values()];
  }

  registry(group: string, resource: string): Registry | undefined {
    return this.#registries.get(`${group}/${resource}`);
  }

  /** Serves the versions of a custom resource, instead of those that it was served in before. */
  setCustom(crd: string, resources: readonly ServedResource[]): void {
    this.removeCustom(crd);
    this.#custom = new Map(this.#custom).set(crd, resources);
    for (const served of resources) {
      this.#registries.set(`${served.info.group}/${served.info.resource}`, served.registry);
      this.#add(served);
    }
  }

  removeCustom(crd: string): void {
    const resources = this.#custom.get(crd);
    if (resources === undefined) return;
    this.#custom = new Map(this.#custom);
    this.#custom.delete(crd);
    for (const { info } of resources) {
      const groupVersion = `${info.group}/${info.version}`;
      const rest = (this.#byGroupVersion.get(groupVersion) ?? []).filter(
        (served) => served.info.resource !== info.resource,
      );
      if (rest.length === 0) this.#byGroupVersion.delete(groupVersion);
      else this.#byGroupVersion.set(groupVersion, rest);
      this.#served.delete(`${groupVersion}/${info.resource}`);
      this.#registries.delete(`${info.group}/${info.resource}`);
    }
    this.#generation++;
  }

  #add(served: ServedResource): void {
    const { group, version, resource } = served.info;
    const groupVersion = `${group}/${version}`;
    this.#served.set(`${groupVersion}/${resource}`, served);
    const siblings = this.#byGroupVersion.get(groupVersion) ?? [];
    this.#byGroupVersion.set(groupVersion, [...siblings, served]);
    this.#generation++;
  }

  #serve(info: ResourceInfo): ServedResource {
    const { group, resource } = info;
    const elsewhere = STORED_ELSEWHERE.get(`${group}/${resource}`);
    const storageGroup = elsewhere?.group ?? group;
    const registry = this.#registryFor(storageGroup, info);
    const stored = this.#storedVersion(storageGroup, info);
    const special = this.#builtIns.conversionFor(info);
    const conversion =
      (special && canonicalConversion(special, info)) ??
      (stored === apiVersionOf(info) ? undefined : renameVersion(apiVersionOf(info), stored));
    return {
      info,
      registry,
      ...(conversion && { conversion }),
      selectableFields: this.#builtIns.selectableFieldsFor(group, resource),
      uncached: resource === 'events',
    };
  }

  /** The apiVersion that a resource is stored in. */
  storageVersion(group: string, version: string, resource: string): string | undefined {
    const served = this.served(group, version, resource);
    if (served === undefined) return undefined;
    const { info, registry } = served;
    return info.crd === undefined
      ? this.#storedVersion(registry.group, info)
      : apiVersionOf(
          this.#custom.get(info.crd)?.find(({ conversion }) => conversion === undefined)?.info ??
            info,
        );
  }

  /** The first version that a resource was seen in is the one it is stored in. */
  #storedVersion(storageGroup: string, info: ResourceInfo): string {
    for (const { group, version } of this.#builtIns.groupVersions) {
      if (group !== storageGroup) continue;
      const found = this.#builtIns
        .resources(group, version)
        .some(({ resource }) => resource === info.resource);
      if (found) return apiVersionOf({ group, version });
    }
    return apiVersionOf(info);
  }

  #registryFor(storageGroup: string, info: ResourceInfo): Registry {
    const key = `${storageGroup}/${info.resource}`;
    let registry = this.#registries.get(key);
    if (registry === undefined) {
      registry = new Registry({
        group: storageGroup,
        resource: info.resource,
        kind: info.kind,
        namespaced: info.scope === 'Namespaced',
        strategy: this.#builtIns.strategyFor(storageGroup, info.resource),
        hasStatus: info.subresources.some(({ name }) => name === 'status'),
        store: this.#store,
        canonical: (object) => canonicalObject(info.schema, object),
      });
      this.#registries.set(key, registry);
    }
    return registry;
  }
}

/** What a conversion makes, in the form in which the server writes it. */
function canonicalConversion(conversion: Conversion, { schema }: ResourceInfo): Conversion {
  return {
    ...conversion,
    fromStorage: (object): StoredObject => canonicalObject(schema, conversion.fromStorage(object)),
  };
}

/** For versions of the same shape: only the apiVersion is another one. */
export function renameVersion(served: string, stored: string): Conversion {
  return {
    fromStorage: (object): StoredObject => ({ ...object, apiVersion: served }),
    toStorage: (object): ApiObject => ({ ...object, apiVersion: stored }),
  };
}
