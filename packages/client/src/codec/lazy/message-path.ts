import type { FieldValue, FoundValues, ParsedPath, PathStep } from '../../meta/field-path.ts';
import { emptyField, type Field, FIELD_CODE, type MessageType } from '../message-type.ts';
import { textIn } from '../wire/text-cache.ts';
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
 * Returns what a path leads to in a message that is kept as a Latin-1 string: an index reads
 * `spec.nodeName` of every pod, and decoding `spec` for it costs several times as much. Only what
 * servers write is understood, fields in the order of their numbers; anything else is `UNREADABLE`.
 */
export function readMessagePath(
  text: string,
  range: { readonly start: number; readonly end: number },
  type: MessageType,
  path: ParsedPath,
): FoundValues | typeof UNREADABLE {
  if (!path.isAscii) return UNREADABLE;
  try {
    return new PathReader(text, range, path).read(type);
  } catch (error) {
    if (error === unreadable) return UNREADABLE;
    throw error;
  }
}

class PathReader {
  readonly #text: string;
  readonly #steps: readonly PathStep[];
  /** The values of a path through lists. */
  readonly #found: FieldValue[] | undefined;
  #position: number;
  #limit: number;

  constructor(
    text: string,
    { start, end }: { readonly start: number; readonly end: number },
    { steps, isMany }: ParsedPath,
  ) {
    this.#text = text;
    this.#steps = steps;
    this.#found = isMany ? [] : undefined;
    this.#position = start;
    this.#limit = end;
  }

  read(type: MessageType): FoundValues {
    const value = this.#message(type, 0);
    return this.#found ?? value;
  }

  /**
   * Reads a step in the message up to the limit. Every tag is looked at: a field that occurs twice, or
   * out of order, has a meaning of its own.
   */
  #message(type: MessageType, at: number): FieldValue | undefined {
    const { name, isEach } = this.#steps[at] as PathStep;
    const field = type.byName.get(name);
    // The kind is not on the wire; the fields of inlined structures have no place of their own.
    if (field === undefined) throw unreadable;
    let last = 0;
    let isPresent = false;
    let value: FieldValue | undefined;
    while (this.#position < this.#limit) {
      const tag = this.#varint();
      const number = tag >>> 3;
      if (number === 0 || number < last) throw unreadable;
      if (number !== field.number) this.#skip(tag);
      else {
        const isAgain = number === last;
        if (tag !== field.tag || (isAgain && !field.repeated && !field.map)) throw unreadable;
        isPresent = true;
        value = this.#field(field, at) ?? value;
      }
      last = number;
    }
    if (!isPresent && field.always) value = this.#absent(field, at);
    const isLast = at === this.#steps.length - 1;
    if (isLast && !isEach && value !== undefined) this.#found?.push(value);
    return value;
  }

  #field(field: Field, at: number): FieldValue | undefined {
    const { isEach } = this.#steps[at] as PathStep;
    const isLast = at === this.#steps.length - 1;
    if (field.map) return this.#entry(field, at);
    if (field.repeated !== isEach) throw unreadable;
    if (!isLast) return this.#nested(field, at);
    const value = this.#scalar(field);
    if (isEach) this.#found?.push(value);
    const isZero = value === '' || value === 0 || value === false;
    return isZero && !field.pointer && !field.always ? undefined : value;
  }

  #nested(field: Field, at: number): FieldValue | undefined {
    if (field.code !== FIELD_CODE.message || field.type.union !== undefined) throw unreadable;
    const outer = this.#limit;
    this.#limit = this.#end();
    const value = this.#message(field.type, at + 1);
    this.#limit = outer;
    return value;
  }

  /** Reads an entry of a map of strings; undefined for other keys. */
  #entry(field: Field, at: number): FieldValue | undefined {
    const { name, isEach } = this.#steps[at + 1] ?? { name: '', isEach: true };
    const isLast = at + 1 === this.#steps.length - 1;
    const isOfStrings = field.code === FIELD_CODE.string;
    if (!isOfStrings || isEach || !isLast || this.#found !== undefined) throw unreadable;
    const outer = this.#limit;
    const end = this.#end();
    this.#limit = end;
    if (this.#varint() !== KEY) throw unreadable;
    const isWanted = this.#is(name);
    if (this.#position < end && this.#varint() !== VALUE) throw unreadable;
    let value = '';
    if (this.#position < end) {
      if (isWanted) value = this.#string();
      else this.#position = this.#end();
    }
    if (this.#position !== end) throw unreadable;
    this.#limit = outer;
    return isWanted ? value : undefined;
  }

  #scalar({ code }: Field): FieldValue {
    switch (code) {
      case FIELD_CODE.string:
        return this.#string();
      case FIELD_CODE.bool:
        return this.#varint() !== 0;
      case FIELD_CODE.int32:
      case FIELD_CODE.int64:
        return this.#varint();
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

  #is(name: string): boolean {
    const end = this.#end();
    const start = this.#position;
    this.#position = end;
    return end - start === name.length && this.#text.startsWith(name, start);
  }

  #string(): string {
    const end = this.#end();
    const text = textIn(this.#text, this.#position, end);
    this.#position = end;
    return text;
  }

  #skip(tag: number): void {
    const wireType = tag & 7;
    if (wireType === WIRE_TYPE.bytes) this.#position = this.#end();
    else if (wireType === WIRE_TYPE.varint) this.#skipVarint();
    else if (wireType === WIRE_TYPE.fixed64) this.#position += 8;
    else if (wireType === WIRE_TYPE.fixed32) this.#position += 4;
    else throw unreadable;
    if (this.#position > this.#limit) throw unreadable;
  }

  /** Reads a length, and returns where the bytes after it end. */
  #end(): number {
    const length = this.#varint();
    const end = this.#position + length;
    if (end > this.#limit) throw unreadable;
    return end;
  }

  #skipVarint(): void {
    while (this.#text.charCodeAt(this.#position++) >= 0x80);
  }

  /** Larger numbers, and those below zero, are left to the decoder. */
  #varint(): number {
    let value = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      if (this.#position >= this.#limit) throw unreadable;
      const byte = this.#text.charCodeAt(this.#position++);
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw unreadable;
  }
}
