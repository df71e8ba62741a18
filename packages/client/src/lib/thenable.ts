/**
 * True for everything that `await` waits for: promises, those of other realms and copies, and objects
 * with a `then` method.
 */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    (typeof value === 'object' || typeof value === 'function') &&
    value !== null &&
    typeof (value as { readonly then?: unknown }).then === 'function'
  );
}
