import { isJsonObject, type JsonObject, type JsonValue } from 'client-ts/internal';

import type { Schema } from '../schema/schema.ts';
import { shorten } from '../schema/shorten.ts';

const LONGEST_STEP = 500;

/** Fields that every resource has, whatever its schema says. */
export const META_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Takes out of a custom resource, in place, what its schema does not name, except where the schema
 * wants unknown fields kept. Returns the paths of what went, sorted: `spec.list[1].zzz`.
 */
export function pruneResource(object: JsonObject, schema: Schema): string[] {
  return prune(object, { ...schema, embeddedResource: true });
}

/** The same for a value inside of a resource, such as a default. */
export function prune(value: JsonValue, schema: Schema): string[] {
  const unknown: string[] = [];
  pruneValue(value, schema, '', unknown);
  return unknown.toSorted();
}

/** A key as paths show it; a long one is cut off, because every path below it repeats it. */
export function stepName(key: string): string {
  return shorten(key, LONGEST_STEP);
}

function pruneValue(
  value: JsonValue | undefined,
  schema: Schema | undefined,
  path: string,
  unknown: string[],
): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      pruneItem(item, schema, `${path}[${index}]`, unknown);
    }
    return;
  }
  if (!isJsonObject(value)) return;
  for (const key of Object.keys(value)) {
    if (schema?.embeddedResource === true && META_FIELDS.has(key)) continue;
    const at = path === '' ? stepName(key) : `${path}.${stepName(key)}`;
    const property = schema?.properties?.get(key)?.schema ?? schema?.additionalProperties;
    if (property !== undefined) pruneValue(value[key], property, at, unknown);
    else if (schema?.preserveUnknownFields !== true) {
      // Not worth a warning at the top, where a resource of another kind may come along.
      if (path !== '' || !META_FIELDS.has(key)) unknown.push(at);
      delete value[key];
    }
  }
}

/** An item of a list; where unknown fields are kept and items have no schema, they are kept whole. */
function pruneItem(
  item: JsonValue,
  { items, preserveUnknownFields }: Schema = {},
  path: string,
  unknown: string[],
): void {
  if (preserveUnknownFields !== true) pruneValue(item, items, path, unknown);
  else if (items !== undefined) {
    pruneValue(item, { ...items, preserveUnknownFields: true }, path, unknown);
  }
}
