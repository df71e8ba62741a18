import type { FieldMask } from '../../meta/projection.ts';
import { type Field, FIELD_CODE, MessageType } from '../message-type.ts';
import { bytesTag, WIRE_TYPE, WireReader } from '../wire/wire-reader.ts';

/** What happens to a field of a message: it is kept, dropped (undefined), or kept in part. */
type Part = FieldMask | MessagePlan | true | undefined;

/** A message type as a mask leaves it, and what to do with the bytes of its fields. */
class MessagePlan {
  /** Without the dropped fields: those that are always in JSON would otherwise look empty. */
  readonly type: MessageType;
  /** Index is the field number. */
  readonly #parts: readonly Part[];
  readonly #keepsRest: boolean;

  constructor(type: MessageType, mask: FieldMask) {
    const parts = type.fields.map((field) => [field, partOf(field, mask)] as const);
    const byNumber: Part[] = [];
    for (const [{ number }, part] of parts) byNumber[number] = part;
    this.#parts = Array.from(byNumber);
    this.#keepsRest = mask.keepsRest;
    this.type = mask.keepsRest ? type : reducedType(type, parts);
  }

  part(number: number): Part {
    if (number < this.#parts.length) return this.#parts[number];
    return this.#keepsRest ? true : undefined;
  }
}

function reducedType(
  { name, isKind }: MessageType,
  parts: readonly (readonly [Field, Part])[],
): MessageType {
  const fields = parts.flatMap(([field, part]) => {
    if (part === undefined) return [];
    return part instanceof MessagePlan ? field.withType(part.type) : field;
  });
  return new MessageType(isKind ? `${name}+` : name, fields);
}

function partOf(field: Field, mask: FieldMask): Part {
  // The fields of an inlined structure are beside those of the message around it.
  if (field.name === '') {
    const plan = planOf(field.type, mask);
    return plan.type.fields.length === 0 ? undefined : plan;
  }
  const part = mask.of(field.name);
  if (typeof part === 'boolean') return part ? true : undefined;
  if (field.repeated) return undefined;
  if (field.map) return part;
  if (field.code === FIELD_CODE.message) {
    return field.type.union === undefined ? planOf(field.type, part) : true;
  }
  // Embedded objects are bytes of their own, and are kept whole. Scalars have no parts.
  const isEmbedded = field.code === FIELD_CODE.rawExtension || field.code === FIELD_CODE.json;
  return isEmbedded ? true : undefined;
}

const plans = new WeakMap<FieldMask, Map<MessageType, MessagePlan>>();

function planOf(type: MessageType, mask: FieldMask): MessagePlan {
  const ofMask = plans.get(mask) ?? new Map<MessageType, MessagePlan>();
  plans.set(mask, ofMask);
  const plan = ofMask.get(type) ?? new MessagePlan(type, mask);
  ofMask.set(type, plan);
  return plan;
}

/** Shared by all calls: what it holds is read before the next call. */
let out = Buffer.allocUnsafeSlow(64 * 1024);
let end = 0;

/**
 * Returns a reader of the message without the fields that a mask drops, and its reduced type. Valid
 * until the next call. The given reader is left at the end of its message.
 */
export function maskMessage(
  reader: WireReader,
  type: MessageType,
  mask: FieldMask,
): { readonly reader: WireReader; readonly type: MessageType } {
  // What is kept is not longer than what arrived; the rest is room for a length that is not known yet.
  const room = reader.limit - reader.position + 1024;
  if (out.length < room) out = Buffer.allocUnsafeSlow(room);
  end = 0;
  const plan = planOf(type, mask);
  copyMessage(reader, plan);
  return { reader: new WireReader(out, 0, end), type: plan.type };
}

function copyMessage(reader: WireReader, plan: MessagePlan): void {
  /** The start of the bytes that are kept and not yet copied. */
  let kept = reader.position;
  while (!reader.atEnd) {
    const start = reader.position;
    const tag = reader.tag();
    const content = reader.position;
    const part = plan.part(tag >>> 3);
    const isWhole = part === true || (part !== undefined && (tag & 7) !== WIRE_TYPE.bytes);
    if (isWhole) {
      reader.skip(tag);
      continue;
    }
    copyBytes(reader.bytes, kept, start);
    if (part === undefined) reader.skip(tag);
    else if (part instanceof MessagePlan) {
      copyBytes(reader.bytes, start, content);
      copyNested(reader, part);
    } else copyEntry(reader, start, part);
    kept = reader.position;
  }
  copyBytes(reader.bytes, kept, reader.position);
}

/** The length is written after the content, in room for two bytes that usually fits. */
function copyNested(reader: WireReader, plan: MessagePlan): void {
  const outer = reader.enter();
  const lengthAt = end;
  end += 2;
  copyMessage(reader, plan);
  reader.leave(outer);
  const length = end - lengthAt - 2;
  const bytes = varintLength(length);
  if (bytes !== 2) out.copyWithin(lengthAt + bytes, lengthAt + 2, end);
  end = lengthAt + bytes + length;
  for (let index = 0, rest = length; index < bytes; index++, rest >>>= 7) {
    out[lengthAt + index] = (rest & 0x7f) | (index < bytes - 1 ? 0x80 : 0);
  }
}

/** Copies an entry of a map, from its tag on, if its key is kept. */
function copyEntry(reader: WireReader, start: number, mask: FieldMask): void {
  const outer = reader.enter();
  let key = '';
  while (!reader.atEnd) {
    const tag = reader.tag();
    if (tag === bytesTag(1)) key = reader.string();
    else reader.skip(tag);
  }
  reader.leave(outer);
  if (mask.of(key) !== false) copyBytes(reader.bytes, start, reader.position);
}

function copyBytes(bytes: Buffer, start: number, limit: number): void {
  if (limit > start) end += bytes.copy(out, end, start, limit);
}

function varintLength(value: number): number {
  let length = 1;
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) length++;
  return length;
}
