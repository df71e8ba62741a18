import { formatGoFloat } from 'client-ts/internal';

import type { Schema } from '../schema/schema.ts';
import {
  add,
  invalidValue,
  invalidAsWhole,
  invalidWith,
  type Verdict,
  type Violation,
} from './violation.ts';

/** Numbers beyond 64 bits are floating point. */
export function isInt64(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) < 2 ** 63;
}

/** Validates a number against bounds, factor and the range of its format. */
export function validateNumber(value: number, schema: Schema, path: string): Verdict {
  const verdict: Verdict = { violations: [], matches: 1 };
  const { multipleOf, minimum, maximum, exclusiveMinimum, exclusiveMaximum } =
    schema.validation ?? {};
  addIfAny(verdict, outOfRange(value, schema, 'Checked', path));
  if (multipleOf !== undefined) {
    addIfAny(verdict, outOfRange(multipleOf, schema, 'MultipleOf', path));
    addIfAny(verdict, notMultiple(value, native(value, multipleOf, schema), path));
  }
  if (minimum !== undefined) {
    addIfAny(verdict, outOfRange(minimum, schema, 'Minimum boundary', path));
    const bound = native(value, minimum, schema);
    if (exclusiveMinimum === true ? value <= bound.value : value < bound.value) {
      const word = exclusiveMinimum === true ? '' : ' or equal to';
      add(verdict, invalidValue(path, value, `should be greater than${word} ${bound.text}`));
    }
  }
  if (maximum !== undefined) {
    addIfAny(verdict, outOfRange(maximum, schema, 'Maximum boundary', path));
    const bound = native(value, maximum, schema);
    if (exclusiveMaximum === true ? value >= bound.value : value > bound.value) {
      const word = exclusiveMaximum === true ? '' : ' or equal to';
      add(verdict, invalidValue(path, value, `should be less than${word} ${bound.text}`));
    }
  }
  return verdict;
}

/** A bound or factor, and its text in messages. */
interface Bound {
  readonly value: number;
  readonly text: string;
}

/**
 * Returns a bound or factor as it is compared with a value: integers are compared with integers,
 * unless the schema's type cannot hold the bound.
 */
function native(value: number, bound: number, { type, format }: Schema): Bound {
  return isInt64(value) && fits(bound, type, format)
    ? { value: Math.trunc(bound), text: String(Math.trunc(bound)) }
    : { value: bound, text: formatGoFloat(bound) };
}

function addIfAny(verdict: Verdict, violation: Violation | undefined): void {
  if (violation !== undefined) add(verdict, violation);
}

/** Reports a value or bound that the type of the schema cannot hold. */
function outOfRange(
  value: number,
  { type, format, special }: Schema,
  what: string,
  path: string,
): Violation | undefined {
  if (special === 'int-or-string' || fits(value, type, format)) return undefined;
  const known = type === 'integer' ? /^int(?:32|64)$/ : /^(?:float|double)$/;
  const wanted =
    format !== undefined && known.test(format)
      ? `${type} with format ${format}`
      : `${type} (default format)`;
  return invalidAsWhole(`${what} value must be of type ${wanted} in ${path}`);
}

function fits(value: number, type: Schema['type'], format: string | undefined): boolean {
  if (type === 'integer') {
    return format === 'int32' ? value === (value | 0) : isInt64(value);
  }
  return !(type === 'number' && format === 'float') || Math.abs(value) <= MAX_FLOAT32;
}

const MAX_FLOAT32 = 3.4028234663852886e38;

function notMultiple(value: number, factor: Bound, path: string): Violation | undefined {
  const divisor = factor.value;
  if (divisor <= 0) {
    const message = `factor MultipleOf declared for ${path} must be positive: ${factor.text}`;
    return invalidWith(path, divisor, message);
  }
  const quotient = divisor < 1 ? (1 / divisor) * value : value / divisor;
  return Number.isSafeInteger(quotient)
    ? undefined
    : invalidValue(path, value, `should be a multiple of ${factor.text}`);
}
