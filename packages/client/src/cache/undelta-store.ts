import { Indexer, type IndexerOptions } from './indexer.ts';

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

  override updateByKey(key: string, object: T): T | undefined {
    const before = super.updateByKey(key, object);
    this.#push(this.list());
    return before;
  }

  override deleteByKey(key: string, lastState?: T): T | undefined {
    const before = super.deleteByKey(key, lastState);
    this.#push(this.list());
    return before;
  }

  protected override afterReplacement(): void {
    this.#push(this.list());
  }
}
