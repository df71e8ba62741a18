import { type FieldError, invalid, notSupported, required } from './field-error.ts';

/** A field with a closed set of values; the empty string counts as missing. */
export function validateChoice(
  value: string | undefined,
  choices: readonly string[],
  field: string,
): FieldError[] {
  if (value === undefined || value === '') return [required(field)];
  return validateOptionalChoice(value, choices, field);
}

/** The same for a field that may be absent. An empty string is a value like any other. */
export function validateOptionalChoice(
  value: string | undefined,
  choices: readonly string[],
  field: string,
): FieldError[] {
  return value === undefined || choices.includes(value)
    ? []
    : [notSupported(field, value, choices)];
}

/** A finding for each of the named fields that is missing or empty. */
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

/** A file mode as the API has it: a number up to 0777. */
export function validateFileMode(mode: number | undefined, field: string): FieldError[] {
  return mode !== undefined && (mode < 0 || mode > 0o777)
    ? [invalid(field, mode, 'must be a number between 0 and 0777 (octal), both inclusive')]
    : [];
}

/** A path that does not climb. */
export function validateNoBacksteps(path: string, field: string): FieldError[] {
  return path.split('/').includes('..') ? [invalid(field, path, "must not contain '..'")] : [];
}

/** A relative path that does not climb. */
export function validateDescendingPath(path: string, field: string): FieldError[] {
  return [
    ...(path.startsWith('/') ? [invalid(field, path, 'must be a relative path')] : []),
    ...validateNoBacksteps(path, field),
  ];
}

/** The same, and not one of the names that the kubelet uses for itself. */
export function validateNonReservedPath(path: string, field: string): FieldError[] {
  return [
    ...validateDescendingPath(path, field),
    ...(path.startsWith('..') && !path.startsWith('../')
      ? [invalid(field, path, "must not start with '..'")]
      : []),
  ];
}
