import { isJsonObject, type JsonObject, type JsonValue, setKey } from 'client-ts/internal';
import { below, type FieldSet, isEmpty, isMember } from './field-set.ts';
import { type FieldType, typeOfField } from './field-type.ts';
import { itemElement } from './list-item.ts';
import { fieldElement } from './path-element.ts';

/**
 * The value without the fields of the set. A map or list that is left with nothing becomes null:
 * it was there and still is. The result shares its parts with the value.
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
      // An item that is left with nothing has lost its keys too: no list can hold it.
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
