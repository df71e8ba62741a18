interface Entry<V> {
  readonly scope: string;
  readonly key: string;
  readonly value: V;
  /** When it was used last, as a count of uses. */
  usedAt: number;
}

/**
 * Values by two names, of which those that were not used for longest can be dropped. A use costs two
 * lookups: an order is found only when something is dropped, which is best done for many at a time.
 */
export class RecentMap<V> {
  readonly #scopes = new Map<string, Map<string, Entry<V>>>();
  #size = 0;
  #uses = 0;

  get size(): number {
    return this.#size;
  }

  get(scope: string, key: string): V | undefined {
    return this.#scopes.get(scope)?.get(key)?.value;
  }

  /** Returns a value, which is the most recent one now. */
  use(scope: string, key: string, create: () => V): V {
    this.#uses += 1;
    let entries = this.#scopes.get(scope);
    if (entries === undefined) {
      entries = new Map();
      this.#scopes.set(scope, entries);
    }
    const known = entries.get(key);
    if (known !== undefined) {
      known.usedAt = this.#uses;
      return known.value;
    }
    const entry = { scope, key, value: create(), usedAt: this.#uses };
    entries.set(key, entry);
    this.#size += 1;
    return entry.value;
  }

  /** Returns the values of a scope, the most recent first. */
  valuesOf(scope: string): V[] {
    const entries = [...(this.#scopes.get(scope)?.values() ?? [])];
    return entries.sort((left, right) => right.usedAt - left.usedAt).map(({ value }) => value);
  }

  /** Drops values, those that were not used for longest first, while `drop` returns true for them. */
  dropOldest(drop: (value: V) => boolean): void {
    const entries = [...this.#scopes.values()].flatMap((each) => [...each.values()]);
    for (const { scope, key, value } of entries.sort((left, right) => left.usedAt - right.usedAt)) {
      if (!drop(value)) return;
      const siblings = this.#scopes.get(scope);
      siblings?.delete(key);
      if (siblings?.size === 0) this.#scopes.delete(scope);
      this.#size -= 1;
    }
  }
}
