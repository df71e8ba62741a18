import { ClientError, defineErrors } from '../lib/errors.ts';
import { anySignal, onAbort } from '../lib/signal.ts';
import { CacheError } from './cache-error.ts';
import { describeState, type InformerState } from './informer-state.ts';

/** What a wait looks at to see whether an informer can still sync. */
export interface SyncSource {
  readonly hasSynced: boolean;
  readonly isRunning: boolean;
  readonly state: InformerState;
  stateChanges(signal?: AbortSignal): AsyncIterable<InformerState>;
}

/** An informer, or the registration of a handler with its informer. */
export interface Syncable extends Partial<SyncSource> {
  readonly name: string;
  readonly hasSynced: boolean;
  readonly synced: Promise<void>;
  readonly informer?: SyncSource;
  readonly isRemoved?: boolean;
}

/** How {@link waitForCacheSync} waits. */
export interface CacheSyncOptions {
  /**
   * What to do about informers that the server forbids or does not have the resource of, and about
   * those that fail with an error that time does not mend, such as an untrusted certificate.
   * `reject`, the default, rejects as soon as all others have synced. `wait` waits until rights are
   * granted, resources installed and errors corrected.
   */
  readonly unavailable?: 'reject' | 'wait';
}

/** What has not synced when the waiting ended, and why, as far as it is known. */
export interface NotSynced {
  readonly name: string;
  /** Undefined for a handler whose informer has synced. */
  readonly state: InformerState | undefined;
}

/**
 * A wait for caches ended before all had synced. `waiting` names those that had not; `cause` is the
 * reason of the abort, or what the first of them failed with.
 */
export class CacheSyncError extends CacheError {
  readonly waiting: readonly NotSynced[];

  constructor(waiting: readonly NotSynced[], options: { readonly cause?: unknown } = {}) {
    const names = waiting.map(({ name, state }) =>
      state === undefined
        ? `${name} has not been handed everything`
        : `${name} ${describeState(state)}`,
    );
    const { cause } = options;
    super('CACHE_NOT_SYNCED', `gave up waiting: ${names.join('; ')}`, {
      cause,
      ...(cause instanceof ClientError && { hint: cause.hint, retry: cause.retry }),
    });
    this.waiting = waiting;
  }

  static {
    defineErrors(this, 'CacheSyncError');
  }
}

/**
 * Resolves when the first list of every informer is in its store, and, for registrations, has been
 * handed to the handler. Rejects with {@link CacheSyncError}, which names everything that has not
 * synced and says why, when the signal aborts, and as soon as only those are left that cannot sync:
 * informers that do not run, that the server forbids or does not have the resource of, or that fail
 * with an error that time does not mend; and handlers that were removed. Those informers keep trying.
 */
export async function waitForCacheSync(
  members: Iterable<Syncable>,
  signal?: AbortSignal,
  { unavailable = 'reject' }: CacheSyncOptions = {},
): Promise<void> {
  const all = [...members];
  const settled = new AbortController();
  using over = anySignal([signal, settled.signal]);
  const look = (): void => {
    if (!all.some((member) => canSync(member, unavailable))) settled.abort();
  };
  look();
  if (!over.signal.aborted) {
    const ended = new Promise<void>((resolve) => void onAbort(over.signal, resolve));
    const follow = async (member: Syncable): Promise<void> => {
      const states = (member.informer ?? member).stateChanges?.(over.signal);
      if (states !== undefined) for await (const _ of states) look();
    };
    for (const { synced } of all) void synced.then(look, look);
    await Promise.all([ended, ...all.map(follow)]);
  }
  // One that synced together with the abort is not to blame.
  const waiting = all.filter(({ hasSynced }) => !hasSynced).map(notSynced);
  if (waiting.length === 0) return;
  const cause: unknown = signal?.aborted === true ? signal.reason : causeIn(waiting);
  throw new CacheSyncError(waiting, { cause });
}

function canSync(member: Syncable, unavailable: 'reject' | 'wait'): boolean {
  if (member.hasSynced || member.isRemoved === true) return false;
  const { hasSynced, isRunning, state } = member.informer ?? member;
  if (hasSynced) return true;
  if (isRunning === false) return false;
  return unavailable === 'wait' || state === undefined || !isUnavailable(state);
}

function isUnavailable({ state }: InformerState): boolean {
  return state === 'denied' || state === 'absent' || state === 'blocked';
}

function notSynced({ name, state, informer }: Syncable): NotSynced {
  return { name, state: state ?? (informer?.hasSynced === false ? informer.state : undefined) };
}

/** What the first of those failed with that have failed with something. */
function causeIn(waiting: readonly NotSynced[]): unknown {
  for (const { state } of waiting) {
    if (state !== undefined && 'error' in state) return state.error;
  }
  return undefined;
}
