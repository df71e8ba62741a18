import { getKey, isJsonObject, setKey } from '../lib/json.ts';
import { DynamicError } from './dynamic-error.ts';

/** The path of a field: names of fields, and numbers for items of lists. */
export type FieldPath = readonly (number | string)[];

/**
 * Returns the value of a field, not copied; undefined if it is missing. Throws `DYNAMIC_FIELD_TYPE`
 * if the path leads through a value that has no such fields: the object is not what it is taken for.
 *
 * ```ts
 * nestedField(deployment, ['spec', 'template', 'spec', 'containers', 0, 'image']);
 * ```
 */
export function nestedField(object: object, path: FieldPath): unknown {
  let value: unknown = object;
  for (const [depth, step] of path.entries()) {
    if (value === undefined || value === null) return undefined;
    value = childOf(value, path, depth, step);
  }
  return value;
}

/** Returns a string; undefined if the field is missing or null. Throws `DYNAMIC_FIELD_TYPE` for others. */
export function nestedString(object: object, path: FieldPath): string | undefined {
  return expect(object, path, 'a string', (value) => typeof value === 'string');
}

/** Returns a number; undefined if the field is missing or null. Throws `DYNAMIC_FIELD_TYPE` for others. */
export function nestedNumber(object: object, path: FieldPath): number | undefined {
  return expect(object, path, 'a number', (value) => typeof value === 'number');
}

/** Returns a boolean; undefined if the field is missing or null. Throws `DYNAMIC_FIELD_TYPE` for others. */
export function nestedBoolean(object: object, path: FieldPath): boolean | undefined {
  return expect(object, path, 'a boolean', (value) => typeof value === 'boolean');
}

/** Returns a list, not copied; undefined if the field is missing or null. Throws `DYNAMIC_FIELD_TYPE` for others. */
export function nestedList(object: object, path: FieldPath): readonly unknown[] | undefined {
  return expect(object, path, 'a list', isList);
}

/** Returns a list of strings, not copied; undefined if the field is missing or null. */
export function nestedStringList(object: object, path: FieldPath): readonly string[] | undefined {
  return expect(
    object,
    path,
    'a list of strings',
    (value): value is readonly string[] =>
      isList(value) && value.every((item) => typeof item === 'string'),
  );
}

/** Returns an object, not copied; undefined if the field is missing or null. */
export function nestedObject(
  object: object,
  path: FieldPath,
): Readonly<Record<string, unknown>> | undefined {
  return expect(object, path, 'an object', isJsonObject);
}

/** Returns strings by name, such as labels, not copied; undefined if the field is missing or null. */
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
 * Sets a field of the object in place, as client-go's `SetNestedField`. Missing objects and lists on
 * the way are created; in a list, the index after the last item appends. Throws
 * `DYNAMIC_FIELD_TYPE` if the path leads through another value, and `DYNAMIC_READ_ONLY` for an
 * object of a cache; the object is then unchanged.
 */
export function setNestedField(object: object, path: FieldPath, value: unknown): void {
  let holder: unknown = object;
  for (const [depth, step] of path.entries()) {
    const child = childOf(holder, path, depth, step);
    const isLast = depth === path.length - 1;
    if (isLast || child === undefined || child === null) {
      assign(holder as object, path, depth, created(path, depth, value));
      return;
    }
    holder = child;
  }
  throw new DynamicError('DYNAMIC_FIELD_TYPE', 'the path of a field is empty');
}

/**
 * Removes a field or an item of a list from the object in place, as client-go's `RemoveNestedField`.
 * A field that does not exist is ignored. Throws as {@link setNestedField} does.
 */
export function removeNestedField(object: object, path: FieldPath): void {
  const last = path.length - 1;
  const step = path[last];
  if (step === undefined || nestedField(object, path) === undefined) return;
  const holder = nestedField(object, path.slice(0, last)) as object;
  write(path, () => {
    if (isList(holder)) (holder as unknown[]).splice(Number(step), 1);
    else if (!Reflect.deleteProperty(holder, step)) throw new TypeError('not configurable');
  });
}

/** Returns the value for the field at `depth`: what is missing below it, around the given value. */
function created(path: FieldPath, depth: number, value: unknown): unknown {
  const step = path[depth + 1];
  if (step === undefined) return value;
  const inner = created(path, depth + 1, value);
  if (typeof step === 'number') {
    checkIndex(path, depth + 1, 0, step);
    return [inner];
  }
  const object: Record<string, unknown> = {};
  setKey(object, step, inner);
  return object;
}

function assign(holder: object, path: FieldPath, depth: number, value: unknown): void {
  const step = path[depth];
  if (isList(holder)) checkIndex(path, depth, holder.length, Number(step));
  write(path.slice(0, depth + 1), () => {
    if (isList(holder)) (holder as unknown[])[Number(step)] = value;
    else setKey(holder as Record<string, unknown>, String(step), value);
  });
}

function checkIndex(path: FieldPath, depth: number, length: number, index: number): void {
  if (Number.isInteger(index) && index >= 0 && index <= length) return;
  throw typeError(path, depth, `a list of ${length}, which has no place for item ${index}`);
}

/** Objects of a cache are frozen, or refuse writes themselves, with a TypeError. */
function write(path: FieldPath, change: () => void): void {
  try {
    change();
  } catch (cause) {
    throw new DynamicError('DYNAMIC_READ_ONLY', `${formatPath(path)} is read-only`, { cause });
  }
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
  const value = nestedField(object, path);
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
