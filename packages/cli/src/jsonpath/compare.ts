import { formatGoFloat } from 'client-ts/internal';

import { JsonPathError } from './template.ts';

/** A number that Go holds as floating point although it may be whole: `1.0` in a template. */
export class GoFloat {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }

  toString(): string {
    return formatGoFloat(this.value);
  }
}

type Comparable =
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'float' | 'int'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string };

/**
 * Compares as the templates of Go do: only like with like, whole numbers not with floating point,
 * and booleans only for being equal.
 */
export function compareValues(left: unknown, operator: string, right: unknown): boolean {
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
      throw new JsonPathError(`unrecognized filter operator ${operator}`);
  }
}

function comparable(value: unknown): Comparable {
  if (typeof value === 'string') return { kind: 'string', value };
  if (typeof value === 'boolean') return { kind: 'bool', value };
  if (value instanceof GoFloat) return { kind: 'float', value: value.value };
  if (typeof value === 'number') return { kind: Number.isInteger(value) ? 'int' : 'float', value };
  throw new JsonPathError('invalid type for comparison');
}

function isEqual(a: Comparable, b: Comparable): boolean {
  checkKinds(a, b);
  return a.value === b.value;
}

function isLess(a: Comparable, b: Comparable): boolean {
  checkKinds(a, b);
  if (a.kind === 'bool') throw new JsonPathError('invalid type for comparison');
  return a.value < b.value;
}

function checkKinds(a: Comparable, b: Comparable): void {
  if (a.kind !== b.kind) throw new JsonPathError('incompatible types for comparison');
}
