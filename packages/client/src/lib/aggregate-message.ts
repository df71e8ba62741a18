/**
 * Several messages as one, the way API servers write it: equal ones once, and brackets only if more
 * than one is left.
 */
export function aggregateMessage(messages: readonly string[]): string {
  const distinct = [...new Set(messages)];
  const listed = distinct.join(', ');
  return distinct.length > 1 ? `[${listed}]` : listed;
}
