import { formatGoNumber, getKey, isJsonObject } from 'client-ts/internal';

import { compareValues, GoFloat } from './compare.ts';
import { JsonPathError, type Path, type Slice, type Step } from './template.ts';

/**
 * What a path can give: any JSON value; a {@link GoFloat} for a number written with a point;
 * undefined for a null that a range has come to, which Go prints in another way.
 */
export type Value = unknown;

/** How a path is followed. */
export interface EvaluateOptions {
  /** A field that is not there gives nothing, instead of being an error. */
  readonly allowMissingKeys: boolean;
}

/** Follows a path from the given values. Words, which steer ranges, are none of its business. */
export function evaluate(
  input: readonly Value[],
  path: Path,
  options: EvaluateOptions,
): readonly Value[] {
  return path.reduce<readonly Value[]>((values, step) => take(values, step, options), input);
}

function take(input: readonly Value[], step: Step, options: EvaluateOptions): readonly Value[] {
  switch (step.type) {
    case 'text':
      return [step.text];
    case 'number': {
      const value = step.isFloat ? new GoFloat(step.value) : step.value;
      return input.map(() => value);
    }
    case 'boolean':
      return input.map(() => step.value);
    case 'field':
      return fieldsOf(input, step.name, options);
    case 'wildcard':
      return input.flatMap(childrenOf);
    case 'recursive':
      return input.flatMap(descend);
    case 'slice':
      return input.flatMap((value) => elementsOf(value, step.slice));
    case 'union':
      return step.paths.flatMap((path) => evaluate(input, path, options));
    case 'filter':
      return input.flatMap((value) => matching(value, step, options));
    case 'word':
      return input;
  }
}

function fieldsOf(
  input: readonly Value[],
  name: string,
  { allowMissingKeys }: EvaluateOptions,
): readonly Value[] {
  const found = input.flatMap((value) => {
    const field = isJsonObject(value) ? getKey(value, name) : undefined;
    return field === undefined ? [] : [field];
  });
  if (found.length > 0 || input.length === 0 || allowMissingKeys) return found;
  throw new JsonPathError(`${name} is not found`);
}

/** Elements, values of fields, and, as Go sees it, the bytes of a text. */
function childrenOf(value: Value): readonly Value[] {
  if (Array.isArray(value)) return value;
  if (isJsonObject(value)) return Object.values(value);
  return typeof value === 'string' ? [...new TextEncoder().encode(value)] : [];
}

/** The value and everything below that has something below itself, a text included. */
function descend(value: Value): readonly Value[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  const children = childrenOf(value);
  return children.length === 0 ? [] : [value, ...children.flatMap(descend)];
}

function elementsOf(value: Value, slice: Slice): readonly Value[] {
  if (value === null || value === undefined) return [];
  if (!Array.isArray(value)) throw new JsonPathError(`${goType(value)} is not array or slice`);
  const { length } = value;
  let from = slice.from ?? 0;
  let to = slice.isIndex ? from + 1 : (slice.to ?? length);
  if (from < 0) from += length;
  // The end of `[-1]` is 0, and means the end.
  if (to < 0 || (to === 0 && slice.isIndex)) to += length;
  if (from === to) return [];
  if (from < 0 || from >= length) throw outOfBounds(from, length);
  if (to < 0 || to > length) throw outOfBounds(to - 1, length);
  if (from > to) {
    throw new JsonPathError(`starting index ${from} is greater than ending index ${to}`);
  }
  const { step = 1 } = slice;
  if (step <= 0) throw new JsonPathError('step must be > 0');
  return value.slice(from, to).filter((_, index) => index % step === 0);
}

function outOfBounds(index: number, length: number): JsonPathError {
  return new JsonPathError(`array index out of bounds: index ${index}, length ${length}`);
}

function matching(
  value: Value,
  { left, right, operator }: Extract<Step, { type: 'filter' }>,
  options: EvaluateOptions,
): readonly Value[] {
  if (!Array.isArray(value)) {
    throw new JsonPathError(`${goType(value)} is not array or slice and cannot be filtered`);
  }
  return value.filter((element: unknown) => {
    if (right === undefined) return exists(element, left, options);
    const lefts = evaluate([element], left, options);
    if (lefts.length === 0) return false;
    const rights = evaluate([element], right, options);
    if (rights.length === 0) return false;
    if (lefts.length > 1 || rights.length > 1) {
      throw new JsonPathError('can only compare one element at a time');
    }
    return compareValues(lefts[0], operator, rights[0]);
  });
}

/** A path that fails on an element counts as one that leads somewhere: kubectl does so too. */
function exists(element: Value, path: Path, options: EvaluateOptions): boolean {
  try {
    return evaluate([element], path, options).length > 0;
  } catch (error) {
    if (error instanceof JsonPathError) return true;
    throw error;
  }
}

function goType(value: Value): string {
  if (value === null || value === undefined) return 'nothing';
  if (isJsonObject(value)) return 'map[string]interface {}';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return 'string';
}

/** A value that is neither an object nor an array, as Go prints it. */
export function formatScalar(value: Value): string {
  if (value === undefined) return '<no value>';
  if (value === null) return 'null';
  if (typeof value === 'number') return formatGoNumber(value);
  return value instanceof GoFloat ? value.toString() : `${value as boolean | string}`;
}
