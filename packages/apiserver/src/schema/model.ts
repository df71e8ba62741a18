import { readFileSync } from 'node:fs';

import type { GroupVersion, GroupVersionKind, Scope } from 'client-ts/meta';
import { apiVersionOf } from 'client-ts/meta';

import { SchemaLinker } from './linker.ts';
import type { OpenApiSchema } from './linker.ts';
import type { Schema } from './schema.ts';

interface ModelSubresource {
  readonly subresource: string;
  readonly kind: { readonly group?: string; readonly version?: string; readonly kind: string };
  readonly verbs: readonly string[];
}

interface ModelResource {
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly singular: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly ModelSubresource[];
}

interface ModelGroupVersion extends GroupVersion {
  readonly resources: readonly ModelResource[];
}

interface ModelFile {
  readonly kubernetes: string;
  readonly groupVersions: readonly ModelGroupVersion[];
  readonly schemas: Readonly<Record<string, OpenApiSchema>>;
}

/** A resource of the model: everything that the registry's `ResourceInfo` asks for. */
export interface BuiltinResource extends GroupVersion {
  /** Lower-case plural, as in the URL. */
  readonly resource: string;
  readonly kind: string;
  readonly listKind: string;
  readonly singular: string;
  readonly scope: Scope;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly BuiltinSubresource[];
  /** Linked when it is first read. */
  readonly schema: Schema;
}

export interface BuiltinSubresource {
  readonly name: string;
  readonly kind: GroupVersionKind;
  readonly verbs: readonly string[];
}

/**
 * The built-in API as the server uses it. Schemas are linked when they are first asked for, so a
 * server that never sees a Pod never pays for one.
 */
export interface Model {
  /** The release that the model describes: `1.36.4`. */
  readonly kubernetes: string;
  /** In the order of discovery; within a group, the preferred version first. */
  readonly groupVersions: readonly GroupVersion[];
  /** The resources of one group-version; empty if there is none such. */
  resources(group: string, version: string): readonly BuiltinResource[];
  /** The type of a kind, lists and option kinds included. */
  schemaFor(kind: GroupVersionKind): Schema | undefined;
  /** The type with this name: `io.k8s.api.core.v1.PodSpec`. */
  schemaById(id: string): Schema | undefined;
  /** The name of the type of a kind. */
  schemaIdFor(kind: GroupVersionKind): string | undefined;
  /** Every type as OpenAPI has it, by name. Properties are in the order of writing. */
  readonly openApi: Readonly<Record<string, OpenApiSchema>>;
}

let loaded: Model | undefined;

/** The model of this package's data file. Read once; later calls are free. */
export function loadModel(): Model {
  loaded ??= linkModel(
    JSON.parse(
      readFileSync(new URL('../../data/model-v1.36.json', import.meta.url), 'utf8'),
    ) as ModelFile,
  );
  return loaded;
}

/**
 * True for versions that a server serves unless told otherwise: `v1`, `v2`; not `v1beta1`, which
 * has to be switched on.
 */
export function isStableVersion(version: string): boolean {
  return /^v[1-9][0-9]*$/.test(version);
}

function linkModel({ kubernetes, groupVersions, schemas }: ModelFile): Model {
  const linker = new SchemaLinker(schemas);
  const ids = new Map<string, string>();
  for (const [id, schema] of Object.entries(schemas)) {
    for (const kind of schema['x-kubernetes-group-version-kind'] ?? []) {
      ids.set(kindKey(kind), id);
    }
  }
  const byGroupVersion = new Map(groupVersions.map((each) => [apiVersionOf(each), each]));
  const infos = new Map<string, readonly BuiltinResource[]>();

  const schemaFor = (kind: GroupVersionKind): Schema | undefined => {
    const id = ids.get(kindKey(kind));
    return id === undefined ? undefined : linker.link(id);
  };
  return {
    kubernetes,
    groupVersions: groupVersions.map(({ group, version }) => ({ group, version })),
    openApi: schemas,
    schemaFor,
    schemaById: (id) => linker.link(id),
    schemaIdFor: (kind) => ids.get(kindKey(kind)),
    resources: (group, version) => {
      const key = apiVersionOf({ group, version });
      let resources = infos.get(key);
      if (resources === undefined) {
        resources = (byGroupVersion.get(key)?.resources ?? []).map((resource) =>
          builtinResource({ group, version }, resource, schemaFor),
        );
        infos.set(key, resources);
      }
      return resources;
    },
  };
}

function kindKey({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}/${kind}`;
}

function builtinResource(
  { group, version }: GroupVersion,
  { resource, kind, singular, namespaced, verbs, ...rest }: ModelResource,
  schemaFor: (kind: GroupVersionKind) => Schema | undefined,
): BuiltinResource {
  let schema: Schema | undefined;
  return {
    group,
    version,
    resource,
    kind,
    listKind: `${kind}List`,
    singular,
    scope: namespaced ? 'Namespaced' : 'Cluster',
    verbs,
    shortNames: rest.shortNames ?? [],
    categories: rest.categories ?? [],
    subresources: (rest.subresources ?? []).map((sub) => ({
      name: sub.subresource,
      kind: {
        group: sub.kind.group ?? group,
        version: sub.kind.version ?? version,
        kind: sub.kind.kind,
      },
      verbs: sub.verbs,
    })),
    get schema(): Schema {
      schema ??= schemaFor({ group, version, kind });
      if (schema === undefined) throw new Error(`the model has no schema for ${kind}`);
      return schema;
    },
  };
}
