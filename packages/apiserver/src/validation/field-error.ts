import { formatGoNumber, quoteGo } from 'client-ts/lib';
import type { StatusCause } from 'client-ts/meta';

/** What is wrong with a field; the words are the `reason` of a Status cause. */
export type FieldErrorReason =
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden'
  | 'FieldValueInvalid'
  | 'FieldValueNotFound'
  | 'FieldValueNotSupported'
  | 'FieldValueRequired'
  | 'FieldValueTooFew'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'InternalError';

/** One finding of validation, ready to become a cause of a 422 Status. */
export interface FieldError {
  readonly reason: FieldErrorReason;
  /** Path of the field: `spec.containers[0].image`, `metadata.labels`. */
  readonly field: string;
  /** What the server says after the path: `Invalid value: "x": must be …`. */
  readonly message: string;
}

/**
 * Writes a value the way the server quotes it in messages: strings quoted, the rest as JSON with
 * the keys in the order they have. Nothing is `null`, whatever its type.
 */
export function quoteValue(value: unknown): string {
  if (typeof value === 'string') return quoteGo(value);
  if (typeof value === 'number') return formatGoNumber(value);
  if (value === undefined || value === null) return 'null';
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, escapeForHtml);
}

/** Go's JSON is safe to paste into HTML, so these never appear as they are. */
function escapeForHtml(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function withDetail(body: string, detail: string): string {
  return detail === '' ? body : `${body}: ${detail}`;
}

/** A value that cannot be. */
export function invalid(field: string, value: unknown, detail: string): FieldError {
  return {
    reason: 'FieldValueInvalid',
    field,
    message: withDetail(`Invalid value: ${quoteValue(value)}`, detail),
  };
}

/** For values that are too long to show, or that would not help. */
export function invalidUnshown(field: string, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field, message: withDetail('Invalid value', detail) };
}

/** A value of the wrong type. */
export function typeInvalid(field: string, value: unknown, detail: string): FieldError {
  return {
    reason: 'FieldValueTypeInvalid',
    field,
    message: withDetail(`Invalid value: ${quoteValue(value)}`, detail),
  };
}

/** A value that is missing. */
export function required(field: string, detail = ''): FieldError {
  return { reason: 'FieldValueRequired', field, message: withDetail('Required value', detail) };
}

/** A value that must not be there, or not change. */
export function forbidden(field: string, detail: string): FieldError {
  return { reason: 'FieldValueForbidden', field, message: withDetail('Forbidden', detail) };
}

/** A value that is there twice. */
export function duplicate(field: string, value: unknown): FieldError {
  return {
    reason: 'FieldValueDuplicate',
    field,
    message: `Duplicate value: ${quoteValue(value)}`,
  };
}

/** The name of something that is not there. */
export function notFound(field: string, value: unknown): FieldError {
  return { reason: 'FieldValueNotFound', field, message: `Not found: ${quoteValue(value)}` };
}

/** A value that is none of those that can be; they are told in the order given. */
export function notSupported(
  field: string,
  value: unknown,
  supported: readonly string[],
): FieldError {
  const choices = supported.map((choice) => quoteGo(choice)).join(', ');
  return {
    reason: 'FieldValueNotSupported',
    field,
    message: withDetail(
      `Unsupported value: ${quoteValue(value)}`,
      choices === '' ? '' : `supported values: ${choices}`,
    ),
  };
}

/** `max` is in bytes, as the server counts. */
export function tooLong(field: string, max: number): FieldError {
  return {
    reason: 'FieldValueTooLong',
    field,
    message: `Too long: may not be more than ${max} bytes`,
  };
}

/** A list that is too long. */
export function tooMany(field: string, actual: number, max: number): FieldError {
  const items = max === 1 ? 'item' : 'items';
  return {
    reason: 'FieldValueTooMany',
    field,
    message: `Too many: ${actual}: must have at most ${max} ${items}`,
  };
}

/** One finding per message of a rule for names and the like. */
export function invalidEach(
  field: string,
  value: unknown,
  messages: readonly string[],
): FieldError[] {
  return messages.map((message) => invalid(field, value, message));
}

/** A finding as a Status tells it. */
export function toStatusCause({ reason, field, message }: FieldError): StatusCause {
  return { reason, message, field };
}
