import { getKey, isJsonObject, type JsonObject, type JsonValue } from 'client-ts/internal';
import type { ProtobufWriter } from './protobuf-writer.ts';

/*
 * OpenAPI documents have a protobuf form, defined by the gnostic project: one message for every
 * kind of object in a document, one field for every key. The tables beside this file map keys to
 * fields; this file has their building blocks.
 */

/** Writes a value as the field with the given number; omits values of another type. */
export type FieldWriter = (writer: ProtobufWriter, field: number, value: JsonValue) => void;

/** The keys of an object with their fields. */
export interface MessageFields {
  readonly fields: Readonly<Record<string, readonly [field: number, write: FieldWriter]>>;
  /** The field for keys that start with `x-`. */
  readonly extensions?: number;
}

/** Writes the keys of an object that are in the table. */
export function writeFields(
  writer: ProtobufWriter,
  { fields, extensions }: MessageFields,
  object: JsonObject,
): void {
  for (const [key, value] of Object.entries(object)) {
    if (value === undefined) continue;
    const known = getKey(fields, key);
    if (known !== undefined) known[1](writer, known[0], value);
    else if (extensions !== undefined && key.startsWith('x-')) {
      entry(writer, extensions, key, any, value);
    }
  }
}

/** As always in protobuf, zero values are omitted. */
export const text: FieldWriter = (writer, field, value) => {
  if (typeof value === 'string' && value !== '') writer.string(field, value);
};

export const flag: FieldWriter = (writer, field, value) => {
  if (value === true) writer.boolean(field, true);
};

/** A non-negative integer. */
export const count: FieldWriter = (writer, field, value) => {
  if (Number.isSafeInteger(value) && Number(value) > 0) writer.integer(field, Number(value));
};

export const double: FieldWriter = (writer, field, value) => {
  if (typeof value === 'number' && value !== 0) writer.double(field, value);
};

/** A value of any type is sent as YAML, of which JSON is a subset. */
export const any: FieldWriter = (writer, field, value) => {
  writer.message(field, () => writer.string(2, `${yamlOf(value)}\n`));
};

/** Writes one field for each item of a list. */
export function each(write: FieldWriter): FieldWriter {
  return (writer, field, value) => {
    for (const item of Array.isArray(value) ? value : []) write(writer, field, item);
  };
}

/** Unlike single texts, empty items of a list are written. */
export const texts: FieldWriter = each((writer, field, value) => {
  if (typeof value === 'string') writer.string(field, value);
});

/** Writes an object by its table. */
export function message(table: MessageFields): FieldWriter {
  return (writer, field, value) => {
    if (isJsonObject(value)) writer.message(field, () => writeFields(writer, table, value));
  };
}

/** Wraps a single field in a message. */
export function inside(inner: number, write: FieldWriter): FieldWriter {
  return (writer, field, value) => writer.message(field, () => write(writer, inner, value));
}

/** Writes an object as a map: one message of name and value for each entry. */
export function entries(write: FieldWriter): FieldWriter {
  return (writer, field, value) => {
    if (!isJsonObject(value)) return;
    for (const [name, item] of Object.entries(value)) {
      if (item !== undefined) entry(writer, field, name, write, item);
    }
  };
}

/** Writes one name with its value. */
export function entry(
  writer: ProtobufWriter,
  field: number,
  name: string,
  write: FieldWriter,
  value: JsonValue,
): void {
  writer.message(field, () => {
    writer.string(1, name);
    write(writer, 2, value);
  });
}

/** Chooses the field by the value. */
export function choice(choose: (value: JsonValue) => readonly [number, FieldWriter]): FieldWriter {
  return (writer, field, value) => {
    const [chosen, write] = choose(value);
    writer.message(field, () => write(writer, chosen, value));
  };
}

/** JSON, with the two characters escaped that are line breaks in YAML but not in JSON. */
function yamlOf(value: JsonValue): string {
  return JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}
