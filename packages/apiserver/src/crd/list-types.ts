import { getKey, isJsonObject, type JsonObject, type JsonValue, setKey } from 'client-ts/internal';

import { withSortedKeys } from '../schema/canonical.ts';
import type { Schema } from '../schema/schema.ts';
import { duplicate, type FieldError, findEach, invalid } from '../validation/field-error.ts';
import { excerpt } from '../validation/quote-value.ts';
import { stepName } from './pruning.ts';

/** Finds what stands twice in lists that the schema declares to be sets or maps. */
export function validateListTypes(
  value: JsonValue | undefined,
  schema: Schema,
  field = '',
): FieldError[] {
  if (Array.isArray(value)) {
    return [
      ...validateList(value, schema, field),
      ...findEach(value, (item, index) =>
        schema.items === undefined
          ? []
          : validateListTypes(item, schema.items, `${field}[${index}]`),
      ),
    ];
  }
  if (!isJsonObject(value)) return [];
  return findEach(Object.entries(value), ([key, item]) => {
    const property = schema.properties?.get(key)?.schema;
    if (property !== undefined) {
      return validateListTypes(item, property, field === '' ? key : `${field}.${key}`);
    }
    return schema.additionalProperties === undefined
      ? []
      : validateListTypes(item, schema.additionalProperties, `${field}[${stepName(key)}]`);
  });
}

function validateList(
  list: readonly JsonValue[],
  { listType, listMapKeys = [] }: Schema,
  field: string,
): FieldError[] {
  switch (listType) {
    case 'set':
      return findEach(repeated(list), (index) => [
        duplicate(`${field}[${index}]`, withSortedKeys(excerpt(list[index] ?? null))),
      ]);
    case 'map': {
      const stray = list.findIndex((item) => item !== null && !isJsonObject(item));
      if (stray !== -1) {
        const detail = 'must be an object for an array of list-type map';
        return [
          invalid(`${field}[${stray}]`, withSortedKeys(excerpt(list[stray] ?? null)), detail),
        ];
      }
      const keys = list.map((item) => keyOf(item, listMapKeys));
      return findEach(repeated(keys), (index) => [duplicate(`${field}[${index}]`, keys[index])]);
    }
    default:
      return [];
  }
}

/** The keys of an item; those that it does not have are left out. */
function keyOf(item: JsonValue, names: readonly string[]): JsonObject {
  const key: JsonObject = {};
  for (const name of names.toSorted()) {
    const value = isJsonObject(item) ? getKey(item, name) : undefined;
    if (value !== undefined) setKey(key, name, value);
  }
  return key;
}

/** Where values stand for the second time; a third time is not news. */
function repeated(values: readonly JsonValue[]): number[] {
  const seen = new Map<string, number>();
  const indices: number[] = [];
  for (const [index, value] of values.entries()) {
    const text = JSON.stringify(withSortedKeys(value));
    const times = (seen.get(text) ?? 0) + 1;
    seen.set(text, times);
    if (times === 2) indices.push(index);
  }
  return indices;
}
