import {
  getKey,
  isJsonObject,
  type JsonObject,
  jsonEqual,
  type JsonValue,
} from 'client-ts/internal';
import type { FieldsV1 } from 'client-ts/meta';
import { branch, emptySet, type FieldSet } from './field-set.ts';
import {
  type FieldType,
  type Form,
  formOf,
  type ListType,
  type MapType,
  typeOfField,
} from './field-type.ts';
import { groupItems } from './list-item.ts';
import { fieldElement, type PathElement } from './path-element.ts';

/** The changes from one object to another. No field is in two of the sets. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/** The step to the root, which has no name. */
const ROOT = fieldElement('');

type Change = keyof Comparison;
type Value = JsonValue | undefined;

/**
 * Compares two values of a type down to the granularity of ownership. A new map or list is itself
 * an added field, besides its content. Throws a {@link ListItemError} for list items without a key.
 */
export function compare(before: JsonValue, after: JsonValue, type: FieldType): Comparison {
  const changes = new Changes();
  compareField(changes, ROOT, before, after, type);
  return {
    added: changes.below('added'),
    modified: changes.below('modified'),
    removed: changes.below('removed'),
  };
}

/** The changes below one path, by the next step. */
class Changes {
  #sets: Partial<Record<Change, FieldsV1>> = {};

  insert(change: Change, element: PathElement, node: FieldSet | undefined): void {
    if (node !== undefined) (this.#sets[change] ??= {})[element] = node;
  }

  /** Adds the changes below a step, and the change at the step itself, if any. */
  insertAll(element: PathElement, inner: Changes, own: Change | undefined): void {
    for (const change of kindsOfChange) {
      const children = inner.#sets[change] ?? emptySet;
      this.insert(change, element, branch(own === change, children));
    }
  }

  below(change: Change): FieldSet {
    return this.#sets[change]?.[ROOT] ?? emptySet;
  }
}

const kindsOfChange: readonly Change[] = ['added', 'modified', 'removed'];

function compareField(
  changes: Changes,
  element: PathElement,
  before: Value,
  after: Value,
  type: FieldType,
): void {
  if (before === after) return;
  const inner = new Changes();
  // Null and absent values take the form of the other side.
  const [oldForm, newForm] = [formOf(before ?? after, type), formOf(after ?? before, type)];
  let own = compareAs(newForm, inner, before, after, type);
  // Where the schema allows several forms, a value can change its form: the old content is removed
  // and the new content added.
  if (oldForm !== newForm) own = compareAs(oldForm, inner, before, after, type) ?? own;
  changes.insertAll(element, inner, own);
}

/** Returns the change at the path itself. */
function compareAs(
  form: Form,
  inner: Changes,
  before: Value,
  after: Value,
  type: FieldType,
): Change | undefined {
  if (form === 'map' && type.map !== undefined && !type.map.atomic) {
    const [left, right] = [asMap(before), asMap(after)];
    if (!isEmptyMap(left, type.map) || !isEmptyMap(right, type.map)) {
      compareMaps(inner, left, right, type.map);
      return presence(before, after);
    }
  }
  if (form === 'list' && type.list !== undefined && !type.list.atomic) {
    const [left, right] = [asList(before), asList(after)];
    if (left.length > 0 || right.length > 0) {
      compareLists(inner, left, right, type.list);
      return presence(before, after);
    }
  }
  return presence(before, after) ?? (jsonEqual(before, after) ? undefined : 'modified');
}

function presence(before: Value, after: Value): 'added' | 'removed' | undefined {
  if (before === undefined) return 'added';
  return after === undefined ? 'removed' : undefined;
}

function asMap(value: Value): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

function asList(value: Value): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function isEmptyMap(value: JsonObject | undefined, type: MapType): boolean {
  if (value === undefined) return true;
  return type.implied.length === 0 && Object.values(value).every((field) => field === undefined);
}

function compareMaps(
  inner: Changes,
  left: JsonObject | undefined,
  right: JsonObject | undefined,
  type: MapType,
): void {
  const compareOne = (name: string): void => {
    const [before, after] = [valueOf(left, name, type), valueOf(right, name, type)];
    compareField(inner, fieldElement(name), before, after, typeOfField(type, name));
  };
  for (const name of Object.keys(left ?? {})) compareOne(name);
  for (const name of Object.keys(right ?? {})) {
    if (getKey(left ?? {}, name) === undefined) compareOne(name);
  }
  if (left !== undefined && right !== undefined) return;
  const only = left ?? right ?? {};
  for (const name of type.implied) if (getKey(only, name) === undefined) compareOne(name);
}

/** A field that Go structs always have is present even if JSON omits it. */
function valueOf(map: JsonObject | undefined, name: string, type: MapType): Value {
  if (map === undefined) return undefined;
  const value = getKey(map, name);
  return value === undefined ? type.fields.get(name)?.zero : value;
}

function compareLists(
  inner: Changes,
  left: readonly JsonValue[],
  right: readonly JsonValue[],
  type: ListType,
): void {
  // Most lists are unchanged by most writes, and equality is cheaper than grouping by key.
  if (jsonEqual(left, right)) return;
  const before = groupItems(type, left);
  const after = groupItems(type, right);
  for (const [element, items] of before) {
    compareItems(inner, element, items, after.get(element) ?? [], type);
  }
  for (const [element, items] of after) {
    if (!before.has(element)) compareItems(inner, element, [], items, type);
  }
}

/**
 * Compares items with the same key. Duplicates are owned as one, because they cannot be
 * distinguished.
 */
function compareItems(
  inner: Changes,
  element: PathElement,
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  type: ListType,
): void {
  const [first, second] = [before[0], after[0]];
  if (before.length <= 1 && after.length <= 1) {
    compareField(inner, element, first, second, type.item);
  } else if (before.length > 1 && after.length > 1) {
    if (!jsonEqual(before, after)) inner.insert('modified', element, emptySet);
  } else if (before.length > 1) {
    compareField(inner, element, undefined, second, type.item);
    inner.insert('removed', element, emptySet);
  } else {
    compareField(inner, element, first, undefined, type.item);
    inner.insert('added', element, emptySet);
  }
}
