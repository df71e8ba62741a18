import { Deferred } from '../lib/deferred.ts';
import { messageOf } from '../lib/errors.ts';
import { Mailbox } from '../lib/mailbox.ts';
import { PromptIterator } from '../lib/prompt-iterator.ts';
import { abortable, onAbort } from '../lib/signal.ts';
import { compareResourceVersions, isResourceVersion } from '../meta/resource-version.ts';
import type { ReflectorStatus } from './reflector-machine.ts';

/**
 * How an informer is doing: as its reflector, except that it is live only when the first list is in
 * its store. `lag` is the number of deltas that are not in the store yet.
 */
export type InformerState =
  | Exclude<ReflectorStatus, { readonly state: 'live' }>
  | { readonly state: 'live'; readonly resourceVersion: string; readonly lag: number };

/** Returns a state in a few words, for messages. */
export function describeState(state: InformerState): string {
  switch (state.state) {
    case 'starting':
      return 'was not started';
    case 'syncing':
      return `is syncing, ${state.received} objects so far`;
    case 'live':
      return 'is live';
    case 'stale':
      return `fails: ${messageOf(state.error)}`;
    case 'denied':
      return `may not ${state.verb}: ${messageOf(state.error)}`;
    case 'blocked':
      return `cannot ${state.verb}: ${messageOf(state.error)}`;
    case 'absent':
      return `has nothing to list: ${messageOf(state.error)}`;
    case 'stopped':
      return 'was stopped';
  }
}

/** Publishes states to its subscribers. */
export class StateFeed {
  readonly #followers = new Set<Mailbox<InformerState>>();

  publish(state: InformerState): void {
    for (const follower of this.#followers) follower.offer(state);
  }

  /** Returns the current state, then every later one, until the signal aborts or the loop is left. */
  follow(current: InformerState, signal: AbortSignal | undefined): PromptIterator<InformerState> {
    const states = new Mailbox<InformerState>();
    const reader = states[Symbol.asyncIterator]();
    states.offer(current);
    let tie: Disposable | undefined;
    return new PromptIterator<InformerState>({
      pull: () => {
        // Not earlier: an iterator that is never read must leave nothing behind.
        this.#followers.add(states);
        tie ??= onAbort(signal, () => states[Symbol.dispose]());
        return reader.next();
      },
      end: () => {
        this.#followers.delete(states);
        tie?.[Symbol.dispose]();
        void reader.return();
      },
    });
  }
}

interface VersionWaiter {
  readonly resourceVersion: string;
  readonly deferred: Deferred;
}

/** The waits until a store has reached a version. */
export class VersionWaiters {
  #waiters: readonly VersionWaiter[] = [];

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

  /** Rejects all waits. */
  fail(error: unknown): void {
    for (const { deferred } of this.#waiters) deferred.reject(error);
  }

  /** Resolves the waits for versions up to `current`. */
  reach(current: string): void {
    for (const { resourceVersion, deferred } of this.#waiters) {
      if (hasReached(current, resourceVersion)) deferred.resolve();
    }
  }
}

/** Returns false for a store without a version. */
export function hasReached(current: string, wanted: string): boolean {
  return isResourceVersion(current) && compareResourceVersions(current, wanted) >= 0;
}
