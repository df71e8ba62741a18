import {
  cloneJson,
  getKey,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  setKey,
} from '../lib/json.ts';

/** One step of a JSON patch (RFC 6902). Paths are JSON pointers: `/metadata/labels/app`. */
export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value?: JsonValue }
  | { readonly op: 'copy' | 'move'; readonly from: string; readonly path: string }
  | { readonly op: 'remove'; readonly path: string };

/**
 * Applies a JSON merge patch (RFC 7386) and returns the result; the arguments are not changed. A
 * null in the patch removes the key, objects are merged, everything else replaces.
 *
 * Where servers differ from the RFC, this follows servers: a list that replaces a non-object also
 * loses the nulls inside its objects.
 */
export function applyMergePatch(target: JsonValue, patch: JsonValue): JsonValue {
  return isJsonObject(patch) && isJsonObject(target)
    ? mergeObjects(target, patch)
    : withoutNulls(patch);
}

function mergeObjects(target: JsonObject, patch: JsonObject): JsonObject {
  const result: JsonObject = {};
  for (const key of new Set([...Object.keys(target), ...Object.keys(patch)])) {
    const merged = mergeValue(getKey(target, key), getKey(patch, key));
    if (merged !== undefined) setKey(result, key, merged);
  }
  return result;
}

function mergeValue(
  current: JsonValue | undefined,
  value: JsonValue | undefined,
): JsonValue | undefined {
  if (value === undefined) return cloneJson(current);
  if (value === null) return undefined;
  if (!isJsonObject(current)) return withoutNulls(value);
  return isJsonObject(value) ? mergeObjects(current, value) : cloneJson(value);
}

/** Returns a copy in which no object has a null; nulls as list items stay. */
function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item));
  if (!isJsonObject(value)) return value;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (item !== null && item !== undefined) setKey(copy, key, withoutNulls(item));
  }
  return copy;
}

/**
 * Returns the smallest merge patch that turns `from` into `to`; empty if they are equal. A merge
 * patch cannot set null, so nulls in `to` become absent keys.
 */
export function createMergePatch(from: JsonObject, to: JsonObject): JsonObject {
  const patch: JsonObject = {};
  for (const key of Object.keys(from)) {
    if (from[key] !== undefined && getKey(to, key) === undefined) setKey(patch, key, null);
  }
  for (const key of Object.keys(to)) {
    const after = to[key];
    const before = getKey(from, key);
    if (after === undefined || jsonEqual(before, after)) continue;
    const value =
      isJsonObject(before) && isJsonObject(after)
        ? createMergePatch(before, after)
        : cloneJson(after);
    setKey(patch, key, value);
  }
  return patch;
}

/**
 * Returns a JSON patch (RFC 6902) that turns `from` into `to`; empty if they are equal. Items of a
 * list that are inserted or removed in one place leave the others alone.
 */
export function createJsonPatch(from: JsonValue, to: JsonValue): JsonPatchOperation[] {
  return [...valueChanges('', from, to)];
}

function* valueChanges(
  path: string,
  from: JsonValue,
  to: JsonValue,
): Generator<JsonPatchOperation, void, undefined> {
  if (jsonEqual(from, to)) return;
  if (isJsonObject(from) && isJsonObject(to)) yield* objectChanges(path, from, to);
  else if (Array.isArray(from) && Array.isArray(to)) yield* listChanges(path, from, to);
  else yield { op: 'replace', path, value: to };
}

function* objectChanges(
  path: string,
  from: JsonObject,
  to: JsonObject,
): Generator<JsonPatchOperation, void, undefined> {
  for (const key of new Set([...Object.keys(from), ...Object.keys(to)])) {
    const below = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const before = getKey(from, key);
    const after = getKey(to, key);
    if (after === undefined) {
      if (before !== undefined) yield { op: 'remove', path: below };
    } else if (before === undefined) yield { op: 'add', path: below, value: after };
    else yield* valueChanges(below, before, after);
  }
}

/** Changes what is between the items that both lists have at the start and at the end. */
function* listChanges(
  path: string,
  from: readonly JsonValue[],
  to: readonly JsonValue[],
): Generator<JsonPatchOperation, void, undefined> {
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && jsonEqual(from[start], to[start])) start += 1;
  let end = 0;
  while (end < shorter - start && jsonEqual(from.at(-1 - end), to.at(-1 - end))) end += 1;
  for (let index = start; index < shorter - end; index += 1) {
    yield* valueChanges(`${path}/${index}`, from[index] ?? null, to[index] ?? null);
  }
  // Backwards, because a removal moves the items after it.
  for (let index = from.length - end - 1; index >= shorter - end; index -= 1) {
    yield { op: 'remove', path: `${path}/${index}` };
  }
  for (let index = shorter - end; index < to.length - end; index += 1) {
    yield { op: 'add', path: `${path}/${index}`, value: to[index] ?? null };
  }
}
