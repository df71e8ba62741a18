/** Any value that JSON can hold. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** A JSON object. A key that is `undefined` counts as absent, as in `JSON.stringify`. */
export interface JsonObject {
  [key: string]: JsonValue | undefined;
}

/** True for plain JSON objects: not null, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Structural equality of JSON values. Key order does not matter; `undefined` equals absent. */
export function jsonEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item, index) => jsonEqual(item, right[index]));
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  for (const key of Object.keys(left)) {
    if (!jsonEqual(left[key], getKey(right, key))) return false;
  }
  for (const key of Object.keys(right)) {
    if (right[key] !== undefined && getKey(left, key) === undefined) return false;
  }
  return true;
}

/** A deep copy of a JSON value; several times faster than `structuredClone` for this kind of data. */
export function cloneJson<T>(value: T): T {
  if (Array.isArray(value)) return value.map((item: unknown) => cloneJson(item)) as T;
  if (!isJsonObject(value)) return value;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) setKey(copy, key, cloneJson(value[key]));
  return copy as T;
}

/**
 * Sets a key of a JSON object. Where keys come from outside, use this: a plain assignment to
 * `__proto__` would change the prototype instead.
 */
export function setKey<V>(object: Record<string, V>, key: string, value: V): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    });
  } else {
    object[key] = value;
  }
}

/** The value of an own key, never one that every object inherits, such as `constructor`. */
export function getKey<V>(object: Readonly<Record<string, V>>, key: string): V | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
