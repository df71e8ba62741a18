import { defineErrors } from '../lib/errors.ts';
import { abortable } from '../lib/signal.ts';
import { CacheError } from './cache-error.ts';
import { describeState, type InformerState } from './informer-state.ts';

/** An informer, or the registration of a handler. */
export interface Syncable {
  readonly name: string;
  readonly hasSynced: boolean;
  readonly synced: Promise<void>;
  readonly state?: InformerState;
}

/** Who has not synced when the waiting ended, and why, as far as it is known. */
export interface NotSynced {
  readonly name: string;
  readonly state: InformerState | undefined;
}

/** Waiting for caches was given up. `waiting` says for whom. */
export class CacheSyncError extends CacheError {
  readonly waiting: readonly NotSynced[];

  constructor(waiting: readonly NotSynced[], options: { readonly cause?: unknown } = {}) {
    const names = waiting.map(({ name, state }) =>
      state === undefined
        ? `${name} has not been handed everything`
        : `${name} ${describeState(state)}`,
    );
    super('CACHE_NOT_SYNCED', `gave up waiting: ${names.join('; ')}`, options);
    this.waiting = waiting;
  }

  static {
    defineErrors(this, 'CacheSyncError');
  }
}

/**
 * Resolves when the first list of every informer is in its store, and, for registrations, has been
 * handed to the handler. Rejects with {@link CacheSyncError} when the signal aborts before.
 */
export async function waitForCacheSync(
  members: Iterable<Syncable>,
  signal?: AbortSignal,
): Promise<void> {
  const all = [...members];
  try {
    await abortable(Promise.all(all.map(({ synced }) => synced)), signal);
  } catch (cause) {
    // One that synced together with the abort is not to blame.
    const waiting = all.filter(({ hasSynced }) => !hasSynced);
    if (waiting.length === 0) return;
    throw new CacheSyncError(
      waiting.map(({ name, state }) => ({ name, state })),
      { cause },
    );
  }
}
