import { getKey, isJsonObject, jsonEqual } from 'client-ts/internal';

/** A message names no more changed fields than this. */
const MOST_NAMED = 10;

/**
 * Returns a sentence that names the fields in which two objects differ, for the messages about
 * fields that cannot change: `changed fields: spec.hostname, spec.containers[0].tty`.
 */
export function describeChanges(before: unknown, after: unknown, field: string): string {
  const fields = changedFields(before, after, field);
  const named = fields.slice(0, MOST_NAMED).join(', ');
  const more = fields.length - MOST_NAMED;
  return `changed fields: ${named}${more > 0 ? ` and ${more} more` : ''}`;
}

function changedFields(before: unknown, after: unknown, field: string): string[] {
  if (jsonEqual(before, after)) return [];
  if (isJsonObject(before) && isJsonObject(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) =>
      changedFields(getKey(before, key), getKey(after, key), `${field}.${key}`),
    );
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return before.flatMap((item, index) => changedFields(item, after[index], `${field}[${index}]`));
  }
  return [field];
}
