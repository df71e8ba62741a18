import { isJsonObject, type JsonObject, type JsonValue, setKey } from 'client-ts/internal';

import type { Schema } from './schema.ts';

/** Deeper than any definition that a person or a tool writes; below the limit of the stack. */
const DEEPEST = 100;

/**
 * Returns a schema in which every keyword has a value of its type. Definitions and OpenAPI documents
 * come from outside: what has no sense says nothing about the type, and below 100 levels neither
 * does the rest.
 */
export function cleanSchema(value: unknown, depth = 0): Schema {
  if (!isJsonObject(value) || depth > DEEPEST) return {};
  const clean: JsonObject = {};
  for (const keyword of Object.keys(value)) {
    if (!Object.hasOwn(readers, keyword)) continue;
    const read = readers[keyword as keyof typeof readers];
    const content = read(value[keyword] ?? null, depth + 1);
    if (content !== undefined) setKey(clean, keyword, content);
  }
  return clean;
}

type Reader = (value: JsonValue, depth: number) => JsonValue | undefined;

const text: Reader = (value) => (typeof value === 'string' ? value : undefined);
const flag: Reader = (value) => (typeof value === 'boolean' ? value : undefined);
const number: Reader = (value) => (typeof value === 'number' ? value : undefined);
const anything: Reader = (value) => value;
const list: Reader = (value) => (Array.isArray(value) ? value : undefined);
const texts: Reader = (value) =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;
const schema: Reader = (value, depth) =>
  isJsonObject(value) ? (cleanSchema(value, depth) as JsonObject) : undefined;
const schemas: Reader = (value, depth) =>
  Array.isArray(value) ? value.map((item) => cleanSchema(item, depth) as JsonObject) : undefined;
const schemaMap: Reader = (value, depth) => {
  if (!isJsonObject(value)) return undefined;
  const clean: JsonObject = {};
  for (const [name, item] of Object.entries(value)) {
    setKey(clean, name, cleanSchema(item, depth) as JsonObject);
  }
  return clean;
};
const rules: Reader = (value) =>
  listOf(value, ({ rule, message }) =>
    typeof rule === 'string'
      ? { rule, ...(typeof message === 'string' && { message }) }
      : undefined,
  );
const kinds: Reader = (value) =>
  listOf(value, ({ group, version, kind }) =>
    typeof group === 'string' && typeof version === 'string' && typeof kind === 'string'
      ? { group, version, kind }
      : undefined,
  );

function listOf(
  value: JsonValue,
  read: (item: JsonObject) => JsonObject | undefined,
): JsonObject[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((item) => {
    const content = isJsonObject(item) ? read(item) : undefined;
    return content === undefined ? [] : [content];
  });
}

const readers: Readonly<Record<keyof Schema, Reader>> = {
  $ref: text,
  type: text,
  format: text,
  description: text,
  default: anything,
  nullable: flag,
  enum: list,
  properties: schemaMap,
  required: texts,
  items: schema,
  additionalProperties: (value, depth) => flag(value, depth) ?? schema(value, depth),
  allOf: schemas,
  anyOf: schemas,
  oneOf: schemas,
  not: schema,
  minimum: number,
  maximum: number,
  exclusiveMinimum: flag,
  exclusiveMaximum: flag,
  multipleOf: number,
  minLength: number,
  maxLength: number,
  pattern: text,
  minItems: number,
  maxItems: number,
  uniqueItems: flag,
  minProperties: number,
  maxProperties: number,
  'x-kubernetes-embedded-resource': flag,
  'x-kubernetes-group-version-kind': kinds,
  'x-kubernetes-int-or-string': flag,
  'x-kubernetes-list-map-keys': texts,
  'x-kubernetes-list-type': text,
  'x-kubernetes-map-type': text,
  'x-kubernetes-preserve-unknown-fields': flag,
  'x-kubernetes-validations': rules,
};
