import { getKey, type JsonObject } from 'client-ts/internal';
import { apiVersionOf, type GroupVersion } from 'client-ts/meta';
import type { Catalog } from '../../registry/catalog.ts';
import type { ServedResource } from '../../registry/served-resource.ts';
import { customTypes } from './custom-types.ts';
import { describeType } from './descriptions.ts';
import { DISCOVERY_TYPES, groupPath, resourceListPath, FIXED_PATHS } from './discovery-paths.ts';
import { memoize } from './document-parts.ts';
import { type ApiPath, unknownQuery } from './operation.ts';
import { type DescribedResource, resourcePaths } from './resource-paths.ts';
import { typeNames, type TypeSource } from './types.ts';

/** One document of OpenAPI v3, and one part of the document of v2. */
export interface DocumentSource {
  /** The path in the index: `api/v1`, `apis/apps/v1`. */
  readonly path: string;
  readonly groupVersion: GroupVersion;
  /** The resources in the document. The same resources make the same document. */
  readonly resources: readonly DescribedResource[];
}

/** Collects what documents are made of, and caches what does not change. */
export class DocumentSources {
  readonly #catalog: Catalog;
  readonly #describe = memoize(describe);
  readonly #resourcePaths: (resource: DescribedResource) => readonly ApiPath[];
  readonly #ownPaths = new Map<string, ApiPath>(FIXED_PATHS);
  readonly #builtInTypes = new Map<string, JsonObject>();

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
    const { model } = catalog;
    const options = { types: typeNames(model), unknownQuery: unknownQuery(model) };
    this.#resourcePaths = memoize((resource) =>
      resourcePaths(`/${documentPath(resource.info)}`, resource, options),
    );
  }

  /** Returns the sources of every document that is served now. */
  all(): readonly DocumentSource[] {
    const places = new Map<string, GroupVersion>();
    for (const path of FIXED_PATHS.keys()) places.set(path, CORE);
    for (const groupVersion of this.#catalog.groupVersions()) {
      const { group } = groupVersion;
      if (group !== '' && !this.#catalog.isCustomGroup(group)) {
        places.set(`apis/${group}`, { group, version: '' });
      }
      places.set(documentPath(groupVersion), groupVersion);
    }
    return [...places].map(([path, groupVersion]) => this.#source(path, groupVersion));
  }

  /** Returns the source at a path of the index. */
  find(path: string): DocumentSource | undefined {
    return this.all().find((source) => source.path === path);
  }

  paths({ path, groupVersion, resources }: DocumentSource): readonly ApiPath[] {
    const own = this.#ownPath(path, groupVersion);
    return [...(own ? [own] : []), ...resources.flatMap(this.#resourcePaths)];
  }

  /** Returns a lookup for the types of built-in kinds, of discovery, and of the given resources. */
  types(resources: readonly DescribedResource[], openApi: 2 | 3): TypeSource {
    const own = new Map<string, JsonObject>();
    const typesOf = openApi === 2 ? customTypesV2 : customTypesV3;
    for (const resource of resources) {
      if (resource.info.crd === undefined) continue;
      for (const [name, type] of typesOf(resource)) own.set(name, type);
    }
    return (name) => own.get(name) ?? this.#builtInType(name);
  }

  #builtInType(name: string): JsonObject | undefined {
    const known = this.#builtInTypes.get(name);
    if (known !== undefined) return known;
    const schema = getKey(this.#catalog.model.openApi, name) ?? getKey(DISCOVERY_TYPES, name);
    if (schema === undefined) return undefined;
    const described = describeType(name, schema as unknown as JsonObject);
    this.#builtInTypes.set(name, described);
    return described;
  }

  #source(path: string, groupVersion: GroupVersion): DocumentSource {
    const { group, version } = groupVersion;
    const infos = FIXED_PATHS.has(path) ? [] : this.#catalog.resources(group, version);
    const resources = infos
      .map(({ resource }) => this.#catalog.served(group, version, resource))
      .filter((served) => served !== undefined)
      .map(this.#describe);
    return { path, groupVersion, resources };
  }

  /** Returns the discovery path of a document. Custom groups have none. */
  #ownPath(path: string, groupVersion: GroupVersion): ApiPath | undefined {
    let own = this.#ownPaths.get(path);
    if (own === undefined && !this.#catalog.isCustomGroup(groupVersion.group)) {
      const { group, version } = groupVersion;
      own = version === '' ? groupPath(group) : resourceListPath(`/${path}`, groupVersion);
      this.#ownPaths.set(path, own);
    }
    return own;
  }
}

const CORE: GroupVersion = { group: '', version: 'v1' };

const customTypesV2 = memoize((resource: DescribedResource) => customTypes(resource, 2));
const customTypesV3 = memoize((resource: DescribedResource) => customTypes(resource, 3));

/** Returns the path of a group-version in the index: `api/v1`, `apis/apps/v1`. */
function documentPath(groupVersion: GroupVersion): string {
  return groupVersion.group === ''
    ? `api/${groupVersion.version}`
    : `apis/${apiVersionOf(groupVersion)}`;
}

function describe({ info, registry, selectableFields = [] }: ServedResource): DescribedResource {
  const { deleteReturnsObject = false, emptyFirst } = registry.strategy;
  return {
    info,
    // A real server describes the deletion of namespaces as immediate.
    deleteReturnsObject: deleteReturnsObject && emptyFirst === undefined,
    selectableFields,
  };
}
