import { Deferred } from './deferred.ts';

/**
 * Something that happens once and can become impossible before it does: all who wait are then
 * rejected, until it becomes possible again.
 */
export class Milestone {
  #deferred = new Deferred();
  #isReached = false;
  #isImpossible = false;

  get isReached(): boolean {
    return this.#isReached;
  }

  /** Resolves when the milestone is reached; rejects if that is or becomes impossible. */
  get promise(): Promise<void> {
    return this.#deferred.promise;
  }

  reach(): void {
    this.#isReached = true;
    this.renew();
    this.#deferred.resolve();
  }

  /** Makes it impossible. Has no effect once it is reached. */
  fail(reason: unknown): void {
    if (this.#isReached || this.#isImpossible) return;
    this.#isImpossible = true;
    // A promise without a reader must not become an unhandled rejection.
    this.#deferred.promise.catch(() => undefined);
    this.#deferred.reject(reason);
  }

  /** Makes it possible again. */
  renew(): void {
    if (!this.#isImpossible) return;
    this.#isImpossible = false;
    this.#deferred = new Deferred();
  }
}
