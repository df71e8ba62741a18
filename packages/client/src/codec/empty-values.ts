import type { JsonObject, JsonValue } from '../lib/json.ts';
import { type Field, FIELD_CODE, type MessageType } from './message-type.ts';

/** What JSON has for a field that is not on the wire and may not be missing. */
export function emptyField(field: Field): JsonValue {
  if (field.emptyList) return [];
  if (field.repeated || field.map || field.pointer) return null;
  const nullable = field.code === FIELD_CODE.bytes || field.code === FIELD_CODE.stringList;
  return nullable ? null : emptyValue(field);
}

/** The zero value of a field's type, as an element of a list or map would show it. */
export function emptyValue(field: Field): JsonValue {
  switch (field.code) {
    case FIELD_CODE.string:
    case FIELD_CODE.bytes:
      return '';
    case FIELD_CODE.int32:
    case FIELD_CODE.int64:
    case FIELD_CODE.double:
    case FIELD_CODE.intOrString:
      return 0;
    case FIELD_CODE.bool:
      return false;
    case FIELD_CODE.quantity:
      return '0';
    case FIELD_CODE.stringList:
      return [];
    case FIELD_CODE.message:
      return emptyMessage(field.type);
    default:
      return null;
  }
}

function emptyMessage(type: MessageType): JsonValue {
  const target: JsonObject = {};
  for (const field of type.always) target[field.name] = emptyField(field);
  return type.union?.toJson(target) ?? target;
}
