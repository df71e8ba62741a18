import { getKey, isJsonObject, type JsonObject, type JsonValue, setKey } from 'client-ts/internal';
import { type FieldType, type ListType, type MapType, typeOfField } from './field-type.ts';
import { itemElement } from './list-item.ts';
import type { PathElement } from './path-element.ts';

type Value = JsonValue | undefined;

/**
 * Merges an applied configuration into the live object. Nothing is removed; where both have a
 * value, the configuration wins. The result shares its parts with both. Throws a {@link
 * ListItemError} for list items without a key.
 */
export function merge(live: JsonObject, config: JsonObject, type: FieldType): JsonObject {
  const merged = mergeValues(live, config, type);
  return isJsonObject(merged) ? merged : {};
}

function mergeValues(live: Value, config: Value, type: FieldType): Value {
  const shown = config ?? live;
  if (isJsonObject(shown) && type.map !== undefined) {
    return mergeMaps(live, config, type.map);
  }
  if (Array.isArray(shown) && type.list !== undefined) {
    return mergeLists(live, config, type.list);
  }
  return config === undefined ? live : config;
}

function mergeMaps(live: Value, config: Value, type: MapType): Value {
  const left = isJsonObject(live) ? live : {};
  const right = isJsonObject(config) ? config : {};
  const bothEmpty = Object.keys(left).length === 0 && Object.keys(right).length === 0;
  if (type.atomic || bothEmpty) return config === undefined ? live : config;
  const merged: JsonObject = {};
  for (const [name, value] of Object.entries(left)) {
    setKey(merged, name, mergeValues(value, getKey(right, name), typeOfField(type, name)));
  }
  for (const [name, value] of Object.entries(right)) {
    if (getKey(left, name) === undefined)
      setKey(merged, name, mergeValues(undefined, value, typeOfField(type, name)));
  }
  return merged;
}

function mergeLists(live: Value, config: Value, type: ListType): Value {
  const left = Array.isArray(live) ? live : [];
  const right = Array.isArray(config) ? config : [];
  if (type.atomic || (left.length === 0 && right.length === 0)) {
    return config === undefined ? live : config;
  }
  return mergeItems(left, right, type);
}

/**
 * Merges lists item by item. Items of both sides are in the order of the configuration; items of
 * the live list only stay after their previous neighbours, as far as possible.
 */
function mergeItems(
  left: readonly JsonValue[],
  right: readonly JsonValue[],
  type: ListType,
): JsonValue[] {
  const leftElements = left.map((item) => itemElement(type, item));
  const rightElements = right.map((item) => itemElement(type, item));
  const live = indexItems(leftElements, left);
  const config = indexItems(rightElements, right);
  /** Items of both sides; those from `next` on are not in the result yet. */
  const shared = rightElements.filter((element) => live.has(element));
  let next = 0;
  const done = new Set<PathElement>();
  const merged: Value[] = [];
  const take = (element: PathElement): void => {
    done.add(element);
    if (element === shared[next]) next++;
    merged.push(mergeValues(live.get(element), config.get(element), type.item));
  };

  let l = 0;
  let r = 0;
  while (l < left.length || r < right.length) {
    const [mine, other] = [leftElements[l], rightElements[r]];
    if (mine !== undefined && !config.has(mine)) {
      // By index, not by key: the live list may have several items with this key.
      merged.push(left[l++]);
    } else if (mine !== undefined && mine === other) {
      take(mine);
      l++;
      r++;
    } else if (
      mine !== undefined &&
      other !== undefined &&
      next < shared.length &&
      shared[next] !== mine
    ) {
      l++;
    } else {
      if (mine !== undefined && done.has(mine)) l++;
      if (other !== undefined) take(other);
      r++;
    }
  }
  return merged.filter((item) => item !== undefined);
}

/** Items that share a key cannot be merged and count as null. */
function indexItems(
  elements: readonly PathElement[],
  items: readonly JsonValue[],
): Map<PathElement, JsonValue> {
  const index = new Map<PathElement, JsonValue>();
  for (const [place, element] of elements.entries()) {
    index.set(element, index.has(element) ? null : (items[place] ?? null));
  }
  return index;
}
