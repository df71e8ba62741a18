import { getKey, isJsonObject, jsonEqual, type JsonValue } from 'client-ts/internal';

import type { Schema } from '../schema/schema.ts';
import { anything } from './structural.ts';

/** The item that an item was before, where the schema tells items apart by keys. */
export function correlatedItem(
  item: JsonValue,
  { listType, listMapKeys = [] }: Schema,
  old: JsonValue | undefined,
): JsonValue | undefined {
  if (listType !== 'map' || !Array.isArray(old) || !isJsonObject(item)) return undefined;
  if (listMapKeys.some((key) => getKey(item, key) === undefined)) return undefined;
  return old.find(
    (before) =>
      isJsonObject(before) &&
      listMapKeys.every((key) => jsonEqual(getKey(before, key), getKey(item, key))),
  );
}

/**
 * Whether a value is what it was, as far as its schema can tell: items of maps may change places, but
 * an object with fields that the schema does not name counts as changed.
 */
export function isUnchanged(
  value: JsonValue | undefined,
  old: JsonValue | undefined,
  schema: Schema | undefined,
): boolean {
  if (Array.isArray(value) && Array.isArray(old)) {
    if (value.length !== old.length) return false;
    if (schema?.listType !== 'map') return jsonEqual(value, old);
    return value.every((item) => {
      const before = correlatedItem(item, schema, old);
      return before !== undefined && isUnchanged(item, before, schema.items);
    });
  }
  if (!isJsonObject(value) || !isJsonObject(old)) return jsonEqual(value, old);
  const keys = Object.keys(value);
  return (
    keys.length === Object.keys(old).length &&
    keys.every((key) => {
      const property = schema?.properties?.get(key)?.schema ?? schema?.additionalProperties;
      const before = getKey(old, key);
      return (
        property !== undefined &&
        property !== anything &&
        before !== undefined &&
        isUnchanged(getKey(value, key), before, property)
      );
    })
  );
}
