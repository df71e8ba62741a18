import { formatGoNumber, isJsonObject, quoteGo } from 'client-ts/internal';

/**
 * The server puts values into messages with Go's formatting verbs. These write JSON values as Go
 * would write what it decodes them to: maps with sorted keys, lists without commas.
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

/** Go's `%T` for what a JSON value is decoded to: `int64`, `map[string]interface {}`. */
export function goTypeOf(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'number':
      return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? 'int64' : 'float64';
    default:
      return 'map[string]interface {}';
  }
}

/** Go's `%s`, which names the type of everything that is no string: `%!s(int64=5)`. */
export function formatGoString(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '%!s(<nil>)';
  if (Array.isArray(value)) return `[${value.map(formatGoString).join(' ')}]`;
  return isJsonObject(value) ? formatGo(value) : `%!s(${goTypeOf(value)}=${formatGo(value)})`;
}

/** JSON as Go's `encoding/json` writes decoded values: sorted keys, no bare `<`, `>` and `&`. */
export function toGoJson(value: unknown): string {
  if (typeof value === 'string') return quoteJson(value);
  if (Array.isArray(value)) return `[${value.map(toGoJson).join(',')}]`;
  if (isJsonObject(value)) {
    const fields = sortedEntries(value).map(
      ([key, field]) => `${toGoJson(key)}:${toGoJson(field)}`,
    );
    return `{${fields.join(',')}}`;
  }
  return JSON.stringify(value ?? null);
}

const needsEscape = /[<>&\u2028\u2029]/;
const allToEscape = new RegExp(needsEscape, 'g');

function quoteJson(text: string): string {
  const quoted = JSON.stringify(text);
  return needsEscape.test(quoted) ? quoted.replace(allToEscape, escapeCharacter) : quoted;
}

function escapeCharacter(text: string): string {
  return `\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function sortedEntries(value: object): [string, unknown][] {
  return Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .toSorted(([left], [right]) => (left < right ? -1 : 1));
}

function formatScalar(value: unknown): string {
  if (typeof value === 'number') return formatGoNumber(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
