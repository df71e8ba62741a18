/** Kinds of values that differ between runs, but whose equality matters. */
export type IdentitySpace = 'address' | 'hash' | 'port' | 'resourceVersion' | 'uid';

/**
 * Maps values of this run to recorded values. Where the recording has the same uid or
 * resourceVersion twice, this run must, too; where it has two different ones, so must this run.
 *
 * What one exchange shows is held back until {@link settle}: a wrong response may bind its values
 * again, so that one wrong write does not fail every exchange after it.
 */
export class Identities {
  readonly #byRecorded = new Map<string, string>();
  readonly #byOwn = new Map<string, string>();
  #pending: [recorded: string, own: string][] = [];

  /** Declares that a value came from the client, and so is the same in every run. */
  fix(space: IdentitySpace, value: string): void {
    const key = `${space} ${value}`;
    this.#byRecorded.set(key, key);
    this.#byOwn.set(key, key);
  }

  /** Returns what is wrong with `own` in place of `recorded`, or undefined. */
  check(space: IdentitySpace, recorded: string, own: string): string | undefined {
    const recordedKey = `${space} ${recorded}`;
    const ownKey = `${space} ${own}`;
    const pendingOwn = this.#pending.findLast(([key]) => key === recordedKey)?.[1];
    const pendingRecorded = this.#pending.findLast(([, key]) => key === ownKey)?.[0];
    this.#pending.push([recordedKey, ownKey]);
    const expectedOwn = pendingOwn ?? this.#byRecorded.get(recordedKey);
    if (expectedOwn !== undefined && expectedOwn !== ownKey) {
      return `the same ${space} as before, which was ${expectedOwn.slice(space.length + 1)}`;
    }
    const knownRecorded = pendingRecorded ?? this.#byOwn.get(ownKey);
    if (knownRecorded !== undefined && knownRecorded !== recordedKey) {
      return `a new ${space}; this one stood for ${knownRecorded.slice(space.length + 1)}`;
    }
    return undefined;
  }

  /** Accepts the values of the exchange, whether it passed or not. */
  settle(): void {
    for (const [recorded, own] of this.#pending) {
      this.#byRecorded.set(recorded, own);
      this.#byOwn.set(own, recorded);
    }
    this.#pending = [];
  }
}
