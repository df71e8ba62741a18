import { isJsonObject, type JsonObject, type JsonValue, setKey } from 'client-ts/internal';

import {
  below,
  difference,
  emptySet,
  type FieldSet,
  intersection,
  isEmpty,
  isMember,
  union,
} from './field-set.ts';
import { type FieldType, typeOfField } from './field-type.ts';
import { itemElement } from './list-item.ts';
import type { Manager, Managers } from './managers.ts';
import { fieldElement } from './path-element.ts';
import { toFieldSet, withNamedFields } from './typed-set.ts';
import { inVersion, type Typed, type UpdateContext } from './updater.ts';

/**
 * Removes what a manager applied last time and no longer applies, unless another manager owns it.
 * `managers` already has the manager's new set; `last` is its old entry.
 */
export function prune(
  merged: JsonObject,
  managers: Managers,
  last: Manager | undefined,
  context: UpdateContext,
): JsonObject {
  if (last === undefined || isEmpty(last.set)) return merged;
  const whole = inVersion(merged, last.apiVersion, context);
  if (whole === undefined) return merged;
  let pruned = removeItems(whole.value, withNamedFields(last.set, whole.type), whole.type);
  for (const [apiVersion, owned] of ownedByVersion(managers, last.apiVersion)) {
    pruned = addBack(whole.value, pruned, apiVersion, owned, context);
  }
  const result = removeAbandoned(whole, pruned, last, context);
  return inVersion(result, context.apiVersion, context)?.value ?? merged;
}

/**
 * Returns the owned fields of each version. `first` comes first, so that conversions find the
 * fields that they need.
 */
function ownedByVersion(managers: Managers, first: string): Map<string, FieldSet> {
  const owned = new Map<string, FieldSet>([[first, emptySet]]);
  for (const { apiVersion, set } of managers.values()) {
    owned.set(apiVersion, union(owned.get(apiVersion) ?? emptySet, set));
  }
  return owned;
}

/** Restores removed fields that have an owner. */
function addBack(
  merged: JsonObject,
  pruned: JsonObject,
  apiVersion: string,
  owned: FieldSet,
  context: UpdateContext,
): JsonObject {
  const before = inVersion(merged, apiVersion, context);
  const after = inVersion(pruned, apiVersion, context);
  if (before === undefined || after === undefined) return pruned;
  const keep = union(allFields(after), withNamedFields(owned, before.type));
  return removeItems(before.value, difference(allFields(before), keep), before.type);
}

/** Restores fields without an owner that the manager did not own before, either. */
function removeAbandoned(
  whole: Typed,
  pruned: JsonObject,
  last: Manager,
  context: UpdateContext,
): JsonObject {
  const after = inVersion(pruned, last.apiVersion, context);
  if (after === undefined) return whole.value;
  const gone = difference(allFields(whole), allFields(after));
  const owned = withNamedFields(last.set, whole.type);
  return removeItems(whole.value, intersection(gone, owned), whole.type);
}

/** Returns every field of a value, including the structs that contain them. */
function allFields({ value, type }: Typed): FieldSet {
  return withNamedFields(toFieldSet(value, type), type);
}

/**
 * Returns the value without the fields of the set. A map or list that becomes empty is null: it
 * still exists. The result shares its parts with the value.
 */
export function removeItems(value: JsonObject, set: FieldSet, type: FieldType): JsonObject {
  const left = removeBelow(value, set, type);
  return isJsonObject(left) ? left : {};
}

function removeBelow(value: JsonValue, set: FieldSet, type: FieldType): JsonValue {
  if (Array.isArray(value) && type.list !== undefined) {
    const { list } = type;
    if (list.atomic) return null;
    const left = value.flatMap((item) => {
      const element = itemElement(list, item);
      if (isMember(set, element)) return [];
      const inner = below(set, element);
      const kept = isEmpty(inner) ? item : removeBelow(item, inner, list.item);
      // An empty item has lost its keys, too, so it is dropped.
      return kept === null ? [] : [kept];
    });
    return left.length > 0 ? left : null;
  }
  if (isJsonObject(value) && type.map !== undefined) {
    if (type.map.atomic) return null;
    const left: JsonObject = {};
    for (const [name, field] of Object.entries(value)) {
      const element = fieldElement(name);
      if (field === undefined || isMember(set, element)) continue;
      const inner = below(set, element);
      const kept = isEmpty(inner) ? field : removeBelow(field, inner, typeOfField(type.map, name));
      setKey(left, name, kept);
    }
    return Object.keys(left).length > 0 ? left : null;
  }
  return value;
}
