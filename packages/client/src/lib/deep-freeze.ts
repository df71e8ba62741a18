/**
 * Freezes a value with everything in it, and returns it. What is frozen already is taken to be so at
 * every depth, and is not looked into.
 */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  // The bytes of a buffer cannot be frozen; the attempt would throw.
  if (Object.isFrozen(value) || ArrayBuffer.isView(value)) return value;
  Object.freeze(value);
  if (Array.isArray(value)) for (const item of value) deepFreeze(item);
  else for (const item of Object.values(value)) deepFreeze(item);
  return value;
}
