import type { JsonValue } from 'client-ts/internal';
import { withSortedKeys } from '../schema/canonical.ts';
import { shorten } from '../schema/shorten.ts';
import {
  excerpt,
  type FieldError,
  invalid,
  MAX_FIELD_ERRORS,
  notSupported,
  quoteText,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from '../validation/field-error.ts';

/** One violation of a schema, before it becomes a cause of a Status. */
export interface Violation {
  /** Relative to the validated value; absent if it concerns the value as a whole. */
  readonly path?: string;
  /** The message of the OpenAPI validator. Violations with the same message are merged. */
  readonly message: string;
  /** Returns the error for a given field. */
  readonly toError: (field: string) => FieldError;
}

/**
 * The result of validating a value. `matches` counts roughly how much was valid: of several
 * alternatives that all fail, the closest is reported.
 */
export interface Verdict {
  violations: Violation[];
  matches: number;
}

/**
 * Adds the result of another check, without duplicates and up to the number of causes that a Status
 * can hold.
 */
export function merge(into: Verdict, verdict: Verdict): void {
  into.matches += verdict.matches;
  for (const violation of verdict.violations) add(into, violation);
}

export function add(verdict: Verdict, violation: Violation): void {
  if (verdict.violations.length > MAX_FIELD_ERRORS) return;
  if (verdict.violations.every(({ message }) => message !== violation.message)) {
    verdict.violations.push(violation);
  }
}

/** A value of the wrong type. `found` is its type, or the value itself. */
export function wrongType(path: string, wanted: string, found: string): Violation {
  const message = `${path} in body must be of type ${wanted}: ${quoteText(found)}`;
  return { path, message, toError: (field) => typeInvalid(field, found, message) };
}

export function missing(path: string): Violation {
  return { path, message: `${path} in body is required`, toError: (field) => required(field) };
}

interface Choices {
  readonly choices: readonly string[];
  readonly listed: string;
}

const knownChoices = new WeakMap<readonly JsonValue[], Choices>();

/** Returns the choices as messages show them, cached per enum. */
function choicesOf(values: readonly JsonValue[]): Choices {
  let known = knownChoices.get(values);
  if (known === undefined) {
    const choices = values.map((choice) =>
      typeof choice === 'string' ? choice : JSON.stringify(withSortedKeys(choice)),
    );
    known = { choices, listed: shorten(choices.join(' ')) };
    knownChoices.set(values, known);
  }
  return known;
}

export function notInEnum(path: string, value: JsonValue, values: readonly JsonValue[]): Violation {
  const { choices, listed } = choicesOf(values);
  return {
    path,
    message: `${path} in body should be one of [${listed}]`,
    toError: (field) => notSupported(field, withSortedKeys(excerpt(value)), choices),
  };
}

export function tooLongText(path: string, most: number): Violation {
  return {
    path,
    message: `${path} in body should be at most ${most} chars long`,
    toError: (field) => tooLong(field, most),
  };
}

export function tooManyOf(
  path: string,
  what: 'items' | 'properties',
  actual: number,
  most: number,
): Violation {
  return {
    path,
    message: `${path} in body should have at most ${most} ${what}`,
    toError: (field) => tooMany(field, actual, most),
  };
}

/** Any other violation by one value: `spec.size in body should be …`. */
export function invalidValue(path: string, value: JsonValue, detail: string): Violation {
  return invalidWith(path, value, `${path} in body ${detail}`);
}

/** The same with a message that names the path itself. */
export function invalidWith(path: string, value: JsonValue, message: string): Violation {
  return {
    path,
    message,
    toError: (field) => invalid(field, withSortedKeys(excerpt(value)), message),
  };
}

/** A violation that the server does not attribute to a field. */
export function invalidAsWhole(message: string): Violation {
  return { message, toError: (field) => invalid(field, '', message) };
}

/**
 * Converts violations to field errors below `field` (empty for the whole object). Errors about the
 * whole object have no field; the server then writes `<nil>`.
 */
export function toFieldErrors(violations: readonly Violation[], field: string): FieldError[] {
  return violations.map(({ path = '', toError }) => {
    const relative = path.replace(/^\./, '');
    if (relative === '') return toError(field === '' ? '<nil>' : field);
    return toError(field === '' ? relative : `${field}.${relative}`);
  });
}
