/**
 * Freezes a value with everything in it, and returns it. What is frozen already is taken to be so at
 * every depth, and is not visited. The depth of nesting is not limited by the stack.
 */
export function deepFreeze<T>(value: T): T {
  if (!isThawed(value)) return value;
  Object.freeze(value);
  const pending: object[] = [value];
  for (let object = pending.pop(); object !== undefined; object = pending.pop()) {
    const items: readonly unknown[] = Array.isArray(object) ? object : Object.values(object);
    for (const item of items) {
      if (!isThawed(item)) continue;
      Object.freeze(item);
      pending.push(item);
    }
  }
  return value;
}

/** The bytes of a buffer cannot be frozen; the attempt would throw. */
function isThawed(value: unknown): value is object {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Object.isFrozen(value) &&
    !ArrayBuffer.isView(value)
  );
}
