import { Backoff } from '../lib/backoff.ts';
import { guardCallback } from '../lib/callback.ts';
import { type Clock, type ScheduledCall, sleep, systemClock } from '../lib/clock.ts';
import { withDeadline } from '../lib/deadline.ts';
import { type Logger, loggerOf } from '../lib/logger.ts';
import { nextTurn } from '../lib/next-turn.ts';
import { checkNumbers } from '../lib/option-error.ts';
import { type Random, systemRandom } from '../lib/random.ts';
import { abortable } from '../lib/signal.ts';
import { errorFromObject } from '../meta/api-error.ts';
import { nameOf, namespaceOf } from '../meta/object.ts';
import { collectPages } from '../rest/pager.ts';
import { CacheError } from './cache-error.ts';
import type { Reading } from './diagnostics.ts';
import { FirstState } from './first-state.ts';
import {
  type CachedObject,
  type ExpectedKind,
  type ListAnswer,
  type ListedEvent,
  type ListerWatcher,
  type ListRequest,
  unexpectedObject,
} from './list-watch.ts';
import { OpenWatch } from './open-watch.ts';
import { Readings } from './readings.ts';
import { ReflectorLog } from './reflector-log.ts';
import { ReflectorMeter, type ReflectorMetricsProvider } from './reflector-metrics.ts';
import {
  initialState,
  isTooLargeVersion,
  isTrouble,
  type MachineEffect,
  type MachineEvent,
  type MachineOperation,
  type MachineState,
  type ReflectorStatus,
  statusAfter,
  transition,
} from './reflector-machine.ts';
import {
  type KeyFunc,
  metaNamespaceKeyFunc,
  type ReflectorStore,
  versionOf,
  writeList,
} from './store.ts';

/** Options of `run`. */
export interface RunOptions {
  /** Ends the run. */
  readonly signal?: AbortSignal | undefined;
}

/** A list, or the opening of a watch, that failed. It is retried. */
export interface ReflectorFailure {
  readonly verb: 'list' | 'watch';
  readonly error: unknown;
}

/** Options of {@link Reflector}. */
export interface ReflectorOptions<T extends CachedObject> {
  readonly listerWatcher: ListerWatcher<T>;
  /** The store to keep up to date, or the queue in front of it. */
  readonly store: ReflectorStore<T>;
  /** Name in logs and errors. Default `objects`. */
  readonly name?: string | undefined;
  /** Default: {@link metaNamespaceKeyFunc}. */
  readonly keyFunc?: KeyFunc<T> | undefined;
  /** The version of the store: the first list is not older. Default: the store is empty. */
  readonly resourceVersion?: string | undefined;
  /** Objects of another kind are reported and skipped. */
  readonly expectedKind?: ExpectedKind | undefined;
  /** How often all objects are delivered again. Default 0: never. */
  readonly resyncPeriodMs?: number | undefined;
  /** Called before each resync; false skips it. */
  readonly shouldResync?: (() => boolean) | undefined;
  /** Objects per page of every list. Default: 500 where paging is good for the server. */
  readonly pageSize?: number | undefined;
  /** Read the first state as a stream, and list only if that fails. Default true. */
  readonly useWatchList?: boolean | undefined;
  /**
   * The time such a stream may take to open, or be silent, before the state is listed instead.
   * Default 10 s.
   */
  readonly initialEventsTimeoutMs?: number | undefined;
  /**
   * The time a list, or a page of one, may take before it is cancelled and retried. No server takes
   * that long: the answer was lost. Default 5 minutes.
   */
  readonly listTimeoutMs?: number | undefined;
  /** Watches end after this long up to twice as long. Default and minimum 5 minutes. */
  readonly minWatchTimeoutMs?: number | undefined;
  /** For how long internal errors of the server are answered by watching again. Default 0. */
  readonly maxInternalErrorRetryMs?: number | undefined;
  /** Default: 800 ms, doubled up to 30 s, with jitter up to the same again. */
  readonly backoff?: Pick<Backoff, 'next' | 'reset'> | undefined;
  /**
   * Called after each write to the store. The reflector reads on when the returned promise has
   * resolved, so that a slow consumer slows down the stream. `hasWaited` is true if the server had sent nothing more before
   * this event: since the last write, other tasks have had their turn.
   */
  readonly afterWrite?: ((hasWaited: boolean) => Promise<void> | undefined) | undefined;
  /** Called when a list, or the opening of a watch, fails. It is retried. */
  readonly onWatchError?: ((failure: ReflectorFailure) => void) | undefined;
  /** Called before the whole state is read, and before a watch is opened again. */
  readonly onRead?: ((reading: Reading) => void) | undefined;
  /** Called for objects that were skipped. */
  readonly onError?: ((error: CacheError) => void) | undefined;
  /** Called when {@link Reflector.status} has changed. */
  readonly onStateChange?: ((status: ReflectorStatus) => void) | undefined;
  /** Measures lists and watches; see `reflectorMetrics` in `client-ts/observe`. Default: nothing. */
  readonly metrics?: ReflectorMetricsProvider | undefined;
  readonly logger?: Logger | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Pick<Random, 'next'> | undefined;
}

/** The annotation of the bookmark that ends a streamed first state. */
const initialEventsEnd = 'k8s.io/initial-events-end';
const leastWatchTimeoutMs = 5 * 60_000;
const defaultInitialEventsTimeoutMs = 10_000;
const defaultListTimeoutMs = 5 * 60_000;
/** Servers send a bookmark about once a minute: a watch without one for this long is suspicious. */
const silentWatchMs = 2 * 60_000;

/**
 * Keeps a store equal to a resource of a server: reads the whole state, then watches, for as long as
 * it runs, whatever happens to connections and servers.
 *
 * Guarantees: a watch resumes where the last one ended. The whole state is read again only if the
 * server no longer has that version, or its answer leaves no choice; not because a connection broke
 * or the server was busy. Retries back off exponentially, with jitter, and start over once the server
 * is healthy. A stop is not an error, and nothing happens after {@link Reflector.run} has resolved.
 *
 * A pure function decides what to do next ({@link transition}); this class does the I/O. Errors
 * thrown by callbacks are logged and have no other effect.
 */
export class Reflector<T extends CachedObject> {
  readonly #options: ReflectorOptions<T>;
  readonly #clock: Clock;
  readonly #random: Pick<Random, 'next'>;
  readonly #backoff: Pick<Backoff, 'next' | 'reset'>;
  readonly #log: ReflectorLog;
  #meter: ReflectorMeter | undefined;
  #machine: MachineState;
  #status: ReflectorStatus = { state: 'starting' };
  #watch: OpenWatch<T> | undefined;
  #resyncTimer: ScheduledCall | undefined;
  /** The error of the last resync, until the state is read again. */
  #resyncFailure: { readonly error: unknown } | undefined;
  #hasRun = false;

  constructor(options: ReflectorOptions<T>) {
    checkReflectorNumbers(options);
    this.#options = withGuardedCallbacks(options);
    const { clock = systemClock, random = systemRandom, backoff } = options;
    this.#clock = clock;
    this.#random = random;
    this.#backoff =
      backoff ?? new Backoff({ initialMs: 800, maxMs: 30_000, jitter: 1, clock, random });
    this.#log = new ReflectorLog({
      name: options.name ?? 'objects',
      server: options.listerWatcher.server ?? '',
      logger: loggerOf(options.logger ?? options.listerWatcher.logger),
      clock,
    });
    this.#machine = initialState({
      resourceVersion: options.resourceVersion ?? '',
      useWatchList:
        options.useWatchList !== false && options.listerWatcher.supportsWatchList !== false,
      pageSize: options.pageSize,
      maxInternalErrorRetryMs: options.maxInternalErrorRetryMs ?? 0,
    });
  }

  /** The version of the store; empty before the first list. */
  get lastSyncResourceVersion(): string {
    const watch = this.#watch;
    return watch === undefined || watch.initial !== undefined
      ? this.#machine.resourceVersion
      : watch.resourceVersion;
  }

  get status(): ReflectorStatus {
    const status = this.#status;
    if (status.state === 'live')
      return { ...status, resourceVersion: this.lastSyncResourceVersion };
    if (status.state === 'syncing') return { ...status, received: this.#watch?.received ?? 0 };
    return status;
  }

  /** Resolves when the signal has aborted and everything has stopped. Can be called once. */
  async run({ signal = new AbortController().signal }: RunOptions = {}): Promise<void> {
    if (this.#hasRun) throw new CacheError('CACHE_RUN_TWICE', 'the reflector was already run');
    this.#hasRun = true;
    const { metrics, name = 'objects' } = this.#options;
    this.#meter = metrics && new ReflectorMeter(metrics.forReflector(name, this));
    const readings = new Readings();
    let event: MachineEvent = { type: 'start' };
    try {
      this.#setStatus({ state: 'syncing', received: 0 });
      for (;;) {
        const { state, effects, next } = transition(
          this.#machine,
          signal.aborted ? { type: 'stop' } : event,
        );
        this.#machine = state;
        for (const effect of effects) this.#perform(effect);
        if (next.type === 'stop') break;
        const reading = readings.next(event, next);
        if (reading !== undefined) this.#options.onRead?.(reading);
        const startedAt = this.#clock.monotonic();
        this.#meter?.started(next, startedAt);
        event = await this.#operate(next, signal);
        this.#meter?.ended(event, startedAt, this.#clock.monotonic());
      }
    } finally {
      this.#stopResync();
      await this.#closeWatch();
      this.#log.ended();
      this.#meter?.stopped();
      this.#setStatus({ state: 'stopped' });
    }
  }

  #perform(effect: MachineEffect): void {
    switch (effect.type) {
      case 'reset-backoff':
        this.#backoff.reset();
        break;
      case 'report':
        this.#log.failed({ ...effect, kind: 'stale', isReported: true });
        this.#options.onWatchError?.({ verb: effect.verb, error: effect.error });
        break;
      case 'live':
        this.#log.live();
        if (this.#status.state !== 'live') this.#setStatus({ state: 'live', resourceVersion: '' });
        break;
      case 'stale': {
        const since = 'since' in this.#status ? this.#status.since : this.#clock.now();
        const status = statusAfter(effect, since);
        if (isTrouble(effect.kind)) this.#log.failed({ ...effect, kind: status.state });
        this.#setStatus(status);
      }
    }
  }

  async #operate(
    operation: Exclude<MachineOperation, { type: 'stop' }>,
    signal: AbortSignal,
  ): Promise<MachineEvent> {
    switch (operation.type) {
      case 'list':
        await this.#closeWatch();
        this.#stopResync();
        return this.#list(operation, signal);
      case 'open':
        await this.#closeWatch();
        if (operation.isInitial) this.#stopResync();
        return this.#open(operation, signal);
      case 'read-initial':
        return this.#readInitial();
      case 'read':
        this.#startResync();
        return this.#readFollowing(operation.isResumed);
      case 'wait': {
        await this.#closeWatch();
        const delayMs = Math.max(operation.atLeastMs, this.#backoff.next());
        this.#log.waiting(delayMs);
        return this.#wait(delayMs, signal);
      }
      case 'pause':
        await this.#closeWatch();
        this.#log.pausing(operation.milliseconds);
        return this.#wait(operation.milliseconds, signal);
    }
  }

  async #list(
    { resourceVersion, pageSize }: { readonly resourceVersion: string; readonly pageSize: number },
    signal: AbortSignal,
  ): Promise<MachineEvent> {
    try {
      const { items, first, isPaginated } = await collectPages(
        (request: ListRequest) => this.#listInTime(request),
        { ...(resourceVersion === '' ? {} : { resourceVersion }), signal },
        { pageSize },
      );
      if (signal.aborted) return { type: 'stop' };
      const { resourceVersion: version = '' } = first.metadata ?? {};
      await writeList(this.#options.store, items, version, this.#clock);
      // Also if it was stopped meanwhile: the next run must not list an older state.
      this.#machine = { ...this.#machine, resourceVersion: version };
      await this.#options.afterWrite?.(false);
      return { type: 'listed', resourceVersion: version, isPaginated, items: items.length };
    } catch (error) {
      return { type: 'list-failed', error };
    }
  }

  /** Lists with a deadline: an answer that was lost would be awaited forever. */
  async #listInTime(request: ListRequest): Promise<ListAnswer<T>> {
    const { listTimeoutMs: milliseconds = defaultListTimeoutMs, listerWatcher } = this.#options;
    const reason = (): Error => overdue('a list', milliseconds);
    using inTime = withDeadline(request.signal, {
      clock: this.#clock,
      timeoutMs: milliseconds,
      reason,
    });
    const { signal } = inTime;
    const answer = await abortable(listerWatcher.list({ ...request, signal }), signal);
    if (Array.isArray(answer.items)) return answer;
    const { kind } = answer as { readonly kind?: unknown };
    const message = `a list answer of kind "${String(kind)}" has no items`;
    throw new CacheError('CACHE_LIST_INVALID', message);
  }

  async #open(
    {
      isInitial,
      resourceVersion,
    }: { readonly isInitial: boolean; readonly resourceVersion: string },
    signal: AbortSignal,
  ): Promise<MachineEvent> {
    const {
      keyFunc = metaNamespaceKeyFunc,
      listerWatcher,
      initialEventsTimeoutMs = defaultInitialEventsTimeoutMs,
    } = this.#options;
    using inTime = withDeadline(signal, {
      clock: this.#clock,
      timeoutMs: isInitial ? initialEventsTimeoutMs : undefined,
      reason: () => overdue('the stream of the first state', initialEventsTimeoutMs),
    });
    const watch = new OpenWatch<T>({
      signal,
      startedAt: this.#clock.monotonic(),
      resourceVersion,
      initial: isInitial ? new FirstState<T>(keyFunc) : undefined,
    });
    this.#watch = watch;
    const opening = async (): Promise<void> => {
      const events = await listerWatcher.watch({
        allowWatchBookmarks: true,
        timeoutSeconds: this.#watchTimeoutSeconds(),
        ...(resourceVersion === '' ? {} : { resourceVersion }),
        ...(isInitial ? { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' } : {}),
        signal: watch.signal,
      });
      await watch.begin(events);
    };
    try {
      await abortable(opening(), inTime.signal);
      return { type: 'opened' };
    } catch (error) {
      return { type: 'open-failed', error };
    }
  }

  /** Random, so that the watches of many programs do not end at the same time. */
  #watchTimeoutSeconds(): number {
    const least = Math.max(leastWatchTimeoutMs, this.#options.minWatchTimeoutMs ?? 0);
    return Math.floor((least * (1 + this.#random.next())) / 1000);
  }

  /**
   * Reads the first state. Servers without watch lists never send its end: two intervals without an
   * event close the watch.
   */
  async #readInitial(): Promise<MachineEvent> {
    const watch = this.#watch as OpenWatch<T>;
    const { initialEventsTimeoutMs = defaultInitialEventsTimeoutMs } = this.#options;
    let isSilent = false;
    let seen = -1;
    const check = (): ScheduledCall =>
      this.#clock.schedule(initialEventsTimeoutMs, () => {
        // A long list takes a while to accept, which is no silence of the server.
        if (watch.isComplete) return;
        isSilent = watch.received === seen;
        seen = watch.received;
        if (isSilent) watch.stop();
        else timer = check();
      });
    let timer = check();
    try {
      const event = await this.#read(watch);
      return isSilent ? { type: 'stream-silent' } : event;
    } finally {
      timer.cancel();
    }
  }

  /**
   * Reads until the watch ends. A server that was restored from a backup accepts a watch from a
   * version that it has not reached, is silent until it gets there, and never sends what happens up to
   * then. So if a resumed watch is silent for two minutes, one object is listed at that version, and
   * the watch is closed if the server does not have it.
   */
  async #readFollowing(isResumed: boolean): Promise<MachineEvent> {
    const watch = this.#watch as OpenWatch<T>;
    const { resourceVersion } = watch;
    const reading = new AbortController();
    const { signal } = reading;
    let lost: { readonly error: unknown } | undefined;
    const checkVersion = async (): Promise<void> => {
      if (watch.resourceVersion !== resourceVersion) return;
      try {
        const request = { resourceVersion, resourceVersionMatch: 'NotOlderThan' } as const;
        await this.#listInTime({ ...request, limit: 1, signal });
      } catch (error) {
        // Any other failure does not concern the watch, which continues.
        if (signal.aborted || !isTooLargeVersion(error)) return;
        lost = { error };
        watch.stop();
      }
    };
    using _timer = isResumed
      ? this.#clock.schedule(silentWatchMs, () => void checkVersion(), { background: true })
      : undefined;
    const event = await this.#read(watch);
    reading.abort();
    this.#log.ended();
    if (lost === undefined || event.type !== 'watch-ended') return event;
    return { ...event, watch: { ...event.watch, ...lost } };
  }

  /** Reads until the watch ends, or until a streamed first state is complete. */
  async #read(watch: OpenWatch<T>): Promise<MachineEvent> {
    let ending: { readonly error?: unknown } = {};
    let hasWaited = false;
    // A resync may have failed while no watch was open.
    if (this.#resyncFailure !== undefined) watch.stop();
    try {
      while (!watch.isStopped) {
        // Many events arrive in one chunk: those that have are read without a promise for each.
        let event = watch.ready();
        if (event === undefined) {
          const arrival = watch.arrival();
          if (arrival !== undefined) {
            await arrival;
            hasWaited = true;
            // Servers send a first state in small pieces. A turn later, more of it is read together.
            if (watch.initial !== undefined) await nextTurn();
            continue;
          }
          event = await watch.next();
        }
        if (event === undefined) break;
        if (event.type === 'ERROR') {
          ending = { error: errorFromObject(event.object) };
          break;
        }
        const isInitialEnd = this.#apply(watch, event);
        if (watch.initial === undefined) {
          const pending = this.#options.afterWrite?.(hasWaited);
          hasWaited = false;
          if (pending !== undefined) await pending;
        } else if (isInitialEnd) return await this.#acceptInitial(watch, watch.initial);
      }
    } catch (error) {
      ending = { error };
    }
    const { resourceVersion } = watch.initial === undefined ? watch : this.#machine;
    if (this.#resyncFailure !== undefined) {
      return { type: 'resync-failed', error: this.#resyncFailure.error, resourceVersion };
    }
    const at = this.#clock.monotonic();
    const durationMs = at - watch.startedAt;
    const summary = { events: watch.received, durationMs, resourceVersion, ...ending };
    return { type: 'watch-ended', at, watch: summary };
  }

  /**
   * Writes an event to the store. An object of another kind is reported and skipped; one that the
   * store refuses is reported, and missing until the next list. Returns true for the bookmark that
   * ends a streamed first state.
   */
  #apply(watch: OpenWatch<T>, event: Exclude<ListedEvent<T>, { type: 'ERROR' }>): boolean {
    const { type, object } = event;
    const problem = unexpectedObject(event, this.#options.expectedKind);
    if (problem !== undefined) {
      this.#options.onError?.(new CacheError('CACHE_OBJECT_UNEXPECTED', problem));
      return false;
    }
    const store = watch.initial ?? this.#options.store;
    const version = versionOf(object) ?? '';
    if (type !== 'ADDED') watch.isOrdered = true;
    if (watch.isOrdered && version !== '') watch.resourceVersion = version;
    watch.received += 1;
    try {
      if (type === 'ADDED') store.add(event.object);
      else if (type === 'MODIFIED') store.update(event.object);
      else if (type === 'DELETED') store.delete(event.object);
      else if (version !== '') store.bookmark(version);
    } catch (cause) {
      const namespace = namespaceOf(object);
      const key = namespace === '' ? nameOf(object) : `${namespace}/${nameOf(object)}`;
      const message = `the store refused a ${type} event of ${JSON.stringify(key)}`;
      this.#options.onError?.(new CacheError('CACHE_STORE_FAILED', message, { cause }));
    }
    return type === 'BOOKMARK' && object.metadata?.annotations?.[initialEventsEnd] === 'true';
  }

  /** The first state is complete: the store gets it as one list, and the watch continues. */
  async #acceptInitial(watch: OpenWatch<T>, initial: FirstState<T>): Promise<MachineEvent> {
    const { resourceVersion } = watch;
    watch.isComplete = true;
    const items = await writeList(this.#options.store, initial, resourceVersion, this.#clock);
    watch.initial = undefined;
    await this.#options.afterWrite?.(false);
    return { type: 'streamed', resourceVersion, items };
  }

  /** Resyncs a period after the last resync, until one fails. Does not keep the process alive. */
  #startResync(): void {
    const { resyncPeriodMs = 0, shouldResync, store, afterWrite } = this.#options;
    if (resyncPeriodMs <= 0 || this.#resyncTimer !== undefined) return;
    const resync = (): void => {
      try {
        if (shouldResync?.() !== false) {
          store.resync();
          void afterWrite?.(false);
        }
        this.#resyncTimer = schedule();
      } catch (error) {
        this.#resyncFailure = { error };
        this.#watch?.stop();
      }
    };
    const schedule = (): ScheduledCall =>
      this.#clock.schedule(resyncPeriodMs, resync, { background: true });
    this.#resyncTimer = schedule();
  }

  #stopResync(): void {
    this.#resyncTimer?.cancel();
    this.#resyncTimer = undefined;
    this.#resyncFailure = undefined;
  }

  async #wait(milliseconds: number, signal: AbortSignal): Promise<MachineEvent> {
    try {
      await sleep(this.#clock, milliseconds, { signal });
      return { type: 'waited' };
    } catch {
      return { type: 'stop' };
    }
  }

  async #closeWatch(): Promise<void> {
    const watch = this.#watch;
    // A stop ends a watch without an event for the machine.
    this.#machine = { ...this.#machine, resourceVersion: this.lastSyncResourceVersion };
    this.#watch = undefined;
    await watch?.close();
  }

  #setStatus(status: ReflectorStatus): void {
    this.#status = status;
    this.#options.onStateChange?.(this.status);
  }
}

const reflectorNumbers = {
  initialEventsTimeoutMs: 'duration',
  listTimeoutMs: 'duration',
  maxInternalErrorRetryMs: 'duration',
  minWatchTimeoutMs: 'duration',
  pageSize: 'countOrNone',
  resyncPeriodMs: 'period',
} as const;

/** Throws an `OptionError` for numbers that a reflector cannot work with. */
export function checkReflectorNumbers(
  options: Pick<ReflectorOptions<CachedObject>, keyof typeof reflectorNumbers>,
): void {
  checkNumbers(options, reflectorNumbers);
}

function withGuardedCallbacks<T extends CachedObject>(
  options: ReflectorOptions<T>,
): ReflectorOptions<T> {
  const logger = loggerOf(options.logger);
  const { onWatchError, onRead, onError, onStateChange } = options;
  return {
    ...options,
    onWatchError: guardCallback('onWatchError of a reflector', onWatchError, logger),
    onRead: guardCallback('onRead of a reflector', onRead, logger),
    onError: guardCallback('onError of a reflector', onError, logger),
    onStateChange: guardCallback('onStateChange of a reflector', onStateChange, logger),
  };
}

function overdue(what: string, milliseconds: number): CacheError {
  return new CacheError('CACHE_LIST_OVERDUE', `${what} did not arrive within ${milliseconds} ms`);
}
