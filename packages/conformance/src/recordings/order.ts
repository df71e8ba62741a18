import { isJsonObject, type JsonObject, type JsonValue } from 'client-ts/lib';

/** Values in an order that depends on what they say, not on where they stood. */
export function inOwnOrder(values: readonly unknown[]): unknown[] {
  return values
    .map((value) => ({ value, key: sortKey(value) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ value }) => value);
}

/**
 * Managed fields by who manages them. The server orders them by time in whole seconds, so their
 * order depends on whether two writes fell into the same second.
 */
export function managersInOrder(entries: readonly unknown[]): unknown[] {
  const named = entries.map((entry) => {
    if (!isJsonObject(entry)) return { entry, key: sortKey(entry) };
    const { manager, operation, subresource, apiVersion, fieldsV1 } = entry;
    return { entry, key: sortKey([manager, operation, subresource ?? '', apiVersion, fieldsV1]) };
  });
  return named
    .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ entry }) => entry);
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
    .map((cause) =>
      isJsonObject(cause) ? `${String(cause['field'])}: ${String(cause['message'])}` : '',
    )
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
