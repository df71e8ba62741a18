import { isJsonObject, type JsonObject, type JsonValue } from 'client-ts/internal';

import type { Schema } from '../schema/schema.ts';
import { shorten } from '../schema/shorten.ts';

const MAX_STEP_LENGTH = 500;

/** Fields that every resource has, independent of its schema. */
export const META_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Prunes a custom resource in place: removes fields that its schema does not name, except where it
 * preserves unknown fields. Returns the sorted paths of removed fields: `spec.list[1].zzz`.
 */
export function pruneResource(object: JsonObject, schema: Schema): string[] {
  return prune(object, { ...schema, embeddedResource: true });
}

/** Prunes a value inside a resource, such as a default. */
export function prune(value: JsonValue, schema: Schema): string[] {
  const unknown: string[] = [];
  pruneValue(value, schema, '', unknown);
  return unknown.toSorted();
}

/** Returns a key as paths show it. Long keys are cut, because every path below repeats them. */
export function stepName(key: string): string {
  return shorten(key, MAX_STEP_LENGTH);
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
      // At the root these fields belong to a resource and are not reported.
      if (path !== '' || !META_FIELDS.has(key)) unknown.push(at);
      delete value[key];
    }
  }
}

/**
 * Prunes an item of a list. Items without a schema are kept whole where unknown fields are
 * preserved.
 */
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
