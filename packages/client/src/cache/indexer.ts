import type { Indexers, IndexName, IndexValueOf, MoreIndexers, NoIndexers } from './indexers.ts';
import type { KeyFunc } from './key-func.ts';
import type { Store } from './store.ts';
import {
  type StoreReplacement,
  ThreadSafeStore,
  type ThreadSafeStoreOptions,
} from './thread-safe-store.ts';
import { DeletedFinalStateUnknown } from './tombstone.ts';

/** How an {@link Indexer} is made. */
export interface IndexerOptions<
  T extends object,
  I extends Indexers<T> = NoIndexers,
> extends ThreadSafeStoreOptions {
  readonly keyFunc: KeyFunc<T>;
  readonly indexers?: (I & Indexers<T>) | undefined;
}

/** One write of a {@link Indexer.transaction}. */
export type StoreOperation<T extends object> =
  | { readonly type: 'delete'; readonly object: DeletedFinalStateUnknown<T> | T }
  | { readonly type: 'set'; readonly object: T };

/** An operation of a transaction that could not be made. */
export interface FailedOperation {
  /** Its place in the transaction. */
  readonly position: number;
  readonly error: unknown;
}

/**
 * The local cache: objects under the keys that a key function gives, with named secondary indices.
 * The compiler checks names and values of the indices that it was told about:
 *
 * ```ts
 * const pods = new Indexer<Pod>({ keyFunc: metaNamespaceKeyFunc }).addIndexers({
 *   nodeName: podNodeNameIndexFunc,
 * });
 * pods.byIndex('nodeName', 'node-1');
 * ```
 *
 * Guarantees: indices agree with the objects after every call. A write whose key function throws
 * changes nothing; neither does one whose index function fails, unless `onIndexError` is given: then
 * the object is stored, is absent from that index, and is indexed when it next changes. Every lookup
 * costs the same however many objects there are.
 */
export class Indexer<T extends object, I extends Indexers<T> = NoIndexers> implements Store<T> {
  readonly #keyFunc: KeyFunc<T>;
  readonly #items: ThreadSafeStore<T, I>;

  constructor({ keyFunc, indexers, ...options }: IndexerOptions<T, I>) {
    this.#keyFunc = keyFunc;
    this.#items = new ThreadSafeStore<T, I>(indexers, options);
  }

  get size(): number {
    return this.#items.size;
  }

  get resourceVersion(): string {
    return this.#items.resourceVersion;
  }

  add(object: T): void {
    this.#items.set(this.#keyFunc(object), object);
  }

  update(object: T): void {
    this.#items.set(this.#keyFunc(object), object);
  }

  delete(object: DeletedFinalStateUnknown<T> | T): void {
    if (object instanceof DeletedFinalStateUnknown) this.#items.delete(object.key);
    else this.#items.delete(this.#keyFunc(object), object);
  }

  /** {@link Indexer.update} for callers that have computed the key already. */
  updateByKey(key: string, object: T): void {
    this.#items.set(key, object);
  }

  /** {@link Indexer.delete} for callers that have the key; see {@link ThreadSafeStore.delete}. */
  deleteByKey(key: string, lastState?: T): boolean {
    return this.#items.delete(key, lastState);
  }

  /** The key under which an object, or what is left of it, is kept. */
  keyOf(object: DeletedFinalStateUnknown<T> | T): string {
    return object instanceof DeletedFinalStateUnknown ? object.key : this.#keyFunc(object);
  }

  get(object: DeletedFinalStateUnknown<T> | T): T | undefined {
    return this.#items.get(this.keyOf(object));
  }

  getByKey(key: string): T | undefined {
    return this.#items.get(key);
  }

  has(key: string): boolean {
    return this.#items.has(key);
  }

  list(): T[] {
    return this.#items.list();
  }

  listKeys(): string[] {
    return this.#items.listKeys();
  }

  /** The objects one by one, without a copy. Writes show in it; a replacement does not. */
  values(): IterableIterator<T> {
    return this.#items.values();
  }

  keys(): IterableIterator<string> {
    return this.#items.keys();
  }

  [Symbol.iterator](): IterableIterator<T> {
    return this.#items.values();
  }

  replace(objects: Iterable<T>, resourceVersion: string): void {
    const replacement = this.#items.replacement();
    for (const object of objects) replacement.set(this.#keyFunc(object), object);
    replacement.commit(resourceVersion);
  }

  /** See {@link ThreadSafeStore.replacement}. */
  replacement(): StoreReplacement<T> {
    return this.#items.replacement();
  }

  /** Does nothing: a store hands nothing out by itself. */
  resync(): void {}

  bookmark(resourceVersion: string): void {
    this.#items.bookmark(resourceVersion);
  }

  /**
   * Makes many writes with nothing in between. One that fails does not keep the others from
   * happening; the result names those that failed, in order.
   */
  transaction(operations: Iterable<StoreOperation<T>>): FailedOperation[] {
    const failures: FailedOperation[] = [];
    let position = 0;
    for (const operation of operations) {
      try {
        if (operation.type === 'delete') this.delete(operation.object);
        else this.update(operation.object);
      } catch (error) {
        failures.push({ position, error });
      }
      position += 1;
    }
    return failures;
  }

  /** The objects that share a value of the index with `object`, each once. */
  index<N extends IndexName<I>>(name: N, object: T): T[] {
    return this.#items.index(name, object);
  }

  byIndex<N extends IndexName<I>>(name: N, value: IndexValueOf<I, N>): T[] {
    return this.#items.byIndex(name, value);
  }

  /** {@link Indexer.byIndex} without a copy. Do not write to the store while iterating. */
  valuesByIndex<N extends IndexName<I>>(
    name: N,
    value: IndexValueOf<I, N>,
  ): Generator<T, void, undefined> {
    return this.#items.valuesByIndex(name, value);
  }

  /** The keys of the objects with a value, in order. */
  indexKeys<N extends IndexName<I>>(name: N, value: IndexValueOf<I, N>): string[] {
    return this.#items.indexKeys(name, value);
  }

  /** How many objects have a value, without looking at them. */
  countByIndex<N extends IndexName<I>>(name: N, value: IndexValueOf<I, N>): number {
    return this.#items.countByIndex(name, value);
  }

  /** Every value that some object has. */
  listIndexFuncValues<N extends IndexName<I>>(name: N): IndexValueOf<I, N>[] {
    return this.#items.listIndexFuncValues(name);
  }

  /** The index functions by name. */
  getIndexers(): I {
    return this.#items.getIndexers();
  }

  /**
   * Adds indices, also over objects that are here already. Adds none if a name is taken, or if a
   * function fails and there is no `onIndexError`. The result is this indexer, with a type that knows the new names.
   */
  addIndexers<More extends Indexers<T>>(indexers: More): Indexer<T, MoreIndexers<T, I, More>> {
    this.#items.addIndexers(indexers);
    return this as unknown as Indexer<T, MoreIndexers<T, I, More>>;
  }
}
