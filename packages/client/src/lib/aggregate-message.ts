/** Joins messages as API servers do: without duplicates, and in brackets if there are several. */
export function aggregateMessage(messages: readonly string[]): string {
  const distinct = [...new Set(messages)];
  const listed = distinct.join(', ');
  return distinct.length > 1 ? `[${listed}]` : listed;
}
