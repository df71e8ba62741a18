import { isJsonObject, type JsonObject, type JsonValue } from 'client-ts/internal';
import type { FieldsV1 } from 'client-ts/meta';
import { branch, emptySet, type FieldSet } from './field-set.ts';
import { type FieldType, formOf, type ListType, type MapType, typeOfField } from './field-type.ts';
import { groupItems } from './list-item.ts';
import { fieldElement } from './path-element.ts';

/**
 * The fields that a value mentions: what a manager that applies it owns. Structs are only paths to
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

/** Items with the same key are owned as one, since nothing tells them apart. */
function itemsOf(value: readonly JsonValue[], type: ListType): FieldSet {
  const items: FieldsV1 = {};
  for (const [element, [item, ...duplicates]] of groupItems(type, value)) {
    const children =
      item === undefined || duplicates.length > 0 ? emptySet : collect(item, type.item).children;
    items[element] = branch(true, children) ?? emptySet;
  }
  return items;
}
