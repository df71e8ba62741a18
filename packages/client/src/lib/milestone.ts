import { Deferred } from './deferred.ts';

/**
 * An event that happens once, and that can become impossible before it does. While it is
 * impossible, waiting for it rejects.
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
