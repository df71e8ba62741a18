import { copyJson, type JsonValue } from '../lib/json.ts';
import { markProjected, projectedPaths } from '../meta/projection.ts';
import { plainOf } from './lazy/lazy-fields.ts';
import { MAX_DEPTH } from './wire/wire-reader.ts';

/**
 * The key under which a decoded message keeps the protobuf fields that are not in the tables:
 * fields of a newer server. They are written back when the object is encoded as protobuf, so that a
 * read-modify-write loses nothing. A symbol, so that JSON, `Object.keys` and comparisons ignore it;
 * enumerable, so that `{ ...object }` copies it. `structuredClone` and a round trip through JSON
 * lose it.
 */
export const UNKNOWN_FIELDS: unique symbol = Symbol.for('client-ts.unknownProtobufFields');

/** Returns the unknown fields of an object itself, without those of nested objects. */
export function unknownFieldsOf(object: object): Uint8Array | undefined {
  const value = (object as { readonly [UNKNOWN_FIELDS]?: unknown })[UNKNOWN_FIELDS];
  return value instanceof Uint8Array ? value : undefined;
}

/** True if an object, or anything in it, has unknown fields. */
export function hasUnknownFields(value: unknown, depth = 0): boolean {
  // Only an object that contains itself is deeper; the encoders report it.
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return false;
  if (unknownFieldsOf(value) !== undefined) return true;
  return Object.values(value).some((inner) => hasUnknownFields(inner, depth + 1));
}

/** Adds unknown fields to those that the object has. */
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

/** The inverse of `DeepReadonly`: every field of `T`, at every depth, is writable. */
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
 * Returns a plain copy of an object that can be changed and written back. It has every field,
 * including those of a newer server that protobuf preserves and that `structuredClone` and a round
 * trip through JSON would lose. Throws an `OptionError` for objects that contain themselves.
 *
 * ```ts
 * const pod = mutableCopy(lister.get('web-0'));
 * pod.metadata.labels = { ...pod.metadata.labels, seen: 'true' };
 * await client.coreV1.pods('default').update(pod);
 * ```
 */
export function mutableCopy<T>(value: T): DeepMutable<T> {
  return (copyOfLazy(value) ?? copyJson(value, copyMarks)) as DeepMutable<T>;
}

/** Decodes a cached object again: that costs less than reading it field by field and copying that. */
function copyOfLazy(value: unknown): object | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const copy = plainOf(value);
  const paths = copy && projectedPaths(value);
  if (copy !== undefined && paths !== undefined) markProjected(copy, paths);
  return copy;
}

function copyMarks(source: object, copy: Record<string, unknown>): void {
  const unknown = unknownFieldsOf(source);
  if (unknown !== undefined) addUnknownFields(copy, [unknown]);
  const paths = projectedPaths(source);
  if (paths !== undefined) markProjected(copy, paths);
}
