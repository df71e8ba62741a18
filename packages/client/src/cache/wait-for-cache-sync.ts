import { type Clock, systemClock } from '../lib/clock.ts';
import { ClientError, defineErrors } from '../lib/errors.ts';
import { checkChoice, checkNumbers } from '../lib/option-error.ts';
import { anySignal, onAbort } from '../lib/signal.ts';
import { withDeadline } from '../lib/deadline.ts';
import { CacheError } from './cache-error.ts';
import { describeState, type InformerState } from './informer-state.ts';

/** The part of an informer that shows whether it can still sync. */
export interface SyncSource {
  readonly hasSynced: boolean;
  readonly isRunning: boolean;
  readonly state: InformerState;
  stateChanges(options?: {
    readonly signal?: AbortSignal | undefined;
  }): AsyncIterable<InformerState>;
}

/** An informer, or the registration of a handler with its informer. */
export interface Syncable extends Partial<SyncSource> {
  readonly name: string;
  readonly hasSynced: boolean;
  readonly synced: Promise<void>;
  readonly informer?: SyncSource;
  readonly isRemoved?: boolean;
}

/** Options of {@link waitForCacheSync}. */
export interface CacheSyncOptions {
  readonly signal?: AbortSignal | undefined;
  /** Rejects after this long. Default: no limit. */
  readonly timeoutMs?: number | undefined;
  /**
   * What to do about informers that the server forbids, whose resource it does not have, or that
   * fail with an error that no retry can fix, such as an untrusted certificate. `reject`, the
   * default, rejects as soon as all others have synced. `wait` keeps waiting until rights are
   * granted, resources installed and errors corrected.
   */
  readonly unavailable?: 'reject' | 'wait' | undefined;
  /** Default: the system's clock. */
  readonly clock?: Clock | undefined;
}

/** A member that had not synced when the wait ended. */
export interface NotSynced {
  readonly name: string;
  /** Undefined for a handler whose informer has synced. */
  readonly state: InformerState | undefined;
}

/**
 * A wait for caches ended before all had synced. `waiting` names those that had not; `cause` is the
 * reason of the abort, or the first error among them.
 */
export class CacheSyncError extends CacheError {
  readonly waiting: readonly NotSynced[];

  constructor(waiting: readonly NotSynced[], options: { readonly cause?: unknown } = {}) {
    const names = waiting.map(({ name, state }) =>
      state === undefined
        ? `${name} has not been called for every object of the first list`
        : `${name} ${describeState(state)}`,
    );
    const { cause } = options;
    super('CACHE_NOT_SYNCED', `caches have not synced: ${names.join('; ')}`, {
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
 * Resolves when the first list of every informer is in its store and, for registrations, when the
 * handler has been called for all of it. Rejects with {@link CacheSyncError}, which names everything
 * that has not synced and why: when the signal aborts, after `timeoutMs`, and as soon as only members
 * are left that cannot sync. Those are informers that do not run, that the server forbids, whose
 * resource it does not have, or that fail with an error that no retry can fix; and handlers that were
 * removed. The informers keep trying. A single informer or registration needs no array.
 */
export async function waitForCacheSync(
  members: Iterable<Syncable> | Syncable,
  options: CacheSyncOptions = {},
): Promise<void> {
  const { signal, timeoutMs, unavailable = 'reject', clock = systemClock } = options;
  checkNumbers(options, { timeoutMs: 'duration' });
  checkChoice('unavailable', unavailable, ['reject', 'wait']);
  const all = Symbol.iterator in members ? [...members] : [members];
  const settled = new AbortController();
  using limited = withDeadline(signal, {
    clock,
    timeoutMs: timeoutMs === Infinity ? undefined : timeoutMs,
    reason: () => new DOMException(`not synced after ${timeoutMs} ms`, 'TimeoutError'),
  });
  using over = anySignal([limited.signal, settled.signal]);
  const check = (): void => {
    if (!all.some((member) => canSync(member, unavailable))) settled.abort();
  };
  check();
  if (!over.signal.aborted) {
    const ended = new Promise<void>((resolve) => void onAbort(over.signal, resolve));
    const follow = async (member: Syncable): Promise<void> => {
      const states = (member.informer ?? member).stateChanges?.({ signal: over.signal });
      if (states !== undefined) for await (const _ of states) check();
    };
    for (const { synced } of all) void synced.then(check, check);
    await Promise.all([ended, ...all.map(follow)]);
  }
  // A member that synced in the same turn as the abort has synced.
  const waiting = all.filter(({ hasSynced }) => !hasSynced).map(notSynced);
  if (waiting.length === 0) return;
  const cause: unknown = limited.signal.aborted ? limited.signal.reason : causeIn(waiting);
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

function causeIn(waiting: readonly NotSynced[]): unknown {
  for (const { state } of waiting) {
    if (state !== undefined && 'error' in state) return state.error;
  }
  return undefined;
}
