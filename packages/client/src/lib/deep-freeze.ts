/**
 * Freezes a value deeply and returns it. A frozen part is assumed to be deeply frozen and is not
 * visited. The depth of nesting is not limited by the stack.
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

/** Freezing a buffer throws. What is extensible is not frozen, and V8 answers that much faster. */
function isThawed(value: unknown): value is object {
  return (
    typeof value === 'object' &&
    value !== null &&
    (Object.isExtensible(value) || !Object.isFrozen(value)) &&
    !ArrayBuffer.isView(value)
  );
}
