import { guardCallback } from '../lib/callback.ts';
import { loggerOf } from '../lib/logger.ts';
import { IndexedItems } from './indexed-items.ts';
import type { Indexers, IndexName, IndexValueOf, NoIndexers } from './indexers.ts';
import type { IndexErrorHandler } from './key-index.ts';
import { versionOf } from './object-version.ts';

/** How a {@link ThreadSafeStore} is made. */
export interface ThreadSafeStoreOptions {
  /**
   * Called for each object that an index function throws for, or returns no array for. The object is
   * stored, is absent from that index, and is indexed when it next changes. Without it, such a write
   * throws and changes nothing.
   */
  readonly onIndexError?: IndexErrorHandler | undefined;
}

/**
 * Objects by key with secondary indices, for callers that know the keys. {@link Indexer} takes the
 * keys from the objects.
 *
 * Guarantees: indices agree with the objects after every call, also if an index function fails.
 * Replacing is one step: readers never see a part of it. Lists come in the order in which keys were
 * first added.
 *
 * client-go's name is kept for those who know it; there is one thread here, and nothing to lock.
 */
export class ThreadSafeStore<T extends object, I extends Indexers<T> = NoIndexers> {
  readonly #onIndexError: IndexErrorHandler | undefined;
  #content: IndexedItems<T>;
  #resourceVersion = '';

  constructor(indexers?: I, { onIndexError }: ThreadSafeStoreOptions = {}) {
    this.#onIndexError =
      onIndexError && guardCallback('onIndexError of a store', onIndexError, loggerOf(undefined));
    this.#content = new IndexedItems<T>(this.#onIndexError);
    if (indexers !== undefined) this.#content.addIndexers(indexers);
  }

  get size(): number {
    return this.#content.items.size;
  }

  /**
   * Where the store stands: the version of the last write, replacement or bookmark; empty before
   * the first. Objects without a version leave it alone.
   */
  get resourceVersion(): string {
    return this.#resourceVersion;
  }

  /** Adds an object or puts it into the place of the one with the same key. */
  set(key: string, object: T): void {
    this.#content.set(key, object);
    this.bookmark(versionOf(object));
  }

  /**
   * Removes an object. `lastState`, the object as it was deleted, tells how far the store has come;
   * without it the version stays.
   */
  delete(key: string, lastState?: T): boolean {
    const found = this.#content.delete(key);
    if (lastState !== undefined) this.bookmark(versionOf(lastState));
    return found;
  }

  get(key: string): T | undefined {
    return this.#content.items.get(key);
  }

  has(key: string): boolean {
    return this.#content.items.has(key);
  }

  /** A copy of the list; {@link ThreadSafeStore.values} goes without. */
  list(): T[] {
    return [...this.#content.items.values()];
  }

  listKeys(): string[] {
    return [...this.#content.items.keys()];
  }

  /** The objects one by one, without a copy. Writes show in it; a replacement does not. */
  values(): IterableIterator<T> {
    return this.#content.items.values();
  }

  keys(): IterableIterator<string> {
    return this.#content.items.keys();
  }

  entries(): IterableIterator<[string, T]> {
    return this.#content.items.entries();
  }

  /** Puts other objects into the place of all there are, and rebuilds the indices. */
  replace(entries: Iterable<readonly [string, T]>, resourceVersion: string): void {
    const replacement = this.replacement();
    for (const [key, object] of entries) replacement.set(key, object);
    replacement.commit(resourceVersion);
  }

  /**
   * A replacement that is filled bit by bit while the store goes on as it is, and takes its place in
   * one step. Use it where a large {@link ThreadSafeStore.replace} would hold up the program.
   */
  replacement(): StoreReplacement<T> {
    const next = new IndexedItems<T>(this.#onIndexError);
    next.addIndexers(indexersOf(this.#content));
    return new StoreReplacement(next, (resourceVersion) => {
      // Indices may have been added since.
      const missing = this.#content.indices.filter(({ name }) => !next.hasIndex(name));
      next.addIndexers(Object.fromEntries(missing.map(({ name, indexFunc }) => [name, indexFunc])));
      this.#content = next;
      this.#resourceVersion = resourceVersion;
    });
  }

  /** Notes that nothing else happened up to `resourceVersion`. */
  bookmark(resourceVersion: string | undefined): void {
    if (resourceVersion !== undefined && resourceVersion !== '') {
      this.#resourceVersion = resourceVersion;
    }
  }

  /**
   * The objects that share a value of the index with `object`, each once. `object` itself need not
   * be in the store.
   */
  index<N extends IndexName<I>>(name: N, object: T): T[] {
    const index = this.#content.index(name);
    const keys = new Set<string>();
    for (const value of index.valuesOf('', object)) {
      for (const key of keysIn(index.keysOf(value))) keys.add(key);
    }
    return this.#objects(keys);
  }

  byIndex<N extends IndexName<I>>(name: N, value: IndexValueOf<I, N>): T[] {
    return this.#objects(keysIn(this.#content.index(name).keysOf(value)));
  }

  /** {@link ThreadSafeStore.byIndex} without a copy. Do not write to the store while iterating. */
  *valuesByIndex<N extends IndexName<I>>(
    name: N,
    value: IndexValueOf<I, N>,
  ): Generator<T, void, undefined> {
    const { items } = this.#content;
    for (const key of keysIn(this.#content.index(name).keysOf(value))) yield items.get(key) as T;
  }

  /** The keys of the objects with a value, in order. */
  indexKeys<N extends IndexName<I>>(name: N, value: IndexValueOf<I, N>): string[] {
    return [...keysIn(this.#content.index(name).keysOf(value))].sort();
  }

  /** How many objects have a value, without looking at them. */
  countByIndex<N extends IndexName<I>>(name: N, value: IndexValueOf<I, N>): number {
    const keys = this.#content.index(name).keysOf(value);
    if (keys === undefined) return 0;
    return typeof keys === 'string' ? 1 : keys.size;
  }

  /** Every value that some object has. */
  listIndexFuncValues<N extends IndexName<I>>(name: N): IndexValueOf<I, N>[] {
    // The index holds only what its function gave, and `I` says what that is.
    return [...this.#content.index(name).values()] as IndexValueOf<I, N>[];
  }

  /** The index functions by name. */
  getIndexers(): I {
    return indexersOf(this.#content) as I;
  }

  /**
   * Adds indices, also over objects that are here already. Adds none if a name is taken, or if a
   * function fails and there is no `onIndexError`. The result is this store, with a type that knows the new names.
   */
  addIndexers<More extends Indexers<T>>(indexers: More): ThreadSafeStore<T, I & More> {
    this.#content.addIndexers(indexers);
    return this as unknown as ThreadSafeStore<T, I & More>;
  }

  #objects(keys: Iterable<string>): T[] {
    const { items } = this.#content;
    const objects: T[] = [];
    for (const key of keys) objects.push(items.get(key) as T);
    return objects;
  }
}

/** See {@link ThreadSafeStore.replacement}. */
export class StoreReplacement<T extends object> {
  readonly #next: IndexedItems<T>;
  readonly #install: (resourceVersion: string) => void;

  /** Made by {@link ThreadSafeStore.replacement}. */
  constructor(next: IndexedItems<T>, install: (resourceVersion: string) => void) {
    this.#next = next;
    this.#install = install;
  }

  get size(): number {
    return this.#next.items.size;
  }

  /** Of two objects with the same key the later counts. */
  set(key: string, object: T): void {
    this.#next.set(key, object);
  }

  has(key: string): boolean {
    return this.#next.items.has(key);
  }

  /** Makes this the content of the store. Do not touch the replacement afterwards. */
  commit(resourceVersion: string): void {
    this.#install(resourceVersion);
  }
}

function indexersOf<T>(content: IndexedItems<T>): Indexers<T> {
  return Object.fromEntries(content.indices.map(({ name, indexFunc }) => [name, indexFunc]));
}

const noKeys: readonly string[] = [];

function keysIn(keys: ReadonlySet<string> | string | undefined): Iterable<string> {
  if (keys === undefined) return noKeys;
  return typeof keys === 'string' ? [keys] : keys;
}
