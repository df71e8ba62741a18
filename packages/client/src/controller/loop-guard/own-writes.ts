/** More than the events that are under way at one time. */
const LIMIT = 10_000;

/** The versions that a controller has written, and what it has deleted. The oldest are forgotten. */
export class OwnWrites {
  readonly #written = new Set<string>();

  /** Returns false if the version is known: the write had no effect. */
  add(object: string, version: string): boolean {
    return this.#add(`${object} ${version}`);
  }

  has(object: string, version: string): boolean {
    return this.#written.has(`${object} ${version}`);
  }

  addDeletion(object: string): void {
    this.#add(object);
  }

  hasDeletion(object: string): boolean {
    return this.#written.has(object);
  }

  #add(entry: string): boolean {
    if (this.#written.has(entry)) return false;
    this.#written.add(entry);
    if (this.#written.size <= LIMIT) return true;
    const [oldest = ''] = this.#written;
    this.#written.delete(oldest);
    return true;
  }
}
