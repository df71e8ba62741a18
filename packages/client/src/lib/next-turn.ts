/**
 * Resolves in a later turn of the event loop, when promise callbacks of any depth have run and I/O
 * that was ready has had its chance. It waits for no time. Long work calls it between slices.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
