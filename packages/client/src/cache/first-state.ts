import type { KeyFunc, ReflectorStore } from './store.ts';

/** So many changes are kept apart, however few objects there are. */
const fewestChanges = 1000;

/**
 * Collects a streamed first state until it is complete: the last state of every object.
 *
 * Almost all of them are added and do not change meanwhile. They are not in a map: when one with some 100,000 keys grows, the
 * event loop stops for tens of milliseconds.
 */
export class FirstState<T extends object>
  implements Iterable<T>, Pick<ReflectorStore<T>, 'add' | 'bookmark' | 'delete' | 'update'>
{
  readonly #keyFunc: KeyFunc<T>;
  #added: T[] = [];
  /** Objects that were changed since they were added, or deleted. */
  readonly #changed = new Map<string, T | undefined>();

  constructor(keyFunc: KeyFunc<T>) {
    this.#keyFunc = keyFunc;
  }

  add(object: T): void {
    // Also if it is not needed: an object without a key is refused with its event, not with the list.
    const key = this.#keyFunc(object);
    if (this.#changed.size > 0 && this.#changed.has(key)) this.#changed.set(key, object);
    else this.#added.push(object);
  }

  update(object: T): void {
    this.#change(object, object);
  }

  delete(object: T): void {
    this.#change(object, undefined);
  }

  /** A server that never sends the end of the state may send changes without end. */
  #change(object: T, last: T | undefined): void {
    this.#changed.set(this.#keyFunc(object), last);
    if (this.#changed.size <= this.#added.length / 2 + fewestChanges) return;
    this.#added = [...this];
    this.#changed.clear();
  }

  /** The version is kept by the reflector. */
  bookmark(_version: string): void {}

  /** Iterates over the objects in the order in which they were added. */
  [Symbol.iterator](): IterableIterator<T> {
    return this.#changed.size === 0 ? this.#added.values() : this.#lastStates();
  }

  *#lastStates(): Generator<T, void, undefined> {
    const changed = this.#changed;
    const left = new Set(changed.keys());
    for (const object of this.#added) {
      const key = this.#keyFunc(object);
      const isChanged = changed.has(key);
      if (isChanged && !left.delete(key)) continue;
      const last = isChanged ? changed.get(key) : object;
      if (last !== undefined) yield last;
    }
    for (const key of left) {
      const last = changed.get(key);
      if (last !== undefined) yield last;
    }
  }
}
