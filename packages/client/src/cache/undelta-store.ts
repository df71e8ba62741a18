import { Indexer, type IndexerOptions } from './indexer.ts';
import type { DeletedFinalStateUnknown, Store } from './store.ts';

/** Options of {@link UndeltaStore}. */
export interface UndeltaStoreOptions<T extends object> extends IndexerOptions<T> {
  /** Called after every write with all objects. */
  readonly push: (objects: readonly T[]) => void;
}

/**
 * A store that passes the whole state on after every write, for programs that rebuild from scratch.
 * Each write copies the list: use it for few objects.
 */
export class UndeltaStore<T extends object> implements Store<T> {
  readonly #items: Indexer<T>;
  readonly #push: (objects: readonly T[]) => void;

  constructor({ push, ...options }: UndeltaStoreOptions<T>) {
    this.#items = new Indexer(options);
    this.#push = push;
  }

  get size(): number {
    return this.#items.size;
  }

  get resourceVersion(): string {
    return this.#items.resourceVersion;
  }

  add(object: T): void {
    this.#items.add(object);
    this.#push(this.list());
  }

  update(object: T): void {
    this.#items.update(object);
    this.#push(this.list());
  }

  delete(object: DeletedFinalStateUnknown<T> | T): void {
    this.#items.delete(object);
    this.#push(this.list());
  }

  replace(objects: Iterable<T>, resourceVersion: string): void {
    this.#items.replace(objects, resourceVersion);
    this.#push(this.list());
  }

  get(object: DeletedFinalStateUnknown<T> | T): T | undefined {
    return this.#items.get(object);
  }

  getByKey(key: string): T | undefined {
    return this.#items.getByKey(key);
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

  values(): IterableIterator<T> {
    return this.#items.values();
  }

  /** Does nothing: nothing has changed. */
  resync(): void {}

  bookmark(resourceVersion: string): void {
    this.#items.bookmark(resourceVersion);
  }
}
