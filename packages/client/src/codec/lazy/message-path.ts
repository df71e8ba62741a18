import type { FieldValue, FoundValues, ParsedPath, PathStep } from '../../meta/field-path.ts';
import { emptyField, type Field, FIELD_CODE, type MessageType } from '../message-type.ts';
import { indexedTextOf, isTextAt } from '../wire/text-cache.ts';
import { bytesTag, WIRE_TYPE } from '../wire/wire-reader.ts';
import { UNREADABLE } from './lazy-fields.ts';

/** The fields of an entry of a map. */
const KEY = bytesTag(1);
const VALUE = bytesTag(2);

/** Thrown for bytes that are left to the decoder. Never leaves this module. */
const unreadable = new Error('unreadable');
// The frames of a stack keep alive what the first import of this module was made for.
unreadable.stack = '';

/**
 * Returns what a path leads to in a message: an index reads `spec.nodeName` of every pod, and decoding
 * `spec` for it costs several times as much. Only what servers write is understood, fields in the
 * order of their numbers; anything else is `UNREADABLE`.
 */
export function readMessagePath(
  { bytes, position, limit }: MessageRange,
  type: MessageType,
  path: ParsedPath,
): FoundValues | typeof UNREADABLE {
  if (!path.isAscii) return UNREADABLE;
  try {
    const reader = new PathReader(bytes, path);
    const value = reader.message(type, 0, position, limit);
    return reader.found ?? value;
  } catch (error) {
    if (error === unreadable) return UNREADABLE;
    throw error;
  }
}

/** The bytes of a message, from `position` to `limit`. */
interface MessageRange {
  readonly bytes: Buffer;
  readonly position: number;
  readonly limit: number;
}

class PathReader {
  /** The values of a path through lists. */
  readonly found: FieldValue[] | undefined;
  readonly #bytes: Buffer;
  readonly #steps: readonly PathStep[];

  constructor(bytes: Buffer, { steps, isMany }: ParsedPath) {
    this.#bytes = bytes;
    this.#steps = steps;
    this.found = isMany ? [] : undefined;
  }

  /** Reads a step in a message. */
  message(type: MessageType, at: number, start: number, end: number): FieldValue | undefined {
    const step = this.#steps[at] as PathStep;
    const field = type.byName.get(step.name);
    // The kind is not on the wire; the fields of inlined structures have no place of their own.
    if (field === undefined) throw unreadable;
    const isList = field.repeated || field.map;
    const values = new Occurrences(this.#bytes, start, end, field.tag);
    let isPresent = false;
    let value: FieldValue | undefined;
    while (values.next()) {
      if (isPresent && !isList) throw unreadable;
      isPresent = true;
      value = this.#field(field, at, values) ?? value;
    }
    if (!isPresent && field.always) value = this.#absent(field, at);
    const isLast = at === this.#steps.length - 1;
    if (isLast && !step.isEach && value !== undefined) this.found?.push(value);
    return value;
  }

  #field(field: Field, at: number, values: Occurrences): FieldValue | undefined {
    if (field.map) return this.#entry(field, at, values);
    const { isEach } = this.#steps[at] as PathStep;
    if (field.repeated !== isEach) throw unreadable;
    if (at < this.#steps.length - 1) {
      if (field.code !== FIELD_CODE.message || field.type.union !== undefined) throw unreadable;
      return this.message(field.type, at + 1, values.start, values.end);
    }
    const value = this.#scalar(field, values);
    if (isEach) this.found?.push(value);
    const isZero = value === '' || value === 0 || value === false;
    return isZero && !field.pointer && !field.always ? undefined : value;
  }

  /** Reads an entry of a map of strings; undefined for other keys. */
  #entry(field: Field, at: number, entry: Occurrences): FieldValue | undefined {
    const { name, isEach } = this.#steps[at + 1] ?? { name: '', isEach: true };
    const isLast = at + 1 === this.#steps.length - 1;
    const isOfStrings = field.code === FIELD_CODE.string;
    if (!isOfStrings || isEach || !isLast || this.found !== undefined) throw unreadable;
    const keys = new Occurrences(this.#bytes, entry.start, entry.end, KEY);
    const values = new Occurrences(this.#bytes, entry.start, entry.end, VALUE);
    if (!keys.next() || keys.next()) throw unreadable;
    const hasValue = values.next();
    if (hasValue && values.next()) throw unreadable;
    const isWanted =
      keys.end - keys.start === name.length && isTextAt(this.#bytes, keys.start, name);
    if (!isWanted) return undefined;
    return hasValue ? this.#text(values) : '';
  }

  #scalar({ code }: Field, values: Occurrences): FieldValue {
    switch (code) {
      case FIELD_CODE.string:
        return this.#text(values);
      case FIELD_CODE.bool:
        return this.#number(values) !== 0;
      case FIELD_CODE.int32:
      case FIELD_CODE.int64:
        return this.#number(values);
      default:
        throw unreadable;
    }
  }

  /** The value of a field that is always present in JSON. */
  #absent(field: Field, at: number): FieldValue | undefined {
    const isLast = at === this.#steps.length - 1;
    if (!isLast || field.map || field.repeated) throw unreadable;
    const value = emptyField(field);
    return typeof value === 'object' ? undefined : value;
  }

  #text({ start, end }: Occurrences): string {
    return indexedTextOf(this.#bytes, start, end);
  }

  /** Larger numbers, and those below zero, are left to the decoder. */
  #number({ start, end }: Occurrences): number {
    if (end - start > 4) throw unreadable;
    let value = 0;
    for (let at = end - 1; at >= start; at--) {
      value = (value << 7) | ((this.#bytes[at] as number) & 0x7f);
    }
    return value;
  }
}

/**
 * The values of one field of a message. Every tag of the message is looked at: a field that occurs twice, or out
 * of order, has a meaning of its own. One function with local variables, because it runs for every object
 * of a first list, before it is compiled.
 */
class Occurrences {
  /** The range of the bytes of the current value, without their length. */
  start = 0;
  end = 0;
  readonly #bytes: Buffer;
  readonly #limit: number;
  readonly #tag: number;
  #position: number;
  #last = 0;

  constructor(bytes: Buffer, position: number, limit: number, tag: number) {
    this.#bytes = bytes;
    this.#position = position;
    this.#limit = limit;
    this.#tag = tag;
  }

  /** Moves to the next value; false if there is none. */
  next(): boolean {
    const bytes = this.#bytes;
    const limit = this.#limit;
    const wanted = this.#tag;
    let position = this.#position;
    let last = this.#last;
    while (position < limit) {
      let tag = bytes[position++] as number;
      if (tag >= 0x80) {
        const more = bytes[position++] as number;
        // No field has a number above 2,047.
        if (more >= 0x80) throw unreadable;
        tag = (tag & 0x7f) | (more << 7);
      }
      const number = tag >>> 3;
      if (number === 0 || number < last) throw unreadable;
      // Every value has at least one byte.
      if (position >= limit) throw unreadable;
      last = number;
      let start = position;
      switch (tag & 7) {
        case WIRE_TYPE.bytes: {
          let length = bytes[position++] as number;
          if (length >= 0x80) {
            length &= 0x7f;
            for (let shift = 7; ; shift += 7) {
              if (shift > 21) throw unreadable;
              const byte = bytes[position++] as number;
              length |= (byte & 0x7f) << shift;
              if (byte < 0x80) break;
            }
          }
          start = position;
          position += length;
          break;
        }
        case WIRE_TYPE.varint:
          while ((bytes[position++] as number) >= 0x80);
          break;
        case WIRE_TYPE.fixed64:
          position += 8;
          break;
        case WIRE_TYPE.fixed32:
          position += 4;
          break;
        default:
          throw unreadable;
      }
      if (position > limit) throw unreadable;
      if (number !== wanted >>> 3) continue;
      if (tag !== wanted) throw unreadable;
      this.start = start;
      this.end = position;
      this.#position = position;
      this.#last = last;
      return true;
    }
    this.#position = position;
    return false;
  }
}
