import { Deferred } from '../lib/deferred.ts';

/**
 * Something that happens once, and that may become impossible before it does: then everyone who waits
 * for it is rejected, until it becomes possible again.
 */
export class Milestone {
  #deferred = new Deferred();
  #isReached = false;
  #isImpossible = false;

  get isReached(): boolean {
    return this.#isReached;
  }

  /** Resolves when it is reached; rejects if that is, or becomes, impossible. */
  get promise(): Promise<void> {
    return this.#deferred.promise;
  }

  reach(): void {
    this.#isReached = true;
    this.renew();
    this.#deferred.resolve();
  }

  /** Has no effect once it is reached. */
  fail(reason: unknown): void {
    if (this.#isReached || this.#isImpossible) return;
    this.#isImpossible = true;
    // Without a reader it is no unhandled rejection.
    this.#deferred.promise.catch(() => undefined);
    this.#deferred.reject(reason);
  }

  /** It is possible again. */
  renew(): void {
    if (!this.#isImpossible) return;
    this.#isImpossible = false;
    this.#deferred = new Deferred();
  }
}
