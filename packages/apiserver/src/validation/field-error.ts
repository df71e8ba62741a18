import { formatGoNumber, getKey, isJsonObject, quoteGo } from 'client-ts/internal';
import { type ApiError, type GroupKind, newInvalid, type StatusCause } from 'client-ts/meta';
import { LONGEST_QUOTE, shorten } from '../schema/shorten.ts';

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

/** As many findings as one answer shows; a real server has no such limit. */
export const MOST_FINDINGS = 1000;

/** About as many characters as the findings of one answer have together. */
const MOST_TEXT = 1_000_000;

/** The message is written when it is read: of very many findings most are never shown. */
class Finding implements FieldError {
  readonly reason: FieldErrorReason;
  readonly field: string;
  readonly subject: string;
  /** What is quoted after the subject, if anything is. */
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

/** A value that cannot be. */
export function invalid(field: string, value: unknown, detail: string): FieldError {
  return new Finding('FieldValueInvalid', field, 'Invalid value', [value], detail);
}

/** For values that are too long to show, or that would not help. */
export function invalidUnshown(field: string, detail: string): FieldError {
  return new Finding('FieldValueInvalid', field, 'Invalid value', [], detail);
}

/** A value of the wrong type. */
export function typeInvalid(field: string, value: unknown, detail: string): FieldError {
  return new Finding('FieldValueTypeInvalid', field, 'Invalid value', [value], detail);
}

/** A value that is missing. */
export function required(field: string, detail = ''): FieldError {
  return new Finding('FieldValueRequired', field, 'Required value', [], detail);
}

/** A value that must not be there, or not change. */
export function forbidden(field: string, detail: string): FieldError {
  return new Finding('FieldValueForbidden', field, 'Forbidden', [], detail);
}

/** A value that is there twice. */
export function duplicate(field: string, value: unknown, detail = ''): FieldError {
  return new Finding('FieldValueDuplicate', field, 'Duplicate value', [value], detail);
}

/** The name of something that is not there. */
export function notFound(field: string, value: unknown, detail = ''): FieldError {
  return new Finding('FieldValueNotFound', field, 'Not found', [value], detail);
}

/** A value that is none of those that can be; they are told in the order given. */
export function notSupported(
  field: string,
  value: unknown,
  supported: readonly string[],
): FieldError {
  const choices = quoteChoices(supported);
  const detail = choices === '' ? '' : `supported values: ${choices}`;
  return new Finding('FieldValueNotSupported', field, 'Unsupported value', [value], detail);
}

/** The same list is quoted by every value that is not in it. */
const quotedChoices = new WeakMap<readonly string[], string>();

function quoteChoices(choices: readonly string[]): string {
  let quoted = quotedChoices.get(choices);
  if (quoted === undefined) {
    quoted = shorten(choices.map((choice) => quoteText(choice)).join(', '));
    quotedChoices.set(choices, quoted);
  }
  return quoted;
}

/** `max` is in bytes, as the server counts. */
export function tooLong(field: string, max: number): FieldError {
  const detail = `may not be more than ${max} bytes`;
  return new Finding('FieldValueTooLong', field, 'Too long', [], detail);
}

/** A list that is too long. */
export function tooMany(field: string, actual: number, max: number): FieldError {
  const items = max === 1 ? 'item' : 'items';
  const detail = `must have at most ${max} ${items}`;
  return new Finding('FieldValueTooMany', field, 'Too many', [actual], detail);
}

/** One finding per message of a rule for names and the like. */
export function invalidEach(
  field: string,
  value: unknown,
  messages: readonly string[],
): FieldError[] {
  return messages.map((message) => invalid(field, value, message));
}

/**
 * The findings of all items together, or of as many items as it takes to have more than one answer
 * shows.
 */
export function findEach<T>(
  items: Iterable<T>,
  check: (item: T, index: number) => readonly FieldError[],
): FieldError[] {
  const findings: FieldError[] = [];
  let index = 0;
  for (const item of items) {
    if (!addFindings(findings, check(item, index++))) break;
  }
  return findings;
}

/** Adds findings to others; false if there are more now than one answer shows. */
export function addFindings(into: FieldError[], findings: readonly FieldError[]): boolean {
  for (const finding of findings) {
    if (into.length > MOST_FINDINGS) return false;
    into.push(finding);
  }
  return into.length <= MOST_FINDINGS;
}

/** The 422 for an object with these findings. Very many of them are cut off, and so are long texts. */
export function invalidObject(
  kind: GroupKind,
  name: string,
  findings: readonly FieldError[],
): ApiError {
  return newInvalid(kind, shorten(name), toStatusCauses(findings));
}

function toStatusCauses(findings: readonly FieldError[]): StatusCause[] {
  const causes: StatusCause[] = [];
  let room = MOST_TEXT;
  for (const finding of findings) {
    if (causes.length === MOST_FINDINGS || room <= 0) {
      const message = `Too many errors: only the first ${causes.length} are shown`;
      return [...causes, { reason: 'FieldValueInvalid', message, field: '<nil>' }];
    }
    const message = shorten(finding.message, MOST_TEXT);
    const field = shorten(finding.field);
    causes.push({ reason: finding.reason, message, field });
    room -= message.length + field.length;
  }
  return causes;
}

/** Deeper values are cut off there: no message needs them, and the stack does not have to hold them. */
const DEEPEST_QUOTE = 100;

/**
 * Writes a value the way the server quotes it in messages: strings quoted, the rest as JSON with
 * the keys in the order they have. Nothing is `null`, whatever its type. A long value is cut off.
 */
function quoteValue(value: unknown): string {
  if (typeof value === 'string') return quoteText(value);
  if (typeof value === 'number') return formatGoNumber(value);
  if (value === undefined || value === null) return 'null';
  return shorten(JSON.stringify(excerpt(value)).replace(/[<>&\u2028\u2029]/g, escapeForHtml));
}

/** A text in quotes, cut off if it is long. */
export function quoteText(text: string): string {
  return text.length <= LONGEST_QUOTE
    ? quoteGo(text)
    : `${quoteGo(text.slice(0, LONGEST_QUOTE))}...`;
}

/** Go's JSON is safe to paste into HTML, so these never appear as they are. */
function escapeForHtml(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * The value itself if it can be quoted whole, and otherwise as much of its beginning as a message
 * repeats. Costs no more than that, however large the value is.
 */
export function excerpt<T>(value: T): T {
  const room = new Room();
  const copy = room.copy(value, 0);
  return room.isExceeded ? (copy as T) : value;
}

class Room {
  #left = LONGEST_QUOTE;
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
    return text.length <= LONGEST_QUOTE ? text : text.slice(0, LONGEST_QUOTE);
  }

  #take(characters: number): void {
    this.#left -= characters;
    if (this.#left < 0) this.isExceeded = true;
  }
}
