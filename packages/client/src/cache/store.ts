import type { DeletedFinalStateUnknown } from './tombstone.ts';

/** What a reflector writes to: a store, or a queue in front of one. */
export interface ReflectorStore<T extends object> {
  add(object: T): void;
  update(object: T): void;
  /** Of a tombstone only the key counts. */
  delete(object: DeletedFinalStateUnknown<T> | T): void;
  /** These objects, and no others, are what there is at `resourceVersion`. */
  replace(objects: readonly T[], resourceVersion: string): void;
  /** Hands everything known out once more, where that means something. */
  resync(): void;
  /** Nothing happened up to `resourceVersion`. */
  bookmark(resourceVersion: string): void;
}

/**
 * Objects by key. Adding and updating are the same: the last write counts.
 *
 * What comes out of a store belongs to the store: changing it would change it for everybody, and
 * leave the indices wrong.
 */
export interface Store<T extends object> extends ReflectorStore<T> {
  readonly size: number;
  /** The version of the last write, replacement or bookmark; empty before the first. */
  readonly resourceVersion: string;
  /** What is stored under the key of `object`. */
  get(object: DeletedFinalStateUnknown<T> | T): T | undefined;
  getByKey(key: string): T | undefined;
  has(key: string): boolean;
  /** A copy of the list. */
  list(): T[];
  listKeys(): string[];
  /** The objects one by one, without a copy. */
  values(): IterableIterator<T>;
}

/** The part of a store that a queue asks about what is known already. */
export interface KeyLookup<T extends object> {
  getByKey(key: string): T | undefined;
  has(key: string): boolean;
  keys(): Iterable<string>;
}
