import { getKey } from 'client-ts/internal';
import type { Generator } from './generator.ts';
import {
  type ApiModel,
  type GoShape,
  type GoShapes,
  loadModelParts,
  type ModelParts,
  type ProtobufField,
  type ProtobufMessages,
  splitSchemaId,
} from './model.ts';
import { propertyKey } from './names.ts';
import { supplementKinds, supplementShapes } from './protobuf-supplement.ts';
import { loadReleases, messageOfSchema, withReleases } from './releases.ts';

const target = 'packages/client/src/codec/tables.ts';

const scalarCodes: ReadonlyMap<string, string> = new Map([
  ['bool', 'b'],
  ['bytes', 'y'],
  ['double', 'd'],
  ['int32', 'i'],
  ['int64', 'l'],
  ['string', 's'],
]);

const metaV1 = 'k8s.io.apimachinery.pkg.apis.meta.v1';
const jsonMessage = 'k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.JSON';

/** Messages that the codec writes by hand, because their JSON is not an object of their fields. */
const specialCodes: ReadonlyMap<string, string> = new Map([
  [`${metaV1}.FieldsV1`, 'F'],
  [`${metaV1}.MicroTime`, 'M'],
  [`${metaV1}.Time`, 'T'],
  ['k8s.io.apimachinery.pkg.api.resource.Quantity', 'Q'],
  ['k8s.io.apimachinery.pkg.runtime.RawExtension', 'R'],
  ['k8s.io.apimachinery.pkg.util.intstr.IntOrString', 'I'],
  [jsonMessage, 'J'],
]);

/**
 * Messages whose JSON is one of their fields. The tables have them with this shape, and the codec
 * knows their names.
 */
const unionShapes: ReadonlyMap<string, GoShape> = new Map([
  ['JSONSchemaPropsOrArray', { order: ['schema', 'jSONSchemas'], pointer: ['schema'], always: [] }],
  [
    'JSONSchemaPropsOrBool',
    { order: ['allows', 'schema'], pointer: ['schema'], always: ['allows'] },
  ],
  [
    'JSONSchemaPropsOrStringArray',
    { order: ['schema', 'property'], pointer: ['schema'], always: [] },
  ],
]);

/**
 * Fields whose objects have apiVersion and kind in JSON although protobuf leaves them out. Other
 * embedded kinds, such as the items of lists, have neither.
 */
const namedObjects: ReadonlyMap<string, string> = new Map([
  ['apps.v1.StatefulSetSpec.volumeClaimTemplates', 'v1'],
  ['meta.v1.PartialObjectMetadataList.items', 'meta.k8s.io/v1'],
  ['meta.v1beta1.PartialObjectMetadataList.items', 'meta.k8s.io/v1beta1'],
]);

/**
 * Renders the tables of the protobuf codec: one line per message that a served kind can reach.
 * `message-type.ts` beside the tables reads them and documents the notation.
 */
export function renderProtobufTables({ api, messages, shapes }: ModelParts): string {
  const kinds = messagesOfKinds(api);
  const writer = new TableWriter(messages, { ...shapes, ...supplementShapes });
  for (const byKind of kinds.values()) for (const message of byKind.values()) writer.need(message);
  const groupVersions = [...kinds].map(
    ([apiVersion, byKind]) => `  ${propertyKey(apiVersion)}: \`\n${kindLines(byKind)}\n\`,\n`,
  );
  const packages = [...writer.packages].toSorted(([left], [right]) => (left < right ? -1 : 1));
  return [
    '// Written by `npm run generate` from packages/codegen/model. Do not edit.\n',
    `/** Kubernetes ${api.kubernetes}: the kinds of each apiVersion, by the package of their messages. */`,
    'export const kindTable: Readonly<Record<string, string>> = {',
    `${groupVersions.join('')}};\n`,
    '/** The messages of each package, one per line. */',
    'export const messageTable: Readonly<Record<string, string>> = {',
    ...packages.map(([name, lines]) => `  '${name}': \`\n${lines.toSorted().join('\n')}\n\`,`),
    '};\n',
  ].join('\n');
}

/** apiVersion → kind → message, in the order of the model; the supplement comes last. */
function messagesOfKinds(api: ApiModel): Map<string, Map<string, string>> {
  const kinds = new Map<string, Map<string, string>>();
  const add = (apiVersion: string, kind: string, message: string): void => {
    const byKind = kinds.get(apiVersion) ?? new Map<string, string>();
    kinds.set(apiVersion, byKind.set(kind, message));
  };
  for (const { group, version } of api.groupVersions) {
    kinds.set(group === '' ? version : `${group}/${version}`, new Map());
  }
  for (const [id, schema] of Object.entries(api.schemas)) {
    for (const { group, version, kind } of schema['x-kubernetes-group-version-kind'] ?? []) {
      // A watch event is a frame, never a body of its own.
      if (kind === 'WatchEvent') continue;
      add(group === '' ? version : `${group}/${version}`, kind, messageOfSchema(id));
    }
  }
  for (const [apiVersion, byKind] of Object.entries(supplementKinds)) {
    for (const [kind, message] of Object.entries(byKind)) add(apiVersion, kind, message);
  }
  return kinds;
}

/** One line per package: its name, then the kinds whose messages it has. */
function kindLines(byKind: ReadonlyMap<string, string>): string {
  const lines = new Map<string, string[]>();
  for (const [kind, message] of byKind) {
    const { path, name } = splitSchemaId(shortName(message));
    if (name !== kind) throw new Error(`${message} is not named like its kind ${kind}`);
    lines.set(path, [...(lines.get(path) ?? [path]), kind]);
  }
  return [...lines.values()].map((words) => words.join(' ')).join('\n');
}

function schemaOfMessage(message: string): string {
  return `io.k8s.${message.slice('k8s.io.'.length).replaceAll('_', '-')}`;
}

/** `k8s.io.api.core.v1.Pod` → `core.v1.Pod`: group, version and name are unique. */
function shortName(message: string): string {
  return message.split('.').slice(-3).join('.');
}

class TableWriter {
  /** Short package name → lines. */
  readonly packages = new Map<string, string[]>();
  readonly #messages: ProtobufMessages;
  readonly #shapes: GoShapes;
  readonly #written = new Set<string>();

  constructor(messages: ProtobufMessages, shapes: GoShapes) {
    this.#messages = messages;
    this.#shapes = shapes;
  }

  /**
   * Adds a message and all that it refers to. A structure that is only inlined into another has no
   * schema and takes its facts from `parent`.
   */
  need(message: string, parent?: GoShape): void {
    if (this.#written.has(message)) return;
    this.#written.add(message);
    const { path, name } = splitSchemaId(shortName(message));
    const own = unionShapes.get(name) ?? getKey(this.#shapes, schemaOfMessage(message));
    const shape = own ?? parent;
    const fields = getKey(this.#messages, message);
    if (shape === undefined || fields === undefined) throw new Error(`${message} is not described`);

    const found = new Set<string>();
    const words = Object.entries(fields)
      .toSorted(([, left], [, right]) => left.n - right.n)
      .map(([protobufName, field]) => {
        const jsonName = jsonNameOf(protobufName, shape);
        if (jsonName === undefined) {
          for (const inlined of this.#inline(message, protobufName, field, shape)) {
            found.add(inlined);
          }
          return `:${field.n}${this.#typeCode(path, field)}`;
        }
        found.add(jsonName);
        const named = namedObjects.get(`${path}.${name}.${jsonName}`);
        const type = `${this.#typeCode(path, field)}${named === undefined ? '' : `=${named}`}`;
        return `${jsonName}:${field.n}${this.#flags(name, jsonName, field, shape)}${type}`;
      });

    const rest = shape.order.filter((field) => !found.has(field));
    const isKind = rest.join() === 'kind,apiVersion';
    if (own !== undefined && rest.length > 0 && !isKind) {
      throw new Error(`${message} has no field for ${rest.join(', ')}`);
    }
    const lines = this.packages.get(path) ?? [];
    lines.push([isKind && own !== undefined ? `${name}+` : name, ...words].join(' '));
    this.packages.set(path, lines);
  }

  /** An inlined structure: its fields are in the JSON of the structure around it. */
  #inline(message: string, name: string, field: ProtobufField, shape: GoShape): string[] {
    const inlined = field.t === undefined ? undefined : getKey(this.#messages, field.t);
    if (field.t === undefined || inlined === undefined || field.repeated === true) {
      throw new Error(`${message}.${name} is not in the JSON of its schema`);
    }
    this.need(field.t, shape);
    const inner = getKey(this.#shapes, schemaOfMessage(field.t)) ?? shape;
    return Object.entries(inlined).flatMap(([innerName, innerField]) => {
      const jsonName = jsonNameOf(innerName, inner);
      if (jsonName !== undefined) return [jsonName];
      return this.#inline(field.t as string, innerName, innerField, inner);
    });
  }

  #flags(message: string, jsonName: string, field: ProtobufField, shape: GoShape): string {
    const always = shape.always.includes(jsonName);
    const presence = shape.pointer.includes(jsonName) ? '?' : '';
    if (field.map !== undefined) return `${always ? '!' : ''}%`;
    if (field.repeated === true) return `${always ? listFlag(message, jsonName, shape) : ''}*`;
    return `${always ? '!' : ''}${presence}`;
  }

  #typeCode(path: string, { t, map, repeated }: ProtobufField): string {
    if (map !== undefined && map[0] !== 'string') throw new Error(`a map with ${map[0]} keys`);
    const type = t ?? map?.[1] ?? '';
    const code = scalarCodes.get(type) ?? specialCodes.get(type);
    if (code !== undefined) return code;
    const fields = getKey(this.#messages, type);
    if (fields === undefined) throw new Error(`${type} is not a message of the model`);
    // A named list of strings: a message around the list distinguishes a missing one from an empty one.
    const { name } = splitSchemaId(type);
    if (Object.keys(fields).join() === 'items' && fields['items']?.t === 'string') {
      if (repeated === true) throw new Error(`a list of ${type}`);
      return 'L';
    }
    this.need(type);
    return shortName(type) === `${path}.${name}` ? `.${name}` : `.${shortName(type)}`;
  }
}

/** An empty list of objects is written as `[]`, any other empty required list as `null`. */
function listFlag(message: string, jsonName: string, shape: GoShape): string {
  const isList =
    jsonName === 'items' && shape.order.includes('metadata') && shape.order.includes('kind');
  return isList && message !== 'PartialObjectMetadataList' ? '@' : '!';
}

/** `xKubernetesListType` is `x-kubernetes-list-type` in JSON, `ref` is `$ref`. */
function jsonNameOf(protobufName: string, { order }: GoShape): string | undefined {
  if (order.includes(protobufName)) return protobufName;
  const letters = lettersOf(protobufName);
  return order.find((name) => lettersOf(name) === letters);
}

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** Writes the tables of `client-ts/codec`. */
export const protobufTables: Generator = {
  name: 'protobuf tables',
  outputs: () =>
    new Map([[target, renderProtobufTables(withReleases(loadModelParts(), loadReleases()))]]),
};
