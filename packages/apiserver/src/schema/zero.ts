import { type JsonObject, type JsonValue, setKey } from 'client-ts/internal';
import { apiVersionOf } from 'client-ts/meta';

import type { Schema } from './schema.ts';

/** A field that is written even if not set. */
interface AlwaysField {
  readonly name: string;
  /** Returns the zero value. Structures are new each time: callers may modify them. */
  readonly zero: () => JsonValue;
}

const alwaysCache = new WeakMap<Schema, readonly AlwaysField[]>();

/** Returns the fields of a built-in type that are always written, in order. */
export function alwaysFields(schema: Schema): readonly AlwaysField[] {
  let fields = alwaysCache.get(schema);
  if (fields === undefined) {
    fields = Array.from(schema.properties ?? [])
      .filter(([, property]) => property.always === true)
      .map(([name, { schema, pointer }]) => ({
        name,
        zero: () => (pointer === true ? null : zeroValue(schema)),
      }));
    alwaysCache.set(schema, fields);
  }
  return fields;
}

/**
 * Returns what the server writes for an unset value of a built-in type: an empty string, zero,
 * `null` for lists, maps and times, and for a structure the fields that are always written.
 */
export function zeroValue(schema: Schema): JsonValue {
  switch (schema.special) {
    case 'quantity':
      return '0';
    case 'int-or-string':
      return 0;
    case 'schema-or-bool':
      return false;
    case undefined:
      break;
    default:
      return null;
  }
  switch (schema.type) {
    case 'string':
      return '';
    case 'integer':
    case 'number':
      return 0;
    case 'boolean':
      return false;
    case 'object':
      return schema.properties === undefined ? null : zeroStruct(schema);
    default:
      return null;
  }
}

/** Returns the zero value of a built-in structure: only the fields that are always written. */
export function zeroStruct(schema: Schema): JsonObject {
  const fields: JsonObject = {};
  for (const { name, zero } of alwaysFields(schema)) setKey(fields, name, zero());
  return fields;
}

interface KindInfo {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly schema: Schema;
  /** Set for custom resources, which have no fields that are always written. */
  readonly crd?: string;
}

/**
 * Returns an empty object as the server writes it: with zero values for fields that are always
 * written. Bookmarks look like this.
 */
export function emptyObject(info: KindInfo): JsonObject {
  const typeMeta = { kind: info.kind, apiVersion: apiVersionOf(info) };
  return info.crd === undefined ? { ...typeMeta, ...zeroStruct(info.schema) } : typeMeta;
}
