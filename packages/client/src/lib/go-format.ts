import { isJsonObject } from './json.ts';

/**
 * Go's formatting verbs for JSON values. API servers put values into messages with them, and kubectl
 * prints with them: maps have sorted keys, lists have no commas.
 */

/** Go's `%v`: `map[image:a:10 name:a]`, `[a b]`, `<nil>`. */
export function formatGo(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(formatGo).join(' ')}]`;
  if (isJsonObject(value)) {
    const fields = sortedEntries(value).map(([key, field]) => `${key}:${formatGo(field)}`);
    return `map[${fields.join(' ')}]`;
  }
  return formatScalar(value);
}

/** Go's `%#v`: `map[string]interface {}{"a":1}`, `"text"`, `true`. */
export function formatGoSyntax(value: unknown): string {
  if (value === null || value === undefined) return 'interface {}(nil)';
  if (Array.isArray(value)) return `[]interface {}{${value.map(formatGoSyntax).join(', ')}}`;
  if (isJsonObject(value)) {
    const fields = sortedEntries(value).map(
      ([key, field]) => `${quoteGo(key)}:${formatGoSyntax(field)}`,
    );
    return `map[string]interface {}{${fields.join(', ')}}`;
  }
  if (typeof value === 'string') return quoteGo(value);
  return formatScalar(value);
}

/** Go's `%T` for a decoded JSON value: `int64`, `map[string]interface {}`. */
export function goTypeOf(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'number':
      return isInt64(value) ? 'int64' : 'float64';
    default:
      return 'map[string]interface {}';
  }
}

/** Go's `%s`, which names the type of everything but strings: `%!s(int64=5)`. */
export function formatGoString(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '%!s(<nil>)';
  if (Array.isArray(value)) return `[${value.map(formatGoString).join(' ')}]`;
  return isJsonObject(value) ? formatGo(value) : `%!s(${goTypeOf(value)}=${formatGo(value)})`;
}

/** How {@link toGoJson} lays out its text. */
export interface GoJsonOptions {
  /** Spaces per level. Default 0: one line. */
  readonly indent?: number | undefined;
  /** Precedes every line but the first. Default: empty. */
  readonly margin?: string | undefined;
}

/**
 * JSON as Go's `encoding/json` writes decoded values: sorted keys (`JSON.stringify` puts keys that
 * look like numbers first), and `<`, `>`, `&`, U+2028 and U+2029 escaped.
 */
export function toGoJson(value: unknown, { indent = 0, margin = '' }: GoJsonOptions = {}): string {
  if (typeof value === 'string') return quoteJson(value);
  const isList = Array.isArray(value);
  if (!isList && !isJsonObject(value)) return JSON.stringify(value ?? null);
  const inner = { indent, margin: margin + ' '.repeat(indent) };
  const colon = indent === 0 ? ':' : ': ';
  const members = isList
    ? value.map((item) => toGoJson(item, inner))
    : sortedEntries(value).map(([key, field]) => quoteJson(key) + colon + toGoJson(field, inner));
  const [open, close] = isList ? '[]' : '{}';
  if (indent === 0 || members.length === 0) return `${open}${members.join(',')}${close}`;
  const line = `\n${inner.margin}`;
  return `${open}${line}${members.join(`,${line}`)}\n${margin}${close}`;
}

/** Go's `%v` for a number of a JSON text: 64-bit integers in full, others as floating point. */
export function formatGoNumber(value: number): string {
  return isInt64(value) ? String(value) : formatGoFloat(value);
}

/** Go's `%v` for a `float64`: with an exponent from a million on. */
export function formatGoFloat(value: number): string {
  if (value === 0) return '0';
  const text = value.toExponential();
  const exponent = Number(text.slice(text.indexOf('e') + 1));
  if (exponent >= -4 && exponent < 6) return String(value);
  return text.replace(/e([+-])(\d)$/, 'e$10$2');
}

/** Orders strings by code unit, as Go sorts keys; not by the rules of a language. */
export function compareStrings(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}

const needsEscape = /[<>&\u2028\u2029]/;
const allToEscape = new RegExp(needsEscape, 'g');

function quoteJson(text: string): string {
  const quoted = JSON.stringify(text);
  return needsEscape.test(quoted) ? quoted.replace(allToEscape, escapeForHtml) : quoted;
}

function escapeForHtml(text: string): string {
  return `\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function sortedEntries(value: object): [string, unknown][] {
  return Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .toSorted(([left], [right]) => compareStrings(left, right));
}

function formatScalar(value: unknown): string {
  if (typeof value === 'number') return formatGoNumber(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isInt64(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) < 2 ** 63;
}

/** Go's names for escapes. */
const named: ReadonlyMap<string, string> = new Map([
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['"', '\\"'],
  ['\\', '\\\\'],
]);

const toEscape = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/**
 * Quotes a string as Go's `%q` does, which is how API servers quote names and values in messages:
 * printable characters of any script stay, the rest is escaped in Go's notation (`\x00`, `\u200b`).
 */
export function quoteGo(text: string): string {
  return `"${text.replace(toEscape, escapeCharacter)}"`;
}

function escapeCharacter(character: string): string {
  const short = named.get(character);
  if (short !== undefined) return short;
  const point = character.codePointAt(0) ?? 0;
  // A lone surrogate is no character: it cannot travel in UTF-8, and Go would read it as U+FFFD.
  if (point >= 0xd800 && point <= 0xdfff) return '\ufffd';
  if (point < 0x20 || point === 0x7f) return `\\x${hex(point, 2)}`;
  return point > 0xffff ? `\\U${hex(point, 8)}` : `\\u${hex(point, 4)}`;
}

function hex(point: number, digits: number): string {
  return point.toString(16).padStart(digits, '0');
}
