import { compareStrings, formatGoFloat, formatGoNumber, toGoJson } from '../lib/go-format.ts';
import { getKey, isJsonObject } from '../lib/index.ts';
import { JSONPathError, type Path, type Slice, type Step } from './parse.ts';

/**
 * A value on the way through a template: any JSON value; a {@link GoFloat} for a literal with a
 * decimal point; undefined for a null element of a range, which Go prints as `<no value>`.
 */
export type Value = unknown;

/** How {@link evaluate} treats fields that an object does not have. */
export interface EvaluateOptions {
  /** A missing field selects nothing, instead of failing. */
  readonly allowMissingKeys: boolean;
}

/** Applies a path to the given values. Identifiers are skipped: they control ranges. */
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
      return sliceAll(input, step.slice);
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
  throw new JSONPathError(`${name} is not found`);
}

/** The elements of a list, the fields of an object by key, or the bytes of a string, as in Go. */
function childrenOf(value: Value): readonly Value[] {
  if (Array.isArray(value)) return value;
  if (typeof value === 'string') return [...new TextEncoder().encode(value)];
  if (!isJsonObject(value)) return [];
  return Object.entries(value)
    .toSorted(([left], [right]) => compareStrings(left, right))
    .map(([, field]) => field);
}

/** The value and its descendants, as far as they have children themselves; strings do. */
function descend(value: Value): readonly Value[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  const children = childrenOf(value);
  return children.length === 0 ? [] : [value, ...children.flatMap(descend)];
}

function sliceAll(input: readonly Value[], slice: Slice): readonly Value[] {
  const found: Value[] = [];
  for (const value of input) {
    if (value === null || value === undefined) continue;
    const elements = elementsOf(value, slice);
    // As in Go: an empty range also ends the search in the lists that follow.
    if (elements === undefined) return found;
    found.push(...elements);
  }
  return found;
}

/** Returns the elements of a slice; undefined if the range is empty. */
function elementsOf(value: Value, slice: Slice): readonly Value[] | undefined {
  if (!Array.isArray(value)) throw new JSONPathError(`${goType(value)} is not array or slice`);
  const { length } = value;
  let from = slice.from ?? 0;
  let to = slice.isIndex ? from + 1 : (slice.to ?? length);
  if (from < 0) from += length;
  // The end of `[-1]` is 0, and means the length.
  if (to < 0 || (to === 0 && slice.isIndex)) to += length;
  if (from === to) return undefined;
  if (from < 0 || from >= length) throw outOfBounds(from, length);
  if (to < 0 || to > length) throw outOfBounds(to - 1, length);
  if (from > to) {
    throw new JSONPathError(`starting index ${from} is greater than ending index ${to}`);
  }
  const { step = 1 } = slice;
  if (step <= 0) throw new JSONPathError('step must be > 0');
  return value.slice(from, to).filter((_, index) => index % step === 0);
}

function outOfBounds(index: number, length: number): JSONPathError {
  return new JSONPathError(`array index out of bounds: index ${index}, length ${length}`);
}

function matching(
  value: Value,
  { left, right, operator }: Extract<Step, { type: 'filter' }>,
  options: EvaluateOptions,
): readonly Value[] {
  if (!Array.isArray(value)) {
    throw new JSONPathError(`${goType(value)} is not array or slice and cannot be filtered`);
  }
  return value.filter((element: unknown) => {
    if (right === undefined) return exists(element, left, options);
    const lefts = evaluate([element], left, options);
    if (lefts.length === 0) return false;
    const rights = evaluate([element], right, options);
    if (rights.length === 0) return false;
    if (lefts.length > 1 || rights.length > 1) {
      throw new JSONPathError('can only compare one element at a time');
    }
    return compareValues(lefts[0], operator, rights[0]);
  });
}

/** A path that fails on an element counts as existing, as in kubectl. */
function exists(element: Value, path: Path, options: EvaluateOptions): boolean {
  try {
    return evaluate([element], path, options).length > 0;
  } catch (error) {
    if (error instanceof JSONPathError) return true;
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

/** Formats a value as kubectl prints it. */
export function formatValue(value: Value): string {
  if (value === undefined) return '<no value>';
  if (value === null) return 'null';
  if (value instanceof GoFloat) return formatGoFloat(value.value);
  if (typeof value === 'number') return formatGoNumber(value);
  return typeof value === 'object' ? toGoJson(value) : `${value as boolean | string}`;
}

/** A number that Go holds as floating point although it may be whole: `1.0` in a template. */
export class GoFloat {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

type Comparable =
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'float' | 'int'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string };

/**
 * Compares as Go's templates do: only values of one type, integers not with floating point, and
 * booleans only for equality.
 */
function compareValues(left: unknown, operator: string, right: unknown): boolean {
  const a = comparable(left);
  const b = comparable(right);
  switch (operator) {
    case '==':
      return isEqual(a, b);
    case '!=':
      return !isEqual(a, b);
    case '<':
      return isLess(a, b);
    case '<=':
      return isLess(a, b) || isEqual(a, b);
    case '>':
      return !isLess(a, b) && !isEqual(a, b);
    case '>=':
      return !isLess(a, b);
    default:
      throw new JSONPathError(`unrecognized filter operator ${operator}`);
  }
}

function comparable(value: unknown): Comparable {
  if (typeof value === 'string') return { kind: 'string', value };
  if (typeof value === 'boolean') return { kind: 'bool', value };
  if (value instanceof GoFloat) return { kind: 'float', value: value.value };
  if (typeof value === 'number') return { kind: Number.isInteger(value) ? 'int' : 'float', value };
  throw new JSONPathError('invalid type for comparison');
}

function isEqual(a: Comparable, b: Comparable): boolean {
  checkKinds(a, b);
  return a.value === b.value;
}

function isLess(a: Comparable, b: Comparable): boolean {
  checkKinds(a, b);
  if (a.kind === 'bool') throw new JSONPathError('invalid type for comparison');
  return a.value < b.value;
}

function checkKinds(a: Comparable, b: Comparable): void {
  if (a.kind !== b.kind) throw new JSONPathError('incompatible types for comparison');
}
