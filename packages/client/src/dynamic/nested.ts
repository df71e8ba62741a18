import { getKey, isJsonObject, setKey } from '../lib/json.ts';
import { DynamicError } from './dynamic-error.ts';

/** Where a field is: names of fields, and numbers for the places of lists. */
export type FieldPath = readonly (number | string)[];

/**
 * The value of a field, undefined if it is not there. Throws a `DYNAMIC_FIELD_TYPE` if the path leads
 * through something that has no such fields, because then the object is not what it is taken for.
 *
 * ```ts
 * getNested(deployment, ['spec', 'template', 'spec', 'containers', 0, 'image']);
 * ```
 */
export function getNested(object: object, path: FieldPath): unknown {
  let value: unknown = object;
  for (const [depth, step] of path.entries()) {
    if (value === undefined || value === null) return undefined;
    value = childOf(value, path, depth, step);
  }
  return value;
}

/** A text; undefined if the field is missing or null. Any other value is a `DYNAMIC_FIELD_TYPE`. */
export function nestedString(object: object, path: FieldPath): string | undefined {
  return expect(object, path, 'a string', (value) => typeof value === 'string');
}

/** A number; undefined if the field is missing or null. Any other value is a `DYNAMIC_FIELD_TYPE`. */
export function nestedNumber(object: object, path: FieldPath): number | undefined {
  return expect(object, path, 'a number', (value) => typeof value === 'number');
}

/** True or false; undefined if the field is missing or null. Any other value is a `DYNAMIC_FIELD_TYPE`. */
export function nestedBoolean(object: object, path: FieldPath): boolean | undefined {
  return expect(object, path, 'a boolean', (value) => typeof value === 'boolean');
}

/** A list, not copied; undefined if the field is missing or null. Any other value is a `DYNAMIC_FIELD_TYPE`. */
export function nestedList(object: object, path: FieldPath): readonly unknown[] | undefined {
  return expect(object, path, 'a list', isList);
}

/** A list of texts, not copied; undefined if the field is missing or null. */
export function nestedStringList(object: object, path: FieldPath): readonly string[] | undefined {
  return expect(
    object,
    path,
    'a list of strings',
    (value): value is readonly string[] =>
      isList(value) && value.every((item) => typeof item === 'string'),
  );
}

/** An object, not copied; undefined if the field is missing or null. */
export function nestedObject(
  object: object,
  path: FieldPath,
): Readonly<Record<string, unknown>> | undefined {
  return expect(object, path, 'an object', isJsonObject);
}

/** Texts by name, such as labels, not copied; undefined if the field is missing or null. */
export function nestedStringMap(
  object: object,
  path: FieldPath,
): Readonly<Record<string, string>> | undefined {
  return expect(
    object,
    path,
    'an object with strings',
    (value): value is Readonly<Record<string, string>> =>
      isJsonObject(value) && Object.values(value).every((item) => typeof item === 'string'),
  );
}

/**
 * A copy of the object with one field set. What leads to the field is copied, objects that are
 * missing on the way are made, and everything else is shared with the original, which stays as it
 * is. In a list, the place after the last appends.
 */
export function setNested<T extends object>(object: T, path: FieldPath, value: unknown): T {
  return change(object, path, 0, () => value) as T;
}

/** A copy of the object without one field or item of a list; the object itself if it is not there. */
export function removeNested<T extends object>(object: T, path: FieldPath): T {
  return getNested(object, path) === undefined
    ? object
    : (change(object, path, 0, () => gone) as T);
}

const gone: unique symbol = Symbol('gone');

function change(
  holder: unknown,
  path: FieldPath,
  depth: number,
  last: (value: unknown) => unknown,
): unknown {
  const step = path[depth];
  if (step === undefined) return last(holder);
  const container = holder ?? (typeof step === 'number' ? [] : {});
  const child = change(childOf(container, path, depth, step), path, depth + 1, last);
  if (isList(container)) return changedList(container, step as number, child, path, depth);
  const copy: Record<string, unknown> = { ...container };
  if (child === gone) delete copy[step];
  else setKey(copy, String(step), child);
  return copy;
}

function changedList(
  list: readonly unknown[],
  index: number,
  child: unknown,
  path: FieldPath,
  depth: number,
): unknown[] {
  if (child === gone) return list.toSpliced(index, 1);
  if (index < 0 || index > list.length) {
    throw typeError(path, depth, `a list of ${list.length}, which has no place for item ${index}`);
  }
  return list.toSpliced(index, 1, child);
}

function childOf(value: unknown, path: FieldPath, depth: number, step: number | string): unknown {
  if (typeof step === 'number') {
    if (isList(value)) return value[step];
    throw typeError(path, depth, `${describe(value)}, not a list`);
  }
  if (!isJsonObject(value)) throw typeError(path, depth, `${describe(value)}, not an object`);
  return getKey(value, step);
}

function expect<V>(
  object: object,
  path: FieldPath,
  what: string,
  isRight: (value: unknown) => value is V,
): V | undefined {
  const value = getNested(object, path);
  if (value === undefined || value === null) return undefined;
  if (isRight(value)) return value;
  throw typeError(path, path.length, `${describe(value)}, not ${what}`);
}

function typeError(path: FieldPath, depth: number, found: string): DynamicError {
  const place = depth === 0 ? 'the object' : formatPath(path.slice(0, depth));
  return new DynamicError('DYNAMIC_FIELD_TYPE', `${place} is ${found}`);
}

/** `spec.containers[0].image` */
function formatPath(path: FieldPath): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (isList(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
