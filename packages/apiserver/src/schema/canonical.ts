import { getKey, isJsonObject, type JsonObject, type JsonValue, setKey } from 'client-ts/internal';

import type { Schema } from './schema.ts';
import { zeroValue } from './zero.ts';

/** Returns the fields of a structure in the order of the type. */
export function canonicalOrder(schema: Schema, fields: JsonObject): JsonObject {
  const ordered: JsonObject = {};
  for (const name of schema.properties?.keys() ?? []) {
    const value = getKey(fields, name);
    if (value !== undefined) setKey(ordered, name, value);
  }
  return ordered;
}

/** Returns the map with its keys sorted, as the server writes maps. */
export function sortedKeys(map: JsonObject): JsonObject {
  const sorted: JsonObject = {};
  for (const key of Object.keys(map).toSorted()) setKey(sorted, key, map[key]);
  return sorted;
}

/**
 * Returns a copy with sorted keys at every depth, as the server writes values without a Go type.
 */
export function withSortedKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (!isJsonObject(value)) return value;
  const sorted: JsonObject = {};
  for (const key of Object.keys(value).toSorted()) {
    const item = value[key];
    if (item !== undefined) setKey(sorted, key, withSortedKeys(item));
  }
  return sorted;
}

/**
 * Returns what `null` leaves of an earlier value of the same field, which only exists for duplicate
 * keys. Lists, maps, times and quantities become empty, anything else stays.
 */
export function applyNull(schema: Schema, previous: JsonValue | undefined): JsonValue | undefined {
  switch (schema.special) {
    case 'bytes':
    case 'micro-time':
    case 'time':
      return undefined;
    case 'quantity':
      return zeroValue(schema);
    case undefined:
      break;
    default:
      return previous;
  }
  const isStruct = schema.type === 'object' && schema.properties !== undefined;
  return schema.type === 'array' || (schema.type === 'object' && !isStruct) ? undefined : previous;
}
