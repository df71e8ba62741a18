import {
  cloneJson,
  getKey,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setKey,
} from 'client-ts/internal';

import type { Property, Schema } from './schema.ts';

/** How to default a structure: its own defaults, and which fields to descend into. */
interface Plan {
  readonly defaults: readonly (readonly [name: string, value: JsonValue, pointer: boolean])[];
  readonly inside: readonly (readonly [name: string, schema: Schema])[];
}

const plans = new WeakMap<Schema, Plan>();
const reaches = new WeakMap<Schema, boolean>();

/**
 * Applies, in place, the defaults that the API model declares for built-in types: only a few, such
 * as `protocol: TCP`. All others are in the strategies. Idempotent.
 */
export function applySchemaDefaults(schema: Schema, value: unknown): void {
  if (!reachesDefault(schema)) return;
  if (Array.isArray(value)) {
    if (schema.items !== undefined) {
      for (const item of value) applySchemaDefaults(schema.items, item);
    }
  } else if (isJsonObject(value)) {
    if (schema.additionalProperties !== undefined) {
      for (const item of Object.values(value)) {
        applySchemaDefaults(schema.additionalProperties, item);
      }
    } else applyToStruct(schema, value);
  }
}

function applyToStruct(schema: Schema, object: JsonObject): void {
  const { defaults, inside } = planFor(schema);
  for (const [name, value, pointer] of defaults) {
    const present = getKey(object, name);
    // Where the type does not distinguish empty from absent, an empty value gets the default, too.
    if (present === undefined || (!pointer && isEmptyScalar(present))) {
      setKey(object, name, cloneJson(value));
    }
  }
  for (const [name, field] of inside) applySchemaDefaults(field, getKey(object, name));
}

function planFor(schema: Schema): Plan {
  let plan = plans.get(schema);
  if (plan === undefined) {
    const properties = Array.from(schema.properties ?? []);
    plan = {
      defaults: properties.flatMap(([name, property]) =>
        isDeclared(property) ? [[name, property.default ?? null, property.pointer === true]] : [],
      ),
      inside: properties.flatMap(([name, property]) =>
        reachesDefault(property.schema) ? [[name, property.schema]] : [],
      ),
    };
    plans.set(schema, plan);
  }
  return plan;
}

/**
 * OpenAPI lists the zero value as the default of every field that cannot be absent. These are not
 * applied; a non-zero default is, and so is any default of a field that can be absent.
 */
function isDeclared({ default: value, pointer }: Property): boolean {
  if (value === undefined) return false;
  return pointer === true || !(isEmptyScalar(value) || isJsonObject(value));
}

function isEmptyScalar(value: JsonValue): boolean {
  return value === '' || value === 0 || value === false;
}

/** True if there is a default to apply at the schema or below it. */
function reachesDefault(schema: Schema): boolean {
  const known = reaches.get(schema);
  if (known !== undefined) return known;
  const found = search(schema, new Set());
  reaches.set(schema, found);
  return found;
}

function search(schema: Schema, seen: Set<Schema>): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  for (const property of schema.properties?.values() ?? []) {
    if (isDeclared(property) || search(property.schema, seen)) return true;
  }
  return [schema.items, schema.additionalProperties].some(
    (part) => part !== undefined && search(part, seen),
  );
}
