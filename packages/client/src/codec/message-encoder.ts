import { getKey, isJsonObject, type JsonObject, type JsonValue } from '../lib/json.ts';
import { CodecError, type CodecErrorCode } from './codec-error.ts';
import { type Constant, constantOf } from './constants.ts';
import { planFor, writeAbsent, writeZero } from './encode-plan.ts';
import {
  type EncodePlan,
  type EncodeStep,
  type Field,
  FIELD_CODE,
  type MessageType,
} from './message-type.ts';
import { isInt32, ONLY_TAG, writeIntOrString, writeTime } from './special-values.ts';
import { unknownFieldsOf } from './mutable-copy.ts';
import type { BackwardWriter } from './wire/backward-writer.ts';
import { bytesTag, MAX_DEPTH } from './wire/wire-reader.ts';

/** What to do with a field that has no protobuf encoding. */
export type UnknownFieldPolicy = 'drop' | 'refuse';

const KEY_TAG = bytesTag(1);
const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * Encodes JSON objects as messages, byte for byte as the server does: fields by number, non-pointer
 * values always, map entries by key. It writes backwards, see the writer.
 */
export class MessageEncoder {
  readonly #writer: BackwardWriter;
  readonly #unknownFields: UnknownFieldPolicy;
  /** The path within the object, for error messages. */
  readonly #path: (number | string)[] = [];
  #depth = 0;

  constructor(writer: BackwardWriter, unknownFields: UnknownFieldPolicy) {
    this.#writer = writer;
    this.#unknownFields = unknownFields;
  }

  /** Writes a whole message, without a length. */
  message(type: MessageType, object: JsonObject): void {
    const plan = planFor(type, object);
    if (plan.unknown.length > 0 && this.#unknownFields === 'refuse') {
      this.#refuseUnknown(type, plan, object);
    }
    const unknown = unknownFieldsOf(object);
    if (unknown !== undefined) this.#writer.raw(unknown);
    this.#fields(plan, object);
  }

  #fields({ steps, absent }: EncodePlan, object: JsonObject): void {
    if (++this.#depth > MAX_DEPTH) throw this.#tooDeep();
    const writer = this.#writer;
    for (let index = 0; index < steps.length; index++) {
      const step = steps[index] as EncodeStep;
      const { field } = step;
      writer.short(step.absent);
      if (field.name === '') {
        const end = writer.written;
        this.#fields(planFor(field.type, object), object);
        this.#lengthAndTag(end, field.tag);
        continue;
      }
      const value = object[field.name];
      if (typeof value === 'string' && field.isString) {
        writer.string(value);
        writer.uint32(field.tag);
      } else if (value === undefined || value === null) this.#missing(field, value);
      else this.#field(field, value);
    }
    writer.short(absent);
    this.#depth--;
  }

  #missing(field: Field, value: null | undefined): void {
    if (value === null && field.code === FIELD_CODE.fieldsV1) {
      // An empty set of fields, which JSON shows as null; without it there is no field.
      writeZero(this.#writer, field);
      this.#writer.uint32(field.tag);
    } else writeAbsent(this.#writer, field);
  }

  #field(field: Field, value: JsonValue): void {
    const constant = typeof value === 'object' && value !== null ? constantOf(value) : undefined;
    if (constant === undefined) this.#anyField(field, value);
    else if (constant.field === field) this.#writer.raw(constant.bytes);
    else this.#constantField(field, value, constant);
  }

  #anyField(field: Field, value: JsonValue): void {
    this.#path.push(field.name);
    if (field.repeated) this.#list(field, value);
    else if (field.map) this.#map(field, value);
    else {
      this.#value(field, value);
      this.#writer.uint32(field.tag);
    }
    this.#path.pop();
  }

  /** Keeps the bytes, unless fields may have been dropped that others refuse. */
  #constantField(field: Field, value: JsonValue, constant: Constant): void {
    const end = this.#writer.written;
    this.#anyField(field, value);
    if (constant.field !== undefined || this.#unknownFields === 'drop') return;
    constant.bytes = this.#writer.since(end);
    constant.field = field;
  }

  #list(field: Field, value: JsonValue): void {
    if (!Array.isArray(value)) throw this.#invalid('a list');
    const depth = this.#path.push(0) - 1;
    for (let index = value.length - 1; index >= 0; index--) {
      this.#path[depth] = index;
      this.#element(field, value[index]);
      this.#writer.uint32(field.tag);
    }
    this.#path.pop();
  }

  #map(field: Field, value: JsonValue): void {
    if (!isJsonObject(value)) throw this.#invalid('an object');
    const keys = sortedKeys(value);
    const writer = this.#writer;
    const depth = this.#path.push('') - 1;
    for (let index = keys.length - 1; index >= 0; index--) {
      const key = keys[index] as string;
      const element = getKey(value, key);
      if (element === undefined) continue;
      const end = writer.written;
      this.#path[depth] = key;
      if (element !== null || field.code !== FIELD_CODE.bytes) {
        this.#element(field, element);
        writer.byte(field.valueTag);
      }
      writer.string(key);
      writer.byte(KEY_TAG);
      this.#lengthAndTag(end, field.tag);
    }
    this.#path.pop();
  }

  #element(field: Field, value: JsonValue | undefined): void {
    if (value === undefined || value === null) writeZero(this.#writer, field);
    else this.#value(field, value);
  }

  /** Encodes a value, with its length if it has one, without its tag. */
  #value(field: Field, value: JsonValue): void {
    switch (field.code) {
      case FIELD_CODE.string:
        if (typeof value !== 'string') throw this.#invalid('a string');
        this.#writer.string(value);
        return;
      case FIELD_CODE.int32:
        if (!isInt32(value)) throw this.#invalid('a whole number of 32 bits');
        this.#writer.integer(value);
        return;
      case FIELD_CODE.int64:
        this.#int64(value);
        return;
      case FIELD_CODE.bool:
        if (typeof value !== 'boolean') throw this.#invalid('a boolean');
        this.#writer.byte(value ? 1 : 0);
        return;
      case FIELD_CODE.bytes:
        this.#writer.bytes(this.#base64(value));
        return;
      case FIELD_CODE.double:
        if (!Number.isFinite(value)) throw this.#invalid('a number');
        this.#writer.double(value as number);
        return;
      default: {
        const end = this.#writer.written;
        this.#messageValue(field, value);
        this.#writer.uint32(this.#writer.written - end);
      }
    }
  }

  /** Encodes a value that is a message on the wire, without its length. */
  #messageValue(field: Field, value: JsonValue): void {
    switch (field.code) {
      case FIELD_CODE.time:
      case FIELD_CODE.microTime: {
        const micro = field.code === FIELD_CODE.microTime;
        if (typeof value !== 'string' || !writeTime(this.#writer, value, micro)) {
          throw this.#invalid('a time of RFC 3339');
        }
        return;
      }
      case FIELD_CODE.quantity:
        if (typeof value !== 'string' && typeof value !== 'number') {
          throw this.#invalid('a quantity');
        }
        this.#writer.string(String(value));
        this.#writer.byte(ONLY_TAG);
        return;
      case FIELD_CODE.intOrString:
        if (!writeIntOrString(this.#writer, value)) {
          throw this.#invalid('a string or a whole number of 32 bits');
        }
        return;
      case FIELD_CODE.stringList:
        this.#stringList(value);
        return;
      case FIELD_CODE.rawExtension:
      case FIELD_CODE.fieldsV1:
      case FIELD_CODE.json:
        this.#writer.string(this.#jsonText(value));
        this.#writer.byte(ONLY_TAG);
        return;
      default:
        this.#nested(field.type, value);
    }
  }

  #nested(type: MessageType, value: JsonValue): void {
    const object = type.union === undefined ? value : type.union.toFields(value);
    if (!isJsonObject(object)) throw this.#invalid(type.union?.expects ?? 'an object');
    this.message(type, object);
  }

  #int64(value: unknown): void {
    if (typeof value === 'bigint') {
      if (value > INT64_MAX || value < INT64_MIN) throw this.#invalid('a whole number of 64 bits');
      this.#writer.bigint(value);
      return;
    }
    if (typeof value !== 'number' || !Number.isInteger(value)) {
      throw this.#invalid('a whole number');
    }
    if (!Number.isSafeInteger(value)) {
      throw this.#error('CODEC_INEXACT_INTEGER', 'is beyond 2^53 and may have been rounded', {
        hint: 'Use a bigint to write the number exactly, or change the field with a patch.',
      });
    }
    this.#writer.integer(value);
  }

  #base64(value: JsonValue): Buffer {
    const text = typeof value === 'string' ? value.replaceAll(/[\r\n]/g, '') : undefined;
    if (text === undefined || text.length % 4 !== 0 || !BASE64.test(text)) {
      throw this.#invalid('base64');
    }
    return Buffer.from(text, 'base64');
  }

  #stringList(value: JsonValue): void {
    if (!Array.isArray(value)) throw this.#invalid('a list of strings');
    for (let index = value.length - 1; index >= 0; index--) {
      const item = value[index] ?? '';
      if (typeof item !== 'string') throw this.#invalid('a list of strings');
      this.#writer.string(item);
      this.#writer.byte(ONLY_TAG);
    }
  }

  #jsonText(value: JsonValue): string {
    try {
      const text: string | undefined = JSON.stringify(value);
      if (text !== undefined) return text;
    } catch (error) {
      throw this.#error('CODEC_INVALID_VALUE', 'cannot be written as JSON', { cause: error });
    }
    throw this.#invalid('a JSON value');
  }

  #lengthAndTag(end: number, tag: number): void {
    this.#writer.uint32(this.#writer.written - end);
    this.#writer.uint32(tag);
  }

  #refuseUnknown({ name }: MessageType, { unknown }: EncodePlan, object: JsonObject): void {
    for (const key of unknown) {
      if (getKey(object, key) === undefined) continue;
      this.#path.push(key);
      throw this.#error('CODEC_UNKNOWN_FIELD', `is not a field of ${name} that protobuf knows`, {
        hint: 'Correct the name, or write the object as JSON if the field is newer than this client.',
      });
    }
  }

  #tooDeep(): CodecError {
    const where = this.#path.slice(0, 5).join('.');
    return new CodecError('CODEC_TOO_DEEP', `${where}… is nested too deep or contains itself`);
  }

  #invalid(expected: string): CodecError {
    return this.#error('CODEC_INVALID_VALUE', `is not ${expected}`);
  }

  #error(
    code: CodecErrorCode,
    what: string,
    options?: { readonly cause?: unknown; readonly hint?: string },
  ): CodecError {
    const [first = 'the object', ...rest] = this.#path;
    const path = rest.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
    return new CodecError(code, `${first}${path.join('')} ${what}`, options);
  }
}

/** Returns the keys of a map in the order of the server, which is mostly the one they have. */
function sortedKeys(map: JsonObject): readonly string[] {
  const keys = Object.keys(map);
  for (let index = 1; index < keys.length; index++) {
    if ((keys[index - 1] as string) > (keys[index] as string)) return keys.sort();
  }
  return keys;
}
