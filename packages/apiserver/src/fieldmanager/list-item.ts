import {
  ClientError,
  defineErrors,
  getKey,
  isJsonObject,
  type JsonValue,
  quoteGo,
} from 'client-ts/internal';
import type { ListType } from './field-type.ts';
import {
  compareText,
  keyElement,
  type KeyField,
  type PathElement,
  valueElement,
} from './path-element.ts';

/** A list item without a usable key, with the message of a real server. */
export class ListItemError extends ClientError {
  constructor(message: string) {
    super('APISERVER_LIST_ITEM_INVALID', message);
  }

  static {
    defineErrors(this, 'ListItemError', 'APISERVER', {
      APISERVER_LIST_ITEM_INVALID: { retry: 'never' },
    });
  }
}

const sortedKeys = new WeakMap<ListType, readonly string[]>();

/**
 * Returns the step to an item of a list whose items have their own owners. An omitted key field has
 * its default; without a default it is not part of the step.
 */
export function itemElement(list: ListType, item: JsonValue): PathElement {
  if (list.keys.length === 0) return elementOfScalar(item);
  if (item === null) {
    throw new ListItemError('associative list with keys may not have a null element');
  }
  if (!isJsonObject(item)) {
    throw new ListItemError('associative list with keys may not have non-map elements');
  }
  const fields: KeyField[] = [];
  for (const name of keysInOrder(list)) {
    const own = getKey(item, name);
    const value = own === undefined ? keyDefault(list, name) : own;
    if (value !== undefined) fields.push([name, value]);
  }
  if (fields.length === 0) {
    const names = list.keys.map((name) => quoteGo(name)).join(' ');
    throw new ListItemError(
      `associative list with keys has an element that omits all key fields [${names}] ` +
        "(and doesn't have default values for any key fields)",
    );
  }
  return keyElement(fields);
}

function keyDefault(list: ListType, name: string): JsonValue | undefined {
  return list.item.map?.fields.get(name)?.default;
}

function keysInOrder(list: ListType): readonly string[] {
  let keys = sortedKeys.get(list);
  if (keys === undefined) {
    keys = list.keys.toSorted(compareText);
    sortedKeys.set(list, keys);
  }
  return keys;
}

function elementOfScalar(item: JsonValue): PathElement {
  if (item === null) {
    throw new ListItemError("associative list without keys has an element that's an explicit null");
  }
  if (Array.isArray(item)) {
    throw new ListItemError('not supported: associative list with lists as elements');
  }
  if (isJsonObject(item)) {
    throw new ListItemError("associative list without keys has an element that's a map type");
  }
  return valueElement(item);
}

/** Groups the items of a list by step. Duplicates stay together, in order. */
export function groupItems(
  list: ListType,
  items: readonly JsonValue[],
): Map<PathElement, JsonValue[]> {
  const groups = new Map<PathElement, JsonValue[]>();
  for (const item of items) {
    const element = itemElement(list, item);
    const group = groups.get(element);
    if (group === undefined) groups.set(element, [item]);
    else group.push(item);
  }
  return groups;
}
