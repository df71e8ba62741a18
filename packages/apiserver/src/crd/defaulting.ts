import {
  cloneJson,
  getKey,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setKey,
} from 'client-ts/internal';

import type { Schema } from '../schema/schema.ts';

/**
 * Applies the defaults of a CRD's schema in place: to absent fields, and to `null` where the schema
 * does not allow it. Idempotent.
 */
export function applyDefaults(value: JsonValue | undefined, schema: Schema | undefined): void {
  if (schema === undefined) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      value[index] = valueOrDefault(item, schema.items) ?? null;
      applyDefaults(value[index], schema.items);
    }
  } else if (isJsonObject(value)) {
    applyToProperties(value, schema);
  }
}

function applyToProperties(object: JsonObject, schema: Schema): void {
  for (const [name, { schema: property }] of schema.properties ?? []) {
    if (property.default === undefined || property.default === null) continue;
    const value = getKey(object, name);
    if (value === undefined || isForbiddenNull(value, property)) {
      setKey(object, name, cloneJson(property.default));
    }
  }
  for (const key of Object.keys(object)) {
    const property = schema.properties?.get(key)?.schema;
    if (property !== undefined) {
      applyDefaults(object[key], property);
    } else if (schema.additionalProperties !== undefined) {
      setKey(object, key, valueOrDefault(object[key], schema.additionalProperties));
      applyDefaults(object[key], schema.additionalProperties);
    }
  }
}

/** Returns the value, or the default in place of a forbidden null. */
function valueOrDefault(
  value: JsonValue | undefined,
  schema: Schema | undefined,
): JsonValue | undefined {
  return isForbiddenNull(value, schema) ? cloneJson(schema?.default ?? null) : value;
}

/**
 * Removes, in place, every `null` of a field that is not nullable and has no default: it counts as
 * absent. In lists it stays, for validation to reject.
 */
export function dropForbiddenNulls(value: JsonValue | undefined, schema: Schema | undefined): void {
  if (Array.isArray(value)) {
    for (const item of value) dropForbiddenNulls(item, schema?.items);
  } else if (isJsonObject(value)) {
    for (const key of Object.keys(value)) {
      const property = schema?.properties?.get(key)?.schema ?? schema?.additionalProperties;
      if (isForbiddenNull(value[key], property) && (property?.default ?? null) === null) {
        delete value[key];
      } else {
        dropForbiddenNulls(value[key], property);
      }
    }
  }
}

function isForbiddenNull(value: JsonValue | undefined, schema: Schema | undefined): boolean {
  return value === null && schema !== undefined && schema.nullable !== true;
}
