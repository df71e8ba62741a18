import { Arena } from '../codec/lazy/arena.ts';
import { guardCallback } from '../lib/callback.ts';
import { loggerOf } from '../lib/logger.ts';
import { CacheError } from './cache-error.ts';
import type {
  AnyIndexers,
  IndexFunc,
  IndexInputs,
  IndexName,
  IndexValueOf,
  MoreIndexers,
  NoIndexers,
} from './indexers.ts';
import { type IndexErrorHandler, indexFuncOf, KeyIndex } from './key-index.ts';
import { DeletedFinalStateUnknown, type KeyFunc, type Store, versionOf } from './store.ts';

/** Options of {@link Indexer}. */
export interface IndexerOptions<T extends object, I extends AnyIndexers<T> = NoIndexers> {
  readonly keyFunc: KeyFunc<T>;
  readonly indexers?: (I & IndexInputs<T>) | undefined;
  /**
   * Called when an index function starts to throw or to return something that is not an array, and
   * when it works for all objects again. The objects are stored, are absent from that index, and are
   * indexed when they next change. Without it, such a write throws and changes nothing.
   */
  readonly onIndexError?: IndexErrorHandler | undefined;
}

/** Objects by key and their indices, which agree after every call of {@link put}. */
interface Content<T> {
  readonly items: Map<string, T>;
  readonly indices: KeyIndex<T>[];
  /** Keeps the bytes of the objects together. */
  readonly arena: Arena;
}

/**
 * The local cache: objects under the keys of a key function, with named secondary indices. The
 * compiler checks the names and values of the indices it knows:
 *
 * ```ts
 * const pods = new Indexer<Pod>({ keyFunc: metaNamespaceKeyFunc }).addIndexers({
 *   node: 'spec.nodeName',
 * });
 * pods.byIndex('node', 'node-1');
 * ```
 *
 * Guarantees: indices agree with the objects after every call. A write whose key function throws
 * changes nothing; nor does one whose index function fails, unless `onIndexError` is given. A
 * replacement is one step: readers never see a part of it. Lists are in the order in which keys were
 * first added. Every lookup costs the same however many objects there are.
 *
 * In client-go this is `Indexer` over `ThreadSafeStore`. There is one thread here and nothing to
 * lock; `updateByKey` and `deleteByKey` are for callers that know the key.
 */
export class Indexer<T extends object, I extends AnyIndexers<T> = NoIndexers> implements Store<T> {
  readonly #keyFunc: KeyFunc<T>;
  readonly #onIndexError: IndexErrorHandler | undefined;
  #content: Content<T> = { items: new Map(), indices: [], arena: new Arena() };
  #resourceVersion = '';

  constructor({ keyFunc, indexers, onIndexError }: IndexerOptions<T, I>) {
    this.#keyFunc = keyFunc;
    this.#onIndexError =
      onIndexError && guardCallback('onIndexError of a store', onIndexError, loggerOf(undefined));
    if (indexers !== undefined) this.addIndexers(indexers);
  }

  get size(): number {
    return this.#content.items.size;
  }

  /**
   * The version of the last write, replacement or bookmark; empty before the first. Objects without
   * a version leave it unchanged.
   */
  get resourceVersion(): string {
    return this.#resourceVersion;
  }

  add(object: T): void {
    this.updateByKey(this.#keyFunc(object), object);
  }

  update(object: T): void {
    this.updateByKey(this.#keyFunc(object), object);
  }

  delete(object: DeletedFinalStateUnknown<T> | T): void {
    if (object instanceof DeletedFinalStateUnknown) this.deleteByKey(object.key);
    else this.deleteByKey(this.#keyFunc(object), object);
  }

  /** Adds or replaces the object under a key, and returns the object it replaces. */
  updateByKey(key: string, object: T): T | undefined {
    const before = put(this.#content, key, object);
    this.bookmark(versionOf(object));
    return before;
  }

  /**
   * Removes and returns the object under a key. `lastState` is the object as it was deleted: its
   * version becomes that of the store.
   */
  deleteByKey(key: string, lastState?: T): T | undefined {
    const { items, indices, arena } = this.#content;
    const before = items.get(key);
    if (before !== undefined) {
      for (const index of indices) index.prepare(key, before, undefined);
      items.delete(key);
      for (const index of indices) index.commit(key);
      arena.release(before);
    }
    if (lastState !== undefined) this.bookmark(versionOf(lastState));
    return before;
  }

  /** Returns the key of an object or a tombstone. */
  keyOf(object: DeletedFinalStateUnknown<T> | T): string {
    return object instanceof DeletedFinalStateUnknown ? object.key : this.#keyFunc(object);
  }

  get(object: DeletedFinalStateUnknown<T> | T): T | undefined {
    return this.#content.items.get(this.keyOf(object));
  }

  getByKey(key: string): T | undefined {
    return this.#content.items.get(key);
  }

  has(key: string): boolean {
    return this.#content.items.has(key);
  }

  /** Returns a new array; {@link Indexer.values} does without. */
  list(): T[] {
    return [...this.#content.items.values()];
  }

  listKeys(): string[] {
    return [...this.#content.items.keys()];
  }

  /** Iterates over the objects without a copy. Later writes are seen, a replacement is not. */
  values(): IterableIterator<T> {
    return this.#content.items.values();
  }

  keys(): IterableIterator<string> {
    return this.#content.items.keys();
  }

  [Symbol.iterator](): IterableIterator<T> {
    return this.values();
  }

  replace(objects: Iterable<T>, resourceVersion: string): void {
    const replacement = this.replacement();
    for (const object of objects) replacement.set(this.#keyFunc(object), object);
    replacement.commit(resourceVersion);
  }

  /**
   * Returns a replacement that is filled step by step while the store keeps its content, and takes
   * its place in one step. For lists that would block the event loop if replaced in one turn.
   */
  replacement(): StoreReplacement<T> {
    const next = {
      items: new Map<string, T>(),
      indices: this.#emptyIndices(this.#content),
      arena: new Arena(),
    };
    return new StoreReplacement(next, (resourceVersion) => {
      // Indices may have been added since.
      const isMissing = ({ name }: KeyIndex<T>): boolean => !hasIndex(next, name);
      const missing = this.#content.indices.filter(isMissing);
      fill(next, this.#emptyIndices({ indices: missing }));
      this.#content = next;
      this.#resourceVersion = resourceVersion;
      this.afterReplacement();
    });
  }

  /** Called when a replacement has taken its place. For subclasses. */
  protected afterReplacement(): void {}

  /** Does nothing: a store has no handlers. */
  resync(): void {}

  bookmark(resourceVersion: string | undefined): void {
    if (resourceVersion !== undefined && resourceVersion !== '') {
      this.#resourceVersion = resourceVersion;
    }
  }

  /**
   * Returns the objects that share a value of the index with `object`, each once. `object` need not
   * be in the store.
   */
  index<N extends IndexName<I>>(name: N, object: T): T[] {
    const index = this.#index(name);
    const keys = new Set<string>();
    for (const value of index.valuesOf('', object)) {
      for (const key of keysIn(index.keysOf(value))) keys.add(key);
    }
    return this.#objects(keys);
  }

  byIndex<N extends IndexName<I>>(name: N, value: IndexValueOf<I, N>): T[] {
    return this.#objects(keysIn(this.#index(name).keysOf(value)));
  }

  /** {@link Indexer.byIndex} without a copy. Do not write to the store while iterating. */
  *valuesByIndex<N extends IndexName<I>>(
    name: N,
    value: IndexValueOf<I, N>,
  ): Generator<T, void, undefined> {
    const { items } = this.#content;
    for (const key of keysIn(this.#index(name).keysOf(value))) yield items.get(key) as T;
  }

  /** Returns the sorted keys of the objects with a value. */
  indexKeys<N extends IndexName<I>>(name: N, value: IndexValueOf<I, N>): string[] {
    return [...keysIn(this.#index(name).keysOf(value))].sort();
  }

  /** Returns the number of objects with a value, without reading them. */
  countByIndex<N extends IndexName<I>>(name: N, value: IndexValueOf<I, N>): number {
    const keys = this.#index(name).keysOf(value);
    if (keys === undefined) return 0;
    return typeof keys === 'string' ? 1 : keys.size;
  }

  /** Returns every value that at least one object has. */
  listIndexFuncValues<N extends IndexName<I>>(name: N): IndexValueOf<I, N>[] {
    // The index holds only values of its function, whose type is in `I`.
    return [...this.#index(name).values()] as IndexValueOf<I, N>[];
  }

  /** Returns the index functions by name. Equal paths have the same function. */
  getIndexers(): { readonly [Name in keyof I]: IndexFunc<T> } {
    const { indices } = this.#content;
    const functions = indices.map(({ name, indexFunc }) => [name, indexFunc]);
    return Object.fromEntries(functions) as { readonly [Name in keyof I]: IndexFunc<T> };
  }

  /**
   * Adds indices, which include the objects that are already stored. Adds none if a name is taken, or
   * if a function fails and there is no `onIndexError`. Returns this indexer, with a type that knows
   * the new names.
   */
  addIndexers<More extends AnyIndexers<T>>(
    indexers: IndexInputs<T> & More,
  ): Indexer<T, MoreIndexers<T, I, More>> {
    const added = Object.entries<IndexFunc<T> | string>(indexers).map(([name, index]) => {
      if (hasIndex(this.#content, name)) {
        const message = `there already is an index ${JSON.stringify(name)}`;
        throw new CacheError('CACHE_INDEX_CONFLICT', message);
      }
      return new KeyIndex(name, indexFuncOf<T>(name, index), this.#onIndexError);
    });
    fill(this.#content, added);
    return this as unknown as Indexer<T, MoreIndexers<T, I, More>>;
  }

  #emptyIndices({ indices }: Pick<Content<T>, 'indices'>): KeyIndex<T>[] {
    return indices.map(({ name, indexFunc }) => new KeyIndex(name, indexFunc, this.#onIndexError));
  }

  #index(name: string): KeyIndex<T> {
    // There are a handful at most: comparing is faster than hashing.
    for (const index of this.#content.indices) if (index.name === name) return index;
    throw new CacheError('CACHE_INDEX_UNKNOWN', `there is no index ${JSON.stringify(name)}`);
  }

  #objects(keys: Iterable<string>): T[] {
    const { items } = this.#content;
    const objects: T[] = [];
    for (const key of keys) objects.push(items.get(key) as T);
    return objects;
  }
}

/** See {@link Indexer.replacement}. */
export class StoreReplacement<T extends object> {
  readonly #next: Content<T>;
  readonly #install: (resourceVersion: string) => void;

  /** Made by {@link Indexer.replacement}. */
  constructor(next: Content<T>, install: (resourceVersion: string) => void) {
    this.#next = next;
    this.#install = install;
  }

  get size(): number {
    return this.#next.items.size;
  }

  /** Of two objects with the same key the later one wins. Returns the object it replaces. */
  set(key: string, object: T): T | undefined {
    return put(this.#next, key, object);
  }

  has(key: string): boolean {
    return this.#next.items.has(key);
  }

  /** Makes this the content of the store. Do not use the replacement afterwards. */
  commit(resourceVersion: string): void {
    this.#install(resourceVersion);
  }
}

/** Stores and indexes an object, and returns the one it replaces. Throws before it changes anything. */
function put<T extends object>(
  { items, indices, arena }: Content<T>,
  key: string,
  object: T,
): T | undefined {
  const before = items.get(key);
  if (before === object) return before;
  for (const index of indices) index.prepare(key, before, object);
  items.set(key, object);
  for (const index of indices) index.commit(key);
  if (before !== undefined) arena.release(before);
  arena.keep(object);
  return before;
}

/** Adds indices once all of them have indexed all objects. */
function fill<T>(
  { items, indices }: Pick<Content<T>, 'indices' | 'items'>,
  added: readonly KeyIndex<T>[],
): void {
  for (const index of added) {
    for (const [key, object] of items) {
      index.prepare(key, undefined, object);
      index.commit(key);
    }
  }
  indices.push(...added);
}

function hasIndex<T>({ indices }: Pick<Content<T>, 'indices'>, name: string): boolean {
  return indices.some((index) => index.name === name);
}

const noKeys: readonly string[] = [];

function keysIn(keys: ReadonlySet<string> | string | undefined): Iterable<string> {
  if (keys === undefined) return noKeys;
  return typeof keys === 'string' ? [keys] : keys;
}
