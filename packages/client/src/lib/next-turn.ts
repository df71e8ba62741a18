// As it was when this was loaded: timers that a test mocks must not stop an informer.
const { setImmediate } = globalThis;

/**
 * Resolves in a later turn of the event loop, after all promise callbacks and ready I/O. Long work
 * calls it between slices.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
