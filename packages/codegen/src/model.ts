import { readFileSync } from 'node:fs';

import type { Schema } from './schema.ts';

/** An endpoint below an object. A kind of the same group-version has only its name. */
export interface ModelSubresource {
  readonly subresource: string;
  readonly kind: { readonly group?: string; readonly version?: string; readonly kind: string };
  readonly verbs: readonly string[];
}

export interface ModelResource {
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly singular: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** The version that it is stored in, unless that is the first version that has it. */
  readonly storedAs?: string;
  readonly subresources?: readonly ModelSubresource[];
}

export interface ModelGroupVersion {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly ModelResource[];
}

/** The built-in Kubernetes API as data, from discovery and OpenAPI. */
export interface ApiModel {
  readonly kubernetes: string;
  readonly groupVersions: readonly ModelGroupVersion[];
  readonly schemas: Readonly<Record<string, Schema>>;
}

/**
 * How the server's Go type holds one schema. OpenAPI does not say it, and it decides which empty
 * fields the server writes, and in which order.
 */
export interface GoShape {
  /** Every field, in the order in which the server writes them. */
  readonly order: readonly string[];
  /** Fields that distinguish an explicit zero value from none. */
  readonly pointer: readonly string[];
  /** Fields that are written even when they are empty. */
  readonly always: readonly string[];
  /** Names of types in error messages, where they do not follow from the schema. */
  readonly types?: Readonly<Record<string, string>>;
  /** Fields that come from an inlined structure, which error messages name too. */
  readonly inline?: Readonly<Record<string, string>>;
}

/** Shapes by schema id. */
export type GoShapes = Readonly<Record<string, GoShape>>;

/** One field of a protobuf message. */
export interface ProtobufField {
  /** Number on the wire. */
  readonly n: number;
  /** A scalar type or the name of a message; absent for maps. */
  readonly t?: string;
  readonly map?: readonly [key: string, value: string];
  readonly repeated?: boolean;
}

/** Message name → protobuf field name → field. */
export type ProtobufMessages = Readonly<Record<string, Readonly<Record<string, ProtobufField>>>>;

/** Everything that the model says about one release. */
export interface ModelParts {
  readonly api: ApiModel;
  readonly shapes: GoShapes;
  readonly messages: ProtobufMessages;
}

/** The directory that holds the model. */
export const modelDirectory: URL = new URL('../model/', import.meta.url);

/** Reads the API model of the Kubernetes release that the client is generated for. */
export function loadApiModel(): ApiModel {
  return readModel('apimodel.json') as ApiModel;
}

/** Reads the shapes of all schemas of the model. */
export function loadGoShapes(): GoShapes {
  return readModel('goshape.json') as GoShapes;
}

/** Reads the field numbers of all messages. */
export function loadProtobufMessages(): ProtobufMessages {
  return readModel('protobuf.json') as ProtobufMessages;
}

/** Reads everything that the model says about its release. */
export function loadModelParts(): ModelParts {
  return { api: loadApiModel(), shapes: loadGoShapes(), messages: loadProtobufMessages() };
}

function readModel(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, modelDirectory), 'utf8'));
}

/**
 * Renders files of the model, by name. Each resource, type and message has one line, so that the
 * next version of Kubernetes shows as a diff that can be read.
 */
export function renderModelFiles(model: Partial<ModelParts>): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  if (model.api !== undefined) files.set('apimodel.json', renderApiModel(model.api));
  if (model.shapes !== undefined) files.set('goshape.json', `${renderLines(model.shapes)}\n`);
  if (model.messages !== undefined) files.set('protobuf.json', `${renderLines(model.messages)}\n`);
  return files;
}

/** Renders an API model with one line for each resource and each schema. */
export function renderApiModel({ kubernetes, groupVersions, schemas }: ApiModel): string {
  const groups = groupVersions.map(({ group, version, resources }) => {
    const rows = resources.map((resource) => JSON.stringify(resource)).join(',\n');
    const head = `{"group":${JSON.stringify(group)},"version":${JSON.stringify(version)}`;
    return `${head},"resources":[\n${rows}\n]}`;
  });
  return [
    `{"kubernetes":${JSON.stringify(kubernetes)},`,
    `"groupVersions":[\n${groups.join(',\n')}\n],`,
    `"schemas":${renderLines(schemas)}}\n`,
  ].join('\n');
}

/** Renders a JSON object with one line for each key. */
export function renderLines(record: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(record).map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  return `{\n${entries.join(',\n')}\n}`;
}

/** Splits `io.k8s.api.apps.v1.Deployment` into the package path and the name of the type. */
export function splitSchemaId(id: string): { readonly path: string; readonly name: string } {
  const dot = id.lastIndexOf('.');
  return { path: id.slice(0, dot), name: id.slice(dot + 1) };
}
