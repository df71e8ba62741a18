import { Indexer, type IndexerOptions } from './indexer.ts';
import type { DeletedFinalStateUnknown } from './store.ts';

/** Options of {@link UndeltaStore}. */
export interface UndeltaStoreOptions<T extends object> extends IndexerOptions<T> {
  /** Called after every write with all objects. */
  readonly push: (objects: readonly T[]) => void;
}

/**
 * A store that passes the whole state on after every write, for programs that rebuild from scratch.
 * Each write copies the list: use it for few objects.
 */
export class UndeltaStore<T extends object> extends Indexer<T> {
  readonly #push: (objects: readonly T[]) => void;

  constructor({ push, ...options }: UndeltaStoreOptions<T>) {
    super(options);
    this.#push = push;
  }

  override add(object: T): void {
    super.add(object);
    this.#push(this.list());
  }

  override update(object: T): void {
    super.update(object);
    this.#push(this.list());
  }

  override delete(object: DeletedFinalStateUnknown<T> | T): void {
    super.delete(object);
    this.#push(this.list());
  }

  override replace(objects: Iterable<T>, resourceVersion: string): void {
    super.replace(objects, resourceVersion);
    this.#push(this.list());
  }
}
