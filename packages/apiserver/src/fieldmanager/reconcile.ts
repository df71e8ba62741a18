import { branch, emptySet, type FieldSet, isEmpty, isMember, mapSet } from './field-set.ts';
import { deduced, type FieldType } from './field-type.ts';
import { typeBelow } from './named-fields.ts';

/** Sets that are known to fit a type. */
const reconciled = new WeakMap<FieldSet, FieldType>();

/**
 * Fits a stored set to a type that may have changed since: where a map or list has become atomic,
 * whoever owned a part of it now owns it as a whole.
 */
export function reconcileSet(set: FieldSet, type: FieldType): FieldSet {
  if (reconciled.get(set) === type) return set;
  const result = reconcileBelow(set, type);
  reconciled.set(result, type);
  return result;
}

function reconcileBelow(set: FieldSet, type: FieldType): FieldSet {
  return mapSet(set, (node, element) => {
    const inner = typeBelow(type, element);
    if (inner === undefined || inner === deduced) return node;
    const container = inner.map ?? (inner.scalar === undefined ? inner.list : undefined);
    if (container === undefined || isEmpty(node)) return node;
    return container.atomic
      ? emptySet
      : branch(isMember(set, element), reconcileBelow(node, inner));
  });
}
