import { Deferred } from '../lib/deferred.ts';
import { abortable } from '../lib/signal.ts';
import { compareResourceVersions, isResourceVersion } from '../meta/resource-version.ts';

interface Waiter {
  readonly resourceVersion: string;
  readonly deferred: Deferred;
}

/** Those who wait until a store has come as far as a version. */
export class VersionWaiters {
  #waiters: readonly Waiter[] = [];

  get size(): number {
    return this.#waiters.length;
  }

  async wait(resourceVersion: string, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const waiter = { resourceVersion, deferred: new Deferred() };
    this.#waiters = [...this.#waiters, waiter];
    try {
      await abortable(waiter.deferred.promise, signal);
    } finally {
      this.#waiters = this.#waiters.filter((other) => other !== waiter);
    }
  }

  /** Rejects everyone who waits. */
  fail(error: unknown): void {
    for (const { deferred } of this.#waiters) deferred.reject(error);
  }

  /** Lets those go whose version is not after `current`. */
  reach(current: string): void {
    for (const { resourceVersion, deferred } of this.#waiters) {
      if (hasReached(current, resourceVersion)) deferred.resolve();
    }
  }
}

/** A store that has seen nothing yet has reached nothing. */
export function hasReached(current: string, wanted: string): boolean {
  return isResourceVersion(current) && compareResourceVersions(current, wanted) >= 0;
}
