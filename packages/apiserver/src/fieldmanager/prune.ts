import type { JsonObject } from 'client-ts/internal';
import { difference, emptySet, type FieldSet, intersection, isEmpty, union } from './field-set.ts';
import type { Manager, Managers } from './managers.ts';
import { withNamedFields } from './named-fields.ts';
import { removeItems } from './remove.ts';
import { toFieldSet } from './to-field-set.ts';
import { inVersion, type Typed, type UpdateContext } from './updater.ts';

/**
 * Removes what a manager applied the last time and does not apply any more, unless somebody else
 * owns it. `managers` has the manager's new set already; `last` is its old entry.
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

/** What is owned in each version. `first` leads, so that conversions find the fields they need. */
function ownedByVersion(managers: Managers, first: string): Map<string, FieldSet> {
  const owned = new Map<string, FieldSet>([[first, emptySet]]);
  for (const { apiVersion, set } of managers.values()) {
    owned.set(apiVersion, union(owned.get(apiVersion) ?? emptySet, set));
  }
  return owned;
}

/** Puts back what was removed although it has an owner. */
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
  const keep = union(mentioned(after), withNamedFields(owned, before.type));
  return removeItems(before.value, difference(mentioned(before), keep), before.type);
}

/** Puts back what nobody owns but the manager did not own before either. */
function removeAbandoned(
  whole: Typed,
  pruned: JsonObject,
  last: Manager,
  context: UpdateContext,
): JsonObject {
  const after = inVersion(pruned, last.apiVersion, context);
  if (after === undefined) return whole.value;
  const gone = difference(mentioned(whole), mentioned(after));
  const owned = withNamedFields(last.set, whole.type);
  return removeItems(whole.value, intersection(gone, owned), whole.type);
}

/** Every field of a value, with the structs that lead to them. */
function mentioned({ value, type }: Typed): FieldSet {
  return withNamedFields(toFieldSet(value, type), type);
}
