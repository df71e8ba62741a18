import { suggestsClientDelay } from '../meta/error-guards.ts';
import { CacheError } from './cache-error.ts';
import { defaultPageSize } from './list-pager.ts';
import { type FailureKind, failureKind, isBlocking } from './reflector-failure.ts';
import type {
  MachineEffect,
  MachineEvent,
  MachineSettings,
  MachineState,
  MachineStep,
  WatchSummary,
} from './reflector-state.ts';

/**
 * Two watches start at least this long apart, as with client-go's RetryWatcher: a server that ends
 * each watch after one event must not drive a loop. A watch that ends sooner without an event was
 * refused in all but words.
 */
const shortWatchMs = 1000;
/** So many short watches in a row, with events or without, are reported. */
const reportedHastyWatches = 10;
/** An error that time does not mend is not tried again sooner than this. */
const blockedWaitMs = 30_000;
/** A watch that lasted this long was healthy, however it ended. */
const healthyWatchMs = 60_000;
/** After this long without a failure of the server, its failures are counted anew. */
const internalErrorMemoryMs = 60_000;
/** So many broken streams in a row, and the first state is listed instead. */
const maxBrokenStreams = 2;
/** So many short watches in a row, and the state is read anew. */
const maxShortWatches = 2;

/** The state before the first event, which must be `start`. */
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
 * The life of a reflector as a function: what it knows and what happens give what it knows then and
 * what it does next. No time, chance or I/O is in it, so every way through can be tested.
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
      // It would be silent again: do not ask it again.
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

/** "0" takes what the server has at hand, and "" makes it ask its own storage: not the same. */
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
 * A page of a list at a known version comes from storage instead of the watch cache. When all
 * clients of a restarted server list again at once, that would be too much for it.
 */
function pageSizeFor(state: MachineState, resourceVersion: string): number {
  if (state.settings.pageSize !== undefined) return state.settings.pageSize;
  const isAtKnownVersion = resourceVersion !== '' && resourceVersion !== '0';
  return isAtKnownVersion && !state.hasNoWatchCache ? 0 : defaultPageSize;
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
    // Asking for the newest cannot fail for the version: if it does, it is like any other failure.
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
  // A frame that cannot be read to its end stops each watch at the same place.
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
    // A server that ends watches at once, without a word, may mean the version.
    const isRefused = kind !== 'unreachable' && state.shortWatches >= maxShortWatches;
    return wait(state, isRefused ? 'cycle' : 'watch', effects);
  }
  if (kind === 'busy') return wait(state, 'watch', effects);
  if (kind === 'internal' && mayRetryInternalError(state, at)) {
    return resumeWatch(state, watch, effects);
  }
  // A server that is behind the version of a watch was asked for it, and refused: see RestoreCheck.
  const isVersionUnavailable = state.isVersionUnavailable || kind === 'too-large';
  return wait({ ...state, isVersionUnavailable }, 'cycle', effects);
}

/** Watches again without a back-off, but not sooner than the interval between two watches allows. */
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

/** The connection broke: the watch goes on from the last version. */
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
