import { CacheError } from './cache-error.ts';
import type { Indexers } from './indexers.ts';
import { type IndexErrorHandler, KeyIndex } from './key-index.ts';

/**
 * Objects by key together with their indices, which agree after every call. A store has one of
 * these, and exchanges it for another when everything is replaced.
 */
export class IndexedItems<T> {
  readonly items: Map<string, T> = new Map();
  readonly #indices: KeyIndex<T>[] = [];
  readonly #onIndexError: IndexErrorHandler | undefined;

  constructor(onIndexError?: IndexErrorHandler) {
    this.#onIndexError = onIndexError;
  }

  get indices(): readonly KeyIndex<T>[] {
    return this.#indices;
  }

  set(key: string, object: T): void {
    const before = this.items.get(key);
    if (before === object) return;
    for (const index of this.#indices) index.prepare(key, before, object);
    this.items.set(key, object);
    for (const index of this.#indices) index.commit(key);
  }

  /** False if there was nothing. */
  delete(key: string): boolean {
    const before = this.items.get(key);
    if (before === undefined) return false;
    for (const index of this.#indices) index.prepare(key, before, undefined);
    this.items.delete(key);
    for (const index of this.#indices) index.commit(key);
    return true;
  }

  index(name: string): KeyIndex<T> {
    // There are a handful at most: comparing beats hashing.
    for (const index of this.#indices) if (index.name === name) return index;
    throw new CacheError('CACHE_INDEX_UNKNOWN', `there is no index ${JSON.stringify(name)}`);
  }

  hasIndex(name: string): boolean {
    return this.#indices.some((index) => index.name === name);
  }

  /**
   * Adds all of them. Adds none if a name is taken, or if a function fails and there is no error
   * handler.
   */
  addIndexers(indexers: Indexers<T>): void {
    const added = Object.entries(indexers).map(([name, indexFunc]) => {
      if (this.hasIndex(name)) {
        throw new CacheError('CACHE_INDEX_CONFLICT', `there is an index ${JSON.stringify(name)}`);
      }
      return new KeyIndex(name, indexFunc, this.#onIndexError);
    });
    for (const index of added) {
      for (const [key, object] of this.items) {
        index.prepare(key, undefined, object);
        index.commit(key);
      }
    }
    this.#indices.push(...added);
  }
}
