import { groupVersions as builtIn } from 'client-ts/api/all';
import { getKey, isJsonObject, type JsonObject, type JsonValue } from 'client-ts/internal';
import {
  apiVersionOf,
  type GroupVersion,
  parseApiVersion,
  validateDns1035Label,
  validateDns1123Subdomain,
} from 'client-ts/meta';
import type { Transport } from 'client-ts/transport';

import { type CustomKind, customModuleText } from '../custom-module.ts';
import { everyVerb, type ResourceFacts } from '../descriptor.ts';
import { CodegenError } from '../errors.ts';
import { cleanSchema, type Schema } from '../schema.ts';
import { getJson } from './get-json.ts';

/** Options of {@link generateFromCluster}. */
export interface ClusterOptions {
  /** Only these groups. Default: every group that is not built into Kubernetes. */
  readonly groups?: readonly string[] | undefined;
  /** Called before each group-version is read. */
  readonly onProgress?: ((message: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Generates typed modules for what an API server serves beyond the built-in API, from its discovery
 * and OpenAPI v3 documents. Every user may read those; reading the definitions themselves needs more
 * rights. The result is that of `generateFromCrds` for the same definitions.
 *
 * A kind without a published schema gets a type that accepts every field.
 *
 * @throws {ApiError} if the server refuses, {@link CodegenError} if a group does not exist.
 */
export async function generateFromCluster(
  transport: Transport,
  { groups, onProgress, signal }: ClusterOptions = {},
): Promise<Map<string, string>> {
  const served = await discoverGroupVersions(transport, signal);
  const chosen = choose(served, groups);
  const index = await getJson(transport, '/openapi/v3', signal);
  const modules = new Map<string, string>();
  for (const groupVersion of chosen.toSorted(byApiVersion)) {
    onProgress?.(`Reading ${apiVersionOf(groupVersion)}`);
    const resources = await discoverResources(transport, groupVersion, signal);
    const address = addressIn(index, `apis/${apiVersionOf(groupVersion)}`);
    const document = address === undefined ? {} : await getJson(transport, address, signal);
    const schemas = schemasIn(document);
    const kinds = resources.map((facts) => customKind(facts, schemas));
    modules.set(
      `${groupVersion.group}/${groupVersion.version}.ts`,
      customModuleText(groupVersion, kinds, schemas),
    );
  }
  return modules;
}

/** Returns the path of a document in the index of OpenAPI documents. */
function addressIn({ paths }: JsonObject, name: string): string | undefined {
  const entry = isJsonObject(paths) ? getKey(paths, name) : undefined;
  const address = isJsonObject(entry) ? entry['serverRelativeURL'] : undefined;
  return typeof address === 'string' && address.startsWith('/') ? address : undefined;
}

function schemasIn({ components }: JsonObject): Readonly<Record<string, Schema>> {
  const schemas = isJsonObject(components) ? components['schemas'] : undefined;
  return cleanSchema({ properties: schemas }).properties ?? {};
}

function choose(
  served: readonly GroupVersion[],
  groups: readonly string[] | undefined,
): readonly GroupVersion[] {
  if (groups === undefined || groups.length === 0) {
    const custom = served.filter(({ group }) => !builtIn.some((known) => known.group === group));
    if (custom.length > 0) return custom;
    throw new CodegenError('CODEGEN_GROUP_NOT_FOUND', 'the server has no custom resources', {
      hint: 'Install the definitions first, or name the groups to read.',
    });
  }
  const missing = groups.filter((name) => !served.some(({ group }) => group === name));
  if (missing.length === 0) return served.filter(({ group }) => groups.includes(group));
  const names = [...new Set(served.map(({ group }) => group))].toSorted().join(', ');
  throw new CodegenError(
    'CODEGEN_GROUP_NOT_FOUND',
    `the server has no group ${missing.join(', ')}`,
    {
      hint: `It has: ${names}.`,
    },
  );
}

function byApiVersion(left: GroupVersion, right: GroupVersion): number {
  return apiVersionOf(left) < apiVersionOf(right) ? -1 : 1;
}

function customKind(facts: ResourceFacts, schemas: Readonly<Record<string, Schema>>): CustomKind {
  const found = Object.entries(schemas).find(([, schema]) => describes(schema, facts));
  if (found === undefined) return { facts, listKind: `${facts.kind}List`, schema: undefined };
  const [id, schema] = found;
  return { facts, listKind: listKindOf(id, schemas) ?? `${facts.kind}List`, schema };
}

function describes(schema: Schema, { group, version, kind }: ResourceFacts): boolean {
  return (schema['x-kubernetes-group-version-kind'] ?? []).some(
    (known) => known.group === group && known.version === version && known.kind === kind,
  );
}

/** Returns the kind of the schema whose items have this one. */
function listKindOf(id: string, schemas: Readonly<Record<string, Schema>>): string | undefined {
  const list = Object.values(schemas).find(({ properties }) =>
    JSON.stringify(getKey(properties ?? {}, 'items')?.items ?? null).includes(
      JSON.stringify(`#/components/schemas/${id}`),
    ),
  );
  return list?.['x-kubernetes-group-version-kind']?.[0]?.kind;
}

/** Returns every group-version of the server in the server's order, without the core group. */
async function discoverGroupVersions(
  transport: Transport,
  signal?: AbortSignal,
): Promise<GroupVersion[]> {
  const { groups } = await getJson(transport, '/apis', signal);
  return objectsIn(groups)
    .flatMap(({ versions }) => objectsIn(versions))
    .map(({ groupVersion }) => checkedGroupVersion(parseApiVersion(textOf(groupVersion))));
}

/** Names become paths of files, so they are checked before use. */
function checkedGroupVersion(groupVersion: GroupVersion): GroupVersion {
  const { group, version } = groupVersion;
  const [fault] = [...validateDns1123Subdomain(group), ...validateDns1035Label(version)];
  if (fault === undefined) return groupVersion;
  throw new CodegenError(
    'CODEGEN_DISCOVERY_INVALID',
    `the server lists a group-version ${JSON.stringify(apiVersionOf(groupVersion))}: ${fault}`,
  );
}

/**
 * Returns the resources of a group-version with their subresources, sorted by name. Verbs that the
 * client does not know are left out.
 */
async function discoverResources(
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
