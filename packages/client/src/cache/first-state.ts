import type { KeyFunc, ReflectorStore } from './store.ts';

/** Collects a streamed first state until it is complete: the last state of every object. */
export class FirstState<T extends object> implements Pick<
  ReflectorStore<T>,
  'add' | 'bookmark' | 'delete' | 'update'
> {
  readonly #keyFunc: KeyFunc<T>;
  readonly #objects = new Map<string, T>();

  constructor(keyFunc: KeyFunc<T>) {
    this.#keyFunc = keyFunc;
  }

  get size(): number {
    return this.#objects.size;
  }

  add(object: T): void {
    this.#objects.set(this.#keyFunc(object), object);
  }

  update(object: T): void {
    this.add(object);
  }

  delete(object: T): void {
    this.#objects.delete(this.#keyFunc(object));
  }

  /** The version is kept by the reflector. */
  bookmark(_version: string): void {}

  list(): T[] {
    return [...this.#objects.values()];
  }
}
