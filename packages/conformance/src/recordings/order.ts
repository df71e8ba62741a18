import { isJsonObject, type JsonObject, type JsonValue } from 'client-ts/lib';
import { textAt } from '../json/pointer.ts';

/** Values in an order that depends on what they say, not on where they stood. */
export function inOwnOrder(values: readonly unknown[]): unknown[] {
  return values
    .map((value) => ({ value, key: sortKey(value) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ value }) => value);
}

/**
 * Puts the entries of two managed fields side by side, by who manages them. The server orders them
 * by time in whole seconds, so their order depends on whether two writes fell into the same second.
 * An entry without its like stands alone.
 */
export function managersSideBySide(
  recorded: readonly unknown[],
  own: readonly unknown[],
): (readonly [unknown, unknown])[] {
  const left = [...own];
  const pairs = recorded.map((entry) => {
    const index = left.findIndex((other) => managerKey(other) === managerKey(entry));
    return [entry, index === -1 ? undefined : left.splice(index, 1)[0]] as const;
  });
  return [...pairs, ...left.map((entry) => [undefined, entry] as const)];
}

function managerKey(entry: unknown): string {
  if (!isJsonObject(entry)) return sortKey(entry);
  const { manager, operation, subresource, apiVersion } = entry;
  return sortKey([manager, operation, subresource, apiVersion]);
}

/**
 * A Status with several causes, in an order of its own, or undefined for anything else. A server
 * that walks a map to validate it lists the causes in any order, and in the message too; the
 * message is only changed where it is made of its causes in their order.
 */
export function withCausesInOrder(status: JsonObject): JsonObject | undefined {
  const { details, message } = status;
  if (!isJsonObject(details) || typeof message !== 'string') return undefined;
  const { causes } = details;
  if (!Array.isArray(causes) || causes.length < 2) return undefined;
  const listed = causes
    .map((cause) => `${textAt(cause, '/field')}: ${textAt(cause, '/message')}`)
    .join(', ');
  return {
    ...status,
    message: message.replace(`[${listed}]`, () => '[<the causes, in their order>]'),
    details: { ...details, causes: inOwnOrder(causes) as JsonValue[] },
  };
}

function sortKey(value: unknown): string {
  return JSON.stringify(value, (_name, item: unknown) =>
    isJsonObject(item)
      ? Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
