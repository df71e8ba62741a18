import { isJsonObject, type JsonObject, type JsonValue, setKey } from 'client-ts/internal';

const SCHEMAS = new Set(['additionalProperties', 'items', 'not']);
const LISTS_OF_SCHEMAS = new Set(['allOf', 'anyOf', 'oneOf']);

/** The schemas directly in a schema. */
export function* schemasIn(schema: JsonObject): Generator<JsonObject> {
  for (const [key, value] of Object.entries(schema)) {
    if (SCHEMAS.has(key)) yield* [value].filter(isJsonObject);
    else if (LISTS_OF_SCHEMAS.has(key) && Array.isArray(value)) yield* value.filter(isJsonObject);
    else if (key === 'properties' && isJsonObject(value)) {
      yield* Object.values(value).filter(isJsonObject);
    }
  }
}

/**
 * A copy of a schema with `change` applied to every schema directly in it. Values that stand in a
 * schema (`default`, `enum`, `example`) may look like schemas and are left as they are. The
 * properties come in the order of their names.
 */
export function mapSchema(
  schema: JsonObject,
  change: (schema: JsonObject) => JsonObject,
): JsonObject {
  const copy: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    if (value !== undefined) setKey(copy, key, mapKeyword(key, value, change));
  }
  return copy;
}

function mapKeyword(
  key: string,
  value: JsonValue,
  change: (schema: JsonObject) => JsonObject,
): JsonValue {
  const one = (item: JsonValue): JsonValue => (isJsonObject(item) ? change(item) : item);
  if (SCHEMAS.has(key)) return one(value);
  if (LISTS_OF_SCHEMAS.has(key)) return Array.isArray(value) ? value.map(one) : value;
  if (key !== 'properties' || !isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, property]) => [name, one(property ?? {})]),
  );
}
