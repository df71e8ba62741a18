import { copyJson, type JsonValue } from '../lib/json.ts';
import { addUnknownFields, unknownFieldsOf } from './unknown-fields.ts';

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
