import { getKey, isJsonObject } from 'client-ts/internal';

import { printableJson } from '../frame/printable.ts';

const html: ReadonlyMap<string, string> = new Map([
  ['<', String.raw`\u003c`],
  ['>', String.raw`\u003e`],
  ['&', String.raw`\u0026`],
]);

/**
 * JSON as Go writes it: the keys of objects in order, and what could be mistaken for HTML escaped, besides
 * what a terminal would act on.
 * Without an indent everything is on one line. The margin stands before every line but the first.
 */
export function formatGoJson(value: unknown, indent = 0, margin = ''): string {
  return write(value, indent === 0 ? undefined : ' '.repeat(indent), margin);
}

/** `JSON.stringify` would put keys that look like numbers first, whatever order they are given in. */
function write(value: unknown, indent: string | undefined, margin: string): string {
  if (Array.isArray(value)) {
    return brackets(
      '[]',
      value.map((element) => write(element, indent, margin + (indent ?? ''))),
      indent,
      margin,
    );
  }
  if (!isJsonObject(value)) return scalar(value);
  const colon = indent === undefined ? ':' : ': ';
  const members = sortedKeys(value).map(
    (key) => scalar(key) + colon + write(getKey(value, key), indent, margin + (indent ?? '')),
  );
  return brackets('{}', members, indent, margin);
}

function brackets(
  [open, close]: string,
  members: readonly string[],
  indent: string | undefined,
  margin: string,
): string {
  if (indent === undefined || members.length === 0) return open + members.join(',') + close;
  const inner = `\n${margin}${indent}`;
  return `${open}${inner}${members.join(`,${inner}`)}\n${margin}${close}`;
}

function scalar(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return printableJson(text.replaceAll(/[<>&]/g, (sign) => html.get(sign) ?? sign));
}

/** The keys of an object that have a value, as Go sorts them. */
function sortedKeys(value: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(value)
    .filter((key) => getKey(value, key) !== undefined)
    .sort(compareText);
}

/** By code, as Go compares; not by the rules of any language. */
export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
