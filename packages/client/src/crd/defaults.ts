import { cloneJson, getKey, isJsonObject, type JsonValue, setKey } from '../lib/json.ts';
import type { StructuralSchema } from './schema.ts';

/** Returns the schema of a field, or undefined if the schema does not describe it. */
export function fieldSchema(schema: StructuralSchema, name: string): StructuralSchema | undefined {
  const property = getKey(schema.properties ?? {}, name);
  if (property !== undefined) return property;
  const { additionalProperties } = schema;
  if (additionalProperties === true) return ANYTHING;
  return additionalProperties === false ? undefined : additionalProperties;
}

/** The schema of `additionalProperties: true`: any value, but servers drop the fields of objects in it. */
const ANYTHING: StructuralSchema = { nullable: true };

/**
 * Completes a value in place as a server does before it validates: defaults for fields that are
 * absent or a `null` that the schema does not allow, and without a default such a `null` counts as
 * absent.
 */
export function complete(value: JsonValue | undefined, schema: StructuralSchema): void {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return;
    for (const [index, item] of value.entries()) {
      value[index] = isForbiddenNull(item, items) ? defaultOf(items) : item;
      complete(value[index], items);
    }
  } else if (isJsonObject(value)) {
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      if (getKey(value, name) === undefined && defaultOf(property) !== null) {
        setKey(value, name, defaultOf(property));
      }
    }
    for (const name of Object.keys(value)) {
      const property = fieldSchema(schema, name);
      if (property === undefined) continue;
      if (isForbiddenNull(value[name], property)) {
        if (defaultOf(property) === null) delete value[name];
        else setKey(value, name, defaultOf(property));
      }
      complete(value[name], property);
    }
  }
}

function defaultOf({ default: value = null }: StructuralSchema): JsonValue {
  return cloneJson(value) as JsonValue;
}

function isForbiddenNull(value: JsonValue | undefined, { nullable }: StructuralSchema): boolean {
  return value === null && nullable !== true;
}
