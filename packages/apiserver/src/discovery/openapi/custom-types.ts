import { getKey, isJsonObject, type JsonObject } from 'client-ts/internal';
import { describeKind, describeList } from './descriptions.ts';
import type { DescribedResource } from './resource-paths.ts';
import { customTypeName, kindJson, LIST_META, mapSchema, OBJECT_META } from './types.ts';

/**
 * Returns the types of a custom resource by name: the resource, with the schema and descriptions of
 * its definition, and its list. References are type names.
 */
export function customTypes(
  { info, selectableFields }: DescribedResource,
  openApi: 2 | 3,
): [string, JsonObject][] {
  const name = customTypeName(info, info.kind);
  const fields = selectableFields.map((fieldPath) => ({ fieldPath }));
  const selectable = fields.length > 0 && { 'x-kubernetes-selectable-fields': fields };
  const list: JsonObject = {
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: { type: 'string' },
      items: { type: 'array', items: { $ref: name } },
      kind: { type: 'string' },
      metadata: { $ref: LIST_META },
    },
    'x-kubernetes-group-version-kind': [kindJson({ ...info, kind: info.listKind })],
    ...selectable,
  };
  const own: JsonObject = {
    ...ownSchema(info.openApi, openApi),
    'x-kubernetes-group-version-kind': [kindJson(info)],
    ...selectable,
  };
  return [
    [name, describeKind(own)],
    [customTypeName(info, info.listKind), describeList(list, info.kind)],
  ];
}

function ownSchema(schema: JsonObject | undefined, openApi: 2 | 3): JsonObject {
  if (schema === undefined) return { type: 'object' };
  // Old clients take the listed properties for all of them.
  if (openApi === 2 && schema[PRESERVE] === true) return { type: 'object' };
  const known = openApi === 2 ? forOldClients(schema) : schema;
  return withObjectProperties(withEmbedded(known, openApi));
}

const PRESERVE = 'x-kubernetes-preserve-unknown-fields';

/** Adds `apiVersion`, `kind` and `metadata` to embedded objects. */
function withEmbedded(schema: JsonObject, openApi: 2 | 3): JsonObject {
  const copy = mapSchema(schema, (inner) => withEmbedded(inner, openApi));
  if (copy['x-kubernetes-embedded-resource'] !== true) return copy;
  if (openApi === 2 && copy[PRESERVE] === true) return copy;
  const required = new Set([
    ...((copy['required'] as string[] | undefined) ?? []),
    'kind',
    'apiVersion',
  ]);
  return { ...withObjectProperties(copy), required: [...required] };
}

function withObjectProperties(schema: JsonObject): JsonObject {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  return {
    ...schema,
    properties: {
      ...properties,
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { $ref: OBJECT_META },
    },
  };
}

/**
 * Reduces a schema to what OpenAPI v2 can express and kubectl up to 1.23 understands: a value that
 * may be null or preserves unknown fields becomes a value of any type.
 */
function forOldClients(schema: JsonObject): JsonObject {
  const { allOf: _a, anyOf: _b, oneOf: _c, not: _d, nullable, ...rest } = schema;
  const isOpen = rest[PRESERVE] === true;
  if (nullable === true || isOpen) {
    delete rest['items'];
    delete rest['properties'];
  }
  const isListOfAnything = rest['type'] === 'array' && rest['items'] === undefined;
  const isOpenObject = isOpen && rest['type'] === 'object';
  if (nullable === true || isListOfAnything || isOpenObject) delete rest['type'];
  const required = requiredOf(rest);
  if (required.length === 0) delete rest['required'];
  else rest['required'] = required;
  return mapSchema(rest, forOldClients);
}

/** A nullable field is not required. */
function requiredOf({ required, properties, additionalProperties }: JsonObject): string[] {
  const names = Array.isArray(required) ? (required as string[]) : [];
  if (isNullable(additionalProperties)) return [];
  return names.filter(
    (name) => !(isJsonObject(properties) && isNullable(getKey(properties, name))),
  );
}

function isNullable(schema: JsonObject[string]): boolean {
  return isJsonObject(schema) && schema['nullable'] === true;
}
