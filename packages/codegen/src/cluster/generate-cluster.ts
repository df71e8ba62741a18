import { groupVersions as builtIn } from 'client-ts/api/all';
import { ClientError, getKey, isJsonObject, type JsonObject } from 'client-ts/internal';
import { apiVersionOf, type GroupVersion } from 'client-ts/meta';
import type { Transport } from 'client-ts/transport';

import { cleanSchema } from '../clean-schema.ts';
import { type CustomKind, customModuleText } from '../custom-module.ts';
import type { ResourceFacts } from '../descriptor.ts';
import type { Schema } from '../schema.ts';
import { discoverGroupVersions, discoverResources } from './discover.ts';
import { getJson } from './get-json.ts';

export interface ClusterOptions {
  /** Only these groups. Without it, every group that is not built into Kubernetes. */
  readonly groups?: readonly string[];
  /** Told before each group-version is read. */
  readonly onProgress?: (message: string) => void;
  readonly signal?: AbortSignal;
}

/**
 * Typed modules for what an API server serves beyond the built-in API, from its discovery and
 * OpenAPI v3 documents. Any user who may read those can do it; reading the definitions themselves
 * takes more rights. The result is that of `generateFromCrds` for the same definitions.
 *
 * A kind without a published schema gets a type that accepts every field.
 *
 * @throws {ApiError} if the server refuses, {@link ClientError} if a group is not there.
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

/** Where the index of OpenAPI documents says that one is, if it says a path. */
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
    throw new ClientError('GROUP_NOT_FOUND', 'the server has no custom resources', {
      hint: 'Install the definitions first, or name the groups to read.',
    });
  }
  const missing = groups.filter((name) => !served.some(({ group }) => group === name));
  if (missing.length === 0) return served.filter(({ group }) => groups.includes(group));
  const names = [...new Set(served.map(({ group }) => group))].toSorted().join(', ');
  throw new ClientError('GROUP_NOT_FOUND', `the server has no group ${missing.join(', ')}`, {
    hint: `It has: ${names}.`,
  });
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

/** The kind of the schema whose items are objects of this one. */
function listKindOf(id: string, schemas: Readonly<Record<string, Schema>>): string | undefined {
  const list = Object.values(schemas).find(({ properties }) =>
    JSON.stringify(getKey(properties ?? {}, 'items')?.items ?? null).includes(
      JSON.stringify(`#/components/schemas/${id}`),
    ),
  );
  return list?.['x-kubernetes-group-version-kind']?.[0]?.kind;
}
