import fc, { type GeneratorValue } from 'fast-check';
import type { JsonObject, JsonValue } from '../lib/json.ts';
import {
  emptyField,
  type Field,
  FIELD_CODE,
  kindsOf,
  type MessageType,
  messageType,
} from './message-type.ts';
import { protobufApiVersions } from './test-api-versions.ts';

/** Every kind that has protobuf, with its message. */
export const kinds: readonly { apiVersion: string; kind: string; message: string }[] =
  protobufApiVersions().flatMap((apiVersion) =>
    [...kindsOf(apiVersion)].map(([kind, message]) => ({ apiVersion, kind, message })),
  );

/** Makes objects as the server would write them as JSON, from the tables alone. */
class ObjectMaker {
  readonly #draw: GeneratorValue;

  constructor(draw: GeneratorValue) {
    this.#draw = draw;
  }

  object(type: MessageType, depth: number): JsonObject {
    const object: JsonObject = {};
    for (const field of type.fields) {
      if (field.name === '') Object.assign(object, this.object(field.type, depth));
      else {
        const value = this.#field(field, depth);
        if (value !== undefined) object[field.name] = value;
      }
    }
    return object;
  }

  #field(field: Field, depth: number): JsonValue | undefined {
    const empty = field.always ? emptyField(field) : undefined;
    const present = depth > 0 && this.#draw(fc.integer, { min: 0, max: 3 }) === 0;
    if (field.repeated || field.map) {
      if (!present) return empty;
      const size = this.#draw(fc.integer, { min: 1, max: 3 });
      const values = Array.from({ length: size }, () => this.#value(field, depth - 1));
      return field.repeated ? values : this.#map(values);
    }
    const isStruct = field.code === FIELD_CODE.message && !field.pointer;
    if (!present && !isStruct) return empty;
    const value = this.#value(field, depth - 1);
    const isZero = value === '' || value === 0 || value === false;
    return isZero && !field.pointer && !field.always ? undefined : value;
  }

  #map(values: JsonValue[]): JsonObject {
    const entries = values.map((value) => [this.#draw(fc.string), value] as const);
    return Object.fromEntries(entries);
  }

  #value(field: Field, depth: number): JsonValue {
    switch (field.code) {
      case FIELD_CODE.string:
        return this.#draw(fc.string, { unit: 'grapheme', maxLength: 80 });
      case FIELD_CODE.int32:
        return this.#draw(fc.integer);
      case FIELD_CODE.int64:
        return this.#draw(fc.maxSafeInteger);
      case FIELD_CODE.bool:
        return this.#draw(fc.boolean);
      case FIELD_CODE.bytes:
        return Buffer.from(this.#draw(fc.uint8Array)).toString('base64');
      case FIELD_CODE.double:
        return this.#draw(fc.double, { noNaN: true, noDefaultInfinity: true });
      case FIELD_CODE.time:
        return `${this.#time().slice(0, 19)}Z`;
      case FIELD_CODE.microTime:
        return `${this.#time().slice(0, -1)}${this.#draw(fc.integer, { min: 100, max: 999 })}Z`;
      case FIELD_CODE.quantity:
        return String(this.#draw(fc.nat));
      case FIELD_CODE.intOrString:
        return this.#draw(fc.boolean) ? this.#draw(fc.integer) : this.#draw(fc.string);
      case FIELD_CODE.rawExtension:
      case FIELD_CODE.fieldsV1:
      case FIELD_CODE.json:
        return JSON.parse(JSON.stringify({ any: this.#draw(fc.jsonValue) })) as JsonValue;
      case FIELD_CODE.stringList:
        return this.#draw(fc.array, fc.string());
      default:
        return this.#message(field, depth);
    }
  }

  #message({ type, apiVersion }: Field, depth: number): JsonValue {
    const schema = messageType('apiextensions.v1.JSONSchemaProps');
    switch (type.name) {
      case 'JSONSchemaPropsOrArray':
        return depth > 0 ? [this.object(schema, depth)] : this.object(schema, depth);
      case 'JSONSchemaPropsOrBool':
        return depth > 0 ? this.object(schema, depth) : this.#draw(fc.boolean);
      case 'JSONSchemaPropsOrStringArray':
        return depth > 0 ? this.object(schema, depth) : ['a', ''];
      default:
        return {
          ...(apiVersion === undefined ? {} : { kind: type.name, apiVersion }),
          ...this.object(type, depth),
        };
    }
  }

  #time(): string {
    const range = { noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31T00:00:00Z') };
    return this.#draw(fc.date, range).toISOString();
  }
}

/** An object of any kind, with `apiVersion` and `kind`. */
export const anyObject: fc.Arbitrary<JsonObject> = fc
  .tuple(fc.constantFrom(...kinds), fc.gen())
  .map(([{ apiVersion, kind, message }, draw]) => ({
    kind,
    ...(apiVersion === '' ? {} : { apiVersion }),
    ...new ObjectMaker(draw).object(messageType(message), 5),
  }));
