// Upstream: pkg/apis/core/validation/validation.go
import { type FieldError, invalid, notSupported, required } from './field-error.ts';

/** Requires one of a closed set of values. The empty string counts as missing. */
export function validateChoice(
  value: string | undefined,
  choices: readonly string[],
  field: string,
): FieldError[] {
  if (value === undefined || value === '') return [required(field)];
  return validateOptionalChoice(value, choices, field);
}

/**
 * Checks an optional field with a closed set of values. The empty string is a value like any other.
 */
export function validateOptionalChoice(
  value: string | undefined,
  choices: readonly string[],
  field: string,
): FieldError[] {
  return value === undefined || choices.includes(value)
    ? []
    : [notSupported(field, value, choices)];
}

/** Returns an error for each of the named fields that is missing or empty. */
export function requireFields<T extends object>(
  value: T,
  field: string,
  names: readonly (keyof T & string)[],
): FieldError[] {
  return names
    .filter((name) => {
      const content: unknown = value[name];
      return (
        content === undefined || content === '' || (Array.isArray(content) && content.length === 0)
      );
    })
    .map((name) => required(`${field}.${name}`));
}

/** Checks a file mode: 0 to 0777. */
export function validateFileMode(mode: number | undefined, field: string): FieldError[] {
  return mode !== undefined && (mode < 0 || mode > 0o777)
    ? [invalid(field, mode, 'must be a number between 0 and 0777 (octal), both inclusive')]
    : [];
}

/** Checks that a path has no `..` element. */
export function validateNoBacksteps(path: string, field: string): FieldError[] {
  return path.split('/').includes('..') ? [invalid(field, path, "must not contain '..'")] : [];
}

/** Checks that a path is relative and has no `..` element. */
export function validateDescendingPath(path: string, field: string): FieldError[] {
  return [
    ...(path.startsWith('/') ? [invalid(field, path, 'must be a relative path')] : []),
    ...validateNoBacksteps(path, field),
  ];
}

/**
 * Checks a relative path without `..` that does not start with the kubelet's reserved `..` prefix.
 */
export function validateNonReservedPath(path: string, field: string): FieldError[] {
  return [
    ...validateDescendingPath(path, field),
    ...(path.startsWith('..') && !path.startsWith('../')
      ? [invalid(field, path, "must not start with '..'")]
      : []),
  ];
}
