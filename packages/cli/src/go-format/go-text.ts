import { formatGoNumber, getKey, isJsonObject } from 'client-ts/internal';

import { compareText } from './go-json.ts';

/** Any JSON value as Go's `%v` shows it: `map[app:web]`, `[a b]`, `<nil>`. */
export function formatGoText(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(formatGoText).join(' ')}]`;
  if (typeof value === 'number') return formatGoNumber(value);
  if (!isJsonObject(value)) return `${value as boolean | string}`;
  const members = Object.keys(value)
    .sort(compareText)
    .map((key) => `${key}:${formatGoText(getKey(value, key))}`);
  return `map[${members.join(' ')}]`;
}
