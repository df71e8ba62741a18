import { CacheError } from './cache-error.ts';
import type { IndexFunc, IndexValue } from './indexers.ts';

const noValues: readonly IndexValue[] = [];

/**
 * One index: from values to the keys of the objects that have them. Most values of many indices
 * (an owner, a node of a small cluster) belong to one object, so a single key is kept as it is and
 * only the second one makes a set. A value without keys is forgotten: values come and go, and their
 * empty sets would pile up.
 *
 * A change has two phases, so that a store with several indices can ask all index functions before
 * it touches any of them: whatever a function throws, store and indices still agree.
 */
export class KeyIndex<T> {
  readonly name: string;
  readonly indexFunc: IndexFunc<T>;
  readonly #keys = new Map<IndexValue, Set<string> | string>();
  #oldValues = noValues;
  #newValues = noValues;

  constructor(name: string, indexFunc: IndexFunc<T>) {
    this.name = name;
    this.indexFunc = indexFunc;
  }

  /** Asks for the values before and after a change. Throws what the index function does. */
  prepare(key: string, oldObject: T | undefined, newObject: T | undefined): void {
    this.#oldValues = oldObject === undefined ? noValues : this.valuesOf(key, oldObject);
    this.#newValues = newObject === undefined ? noValues : this.valuesOf(key, newObject);
  }

  /** Makes the change that was prepared last. Cannot fail. */
  commit(key: string): void {
    const before = this.#oldValues;
    const after = this.#newValues;
    this.#oldValues = noValues;
    this.#newValues = noValues;
    if (sameValues(before, after)) return;
    for (const value of before) this.#remove(value, key);
    for (const value of after) this.#add(value, key);
  }

  valuesOf(key: string, object: T): readonly IndexValue[] {
    try {
      return this.indexFunc(object);
    } catch (cause) {
      throw new CacheError(
        'CACHE_INDEX_FAILED',
        `the index function of ${JSON.stringify(this.name)} failed for the object ${JSON.stringify(key)}`,
        { cause },
      );
    }
  }

  /** The keys under a value: several, the only one, or none. */
  keysOf(value: IndexValue): ReadonlySet<string> | string | undefined {
    return this.#keys.get(value);
  }

  values(): IterableIterator<IndexValue> {
    return this.#keys.keys();
  }

  #add(value: IndexValue, key: string): void {
    const present = this.#keys.get(value);
    if (present === undefined) this.#keys.set(value, key);
    else if (typeof present !== 'string') present.add(key);
    else if (present !== key) this.#keys.set(value, new Set([present, key]));
  }

  #remove(value: IndexValue, key: string): void {
    const present = this.#keys.get(value);
    if (present === key) this.#keys.delete(value);
    else if (typeof present === 'object' && present.delete(key) && present.size === 0) {
      this.#keys.delete(value);
    }
  }
}

function sameValues(left: readonly IndexValue[], right: readonly IndexValue[]): boolean {
  if (left.length !== right.length) return false;
  for (let position = 0; position < left.length; position += 1) {
    if (left[position] !== right[position]) return false;
  }
  return true;
}
