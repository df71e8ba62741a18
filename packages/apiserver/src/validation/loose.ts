/**
 * An API type as a request may contain it: every field is optional, at any depth, and enums are
 * plain strings. Metadata keeps its type, because all of its fields are optional anyway.
 */
export type Loose<T> = T extends string
  ? string
  : T extends readonly (infer Item)[]
    ? Loose<Item>[]
    : T extends object
      ? string extends keyof T
        ? { [Key in keyof T]: Loose<T[Key]> }
        : { [Key in keyof T]?: Key extends 'metadata' ? T[Key] : Loose<T[Key]> }
      : T;

/** Returns a copy with the given key order, for messages; absent keys are left out. */
export function inOrder<T extends object>(
  value: T,
  keys: readonly (keyof T & string)[],
): Partial<T> {
  const ordered: Partial<T> = {};
  for (const key of keys) {
    if (value[key] !== undefined) ordered[key] = value[key];
  }
  return ordered;
}

/** Returns a copy with sorted keys, for messages. */
export function sortedMap<V>(map: Readonly<Record<string, V>> | undefined): unknown {
  if (map === undefined) return undefined;
  return Object.fromEntries(Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
