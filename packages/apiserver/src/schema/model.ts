import { readFileSync } from 'node:fs';

import { apiVersionOf, type GroupVersion, type GroupVersionKind, type Scope } from 'client-ts/meta';

import { type OpenApiSchema, SchemaLinker } from './linker.ts';
import type { ModelFile, ModelResource } from './model-file.ts';
import {
  checkKubernetesVersion,
  DEFAULT_VERSION,
  type KubernetesVersion,
  modelFileOf,
} from './release.ts';
import type { Schema } from './schema.ts';

/** A resource of the model, with everything that the registry's `ResourceInfo` needs. */
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
  /** The version that it is stored in, unless that is the first version that has it. */
  readonly storedAs?: string;
  /** Linked on first use. */
  readonly schema: Schema;
}

export interface BuiltinSubresource {
  readonly name: string;
  readonly kind: GroupVersionKind;
  readonly verbs: readonly string[];
}

/**
 * The built-in API. Schemas are linked on first use, so a server that never sees a Pod never pays
 * for one.
 */
export interface Model {
  /** The Kubernetes release: `1.36.4`. */
  readonly kubernetes: string;
  /** The second number of the release: 36. */
  readonly minor: number;
  /** In the order of discovery; within a group, the preferred version first. */
  readonly groupVersions: readonly GroupVersion[];
  /** Returns the resources of a group-version; empty if unknown. */
  resources(group: string, version: string): readonly BuiltinResource[];
  /** Returns the type of a kind, including lists and options. */
  schemaFor(kind: GroupVersionKind): Schema | undefined;
  /** Returns the type with this name: `io.k8s.api.core.v1.PodSpec`. */
  schemaById(id: string): Schema | undefined;
  /** Returns the type name of a kind. */
  schemaIdFor(kind: GroupVersionKind): string | undefined;
  /** Every type in OpenAPI form, by name. Properties are in the order of the type. */
  readonly openApi: Readonly<Record<string, OpenApiSchema>>;
}

/** By version, each loaded once. */
const loaded = new Map<KubernetesVersion, Model>();
let file: ModelFile | undefined;

/** Returns the model of a release from this package's data files. Throws for an unknown release. */
export function loadModel(version: KubernetesVersion = DEFAULT_VERSION): Model {
  let model = loaded.get(version);
  if (model === undefined) {
    checkKubernetesVersion(version);
    file ??= JSON.parse(
      readFileSync(new URL('../../data/model.json', import.meta.url), 'utf8'),
    ) as ModelFile;
    model = linkModel(version === DEFAULT_VERSION ? file : modelFileOf(version, file));
    loaded.set(version, model);
  }
  return model;
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
    minor: Number(kubernetes.split('.')[1]),
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
    ...(rest.storedAs !== undefined && { storedAs: rest.storedAs }),
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
