import { isJsonObject, type JsonObject, type JsonValue } from 'client-ts/internal';
import type { FieldsV1 } from 'client-ts/meta';

import { branch, emptySet, type FieldSet, isEmpty, isMember, mapSet } from './field-set.ts';
import {
  deduced,
  type FieldType,
  formOf,
  type ListType,
  type MapType,
  typeOfField,
} from './field-type.ts';
import { groupItems } from './list-item.ts';
import { fieldElement } from './path-element.ts';

/**
 * Returns the fields of a value: what a manager that applies it owns. Structs are only paths to
 * their fields, while keys of maps and items of lists are fields themselves.
 */
export function toFieldSet(value: JsonValue, type: FieldType): FieldSet {
  return collect(value, type).children;
}

interface Collected {
  /** The value is a field as a whole. */
  readonly member: boolean;
  readonly children: FieldSet;
}

function collect(value: JsonValue, type: FieldType): Collected {
  const form = formOf(value, type);
  const container = form === 'scalar' ? undefined : type[form];
  if (container === undefined || container.atomic) return { member: true, children: emptySet };
  let children = emptySet;
  if (Array.isArray(value) && type.list !== undefined) children = itemsOf(value, type.list);
  if (isJsonObject(value) && type.map !== undefined) children = fieldsOf(value, type.map);
  return { member: false, children };
}

function fieldsOf(value: JsonObject, type: MapType): FieldSet {
  const fields: FieldsV1 = {};
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined) continue;
    const { member, children } = collect(field, typeOfField(type, name));
    const ownsItself = isNullOrEmptyMap(field) || !type.fields.has(name);
    const node = branch(member || ownsItself, children);
    if (node !== undefined) fields[fieldElement(name)] = node;
  }
  return fields;
}

function isNullOrEmptyMap(value: JsonValue): boolean {
  return value === null || (isJsonObject(value) && Object.keys(value).length === 0);
}

/** Items with the same key are owned as one, because they cannot be distinguished. */
function itemsOf(value: readonly JsonValue[], type: ListType): FieldSet {
  const items: FieldsV1 = {};
  for (const [element, [item, ...duplicates]] of groupItems(type, value)) {
    const children =
      item === undefined || duplicates.length > 0 ? emptySet : collect(item, type.item).children;
    items[element] = branch(true, children) ?? emptySet;
  }
  return items;
}

/**
 * Returns the set with every struct field on the way to a member added. Ownership of `spec.a` does
 * not include `spec`, but when all of `spec` is removed, `spec` must go, too.
 */
export function withNamedFields(set: FieldSet, type: FieldType | undefined): FieldSet {
  return mapSet(set, (node, element) => {
    const name = element.startsWith('f:') ? element.slice(2) : undefined;
    const children = withNamedFields(node, typeBelow(type, element));
    const isNamed = name !== undefined && type?.map?.fields.has(name) === true;
    return branch(isNamed || isMember(set, element), children);
  });
}

/** Returns the type at the next step; undefined if unknown. */
function typeBelow(type: FieldType | undefined, element: string): FieldType | undefined {
  if (element.startsWith('f:')) {
    const { map } = type ?? {};
    return map && typeOfField(map, element.slice(2));
  }
  return element.startsWith('k:') ? type?.list?.item : undefined;
}

/** Sets that are known to fit a type. */
const reconciled = new WeakMap<FieldSet, FieldType>();

/**
 * Adapts a stored set to a type that may have changed since: the owner of a part of a map or list
 * that became atomic now owns the whole.
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
