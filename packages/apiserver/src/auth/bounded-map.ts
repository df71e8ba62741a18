/** A map with a maximum size: the entry that was set first makes room for a new one. */
export class BoundedMap<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  set(key: K, value: V): void {
    if (this.#entries.size >= this.#limit && !this.#entries.has(key)) {
      for (const first of this.#entries.keys()) {
        this.#entries.delete(first);
        break;
      }
    }
    this.#entries.set(key, value);
  }
}
