import {
  cloneJson,
  getKey,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  quoteGo,
  setKey,
} from 'client-ts/internal';
import { newUnknownError } from 'client-ts/meta';

import type { Property, Schema } from '../schema/schema.ts';
import {
  badDirective,
  checkOrder,
  mergeLists,
  orderItems,
  unexpectedType,
  unknownPatchType,
} from './strategic-list.ts';

const directive = '$patch';
const retainKeys = '$retainKeys';
const setElementOrder = '$setElementOrder';
const deleteFromPrimitiveList = '$deleteFromPrimitiveList';

/**
 * Applies a strategic merge patch: maps are merged key by key, null removes, and lists are replaced
 * unless the schema declares them mergeable. Directives in the patch (`$patch`, `$retainKeys`,
 * `$setElementOrder/…`, `$deleteFromPrimitiveList/…`) change this. Fields that the schema does not
 * know are taken as they are.
 *
 * Neither argument is modified, and the result shares nothing with them. Throws the ApiError of a
 * real server: 400 for most malformed directives, 500 for other mistakes.
 */
export function applyStrategicMergePatch(
  original: JsonObject,
  patch: JsonObject,
  schema: Schema,
): JsonObject {
  return mergeMap(cloneJson(original), cloneJson(patch), schema);
}

/** Merges into `original`. Consumes both arguments. */
function mergeMap(original: JsonObject, patch: JsonObject, schema: Schema): JsonObject {
  if (directive in patch) return replaceOrDelete(patch);
  retainOnly(original, patch);
  mergeOrderedLists(original, patch, schema);
  for (const [key, value] of Object.entries(patch)) {
    const listName = deleteListName(key);
    const name = listName ?? key;
    const isDeleteList = listName !== undefined;
    if (value === undefined || value === null) delete original[name];
    else mergeField(original, name, value, schema, isDeleteList);
  }
  return original;
}

/** `$patch: replace` discards the original and takes the patch. */
function replaceOrDelete(patch: JsonObject): JsonObject {
  const { [directive]: kind, ...content } = patch;
  if (kind === 'replace') return content;
  if (kind === 'delete') return {};
  throw unknownPatchType(kind, patch);
}

/**
 * `$retainKeys` removes from the original what it does not list. The patch must not have other
 * keys.
 */
function retainOnly(original: JsonObject, patch: JsonObject): void {
  if (!(retainKeys in patch)) return;
  const listed = patch[retainKeys];
  delete patch[retainKeys];
  if (!Array.isArray(listed)) throw badDirective('retainKeys');
  const keys = new Set<unknown>(listed);
  for (const [key, value] of Object.entries(patch)) {
    const isDirective = key.startsWith(deleteFromPrimitiveList) || key.startsWith(setElementOrder);
    if (value !== null && !isDirective && !keys.has(key)) throw badDirective('retainKeys');
  }
  for (const key of Object.keys(original)) if (!keys.has(key)) delete original[key];
}

/** Returns the list of a `$deleteFromPrimitiveList/…` key; undefined for other keys. */
function deleteListName(key: string): string | undefined {
  if (!key.startsWith(deleteFromPrimitiveList)) return undefined;
  const name = nameAfter(deleteFromPrimitiveList, key);
  if (name === undefined) throw badDirective('primitive list');
  return name;
}

function nameAfter(prefix: string, key: string): string | undefined {
  return key.startsWith(`${prefix}/`) ? key.slice(prefix.length + 1) : undefined;
}

function mergeField(
  original: JsonObject,
  name: string,
  value: JsonValue,
  schema: Schema,
  isDeleteList: boolean,
): void {
  const current = getKey(original, name);
  if (isJsonObject(current) && isJsonObject(value)) {
    const { strategy, schema: inner } = rulesForMap(schema, name);
    setKey(original, name, strategy === 'replace' ? value : mergeMap(current, value, inner));
  } else if (Array.isArray(current) && Array.isArray(value)) {
    setKey(original, name, mergeList(current, value, rulesForList(schema, name), isDeleteList));
  } else if (!isDeleteList) {
    const taken = withoutDirectives(withoutNulls(value));
    if (taken === undefined) delete original[name];
    else setKey(original, name, taken);
  }
}

function mergeList(
  original: JsonValue[],
  patch: JsonValue[],
  { strategy, mergeKey, schema }: PatchRules,
  isDeleteList: boolean,
): JsonValue[] {
  if (strategy !== 'merge' && !isDeleteList) return patch;
  return mergeLists(original, patch, {
    mergeKey,
    isDeleteList,
    itemKind: kindOf(schema),
    mergeItems: (item, change) => mergeMap(item, change, schema),
  });
}

/** Merges the lists that the patch sorts, and removes them from the patch. */
function mergeOrderedLists(original: JsonObject, patch: JsonObject, schema: Schema): void {
  for (const key of Object.keys(patch)) {
    if (!key.startsWith(setElementOrder)) continue;
    const order = listOf(getKey(patch, key)) ?? [];
    delete patch[key];
    const name = nameAfter(setElementOrder, key);
    if (name === undefined) throw badDirective('setElementOrder list');
    const current = listOf(getKey(original, name));
    const change = listOf(getKey(patch, name));
    const rules = rulesForList(schema, name);
    checkOrder(change ?? [], order, rules.mergeKey);
    if (current === undefined && change === undefined) continue;
    const merged = mergeOrAdd(current, change, rules);
    const ordered = orderItems(merged, order, current ?? [], change ?? [], rules.mergeKey);
    setKey(original, name, ordered);
    delete patch[name];
  }
}

function mergeOrAdd(
  current: JsonValue[] | undefined,
  change: JsonValue[] | undefined,
  rules: PatchRules,
): JsonValue[] {
  if (current === undefined) return listOf(withoutDirectives(change ?? [])) ?? [];
  return change === undefined ? current : mergeList(current, change, rules, false);
}

/** Returns a list, or undefined if absent; throws for anything else. */
function listOf(value: JsonValue | undefined): JsonValue[] | undefined {
  if (value === undefined || Array.isArray(value)) return value;
  throw unexpectedType('list', value);
}

/** Removes nulls from a new value: there is nothing for them to delete. */
function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    for (const item of value) withoutNulls(item);
  } else if (isJsonObject(value)) {
    for (const [key, field] of Object.entries(value)) {
      if (field === undefined || field === null) delete value[key];
      else withoutNulls(field);
    }
  }
  return value;
}

/** Removes maps with a `$patch` from a new value: there is nothing for them to act on. */
function withoutDirectives(value: JsonValue): JsonValue | undefined {
  if (Array.isArray(value)) {
    return value.map(withoutDirectives).filter((item) => item !== undefined);
  }
  if (!isJsonObject(value)) return value;
  if (directive in value) return undefined;
  for (const [key, field] of Object.entries(value)) {
    const kept = field === undefined ? undefined : withoutDirectives(field);
    if (kept === undefined) delete value[key];
    else setKey(value, key, kept);
  }
  return value;
}

/** How a field is patched. */
export interface PatchRules {
  /** The type of the value, or of the items of a list. */
  readonly schema: Schema;
  readonly strategy: 'merge' | 'replace' | undefined;
  readonly mergeKey: string | undefined;
}

/** Returns the rules for a map field. Throws if the type has no such field. */
function rulesForMap(type: Schema, field: string): PatchRules {
  const property = propertyOf(type, field);
  return rulesOf(property, property.schema);
}

/** Returns the rules for a list field. Throws if it is not a list. */
function rulesForList(type: Schema, field: string): PatchRules {
  const property = propertyOf(type, field);
  const { schema, pointer } = property;
  if (schema.type !== 'array' && pointer !== true) {
    throw newUnknownError('expected slice or array type, but got: struct');
  }
  return rulesOf(property, schema.items ?? schema);
}

function rulesOf({ patchStrategy = '', patchMergeKey }: Property, schema: Schema): PatchRules {
  const strategies = patchStrategy.split(',');
  return {
    schema,
    strategy: (['merge', 'replace'] as const).find((known) => strategies.includes(known)),
    mergeKey: patchMergeKey,
  };
}

function propertyOf(type: Schema, field: string): Property {
  const property = type.properties?.get(field);
  if (property !== undefined) return property;
  const kind = kindOf(type);
  throw newUnknownError(
    kind === 'struct'
      ? `unable to find api field in struct ${typeName(type)} for the json field ${quoteGo(field)}`
      : `merging an object in json but data type is not struct, instead is: ${kind}`,
  );
}

/** Returns the Go kind behind a schema. */
export function kindOf({ type, special, additionalProperties }: Schema): string {
  if (special === undefined && additionalProperties !== undefined) return 'map';
  switch (type) {
    case 'array':
      return 'slice';
    case 'boolean':
      return 'bool';
    case 'integer':
      return 'int32';
    case 'number':
      return 'float64';
    case 'string':
      return special === undefined ? 'string' : 'struct';
    default:
      return 'struct';
  }
}

function typeName({ id = '' }: Schema): string {
  return id.slice(id.lastIndexOf('.') + 1);
}
