import { CodecError } from '../codec/codec-error.ts';
import { ClientError, errorChain } from '../lib/errors.ts';
import { apiErrorOf } from '../meta/api-error.ts';
import {
  hasStatusCause,
  isExpired,
  isForbidden,
  isGone,
  isInternalError,
  isNotFound,
  isTimeout,
  isTooManyRequests,
  isUnauthorized,
  suggestsClientDelay,
} from '../meta/error-guards.ts';
import { DEFAULT_PAGE_SIZE } from '../rest/pager.ts';
import { TransportError } from '../transport/transport-error.ts';
import { CacheError } from './cache-error.ts';

/**
 * The minimum interval between the starts of two watches, as in client-go's RetryWatcher: a server
 * that ends each watch after one event must not cause a busy loop. A watch that ends sooner without
 * an event counts as refused.
 */
const shortWatchMs = 1000;
/** This many short watches in a row, with events or without, are reported. */
const reportedHastyWatches = 10;
/** An error that no retry can fix is not retried sooner than this. */
const blockedWaitMs = 30_000;
/** A watch that lasted this long was healthy, however it ended. */
const healthyWatchMs = 60_000;
/** After this long without an internal error of the server, they are counted from zero. */
const internalErrorMemoryMs = 60_000;
/** After this many broken streams in a row the first state is listed instead. */
const maxBrokenStreams = 2;
/** After this many short watches in a row the state is read again. */
const maxShortWatches = 2;

/** How a {@link Reflector} is doing. Times are milliseconds since the epoch. */
export type ReflectorStatus =
  /** It was not run yet. */
  | { readonly state: 'starting' }
  /** The first state is being read; `received` objects have arrived. */
  | { readonly state: 'syncing'; readonly received: number }
  /** The store follows the server. */
  | { readonly state: 'live'; readonly resourceVersion: string }
  /** The store does not follow the server because of an error. It is retried. */
  | { readonly state: 'stale'; readonly since: number; readonly error: unknown }
  /** The server forbids it. It is retried, as rights may be granted. */
  | {
      readonly state: 'denied';
      readonly since: number;
      readonly verb: 'list' | 'watch';
      readonly error: unknown;
    }
  /** The server does not have the resource. It is retried, as it may be installed. */
  | { readonly state: 'absent'; readonly since: number; readonly error: unknown }
  /**
   * It fails with an error that no retry can fix, such as an untrusted certificate: the configuration
   * or the server must be corrected. It is retried slowly.
   */
  | {
      readonly state: 'blocked';
      readonly since: number;
      readonly verb: 'list' | 'watch';
      readonly error: unknown;
    }
  | { readonly state: 'stopped' };

/**
 * What a failure means for a reflector.
 *
 * - `expired`, `too-large`: the server no longer has the version, or does not have it yet
 * - `busy`: the server asks to retry later
 * - `unreachable`: no answer, or the connection was lost; the version may be fine
 * - `truncated`: the stream ended inside a frame, as when a proxy or server is shut down
 * - `internal`: the server failed
 * - `denied`, `absent`: the resource is forbidden, or does not exist
 * - `other`: anything else
 */
export type FailureKind =
  | 'absent'
  | 'busy'
  | 'denied'
  | 'expired'
  | 'internal'
  | 'other'
  | 'too-large'
  | 'truncated'
  | 'unreachable';

/** Settings of the machine. */
export interface MachineSettings {
  /** The version of the store at the start; empty for an empty store. */
  readonly resourceVersion: string;
  /** Whether to read the first state as a stream. */
  readonly useWatchList: boolean;
  /** Objects per page of every list; undefined lets the machine decide. */
  readonly pageSize: number | undefined;
  /** For how long internal errors of the server are answered by watching again; 0 for never. */
  readonly maxInternalErrorRetryMs: number;
}

/** The state of the machine. A plain value: every transition returns a new one. */
export interface MachineState {
  readonly settings: MachineSettings;
  /** The current operation. */
  readonly phase: 'idle' | 'listing' | 'stopped' | 'streaming' | 'waiting' | 'watching';
  /** The operation after waiting. */
  readonly afterWaiting: 'cycle' | 'stream' | 'watch';
  /** The version of the store; empty before the first list. */
  readonly resourceVersion: string;
  /** The server does not have that version: the next list must request the newest. */
  readonly isVersionUnavailable: boolean;
  /** The current watch was resumed from a version, and did not start where a list ended. */
  readonly isResumed: boolean;
  /** The version requested by the current list. */
  readonly listedVersion: string;
  /**
   * A list at version "0" was paged, which happens only without a watch cache: every list must then
   * be paged.
   */
  readonly hasNoWatchCache: boolean;
  /** False once the server has not sent the end of a streamed first state. */
  readonly canStream: boolean;
  /** Streams in a row that ended before the first state was complete. */
  readonly brokenStreams: number;
  /** Watches in a row that ended immediately and without an event. */
  readonly shortWatches: number;
  /** Watches in a row that ended within a second, with events or without. */
  readonly hastyWatches: number;
  /** When internal errors of the server started, and the time of the last. */
  readonly internalErrors: { readonly firstAt: number; readonly lastAt: number } | undefined;
}

/** A watch, from the request to its end. */
export interface WatchSummary {
  /** The number of accepted events. */
  readonly events: number;
  readonly durationMs: number;
  /** The version of the store. */
  readonly resourceVersion: string;
  /** The error of the server or the connection; undefined if the watch ended normally. */
  readonly error?: unknown;
}

/** The input of the machine: how the last operation ended. */
export type MachineEvent =
  | { readonly type: 'list-failed'; readonly error: unknown }
  | {
      readonly type: 'listed';
      readonly resourceVersion: string;
      readonly isPaginated: boolean;
      /** The number of objects. */
      readonly items: number;
    }
  | { readonly type: 'open-failed'; readonly error: unknown }
  | { readonly type: 'opened' }
  | { readonly type: 'resync-failed'; readonly error: unknown; readonly resourceVersion: string }
  | { readonly type: 'start' }
  | { readonly type: 'stop' }
  | { readonly type: 'stream-silent' }
  | { readonly type: 'streamed'; readonly resourceVersion: string; readonly items: number }
  | { readonly type: 'waited' }
  | { readonly type: 'watch-ended'; readonly at: number; readonly watch: WatchSummary };

/** The next operation. Each ends with one of the events in its comment. */
export type MachineOperation =
  /** `listed` once the store has accepted the list, or `list-failed`. */
  | { readonly type: 'list'; readonly resourceVersion: string; readonly pageSize: number }
  /** `opened` or `open-failed`. */
  | { readonly type: 'open'; readonly isInitial: boolean; readonly resourceVersion: string }
  /** Reads the first state: `streamed` once the store has accepted it, or as with `read`. */
  | { readonly type: 'read-initial' }
  /** `watch-ended` or `resync-failed`. */
  | { readonly type: 'read'; readonly isResumed: boolean }
  /** `waited`, after the back-off, and at least this long. */
  | { readonly type: 'wait'; readonly atLeastMs: number }
  /** `waited`, after exactly this long. */
  | { readonly type: 'pause'; readonly milliseconds: number }
  /** None: the reflector has stopped. */
  | { readonly type: 'stop' };

/** Something to do before the next operation. */
export type MachineEffect =
  /** The server is healthy: the next wait is short again. */
  | { readonly type: 'reset-backoff' }
  /** A list or the opening of a watch failed: call `onWatchError`. */
  | { readonly type: 'report'; readonly error: unknown; readonly verb: 'list' | 'watch' }
  /** The store follows the server. */
  | { readonly type: 'live' }
  /** The store no longer follows the server. */
  | {
      readonly type: 'stale';
      readonly error: unknown;
      readonly kind: FailureKind;
      /** No retry can fix it. */
      readonly isBlocked: boolean;
      readonly verb: 'list' | 'watch';
    };

/** The result of a transition. */
export interface MachineStep {
  readonly state: MachineState;
  readonly effects: readonly MachineEffect[];
  readonly next: MachineOperation;
}

/** Returns the state before the first event, which must be `start`. */
export function initialState(settings: MachineSettings): MachineState {
  return {
    settings,
    phase: 'idle',
    afterWaiting: 'cycle',
    resourceVersion: settings.resourceVersion,
    isVersionUnavailable: false,
    isResumed: false,
    listedVersion: '',
    hasNoWatchCache: false,
    canStream: settings.useWatchList,
    brokenStreams: 0,
    shortWatches: 0,
    hastyWatches: 0,
    internalErrors: undefined,
  };
}

/**
 * The reflector as a pure function: from a state and an event to the next state, the effects and the
 * next operation. It uses no clock, randomness or I/O, so every path can be tested.
 */
export function transition(state: MachineState, event: MachineEvent): MachineStep {
  switch (event.type) {
    case 'start':
      return beginCycle(state);
    case 'stop':
      return { state: { ...state, phase: 'stopped' }, effects: [], next: { type: 'stop' } };
    case 'waited':
      if (state.afterWaiting === 'watch') return beginWatch(state, true);
      return state.afterWaiting === 'stream' ? beginStream(state) : beginCycle(state);
    case 'listed':
      return finishList(state, event);
    case 'list-failed':
      return failList(state, event.error);
    case 'opened':
      return state.phase === 'streaming'
        ? { state, effects: [], next: { type: 'read-initial' } }
        : {
            state,
            effects: [{ type: 'live' }],
            next: { type: 'read', isResumed: state.isResumed },
          };
    case 'open-failed':
      return state.phase === 'streaming'
        ? failStream(state, event.error)
        : failWatchOpening(state, event.error);
    case 'streamed':
      return finishStream(state, event.resourceVersion);
    case 'stream-silent':
      // It would be silent again: list from now on.
      return beginList({ ...state, canStream: false });
    case 'watch-ended':
      return state.phase === 'streaming'
        ? endStream(state, event.watch)
        : endWatch(state, event.watch, event.at);
    case 'resync-failed':
      return wait({ ...state, resourceVersion: event.resourceVersion }, 'cycle', [
        stale(event.error, 'watch'),
      ]);
  }
}

function beginCycle(state: MachineState): MachineStep {
  const fresh = { ...state, brokenStreams: 0, shortWatches: 0 };
  return state.canStream ? beginStream(fresh) : beginList(fresh);
}

function beginStream(state: MachineState): MachineStep {
  const resourceVersion = state.isVersionUnavailable ? '' : state.resourceVersion;
  return {
    state: { ...state, phase: 'streaming' },
    effects: [],
    next: { type: 'open', isInitial: true, resourceVersion },
  };
}

/** "0" reads the server's watch cache, "" reads its storage. */
function beginList(state: MachineState): MachineStep {
  const known = state.resourceVersion === '' ? '0' : state.resourceVersion;
  const resourceVersion = state.isVersionUnavailable ? '' : known;
  return {
    state: { ...state, phase: 'listing', listedVersion: resourceVersion },
    effects: [],
    next: { type: 'list', resourceVersion, pageSize: pageSizeFor(state, resourceVersion) },
  };
}

/**
 * A paged list at a known version is read from storage instead of the watch cache. If all clients of
 * a restarted server did that at the same time, it would be overloaded.
 */
function pageSizeFor(state: MachineState, resourceVersion: string): number {
  if (state.settings.pageSize !== undefined) return state.settings.pageSize;
  const isAtKnownVersion = resourceVersion !== '' && resourceVersion !== '0';
  return isAtKnownVersion && !state.hasNoWatchCache ? 0 : DEFAULT_PAGE_SIZE;
}

function beginWatch(state: MachineState, isResumed: boolean): MachineStep {
  return {
    state: { ...state, phase: 'watching', isResumed },
    effects: [],
    next: { type: 'open', isInitial: false, resourceVersion: state.resourceVersion },
  };
}

function wait(
  state: MachineState,
  afterWaiting: MachineState['afterWaiting'],
  effects: readonly MachineEffect[],
): MachineStep {
  const failure = effects.find((effect) => effect.type === 'stale');
  const askedMs = (suggestsClientDelay(failure?.error) ?? 0) * 1000;
  const atLeastMs = failure?.isBlocked === true ? Math.max(askedMs, blockedWaitMs) : askedMs;
  return {
    state: { ...state, phase: 'waiting', afterWaiting },
    effects,
    next: { type: 'wait', atLeastMs },
  };
}

function stale(error: unknown, verb: 'list' | 'watch', isBlocked = false): MachineEffect {
  return { type: 'stale', error, kind: failureKind(error), isBlocked, verb };
}

function finishList(
  state: MachineState,
  { resourceVersion, isPaginated }: { resourceVersion: string; isPaginated: boolean },
): MachineStep {
  const hasNoWatchCache = state.hasNoWatchCache || (state.listedVersion === '0' && isPaginated);
  return beginWatch(
    { ...state, resourceVersion, isVersionUnavailable: false, hasNoWatchCache },
    false,
  );
}

function failList(state: MachineState, error: unknown): MachineStep {
  const kind = failureKind(error);
  const unavailable = { ...state, isVersionUnavailable: true };
  if (kind === 'expired' || kind === 'too-large') {
    // A list of the newest state has no version to fail for: treat it as any other failure.
    if (state.listedVersion !== '') return beginList(unavailable);
    return wait(unavailable, 'cycle', failed(error, 'list'));
  }
  return wait(state, 'cycle', failed(error, 'list'));
}

function failed(error: unknown, verb: 'list' | 'watch'): readonly MachineEffect[] {
  return [{ type: 'report', error, verb }, stale(error, verb, isBlocking(error))];
}

function failStream(state: MachineState, error: unknown): MachineStep {
  const kind = failureKind(error);
  if (kind === 'busy') return wait(state, 'stream', [stale(error, 'watch')]);
  if (kind === 'unreachable') return wait(state, 'stream', failed(error, 'watch'));
  if ((kind === 'expired' || kind === 'too-large') && !state.isVersionUnavailable) {
    return beginStream({ ...state, isVersionUnavailable: true });
  }
  return beginList(state);
}

function finishStream(state: MachineState, resourceVersion: string): MachineStep {
  return {
    state: {
      ...state,
      phase: 'watching',
      resourceVersion,
      isVersionUnavailable: false,
      brokenStreams: 0,
    },
    effects: [{ type: 'live' }],
    next: { type: 'read', isResumed: false },
  };
}

function endStream(state: MachineState, watch: WatchSummary): MachineStep {
  if (watch.error !== undefined && !isBroken(failureKind(watch.error))) {
    return failStream(state, watch.error);
  }
  const brokenStreams = state.brokenStreams + 1;
  if (isShort(watch) || brokenStreams >= maxBrokenStreams) return beginList(state);
  return wait({ ...state, brokenStreams }, 'stream', []);
}

function failWatchOpening(state: MachineState, error: unknown): MachineStep {
  const kind = failureKind(error);
  if (kind === 'busy') return wait(state, 'watch', [stale(error, 'watch')]);
  if (kind === 'unreachable') return wait(state, 'watch', failed(error, 'watch'));
  return wait(state, 'cycle', failed(error, 'watch'));
}

function endWatch(before: MachineState, watch: WatchSummary, at: number): MachineStep {
  const kind = watch.error === undefined ? undefined : failureKind(watch.error);
  // A frame that cannot be read ends every watch at the same place.
  const short = isShort(watch) || (kind === 'truncated' && watch.events === 0);
  const isHasty = watch.durationMs < shortWatchMs;
  const state: MachineState = {
    ...before,
    resourceVersion: watch.resourceVersion,
    shortWatches: short ? before.shortWatches + 1 : 0,
    hastyWatches: isHasty ? before.hastyWatches + 1 : 0,
    internalErrors:
      kind === 'internal' ? remember(before.internalErrors, at) : before.internalErrors,
  };
  const healthy = watch.durationMs >= healthyWatchMs || (kind === undefined && !isHasty);
  const effects: MachineEffect[] = healthy ? [{ type: 'reset-backoff' }] : [];
  if (watch.error !== undefined) effects.push(stale(watch.error, 'watch'));
  if (state.hastyWatches === reportedHastyWatches) effects.push(hasty(watch.error));

  if (kind === undefined || isBroken(kind)) {
    if (!short) return resumeWatch(state, watch, effects);
    // A server that ends watches immediately and silently may be rejecting the version.
    const isRefused = kind !== 'unreachable' && state.shortWatches >= maxShortWatches;
    return wait(state, isRefused ? 'cycle' : 'watch', effects);
  }
  if (kind === 'busy') return wait(state, 'watch', effects);
  if (kind === 'internal' && mayRetryInternalError(state, at)) {
    return resumeWatch(state, watch, effects);
  }
  // The server is behind the version of the watch: it was restored from a backup.
  const isVersionUnavailable = state.isVersionUnavailable || kind === 'too-large';
  return wait({ ...state, isVersionUnavailable }, 'cycle', effects);
}

/** Watches again without back-off, but keeps the minimum interval between two watches. */
function resumeWatch(
  state: MachineState,
  { durationMs }: WatchSummary,
  effects: readonly MachineEffect[],
): MachineStep {
  const pauseMs = shortWatchMs - durationMs;
  if (pauseMs <= 0) return withEffects(beginWatch(state, true), effects);
  return {
    state: { ...state, phase: 'waiting', afterWaiting: 'watch' },
    effects,
    next: { type: 'pause', milliseconds: pauseMs },
  };
}

function hasty(cause: unknown): MachineEffect {
  const message = `the last ${reportedHastyWatches} watches each ended within ${shortWatchMs} ms`;
  const error = new CacheError('CACHE_WATCHES_SHORT', message, { cause });
  return { type: 'report', error, verb: 'watch' };
}

/** The connection broke: the watch resumes from the last version. */
function isBroken(kind: FailureKind): boolean {
  return kind === 'unreachable' || kind === 'truncated';
}

function isShort({ events, durationMs }: WatchSummary): boolean {
  return events === 0 && durationMs < shortWatchMs;
}

function remember(
  errors: MachineState['internalErrors'],
  at: number,
): MachineState['internalErrors'] {
  const isRecent = errors !== undefined && at - errors.lastAt <= internalErrorMemoryMs;
  return { firstAt: isRecent ? errors.firstAt : at, lastAt: at };
}

function mayRetryInternalError({ settings, internalErrors }: MachineState, at: number): boolean {
  return (
    internalErrors !== undefined &&
    settings.maxInternalErrorRetryMs > 0 &&
    at - internalErrors.firstAt <= settings.maxInternalErrorRetryMs
  );
}

function withEffects(step: MachineStep, effects: readonly MachineEffect[]): MachineStep {
  return { ...step, effects: [...effects, ...step.effects] };
}

/** Returns the status after a failure. */
export function statusAfter(
  { error, kind, isBlocked, verb }: Extract<MachineEffect, { readonly type: 'stale' }>,
  since: number,
): ReflectorStatus {
  if (kind === 'denied') return { state: 'denied', since, verb, error };
  if (isBlocked) return { state: 'blocked', since, verb, error };
  return { state: kind === 'absent' ? 'absent' : 'stale', since, error };
}

/** Classifies a failure of a list or watch. */
export function failureKind(error: unknown): FailureKind {
  if (isExpired(error) || isGone(error)) return 'expired';
  if (isTooLargeVersion(error)) return 'too-large';
  if (isTooManyRequests(error)) return 'busy';
  if (isInternalError(error)) return 'internal';
  if (isForbidden(error) || isUnauthorized(error)) return 'denied';
  if (isNotFound(error)) return 'absent';
  for (const one of errorChain(error)) {
    if (one instanceof TransportError) return 'unreachable';
    if (one instanceof ClientError && one.code === 'REST_WATCH_OVERDUE') return 'unreachable';
    if (one instanceof CodecError && one.code === 'CODEC_TRUNCATED') return 'truncated';
  }
  return 'other';
}

/** Returns false for failures of normal operation: an expired version, a truncated frame. */
export function isTrouble(kind: FailureKind): boolean {
  return kind !== 'expired' && kind !== 'truncated';
}

/**
 * Returns true if a list or watch keeps failing until the configuration or the server is changed: an
 * untrusted or refused certificate, an answer that is not a list. Forbidden and missing resources are
 * {@link FailureKind}s of their own.
 */
export function isBlocking(error: unknown): boolean {
  const kind = failureKind(error);
  if (kind !== 'other' && kind !== 'unreachable') return false;
  for (const one of errorChain(error)) if (one instanceof ClientError) return one.retry === 'never';
  return false;
}

/**
 * Returns true if the server has not reached the requested version. Servers before 1.18.6 say it only
 * in the message.
 */
export function isTooLargeVersion(error: unknown): boolean {
  if (hasStatusCause(error, 'ResourceVersionTooLarge')) return true;
  const status = apiErrorOf(error)?.status;
  if (status === undefined || !isTimeout(error)) return false;
  const words = 'Too large resource version';
  return (
    status.message?.includes(words) === true ||
    status.details?.causes?.some(({ message }) => message?.includes(words) === true) === true
  );
}
