import { type FieldError, notSupported, required } from './field-error.ts';

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
