// Upstream: staging/src/k8s.io/apimachinery/pkg/util/validation/field/errors.go
import { formatGoNumber, getKey, isJsonObject, quoteGo } from 'client-ts/internal';
import { type ApiError, type GroupKind, newInvalid, type StatusCause } from 'client-ts/meta';
import { MAX_QUOTE_LENGTH, shorten } from '../schema/shorten.ts';

/** The `reason` of a Status cause. */
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

/** An error about one field, which becomes a cause of a 422 Status. */
export interface FieldError {
  readonly reason: FieldErrorReason;
  /** Path of the field: `spec.containers[0].image`, `metadata.labels`. */
  readonly field: string;
  /** The text after the path: `Invalid value: "x": must be …`. */
  readonly message: string;
}

/** Limit of the errors in one response. kube-apiserver has no such limit. */
export const MAX_FIELD_ERRORS = 1000;

/** Approximate limit of the characters of all errors in one response. */
const MAX_ERROR_TEXT = 1_000_000;

/** Formats its message when read: of very many errors, most never reach a response. */
class Finding implements FieldError {
  readonly reason: FieldErrorReason;
  readonly field: string;
  readonly subject: string;
  /** The value quoted after the subject, if any. */
  readonly quoted: readonly unknown[];
  readonly detail: string;

  constructor(
    reason: FieldErrorReason,
    field: string,
    subject: string,
    quoted: readonly unknown[],
    detail: string,
  ) {
    this.reason = reason;
    this.field = field;
    this.subject = subject;
    this.quoted = quoted;
    this.detail = detail;
  }

  get message(): string {
    const [value] = this.quoted;
    const body = this.quoted.length === 0 ? this.subject : `${this.subject}: ${quoteValue(value)}`;
    return this.detail === '' ? body : `${body}: ${this.detail}`;
  }
}

/** An invalid value. */
export function invalid(field: string, value: unknown, detail: string): FieldError {
  return new Finding('FieldValueInvalid', field, 'Invalid value', [value], detail);
}

/** An invalid value that the message does not quote. */
export function invalidOmitValue(field: string, detail: string): FieldError {
  return new Finding('FieldValueInvalid', field, 'Invalid value', [], detail);
}

/** A value of the wrong type. */
export function typeInvalid(field: string, value: unknown, detail: string): FieldError {
  return new Finding('FieldValueTypeInvalid', field, 'Invalid value', [value], detail);
}

/** A missing value. */
export function required(field: string, detail = ''): FieldError {
  return new Finding('FieldValueRequired', field, 'Required value', [], detail);
}

/** A value that must not be set or changed. */
export function forbidden(field: string, detail: string): FieldError {
  return new Finding('FieldValueForbidden', field, 'Forbidden', [], detail);
}

/** A problem of the server with a value. */
export function internalError(field: string, detail: string): FieldError {
  return new Finding('InternalError', field, 'Internal error', [], detail);
}

/** A value that occurs twice. */
export function duplicate(field: string, value: unknown, detail = ''): FieldError {
  return new Finding('FieldValueDuplicate', field, 'Duplicate value', [value], detail);
}

/** A value that occurs twice, which the message does not quote. */
export function duplicateOmitValue(field: string): FieldError {
  return new Finding('FieldValueDuplicate', field, 'Duplicate value', [], '');
}

/** A reference to something that does not exist. */
export function notFound(field: string, value: unknown, detail = ''): FieldError {
  return new Finding('FieldValueNotFound', field, 'Not found', [value], detail);
}

/** A value outside a closed set, which the message lists in the given order. */
export function notSupported(
  field: string,
  value: unknown,
  supported: readonly string[],
): FieldError {
  const choices = quoteChoices(supported);
  const detail = choices === '' ? '' : `supported values: ${choices}`;
  return new Finding('FieldValueNotSupported', field, 'Unsupported value', [value], detail);
}

/** Caches the quoted list, which every unsupported value repeats. */
const quotedChoices = new WeakMap<readonly string[], string>();

function quoteChoices(choices: readonly string[]): string {
  let quoted = quotedChoices.get(choices);
  if (quoted === undefined) {
    quoted = shorten(choices.map((choice) => quoteText(choice)).join(', '));
    quotedChoices.set(choices, quoted);
  }
  return quoted;
}

/** A text of more than `max` bytes. */
export function tooLong(field: string, max: number): FieldError {
  const detail = `may not be more than ${max} bytes`;
  return new Finding('FieldValueTooLong', field, 'Too long', [], detail);
}

/** A list of more than `max` items. */
export function tooMany(field: string, actual: number, max: number): FieldError {
  const items = max === 1 ? 'item' : 'items';
  const detail = `must have at most ${max} ${items}`;
  return new Finding('FieldValueTooMany', field, 'Too many', [actual], detail);
}

/** Returns one error for each message of a name rule. */
export function invalidEach(
  field: string,
  value: unknown,
  messages: readonly string[],
): FieldError[] {
  return messages.map((message) => invalid(field, value, message));
}

/** Returns the errors of all items. Stops when there are more than one response shows. */
export function collectErrors<T>(
  items: Iterable<T>,
  check: (item: T, index: number) => readonly FieldError[],
): FieldError[] {
  const findings: FieldError[] = [];
  let index = 0;
  for (const item of items) {
    if (!appendErrors(findings, check(item, index++))) break;
  }
  return findings;
}

/** Appends errors. Returns false when there are more than one response shows. */
export function appendErrors(into: FieldError[], findings: readonly FieldError[]): boolean {
  for (const finding of findings) {
    if (into.length > MAX_FIELD_ERRORS) return false;
    into.push(finding);
  }
  return into.length <= MAX_FIELD_ERRORS;
}

/** Returns the 422 for an object with these errors. Long lists and long texts are truncated. */
export function invalidObject(
  kind: GroupKind,
  name: string,
  findings: readonly FieldError[],
): ApiError {
  return newInvalid(kind, shorten(name), toStatusCauses(findings));
}

function toStatusCauses(findings: readonly FieldError[]): StatusCause[] {
  const causes: StatusCause[] = [];
  let room = MAX_ERROR_TEXT;
  for (const finding of findings) {
    if (causes.length === MAX_FIELD_ERRORS || room <= 0) {
      const message = `Too many errors: only the first ${causes.length} are shown`;
      return [...causes, { reason: 'FieldValueInvalid', message, field: '<nil>' }];
    }
    const message = shorten(finding.message, MAX_ERROR_TEXT);
    const field = shorten(finding.field);
    causes.push({ reason: finding.reason, message, field });
    room -= message.length + field.length;
  }
  return causes;
}

/** Depth at which quoted values are truncated, so that deep values cannot exhaust the stack. */
const DEEPEST_QUOTE = 100;

/**
 * Formats a value as kube-apiserver quotes it: strings in Go's quotes, the rest as JSON in key
 * order, undefined as `null`. Long values are truncated.
 */
function quoteValue(value: unknown): string {
  if (typeof value === 'string') return quoteText(value);
  if (typeof value === 'number') return formatGoNumber(value);
  if (value === undefined || value === null) return 'null';
  return shorten(JSON.stringify(excerpt(value)).replace(/[<>&\u2028\u2029]/g, escapeForHtml));
}

/** Quotes a text, truncated if it is long. */
export function quoteText(text: string): string {
  return text.length <= MAX_QUOTE_LENGTH
    ? quoteGo(text)
    : `${quoteGo(text.slice(0, MAX_QUOTE_LENGTH))}...`;
}

/** Escapes a character as Go's JSON encoder does, which keeps its output safe inside HTML. */
function escapeForHtml(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * Returns the value itself if it fits into a message, or else its beginning. The cost is bounded by
 * the length of a message, not by the size of the value.
 */
export function excerpt<T>(value: T): T {
  const room = new Room();
  const copy = room.copy(value, 0);
  return room.isExceeded ? (copy as T) : value;
}

class Room {
  #left = MAX_QUOTE_LENGTH;
  isExceeded = false;

  copy(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.#text(value);
    if (typeof value !== 'object' || value === null) {
      this.#take(1);
      return value;
    }
    this.#take(2);
    if (depth === DEEPEST_QUOTE) {
      this.isExceeded = true;
      return null;
    }
    return Array.isArray(value) ? this.#list(value, depth) : this.#map(value, depth);
  }

  #list(list: readonly unknown[], depth: number): unknown[] {
    const copy: unknown[] = [];
    for (const item of list) {
      if (this.isExceeded) break;
      copy.push(this.copy(item, depth + 1));
    }
    return copy;
  }

  #map(map: object, depth: number): unknown {
    if (!isJsonObject(map)) return map;
    const copy: (readonly [string, unknown])[] = [];
    for (const key in map) {
      if (this.isExceeded) break;
      if (!Object.hasOwn(map, key)) continue;
      copy.push([this.#text(key), this.copy(getKey(map, key), depth + 1)]);
    }
    return Object.fromEntries(copy);
  }

  #text(text: string): string {
    this.#take(text.length + 2);
    return text.length <= MAX_QUOTE_LENGTH ? text : text.slice(0, MAX_QUOTE_LENGTH);
  }

  #take(characters: number): void {
    this.#left -= characters;
    if (this.#left < 0) this.isExceeded = true;
  }
}
