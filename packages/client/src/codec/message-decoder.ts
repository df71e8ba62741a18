import { type JsonObject, type JsonValue, setKey } from '../lib/json.ts';
import { CodecError } from './codec-error.ts';
import {
  emptyField,
  emptyValue,
  type Field,
  FIELD_CODE,
  type MessageType,
  wireTypeOf,
} from './message-type.ts';
import {
  readIntOrString,
  readQuantity,
  readStringList,
  readTime,
  readWrappedBytes,
} from './special-values.ts';
import { addUnknownFields } from './mutable-copy.ts';
import { BackwardWriter } from './wire/backward-writer.ts';
import { bytesTag, MAX_DEPTH, WireReader } from './wire/wire-reader.ts';

/** A property of the bytes that the decoded object cannot show. */
export type DecodeFinding =
  | {
      /** A field of a newer server. It is preserved, see `UNKNOWN_FIELDS`. */
      readonly finding: 'unknown-field';
      readonly message: string;
      readonly fieldNumber: number;
    }
  | {
      /** An integer beyond 2^53: the object has the nearest number, as with `JSON.parse`. */
      readonly finding: 'inexact-integer';
      readonly message: string;
      readonly field: string;
      readonly value: bigint;
    };

/** Options of a {@link MessageDecoder}. */
export interface MessageDecoderOptions {
  /** Decodes a raw extension, which is JSON or protobuf. */
  readonly decodeRaw: (bytes: Buffer, depth: number) => JsonValue;
  readonly report?: ((finding: DecodeFinding) => void) | undefined;
  /** The nesting depth of this message. */
  readonly depth: number;
}

const KEY_TAG = bytesTag(1);
const VALUE_NUMBER = 2 << 3;

/** Decodes a message into the JSON that the server would write for it. */
export class MessageDecoder {
  /** The position of the decoder. Callers that read a message field by field move it themselves. */
  readonly reader: WireReader;
  readonly #options: MessageDecoderOptions;
  #depth: number;

  constructor(bytes: Uint8Array | WireReader, options: MessageDecoderOptions) {
    this.reader = bytes instanceof WireReader ? bytes : new WireReader(bytes);
    this.#options = options;
    this.#depth = options.depth;
  }

  /** Decodes the whole message into `target`, after its existing fields. */
  decode(type: MessageType, target: JsonObject): void {
    const unknown = this.#fields(type, target, true);
    if (unknown !== undefined) addUnknownFields(target, unknown);
  }

  /** Decodes one field, wherever it is in the message, and skips all others. */
  decodeOnly(type: MessageType, field: Field, target: JsonObject): void {
    const { reader } = this;
    while (!reader.atEnd) {
      const tag = reader.tag();
      if (tag >>> 3 === field.number) this.#field(type, field, tag, target);
      else reader.skip(tag);
    }
  }

  /**
   * Decodes up to the reader's limit; returns the unknown fields. Servers write fields in the order of
   * their numbers: in a `fresh` object a field with a number above all others has no value yet.
   */
  #fields(type: MessageType, target: JsonObject, isFresh: boolean): Uint8Array[] | undefined {
    if (++this.#depth > MAX_DEPTH) {
      throw new CodecError('CODEC_TOO_DEEP', `${type.name} is nested too deep`);
    }
    const reader = this.reader;
    const { byNumber } = type;
    let unknown: Uint8Array[] | undefined;
    let last = isFresh ? 0 : byNumber.length;
    let always = 0;
    while (!reader.atEnd) {
      const start = reader.position;
      const tag = reader.tag();
      const number = tag >>> 3;
      const field = number < byNumber.length ? byNumber[number] : undefined;
      if (field === undefined) {
        reader.skip(tag);
        this.#options.report?.({
          finding: 'unknown-field',
          message: type.name,
          fieldNumber: number,
        });
        (unknown ??= []).push(reader.bytes.subarray(start, reader.position));
      } else if (field.name === '') {
        const inner = this.#inlined(type, field, tag, target);
        if (inner !== undefined) (unknown ??= []).push(inner);
      } else if (number > last) {
        last = number;
        if (field.always) always++;
        this.#first(type, field, tag, target);
      } else this.#field(type, field, tag, target);
    }
    if (always < type.always.length) {
      for (const field of type.always) target[field.name] ??= emptyField(field);
    }
    this.#depth--;
    return unknown;
  }

  /**
   * Decodes a field that has no value yet, and the items or entries that follow it. Looking for a value
   * that is not there costs more than decoding a short one.
   */
  #first(type: MessageType, field: Field, tag: number, target: JsonObject): void {
    if (tag !== field.tag) {
      this.#field(type, field, tag, target);
      return;
    }
    const { reader } = this;
    if (field.repeated) {
      const list: JsonValue[] = [];
      target[field.name] = list;
      do list.push(this.value(type, field));
      while (reader.take(tag));
    } else if (field.map) {
      const entries: JsonObject = {};
      target[field.name] = entries;
      do this.#entry(type, field, entries);
      while (reader.take(tag));
    } else {
      const value = this.value(type, field);
      if (field.pointer || field.always || !isZero(value)) target[field.name] = value;
    }
  }

  #field(type: MessageType, field: Field, tag: number, target: JsonObject): void {
    const { name } = field;
    if (field.repeated) {
      const list = (target[name] ??= []) as JsonValue[];
      if (tag === field.tag) list.push(this.value(type, field));
      else this.#packed(type, field, tag, list);
      return;
    }
    this.#expect(type, field, tag);
    if (field.map) {
      this.#entry(type, field, (target[name] ??= {}) as JsonObject);
      return;
    }
    const value = this.value(type, field, target[name]);
    if (field.pointer || field.always || !isZero(value)) target[name] = value;
    else if (target[name] !== undefined) delete target[name];
  }

  /**
   * Unknown fields of an inlined structure have no object of their own. They are preserved as
   * another occurrence of the structure, which protobuf readers merge with the first.
   */
  #inlined(
    type: MessageType,
    field: Field,
    tag: number,
    target: JsonObject,
  ): Uint8Array | undefined {
    this.#expect(type, field, tag);
    const reader = this.reader;
    const outer = reader.enter();
    const unknown = this.#fields(field.type, target, false);
    reader.leave(outer);
    if (unknown === undefined) return undefined;
    const writer = new BackwardWriter();
    writer.bytes(Buffer.concat(unknown));
    writer.uint32(field.tag);
    return writer.finish();
  }

  /** A packed list of numbers. Go does not write this form, but reads it. */
  #packed(type: MessageType, field: Field, tag: number, list: JsonValue[]): void {
    if (tag !== bytesTag(field.number)) this.#expect(type, field, tag);
    const reader = this.reader;
    const outer = reader.enter();
    while (!reader.atEnd) list.push(this.value(type, field));
    reader.leave(outer);
  }

  #expect(type: MessageType, field: Field, tag: number): void {
    if (tag === field.tag) return;
    const name = field.name === '' ? field.type.name : field.name;
    throw this.reader.malformed(`${type.name}.${name} has wire type ${tag & 7}`);
  }

  #entry(type: MessageType, field: Field, target: JsonObject): void {
    const reader = this.reader;
    const outer = reader.enter();
    const valueTag = VALUE_NUMBER | wireTypeOf(field.code);
    let key = '';
    let value: JsonValue | undefined;
    while (!reader.atEnd) {
      const tag = reader.tag();
      if (tag === KEY_TAG) key = reader.string();
      else if (tag === valueTag) value = this.value(type, field, value);
      else reader.skip(tag);
    }
    reader.leave(outer);
    setKey(target, key, value === undefined ? emptyValue(field) : value);
  }

  /** Decodes a value without its tag. A message is merged into `existing`. */
  value(type: MessageType, field: Field, existing?: JsonValue): JsonValue {
    const reader = this.reader;
    switch (field.code) {
      case FIELD_CODE.string:
        return reader.string();
      case FIELD_CODE.int32:
        return reader.int32();
      case FIELD_CODE.int64:
        return this.#int64(type, field);
      case FIELD_CODE.bool:
        return reader.bool();
      case FIELD_CODE.bytes:
        return reader.base64();
      case FIELD_CODE.double:
        return reader.double();
      default: {
        const outer = reader.enter();
        const value = this.#messageValue(field, existing);
        reader.leave(outer);
        return value;
      }
    }
  }

  /** Decodes a value that is a message on the wire, up to the reader's limit. */
  #messageValue(field: Field, existing: JsonValue | undefined): JsonValue {
    const reader = this.reader;
    switch (field.code) {
      case FIELD_CODE.time:
        return readTime(reader, false);
      case FIELD_CODE.microTime:
        return readTime(reader, true);
      case FIELD_CODE.quantity:
        return readQuantity(reader);
      case FIELD_CODE.intOrString:
        return readIntOrString(reader);
      case FIELD_CODE.stringList:
        return readStringList(reader);
      case FIELD_CODE.rawExtension:
      case FIELD_CODE.fieldsV1:
      case FIELD_CODE.json: {
        const bytes = readWrappedBytes(reader);
        return bytes === undefined || bytes.length === 0
          ? null
          : this.#options.decodeRaw(bytes, this.#depth);
      }
      default:
        return this.#nested(field, existing);
    }
  }

  #nested({ type, apiVersion }: Field, existing: JsonValue | undefined): JsonValue {
    if (type.union !== undefined) {
      const fields: JsonObject = {};
      this.#fields(type, fields, true);
      return type.union.toJson(fields);
    }
    const target = (existing ?? freshObject(type, apiVersion)) as JsonObject;
    const unknown = this.#fields(type, target, existing === undefined);
    if (unknown !== undefined) addUnknownFields(target, unknown);
    return target;
  }

  #int64(type: MessageType, field: Field): number {
    const value = this.reader.int64();
    if (typeof value === 'number') return value;
    this.#options.report?.({
      finding: 'inexact-integer',
      message: type.name,
      field: field.name,
      value,
    });
    return Number(value);
  }
}

function freshObject(type: MessageType, apiVersion: string | undefined): JsonObject {
  const target = type.newObject();
  if (apiVersion === undefined) return target;
  target['kind'] = type.name;
  target['apiVersion'] = apiVersion;
  return target;
}

function isZero(value: JsonValue): boolean {
  return value === '' || value === 0 || value === false || value === null;
}
