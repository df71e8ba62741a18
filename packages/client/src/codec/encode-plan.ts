import type { JsonObject } from '../lib/json.ts';
import {
  type EncodePlan,
  type EncodeStep,
  type Field,
  FIELD_CODE,
  type MessageType,
} from './message-type.ts';
import { INT_OR_STRING_ZERO, QUANTITY_ZERO } from './special-values.ts';
import { BackwardWriter } from './wire/backward-writer.ts';

/** The oldest plan of a type makes room for the next. */
const MAX_PLANS = 16;

/** Returns how to write an object with these keys. */
export function planFor(type: MessageType, object: JsonObject): EncodePlan {
  const known = type.plans;
  for (let index = 0; index < known.length; index++) {
    const plan = known[index] as EncodePlan;
    if (hasKeys(plan, object)) return plan;
  }
  const plan = makePlan(type, Object.keys(object));
  if (known.length >= MAX_PLANS) known.shift();
  known.push(plan);
  return plan;
}

function hasKeys({ keys }: EncodePlan, object: JsonObject): boolean {
  let index = 0;
  for (const key in object) {
    // As in JSON, what an object inherits is not part of it.
    if (Object.hasOwn(object, key) && key !== keys[index++]) return false;
  }
  return index === keys.length;
}

function makePlan(type: MessageType, keys: readonly string[]): EncodePlan {
  const present = new Set(keys);
  const steps: EncodeStep[] = [];
  let gap = new BackwardWriter();
  for (const field of type.fields.toReversed()) {
    if (field.name === '' || present.has(field.name)) {
      steps.push({ field, absent: gap.finish() });
      gap = new BackwardWriter();
    } else writeAbsent(gap, field);
  }
  const unknown = keys.filter((key) => !type.names.has(key));
  return { keys, unknown, steps, absent: gap.finish() };
}

/** Go writes everything but pointers, lists, maps and bytes even if it is zero. */
export function writeAbsent(writer: BackwardWriter, field: Field): void {
  const { code } = field;
  if (field.pointer || field.repeated || field.map) return;
  if (code === FIELD_CODE.bytes || code === FIELD_CODE.stringList) return;
  writeZero(writer, field);
  writer.uint32(field.tag);
}

/** Writes the zero value of a field, with its length if it has one, without its tag. */
export function writeZero(writer: BackwardWriter, field: Field): void {
  switch (field.code) {
    case FIELD_CODE.double:
      writer.double(0);
      return;
    case FIELD_CODE.quantity:
      writer.bytes(QUANTITY_ZERO);
      return;
    case FIELD_CODE.intOrString:
      writer.bytes(INT_OR_STRING_ZERO);
      return;
    case FIELD_CODE.message: {
      const end = writer.written;
      for (const inner of field.type.fields.toReversed()) writeAbsent(writer, inner);
      writer.uint32(writer.written - end);
      return;
    }
    default:
      // Zero, false, and the length of an empty value.
      writer.byte(0);
  }
}
