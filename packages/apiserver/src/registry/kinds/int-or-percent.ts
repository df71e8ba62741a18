import { type IntOrString, validatePercent } from 'client-ts/meta';
import { type FieldError, invalid, invalidEach } from '../../validation/field-error.ts';
import { nonNegative } from '../../validation/object-meta.ts';

/** A number that is not negative, or a percentage. */
export function validateIntOrPercent(value: IntOrString | undefined, field: string): FieldError[] {
  const given = value ?? 0;
  return typeof given === 'string'
    ? invalidEach(field, given, validatePercent(given))
    : nonNegative(given, field);
}

/** The number in a percentage, or the number itself; zero for text that is neither. */
export function amountOf(value: IntOrString | undefined): number {
  if (typeof value === 'number') return value;
  return percentOf(value) ?? 0;
}

/** Checks that a percentage is not more than the whole; numbers are all fine. */
export function validateAtMost100Percent(
  value: IntOrString | undefined,
  field: string,
): FieldError[] {
  return (percentOf(value) ?? 0) > 100
    ? [invalid(field, value, 'must not be greater than 100%')]
    : [];
}

function percentOf(value: IntOrString | undefined): number | undefined {
  const isPercent = typeof value === 'string' && validatePercent(value).length === 0;
  return isPercent ? Number(value.slice(0, -1)) : undefined;
}
