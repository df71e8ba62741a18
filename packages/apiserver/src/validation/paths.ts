import { type FieldError, invalid } from './field-error.ts';

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
