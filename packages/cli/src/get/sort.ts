import { compareStrings } from 'client-ts/internal';
import { parseQuantity, QuantityError } from 'client-ts/meta';

import type { JSONPath } from 'client-ts/jsonpath';

import { CliError } from '../frame/cli-error.ts';

/**
 * Sorts by the value at a path: numbers and quantities by size, objects without a value first.
 * Stable. Throws if no object has a value, or the values have no order.
 */
export function sortByPath<T>(
  items: readonly T[],
  path: JSONPath,
  objectOf: (item: T) => unknown,
): T[] {
  const keyed = items.map((item) => ({ item, key: path.findResults(objectOf(item))[0]?.[0] }));
  if (items.length > 0 && keyed.every(({ key }) => key === undefined)) {
    throw new CliError('CLI_SORT_FIELD_MISSING', 'no object has the field of --sort-by');
  }
  return keyed.sort((left, right) => compareKeys(left.key, right.key)).map(({ item }) => item);
}

function compareKeys(left: unknown, right: unknown): number {
  const isLeftNone = left === undefined || left === null;
  const isRightNone = right === undefined || right === null;
  if (isLeftNone || isRightNone) return Number(isRightNone) - Number(isLeftNone);
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right);
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right);
  throw new CliError('CLI_SORT_FIELD_UNORDERED', 'the field of --sort-by has no order');
}

function compareTexts(left: string, right: string): number {
  const [ours, theirs] = [quantityOf(left), quantityOf(right)];
  if (ours === undefined || theirs === undefined) return compareStrings(left, right);
  return ours.compare(theirs);
}

function quantityOf(text: string): ReturnType<typeof parseQuantity> | undefined {
  // Most strings are not quantities, and exceptions are slow.
  if (!/^[+-]?[\d.]+(?:[EPTGMK]i|[numkMGTPE]|[eE][+-]?\d+)?$/.test(text)) return undefined;
  try {
    return parseQuantity(text);
  } catch (error) {
    if (error instanceof QuantityError) return undefined;
    throw error;
  }
}
