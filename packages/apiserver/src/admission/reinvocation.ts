import { jsonEqual, type JsonObject } from 'client-ts/internal';

/**
 * Decides which policies or webhooks are asked a second time: those that want it, if the object has
 * changed after their turn.
 */
export class Reinvocation {
  /** Those that had their turn and want another one if something changes. */
  #invoked = new Set<string>();
  readonly #repeated = new Set<string>();
  #output: JsonObject | undefined;

  /** Begins the second round: everything counts that has changed since the end of the first. */
  beginRepeat(object: JsonObject | undefined): void {
    if (!jsonEqual(this.#output, object)) this.changed();
  }

  /** Ends a round. */
  end(object: JsonObject | undefined): void {
    this.#output = object;
  }

  /** Says that the object has changed. */
  changed(): void {
    for (const id of this.#invoked) this.#repeated.add(id);
    this.#invoked = new Set();
  }

  /** Says that one had its turn; `policy` is `IfNeeded` if it wants another one. */
  invoked(id: string, policy: string | undefined): void {
    if (policy === 'IfNeeded') this.#invoked.add(id);
  }

  /** Whether one has its turn in the second round. */
  isRepeated(id: string): boolean {
    return this.#repeated.has(id);
  }
}
