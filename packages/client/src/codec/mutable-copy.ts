import { copyJson, type JsonValue } from '../lib/json.ts';
import { MAX_DEPTH } from './wire/wire-reader.ts';

/**
 * Where a decoded message keeps the protobuf fields that the tables do not know: fields of a newer
 * server. The bytes are written back when the object is written as protobuf, so that reading and
 * writing loses nothing. A symbol, so that JSON, `Object.keys` and comparisons of JSON do not see
 * it; enumerable, so that `{ ...object }` takes it along. `structuredClone` and a trip through JSON
 * leave it behind: with a server newer than this client, those lose what the client cannot name.
 */
export const UNKNOWN_FIELDS: unique symbol = Symbol.for('client-ts.unknownProtobufFields');

/** The unknown fields that an object, not counting those below it, was read with. */
export function unknownFieldsOf(object: object): Uint8Array | undefined {
  const value: unknown = Reflect.get(object, UNKNOWN_FIELDS);
  return value instanceof Uint8Array ? value : undefined;
}

/** Whether an object, or anything in it, was read with unknown fields. */
export function hasUnknownFields(value: unknown, depth = 0): boolean {
  // Deeper lies nothing but an object that contains itself, which the encoders complain about.
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return false;
  if (unknownFieldsOf(value) !== undefined) return true;
  return Object.values(value).some((inner) => hasUnknownFields(inner, depth + 1));
}

/** Remembers unknown fields, after those that the object has already. */
export function addUnknownFields(object: object, pieces: readonly Uint8Array[]): void {
  const before = unknownFieldsOf(object);
  const value = Buffer.concat(before === undefined ? pieces : [before, ...pieces]);
  Object.defineProperty(object, UNKNOWN_FIELDS, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

/** `DeepReadonly` undone: every field of `T`, at every depth, can be written. */
export type DeepMutable<T> = unknown extends T
  ? T
  : JsonValue extends T
    ? // By name, because the compiler would follow its recursion without end.
      JsonValue | Extract<T, undefined>
    : T extends bigint | boolean | number | string | symbol
      ? T
      : T extends object
        ? MutableFields<T>
        : T;

type MutableFields<T> = { -readonly [Key in keyof T]: DeepMutable<T[Key]> };

/**
 * A plain copy of an object, to be changed and written back:
 *
 * ```ts
 * const pod = mutableCopy(lister.get('web-0'));
 * pod.metadata.labels = { ...pod.metadata.labels, seen: 'true' };
 * await client.coreV1.pods('default').update(pod);
 * ```
 *
 * It has every field, also those of a newer server that protobuf brought and that `structuredClone`
 * and a trip through JSON would lose.
 */
export function mutableCopy<T>(value: T): DeepMutable<T> {
  return copyJson(value, copyUnknownFields) as DeepMutable<T>;
}

function copyUnknownFields(source: object, copy: Record<string, unknown>): void {
  const unknown = unknownFieldsOf(source);
  if (unknown !== undefined) addUnknownFields(copy, [unknown]);
}
