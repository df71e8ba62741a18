import { createHash } from 'node:crypto';

import { getKey, isJsonObject, type JsonObject, type JsonValue } from 'client-ts/internal';
import type { APIResource, GroupVersion } from 'client-ts/meta';
import type { Transport } from 'client-ts/transport';

import { getJson } from '../cluster/get-json.ts';
import type { ApiModel, ModelGroupVersion, ModelResource, ModelSubresource } from '../model.ts';
import type { Schema, SchemaKind } from '../schema.ts';

/**
 * Reads the API model of a running server from its discovery and OpenAPI v3 documents, in the order
 * in which the server lists its groups. Alpha and beta versions are in it if the server serves them.
 *
 * @throws {ApiError} if the server refuses.
 */
export async function readApiModel(transport: Transport): Promise<ApiModel> {
  const read = (path: string): Promise<JsonObject> => getJson(transport, path);
  const { gitVersion } = (await read('/version')) as { readonly gitVersion?: string };
  const [kubernetes = ''] = /\d+\.\d+\.\d+/.exec(gitVersion ?? '') ?? [];
  return extractApiModel(kubernetes, { read });
}

/** Where discovery and OpenAPI documents come from. */
export interface ApiModelSource {
  /** Reads a document by its path on an API server. */
  readonly read: (path: string) => Promise<JsonObject>;
  /** Whether to include a group-version. All of them, by default. */
  readonly isIncluded?: (groupVersion: GroupVersion) => boolean;
}

/**
 * Makes the API model from discovery and OpenAPI v3 documents. Descriptions are dropped: they are
 * not ours to copy, and `model/docs` has its own.
 */
export async function extractApiModel(
  kubernetes: string,
  { read, isIncluded = () => true }: ApiModelSource,
): Promise<ApiModel> {
  const groupVersions: ModelGroupVersion[] = [];
  const firstVersions = new Map<string, string>();
  const documents: JsonObject[] = [];
  const listed = groupVersionsIn(await read('/apis'));
  for (const groupVersion of [{ group: '', version: 'v1' }, ...listed].filter(isIncluded)) {
    const { group, version } = groupVersion;
    const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    const { resources } = await read(path);
    const listed = (resources as unknown as APIResource[]).map((resource) => {
      const name = `${group}/${resource.name}`;
      if (!firstVersions.has(name)) firstVersions.set(name, version);
      const storedAs = storageVersionOf(resource, group);
      return storedAs === firstVersions.get(name) ? resource : { ...resource, storedAs };
    });
    groupVersions.push(modelGroupVersion(groupVersion, listed));
    documents.push(await read(`/openapi/v3${path}`));
  }
  return { kubernetes, groupVersions, schemas: schemasOf(documents) };
}

interface ListedResource extends APIResource {
  readonly storedAs?: string | undefined;
}

/** The versions that a resource can be stored in; the server may no longer serve them. */
const VERSIONS = ['v1', 'v2'].flatMap((version) => [
  version,
  ...['alpha1', 'alpha2', 'alpha3', 'beta1', 'beta2', 'beta3'].map((level) => version + level),
]);

/** Returns the version whose hash discovery shows; undefined if it is one of another group. */
function storageVersionOf(
  { kind, storageVersionHash }: APIResource,
  group: string,
): string | undefined {
  if (storageVersionHash === undefined) return undefined;
  return VERSIONS.find((version) => {
    const digest = createHash('sha256').update(`${group}/${version}/${kind}`).digest();
    return digest.subarray(0, 8).toString('base64') === storageVersionHash;
  });
}

function groupVersionsIn({ groups }: JsonObject): GroupVersion[] {
  const list = groups as unknown as { name: string; versions: { version: string }[] }[];
  return list.flatMap(({ name, versions }) =>
    versions.map(({ version }) => ({ group: name, version })),
  );
}

function schemasOf(documents: readonly JsonObject[]): Readonly<Record<string, Schema>> {
  const schemas = new Map<string, JsonObject>();
  for (const { components } of documents) {
    const published = isJsonObject(components) ? components['schemas'] : undefined;
    if (!isJsonObject(published)) continue;
    for (const [id, schema] of Object.entries(published)) {
      if (!isJsonObject(schema)) continue;
      const kinds = [...kindsOf(schemas.get(id)), ...kindsOf(schema)];
      schemas.set(
        id,
        normalSchema({ ...schema, ...(kinds.length > 0 && { [KINDS]: unique(kinds) }) }),
      );
    }
  }
  const sorted = [...schemas].toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(sorted);
}

const KINDS = 'x-kubernetes-group-version-kind';

/** Types that belong to every group, such as DeleteOptions, list different kinds in each document. */
function kindsOf(schema: JsonObject | undefined): SchemaKind[] {
  return (schema?.[KINDS] ?? []) as unknown as SchemaKind[];
}

function unique(kinds: readonly SchemaKind[]): JsonObject[] {
  const byName = new Map(
    kinds.map(({ group, kind, version }) => [
      `${group}/${version}/${kind}`,
      { group, kind, version },
    ]),
  );
  return [...byName].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, kind]) => kind);
}

/** Keywords in the order in which the model has them; extensions follow, then references. */
const ORDER = [
  'type',
  'format',
  'required',
  'properties',
  'items',
  'additionalProperties',
  'default',
  'enum',
  'oneOf',
];

/** A schema as the model has it: no descriptions, keywords in order, references by bare name. */
function normalSchema(schema: JsonObject): JsonObject {
  const { allOf, ...own } = schema;
  const [only] = Array.isArray(allOf) ? allOf : [];
  // OpenAPI v3 wraps a reference that has siblings.
  const flat = isJsonObject(only) ? { ...own, ...only } : own;
  const names = [
    ...ORDER.filter((name) => Object.hasOwn(flat, name)),
    ...Object.keys(flat)
      .filter((name) => name.startsWith('x-'))
      .toSorted(),
    ...(Object.hasOwn(flat, '$ref') ? ['$ref'] : []),
  ];
  return Object.fromEntries(
    names.map((name) => [name, normalKeyword(name, getKey(flat, name) ?? null)]),
  );
}

function normalKeyword(name: string, value: JsonValue): JsonValue {
  if (name === '$ref' && typeof value === 'string') {
    return value.replace('#/components/schemas/', '');
  }
  if (name === 'oneOf' && Array.isArray(value)) {
    return value.map((item) => (isJsonObject(item) ? normalSchema(item) : item));
  }
  if (!isJsonObject(value)) return value;
  if (name === 'items' || name === 'additionalProperties') return normalSchema(value);
  if (name !== 'properties') return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([field, schema]) => [field, isJsonObject(schema) ? normalSchema(schema) : {}]),
  );
}

function modelGroupVersion(
  { group, version }: GroupVersion,
  resources: readonly ListedResource[],
): ModelGroupVersion {
  const sorted = resources.toSorted((left, right) => (left.name < right.name ? -1 : 1));
  const own = sorted.filter(({ name }) => !name.includes('/'));
  return { group, version, resources: own.map((resource) => modelResource(resource, sorted)) };
}

function modelResource(resource: ListedResource, all: readonly APIResource[]): ModelResource {
  const { name, kind, namespaced, singularName, verbs, shortNames, categories, storedAs } =
    resource;
  const subresources = all
    .filter((other) => other.name.startsWith(`${name}/`))
    .map((other) => modelSubresource(other, name));
  return {
    resource: name,
    kind,
    namespaced,
    singular: singularName,
    verbs: verbs.toSorted(),
    ...(shortNames && { shortNames: shortNames.toSorted() }),
    ...(categories && { categories: categories.toSorted() }),
    ...(storedAs !== undefined && { storedAs }),
    ...(subresources.length > 0 && { subresources }),
  };
}

function modelSubresource(
  { name, kind, group, version, verbs }: APIResource,
  parent: string,
): ModelSubresource {
  return {
    subresource: name.slice(parent.length + 1),
    // A kind of another group-version says so; `group` is empty for the core group then.
    kind: { ...(version !== undefined && { group: group ?? '', version }), kind },
    verbs: verbs.toSorted(),
  };
}
