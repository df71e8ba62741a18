/**
 * A type of the API as a request may fill it: any field may be missing, at any depth, also those
 * that the API requires, and any text may stand where the API names some. Metadata keeps its type,
 * because all of its fields are optional anyway.
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

/** The object with its keys in a given order, as messages print it; absent ones are left out. */
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

/** A map with its keys in byte order, as messages print it; nothing stays nothing. */
export function sortedMap<V>(map: Readonly<Record<string, V>> | undefined): unknown {
  if (map === undefined) return undefined;
  return Object.fromEntries(Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
