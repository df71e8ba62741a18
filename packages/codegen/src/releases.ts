import { existsSync, readdirSync, readFileSync } from 'node:fs';

import { getKey, type JsonObject, jsonEqual, setKey } from 'client-ts/internal';
import { apiVersionOf, createMergePatch, type GroupVersionKind } from 'client-ts/meta';

import type { Generator } from './generator.ts';
import {
  type ApiModel,
  type GoShape,
  loadApiModel,
  modelDirectory,
  type ModelParts,
  type ProtobufField,
  type ProtobufMessages,
  renderLines,
} from './model.ts';
import type { Schema } from './schema.ts';
import { type ServerSchema, serverSchemas } from './server-model.ts';

/** How an older release of Kubernetes differs from the one that the model describes. */
export interface Release {
  /** `1.35.8`. */
  readonly kubernetes: string;
  /** The release of the model that it is compared with. */
  readonly base: string;
  /** All of its versions, in the order of discovery. */
  readonly groupVersions: readonly string[];
  /** Merge patches for resources, by apiVersion and plural; null for those it lacks. */
  readonly resources: Readonly<Record<string, Readonly<Record<string, JsonObject | null>>>>;
  /** Types that the model does not have, or not with all of their fields. */
  readonly types: Readonly<Record<string, ServerSchema>>;
  /** Merge patches for all other types that are different; null for those it lacks. */
  readonly changes: Readonly<Record<string, JsonObject | null>>;
  /** Fields of messages that the model does not have, for `types`. */
  readonly messages: ProtobufMessages;
}

/** Compares an older release with the model. */
export function compareRelease(base: ModelParts, older: ModelParts): Release {
  const types = new Map<string, ServerSchema>();
  const changes = new Map<string, JsonObject | null>();
  const known = serverSchemas(base.api, base.shapes);
  const found = serverSchemas(older.api, older.shapes);
  for (const id of Object.keys(known)) if (getKey(found, id) === undefined) changes.set(id, null);
  for (const [id, schema] of Object.entries(found)) {
    const before = getKey(known, id);
    if (before === undefined || !isInOrder(schema, before)) types.set(id, schema);
    else if (!jsonEqual(before, schema)) {
      changes.set(id, createMergePatch(asJson(before), asJson(schema)));
    }
  }
  return {
    kubernetes: older.api.kubernetes,
    base: base.api.kubernetes,
    groupVersions: older.api.groupVersions.map(apiVersionOf),
    resources: changedResources(base.api, older.api),
    types: Object.fromEntries(types),
    changes: Object.fromEntries(
      [...changes].toSorted(([left], [right]) => (left < right ? -1 : 1)),
    ),
    messages: addedFields(base.messages, older.messages, [...types.keys()]),
  };
}

/** What was parsed from JSON and has a type. */
function asJson(value: object): JsonObject {
  return value as JsonObject;
}

/**
 * Returns whether all properties of a schema are in another one, in the same order. A patch keeps
 * the order of what it patches, and the order is that in which a server writes.
 */
function isInOrder({ properties = {} }: Schema, other: Schema): boolean {
  const names = Object.keys(properties);
  const kept = Object.keys(other.properties ?? {}).filter(
    (name) => getKey(properties, name) !== undefined,
  );
  return kept.length === names.length && kept.every((name, index) => name === names[index]);
}

function changedResources(base: ApiModel, older: ApiModel): Release['resources'] {
  const byVersion = new Map(base.groupVersions.map((each) => [apiVersionOf(each), each.resources]));
  const entries = older.groupVersions.map((groupVersion) => {
    const before = byVersion.get(apiVersionOf(groupVersion)) ?? [];
    const gone = before
      .filter((one) => !groupVersion.resources.some(({ resource }) => resource === one.resource))
      .map(({ resource }) => [resource, null] as const);
    const changed = groupVersion.resources
      .map((one) => {
        const known = before.find(({ resource }) => resource === one.resource);
        return [one.resource, createMergePatch(asJson(known ?? {}), asJson(one))] as const;
      })
      .filter(([, patch]) => Object.keys(patch).length > 0);
    return [apiVersionOf(groupVersion), Object.fromEntries([...gone, ...changed])] as const;
  });
  return Object.fromEntries(entries.filter(([, changes]) => Object.keys(changes).length > 0));
}

function addedFields(
  base: ProtobufMessages,
  older: ProtobufMessages,
  ids: readonly string[],
): ProtobufMessages {
  const added: Record<string, Record<string, ProtobufField>> = {};
  for (const name of ids.map(messageOfSchema)) {
    const before = getKey(base, name) ?? {};
    const fields = Object.entries(getKey(older, name) ?? {}).filter(
      ([field]) => getKey(before, field) === undefined,
    );
    if (fields.length > 0) setKey(added, name, Object.fromEntries(fields));
  }
  return added;
}

/** `io.k8s.kube-aggregator.…` → `k8s.io.kube_aggregator.…`. */
export function messageOfSchema(id: string): string {
  return `k8s.io.${id.slice('io.k8s.'.length).replaceAll('-', '_')}`;
}

/**
 * Returns the model with the types, fields and messages of other releases too: what is described,
 * and what protobuf can carry. A field number that means two things in two releases is an error.
 */
export function withReleases(model: ModelParts, releases: readonly Release[]): ModelParts {
  const schemas = { ...model.api.schemas };
  const shapes = { ...model.shapes };
  const messages = { ...model.messages };
  for (const release of releases) {
    for (const [id, { shape, ...schema }] of Object.entries(release.types)) {
      setKey(schemas, id, joinSchemas(getKey(schemas, id), schema));
      const order = Object.keys(schema.properties ?? {});
      const joined = joinShapes(getKey(shapes, id), { order, pointer: [], always: [], ...shape });
      setKey(shapes, id, joined);
    }
    for (const [id, change] of Object.entries(release.changes)) {
      const known = getKey(schemas, id);
      if (change === null || known === undefined) continue;
      setKey(schemas, id, joinKinds(known, change, release));
    }
    for (const [name, fields] of Object.entries(release.messages)) {
      setKey(messages, name, joinFields(name, getKey(messages, name) ?? {}, fields));
    }
  }
  return { api: { ...model.api, schemas }, shapes, messages };
}

function joinSchemas(known: Schema | undefined, other: Schema): Schema {
  if (known === undefined) return other;
  return { ...other, ...known, properties: { ...other.properties, ...known.properties } };
}

function joinShapes(known: GoShape | undefined, other: GoShape): GoShape {
  if (known === undefined) return other;
  const join = (left: readonly string[], right: readonly string[]): string[] => [
    ...new Set([...left, ...right]),
  ];
  return {
    ...known,
    order: join(known.order, other.order),
    pointer: join(known.pointer, other.pointer),
    always: known.always,
  };
}

const KINDS = 'x-kubernetes-group-version-kind';

/** Types such as DeleteOptions are kinds of every version that is served. */
function joinKinds(known: Schema, change: JsonObject, { groupVersions }: Release): Schema {
  const kinds = known[KINDS] ?? [];
  const added = ((change[KINDS] ?? []) as unknown as GroupVersionKind[]).filter(
    (kind) =>
      groupVersions.includes(apiVersionOf(kind)) &&
      !kinds.some((other) => apiVersionOf(other) === apiVersionOf(kind)),
  );
  return added.length === 0 ? known : { ...known, [KINDS]: [...kinds, ...added] };
}

function joinFields(
  name: string,
  known: Readonly<Record<string, ProtobufField>>,
  added: Readonly<Record<string, ProtobufField>>,
): Readonly<Record<string, ProtobufField>> {
  const joined = { ...known, ...added };
  const numbers = Object.values(joined).map(({ n }) => n);
  if (new Set(numbers).size !== numbers.length) {
    throw new Error(`${name}: two releases use one number for different fields`);
  }
  return joined;
}

const directory = new URL('releases/', modelDirectory);

/** Reads the releases beside the model, the newest first. */
export function loadReleases(): readonly Release[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .toSorted()
    .toReversed()
    .map((name) => JSON.parse(readFileSync(new URL(name, directory), 'utf8')) as Release);
}

/** Returns the name of the file for a release: `releases/1.35.json`. */
export function releaseFile({ kubernetes }: Pick<Release, 'kubernetes'>): string {
  return `releases/${kubernetes.split('.').slice(0, 2).join('.')}.json`;
}

/** Renders a release with one line for each resource, type and message. */
export function renderRelease(release: Release): string {
  const { kubernetes, base, groupVersions, resources, types, changes, messages } = release;
  const versions = Object.entries(resources).map(
    ([name, changed]) => `${JSON.stringify(name)}:${renderLines(changed)}`,
  );
  return [
    `{"kubernetes":${JSON.stringify(kubernetes)},`,
    `"base":${JSON.stringify(base)},`,
    `"groupVersions":${JSON.stringify(groupVersions)},`,
    `"resources":{\n${versions.join(',\n')}\n},`,
    `"types":${renderLines(types)},`,
    `"changes":${renderLines(changes)},`,
    `"messages":${renderLines(messages)}}\n`,
  ].join('\n');
}

/** Writes the data from which `@client-ts/apiserver` makes the models of other releases. */
export const serverReleases: Generator = {
  name: 'server releases',
  owns: ['packages/apiserver/data/releases'],
  outputs: () => {
    const { kubernetes } = loadApiModel();
    return new Map(
      loadReleases().map((release) => {
        if (release.base !== kubernetes) {
          throw new Error(
            `${releaseFile(release)} is compared with ${release.base}, the model is ${kubernetes}: extract it again`,
          );
        }
        // Field numbers are in the tables of the client.
        return [
          `packages/apiserver/data/${releaseFile(release)}`,
          renderRelease({ ...release, messages: {} }),
        ];
      }),
    );
  },
};
