import {
  formatGo,
  formatGoString,
  getKey,
  goTypeOf,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from 'client-ts/internal';
import {
  type ApiError,
  newBadRequest,
  newGenericServerResponse,
  newUnknownError,
} from 'client-ts/meta';

type List = readonly JsonValue[];
type MergeKey = string | undefined;

/** How two lists are merged. */
export interface ListMerge {
  /** The field that identifies maps; undefined for scalars, which identify themselves. */
  readonly mergeKey: MergeKey;
  /** The patch lists what to delete (`$deleteFromPrimitiveList`). */
  readonly isDeleteList: boolean;
  /** The Go kind of the items, for messages. */
  readonly itemKind: string;
  readonly mergeItems: (original: JsonObject, patch: JsonObject) => JsonObject;
}

/**
 * Merges lists of maps by their merge key, and lists of scalars as sets. Items of the patch are in
 * its order, the others in theirs; items of the original keep their relative order where both
 * orders allow it.
 */
export function mergeLists(original: List, patch: List, merge: ListMerge): JsonValue[] {
  if (original.length === 0 && patch.length === 0) return [];
  if (!haveMaps(original, patch)) {
    if (merge.isDeleteList) {
      const deleted = new Set(patch);
      return original.filter((item) => !deleted.has(item));
    }
    const both = Array.from(new Set([...original, ...patch]));
    return arrange(both, patch, original, undefined);
  }
  const { mergeKey } = merge;
  if (mergeKey === undefined) {
    throw newUnknownError(`cannot merge lists without merge key for ${merge.itemKind}`);
  }
  const outcome = applyDirectives(original as JsonObject[], patch as JsonObject[], mergeKey);
  const base = outcome.replace ? outcome.changes : outcome.kept;
  const changes = outcome.replace ? [] : outcome.changes;
  const merged = [...base];
  const places = new Map<JsonValue | undefined, number>();
  for (const [place, item] of base.entries()) {
    const key = getKey(item, mergeKey);
    if (!places.has(key)) places.set(key, place);
  }
  for (const change of changes) {
    const key = requireKey(change, mergeKey);
    const place = places.get(key) ?? merged.length;
    const found = merged[place];
    merged[place] = found === undefined ? change : merge.mergeItems(found, change);
    places.set(key, place);
  }
  return arrange(merged, changes, base, mergeKey);
}

/** True if the items are maps, false if they are scalars. They must all be of one type. */
function haveMaps(...lists: readonly List[]): boolean {
  const types = new Set(lists.flat().map(goTypeOf));
  const [type, ...others] = types;
  if (type === undefined) throw newUnknownError('no elements in any of the given slices');
  if (type === goTypeOf([])) throw listOfLists();
  if (others.length > 0) {
    throw newUnknownError(`list element types are not identical: ${formatGo(lists)}`);
  }
  return type === goTypeOf({});
}

interface Directed {
  /** What is left of the original after deletions. */
  readonly kept: readonly JsonObject[];
  /** What is left of the patch without directives. */
  readonly changes: readonly JsonObject[];
  /** The changes replace the list. */
  readonly replace: boolean;
}

/** Applies the items of a patch that are directives. */
function applyDirectives(
  original: readonly JsonObject[],
  patch: readonly JsonObject[],
  mergeKey: string,
): Directed {
  const changes: JsonObject[] = [];
  const deleted = new Set<JsonValue>();
  let replace = false;
  for (const item of patch) {
    const { $patch: directive } = item;
    if (directive === undefined) {
      changes.push(item);
    } else if (directive === 'delete') {
      deleted.add(requireKey(item, mergeKey));
    } else if (directive === 'replace') {
      replace = true;
    } else if (directive === 'merge') {
      throw newUnknownError('merging lists cannot yet be specified in the patch');
    } else {
      throw unknownPatchType(directive, item);
    }
  }
  const isKept = (item: JsonObject): boolean => {
    const key = getKey(item, mergeKey);
    return key === undefined || !deleted.has(key);
  };
  return { kept: deleted.size === 0 ? original : original.filter(isKept), changes, replace };
}

/**
 * Validates that the items of the patch are in the order of its `$setElementOrder`, and no others.
 * Deletions do not count.
 */
export function checkOrder(patch: List, order: List, mergeKey: MergeKey): void {
  if (patch.length === 0 || order.length === 0) return;
  const pending = patch.filter((item) => directiveOf(item, mergeKey) !== 'delete');
  let next = 0;
  let place = 0;
  while (next < pending.length && place < order.length) {
    const [item, wanted] = [pending[next] as JsonValue, order[place] as JsonValue];
    if (directiveOf(item, mergeKey) !== undefined) {
      next++;
    } else {
      if (keyOf(item, mergeKey) === keyOf(wanted, mergeKey)) next++;
      place++;
    }
  }
  if (next === pending.length) return;
  throw newUnknownError(
    `The order in patch list:\n${formatGo(patch)}\n ` +
      `doesn't match $setElementOrder list:\n${formatGo(order)}\n`,
  );
}

function directiveOf(item: JsonValue, mergeKey: MergeKey): JsonValue | undefined {
  if (isJsonObject(item)) return item['$patch'];
  if (mergeKey !== undefined) throw unexpectedType('map', item);
  return undefined;
}

/** Sorts a merged list into the order that the patch requests; see {@link arrange}. */
export function orderItems(
  merged: List,
  order: List,
  original: List,
  patch: List,
  mergeKey: MergeKey,
): JsonValue[] {
  if (!haveMaps(original, patch) || mergeKey === undefined) {
    return arrange(merged, order, original, undefined);
  }
  const stray = order.findIndex((item) => !isJsonObject(item));
  if (stray !== -1) throw newUnknownError(`value for key ${stray} is not a map`);
  const places = original.length === 0 ? [] : placesAfterMerge(original, patch, mergeKey);
  return arrange(merged, order, places, mergeKey);
}

/**
 * Returns the order of the original as the server sees it after merging: new items have taken the
 * positions of deleted ones, so they count as having been there.
 */
function placesAfterMerge(original: List, patch: List, mergeKey: string): List {
  const outcome = applyDirectives(original as JsonObject[], patch as JsonObject[], mergeKey);
  const { kept, changes, replace } = outcome;
  const known = placesOf(kept, mergeKey);
  const added = replace ? [] : changes.filter((item) => !known.has(keyOf(item, mergeKey)));
  return [...kept, ...added.slice(0, original.length - kept.length)];
}

/**
 * Items in `order` are in that order, the others in the order of the original. The two sequences
 * are interleaved: an unordered item goes before the next ordered item if it was before it in the
 * original.
 */
function arrange(items: List, order: List, original: List, mergeKey: MergeKey): JsonValue[] {
  const wanted = placesOf(order, mergeKey);
  const before = placesOf(original, mergeKey);
  const isOrdered = (item: JsonValue): boolean => wanted.has(keyOf(item, mergeKey));
  const ordered = sortByPlace(items.filter(isOrdered), wanted, mergeKey);
  const others = sortByPlace(
    items.filter((item) => !isOrdered(item)),
    before,
    mergeKey,
  );
  const result: JsonValue[] = [];
  let next = 0;
  for (const item of ordered) {
    const place = before.get(keyOf(item, mergeKey));
    for (; next < others.length; next++) {
      const other = others[next] as JsonValue;
      const otherPlace = before.get(keyOf(other, mergeKey));
      if (place === undefined || otherPlace === undefined || otherPlace >= place) break;
      result.push(other);
    }
    result.push(item);
  }
  return [...result, ...others.slice(next)];
}

/**
 * Sorts by position. An item without a position goes before everything that precedes it. This is
 * not a consistent order, but it is what the server does with items that `$setElementOrder` omits.
 */
function sortByPlace(
  items: readonly JsonValue[],
  places: ReadonlyMap<unknown, number>,
  mergeKey: MergeKey,
): JsonValue[] {
  const placeOf = (item: JsonValue): number | undefined => places.get(keyOf(item, mergeKey));
  if (items.every((item) => placeOf(item) !== undefined)) {
    return items.toSorted((left, right) => (placeOf(left) ?? 0) - (placeOf(right) ?? 0));
  }
  return insertByPlace(items, items.map(placeOf));
}

/**
 * Inserts the items one by one: an item with a position directly after the last one whose position
 * is not greater, an item without a position, or without such a neighbour, at the front. The
 * neighbours are found backwards, by removing the items from their final order again, which avoids
 * quadratic time.
 */
function insertByPlace(
  items: readonly JsonValue[],
  places: readonly (number | undefined)[],
): JsonValue[] {
  const sorted = [...items.keys()]
    .filter((index) => places[index] !== undefined)
    .toSorted((left, right) => (places[left] ?? 0) - (places[right] ?? 0));
  /** The neighbours of each item in the order of positions, among those not removed yet. */
  const smaller = new Map<number, number | undefined>();
  const greater = new Map<number, number | undefined>();
  for (const [position, index] of sorted.entries()) {
    smaller.set(index, sorted[position - 1]);
    greater.set(index, sorted[position + 1]);
  }
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const [before, after] = [smaller.get(index), greater.get(index)];
    if (before !== undefined) greater.set(before, after);
    if (after !== undefined) smaller.set(after, before);
  }
  /** The successor of each item in the result; the first item is under undefined. */
  const next = new Map<number | undefined, number | undefined>();
  for (const index of items.keys()) {
    const before = smaller.get(index);
    next.set(index, next.get(before));
    next.set(before, index);
  }
  const result: JsonValue[] = [];
  for (let at = next.get(undefined); at !== undefined; at = next.get(at)) {
    result.push(items[at] as JsonValue);
  }
  return result;
}

/** Returns the first index of each key. */
function placesOf(list: List, mergeKey: MergeKey): Map<unknown, number> {
  const places = new Map<unknown, number>();
  for (const [place, item] of list.entries()) {
    const key = keyOf(item, mergeKey);
    if (!places.has(key)) places.set(key, place);
  }
  return places;
}

/** Returns the identity of an item: the value of its merge key, or itself. */
function keyOf(item: JsonValue, mergeKey: MergeKey): JsonValue {
  if (mergeKey === undefined) return item;
  if (!isJsonObject(item)) throw unexpectedType('map', item);
  return requireKey(item, mergeKey);
}

function requireKey(item: JsonObject, mergeKey: string): JsonValue {
  const key = getKey(item, mergeKey);
  if (key === undefined) throw noMergeKey(item, mergeKey);
  return key;
}

/**
 * The 400 for an invalid `$retainKeys`, `$setElementOrder/…` or `$deleteFromPrimitiveList/…`. The
 * server answers most other mistakes with a 500.
 */
export function badDirective(
  of: 'primitive list' | 'retainKeys' | 'setElementOrder list',
): ApiError {
  return newBadRequest(`invalid patch format of ${of}`);
}

/** The error for an unknown `$patch`. */
export function unknownPatchType(directive: unknown, patch: JsonObject): ApiError {
  const shown = formatGoString(directive);
  return newUnknownError(`unknown patch type: ${shown} in map: ${formatGo(patch)}`);
}

/** The error for an item without its merge key. */
function noMergeKey(item: JsonObject, mergeKey: string): ApiError {
  return newUnknownError(`map: ${formatGo(item)} does not contain declared merge key: ${mergeKey}`);
}

/** The error for a value of the wrong form. */
export function unexpectedType(expected: 'list' | 'map', value: unknown): ApiError {
  const wanted = expected === 'list' ? '[]interface {}' : 'map[string]interface {}';
  const got = value === null || value === undefined ? '%!s(<nil>)' : goTypeOf(value);
  return newUnknownError(`expected a ${wanted}, but received a ${got}`);
}

/** A 422 whose message does not say what is wrong, like on a real server. */
function listOfLists(): ApiError {
  return newGenericServerResponse({ code: 422, verb: '' });
}
