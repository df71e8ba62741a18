import { isJsonObject, type JsonObject, type JsonValue, setKey } from 'client-ts/internal';

/**
 * The part of JSON Schema that Kubernetes uses in the API model, in OpenAPI v3 documents and in
 * CustomResourceDefinitions.
 */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly default?: JsonValue;
  readonly nullable?: boolean;
  readonly enum?: readonly JsonValue[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly not?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-group-version-kind'?: readonly SchemaKind[];
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[];
}

/** The kind that a schema describes, as OpenAPI documents of Kubernetes mark it. */
export interface SchemaKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** A CEL rule. */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
}

/** More than any real definition has, and less than overflows the stack. */
const MAX_DEPTH = 100;

/**
 * Returns a schema in which every keyword has a value of its type. Definitions and OpenAPI documents
 * are untrusted: keywords with a value of another type, and everything below 100 levels, are dropped.
 */
export function cleanSchema(value: unknown, depth = 0): Schema {
  if (!isJsonObject(value) || depth > MAX_DEPTH) return {};
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
