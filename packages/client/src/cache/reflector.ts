import { Backoff } from '../lib/backoff.ts';
import { type Clock, type ScheduledCall, sleep, systemClock } from '../lib/clock.ts';
import { messageOf } from '../lib/errors.ts';
import { loggerOf } from '../lib/logger.ts';
import { type Random, systemRandom } from '../lib/random.ts';
import { abortable } from '../lib/signal.ts';
import { errorFromObject } from '../meta/api-error.ts';
import { withDeadline } from '../lib/deadline.ts';
import { CacheError } from './cache-error.ts';
import { EventSink } from './event-sink.ts';
import { Indexer } from './indexer.ts';
import { metaNamespaceKeyFunc } from './key-func.ts';
import { ListPager } from './list-pager.ts';
import type { CachedObject, ListAnswer, ListRequest } from './list-watch.ts';
import { OpenWatch } from './open-watch.ts';
import { ReflectorLog } from './reflector-log.ts';
import { initialState, transition } from './reflector-machine.ts';
import { isTrouble } from './reflector-failure.ts';
import {
  checkReflectorNumbers,
  guardReflectorCallbacks,
  type ReflectorOptions,
  type RunOptions,
} from './reflector-options.ts';
import type {
  MachineEffect,
  MachineEvent,
  MachineOperation,
  MachineState,
} from './reflector-state.ts';
import { type ReflectorStatus, statusAfter } from './reflector-status.ts';
import { RestoreCheck } from './restore-check.ts';
import { ResyncTimer } from './resync-timer.ts';

const leastWatchTimeoutMs = 5 * 60_000;
const defaultInitialEventsTimeoutMs = 10_000;
const ignore = (): void => undefined;

/**
 * Keeps a store equal to a resource of a server: reads everything, then follows by a watch, for as
 * long as it runs, whatever happens to connections and servers on the way.
 *
 * Guarantees: a watch goes on where the last one ended. Everything is read anew only if the server
 * no longer has that version or answers something that leaves no choice, not because a connection
 * broke or the server was busy. Waits between attempts grow, with chance in them, and are short again
 * once the server is well. Stopping is not an error, and nothing happens after {@link Reflector.run}
 * has resolved.
 *
 * What it does when is decided by a function without side effects ({@link transition}); this class
 * does the I/O. What the callbacks of the options throw is logged, and changes nothing else.
 */
export class Reflector<T extends CachedObject> {
  readonly #options: ReflectorOptions<T>;
  readonly #clock: Clock;
  readonly #random: Pick<Random, 'next'>;
  readonly #backoff: Pick<Backoff, 'next' | 'reset'>;
  readonly #resync: ResyncTimer;
  readonly #log: ReflectorLog;
  #machine: MachineState;
  #status: ReflectorStatus = { state: 'starting' };
  #watch: OpenWatch<T> | undefined;
  #sink: EventSink<T> | undefined;
  /** Only while the first state is streamed. */
  #initial: Indexer<T> | undefined;
  #hasRun = false;

  constructor(options: ReflectorOptions<T>) {
    checkReflectorNumbers(options);
    this.#options = guardReflectorCallbacks(options);
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? systemRandom;
    this.#backoff =
      options.backoff ??
      new Backoff({
        initialMs: 800,
        maxMs: 30_000,
        jitter: 1,
        clock: this.#clock,
        random: this.#random,
      });
    this.#resync = new ResyncTimer({
      clock: this.#clock,
      periodMs: options.resyncPeriodMs ?? 0,
      resync: () => {
        if (options.shouldResync?.() !== false) options.store.resync();
      },
      onWatchError: () => this.#watch?.close(),
    });
    this.#log = new ReflectorLog({
      name: options.name ?? 'objects',
      server: options.listerWatcher.server ?? '',
      logger: loggerOf(options.logger ?? options.listerWatcher.logger),
      clock: this.#clock,
    });
    this.#machine = initialState({
      resourceVersion: options.resourceVersion ?? '',
      useWatchList:
        options.useWatchList !== false && options.listerWatcher.supportsWatchList !== false,
      pageSize: options.pageSize,
      maxInternalErrorRetryMs: options.maxInternalErrorRetryMs ?? 0,
    });
  }

  /** How far the store has come; empty before the first list. */
  get lastSyncResourceVersion(): string {
    return this.#initial === undefined && this.#sink !== undefined
      ? this.#sink.resourceVersion
      : this.#machine.resourceVersion;
  }

  get status(): ReflectorStatus {
    const status = this.#status;
    if (status.state === 'live')
      return { ...status, resourceVersion: this.lastSyncResourceVersion };
    if (status.state === 'syncing') return { ...status, received: this.#sink?.events ?? 0 };
    return status;
  }

  /** Resolves when the signal has aborted and everything has come to rest. Can be called once. */
  async run({ signal: until }: RunOptions = {}): Promise<void> {
    const signal = until ?? new AbortController().signal;
    if (this.#hasRun) throw new CacheError('CACHE_RUN_TWICE', 'the reflector was run already');
    this.#hasRun = true;
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
        event = await this.#operate(next, signal);
      }
    } finally {
      this.#resync.stop();
      await this.#closeWatch();
      this.#log.ended();
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
        this.#resync.stop();
        return this.#list(operation, signal);
      case 'open':
        await this.#closeWatch();
        if (operation.isInitial) this.#resync.stop();
        return this.#open(operation, signal);
      case 'read-initial':
        return this.#readInitial();
      case 'read':
        this.#resync.start();
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
      const lister = { list: (request: ListRequest) => this.#listInTime(request) };
      const pager = new ListPager<T>(lister, { pageSize });
      const answer = await pager.list({
        ...(resourceVersion === '' ? {} : { resourceVersion }),
        signal,
      });
      if (signal.aborted) return { type: 'stop' };
      this.#replace(answer.items, answer.resourceVersion);
      return { type: 'listed', ...answer };
    } catch (error) {
      return { type: 'list-failed', error };
    }
  }

  /** An answer that was lost on the way would be waited for for ever. */
  async #listInTime(request: ListRequest): Promise<ListAnswer<T>> {
    const { listTimeoutMs: milliseconds = 5 * 60_000, listerWatcher } = this.#options;
    const reason = (): Error => overdue('a list', milliseconds);
    using inTime = withDeadline(request.signal, {
      clock: this.#clock,
      timeoutMs: milliseconds,
      reason,
    });
    const { signal } = inTime;
    return await abortable(listerWatcher.list({ ...request, signal }), signal);
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
      store,
      expectedKind,
      onError = ignore,
      initialEventsTimeoutMs = defaultInitialEventsTimeoutMs,
    } = this.#options;
    using inTime = withDeadline(undefined, {
      clock: this.#clock,
      timeoutMs: isInitial ? initialEventsTimeoutMs : undefined,
      reason: () => overdue('the stream of the first state', initialEventsTimeoutMs),
    });
    const watch = new OpenWatch<T>(this.#clock.monotonic(), signal);
    this.#watch = watch;
    this.#initial = isInitial ? new Indexer<T>({ keyFunc }) : undefined;
    this.#sink = new EventSink({
      store: this.#initial ?? store,
      resourceVersion,
      isOrdered: !isInitial && resourceVersion !== '' && resourceVersion !== '0',
      expectedKind,
      onError,
    });
    try {
      const opening = watch.open(
        { watch: (request) => this.#options.listerWatcher.watch(request) },
        {
          allowWatchBookmarks: true,
          timeoutSeconds: this.#watchTimeoutSeconds(),
          ...(resourceVersion === '' ? {} : { resourceVersion }),
          ...(isInitial
            ? { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' as const }
            : {}),
        },
      );
      await abortable(opening, inTime.signal);
      return { type: 'opened' };
    } catch (error) {
      return { type: 'open-failed', error };
    }
  }

  /** Another for every watch, so that the watches of many programs do not end together. */
  #watchTimeoutSeconds(): number {
    const least = Math.max(leastWatchTimeoutMs, this.#options.minWatchTimeoutMs ?? 0);
    return Math.floor((least * (1 + this.#random.next())) / 1000);
  }

  /** Servers that do not know such streams leave out the end. Two looks without an event tell. */
  async #readInitial(): Promise<MachineEvent> {
    const { initialEventsTimeoutMs = defaultInitialEventsTimeoutMs } = this.#options;
    let isSilent = false;
    let seen = -1;
    const look = (): ScheduledCall =>
      this.#clock.schedule(initialEventsTimeoutMs, () => {
        const events = this.#sink?.events ?? 0;
        isSilent = events === seen;
        seen = events;
        if (isSilent) this.#watch?.close();
        else timer = look();
      });
    let timer = look();
    try {
      const event = await this.#read();
      return isSilent ? { type: 'stream-silent' } : event;
    } finally {
      timer.cancel();
    }
  }

  /** Until the watch ends, or the server turns out to be behind the version it was resumed from. */
  async #readFollowing(isResumed: boolean): Promise<MachineEvent> {
    let loss: { readonly error: unknown } | undefined;
    using _check = isResumed
      ? new RestoreCheck({
          clock: this.#clock,
          list: (request) => this.#listInTime(request),
          version: () => this.lastSyncResourceVersion,
          onLost: (error) => {
            loss = { error };
            this.#watch?.close();
          },
        })
      : undefined;
    const event = await this.#read();
    this.#log.ended();
    if (loss === undefined || event.type !== 'watch-ended') return event;
    return { ...event, watch: { ...event.watch, ...loss } };
  }

  /** Until the watch ends, or the first state is complete if it is still awaited. */
  async #read(): Promise<MachineEvent> {
    const watch = this.#watch as OpenWatch<T>;
    const { waitForRoom } = this.#options;
    let ending: { readonly error?: unknown } = {};
    // A resync may have failed while no watch was open.
    if (this.#resync.failure !== undefined) watch.close();
    try {
      for (;;) {
        const sink = this.#sink as EventSink<T>;
        // Many events come in one piece: what waits behind the queue then gets them together.
        const event = watch.ready() ?? (await watch.next());
        if (event === undefined) break;
        if (event.type === 'ERROR') {
          ending = { error: errorFromObject(event.object) };
          break;
        }
        if (sink.apply(event) && this.#initial !== undefined) return this.#acceptInitial(sink);
        const room = waitForRoom?.();
        if (room !== undefined) await room;
      }
    } catch (error) {
      ending = { error };
    }
    const resourceVersion = this.lastSyncResourceVersion;
    const resyncFailure = this.#resync.failure;
    if (resyncFailure !== undefined) {
      return { type: 'resync-failed', error: resyncFailure.error, resourceVersion };
    }
    const at = this.#clock.monotonic();
    const events = this.#sink?.events ?? 0;
    const durationMs = at - watch.startedAt;
    return { type: 'watch-ended', at, watch: { events, durationMs, resourceVersion, ...ending } };
  }

  /** Everything there was has come: the store gets it as one list, and the watch goes on. */
  #acceptInitial(sink: EventSink<T>): MachineEvent {
    const { resourceVersion } = sink;
    this.#replace(this.#initial?.list() ?? [], resourceVersion);
    this.#initial = undefined;
    sink.redirect(this.#options.store);
    return { type: 'streamed', resourceVersion };
  }

  #replace(objects: readonly T[], resourceVersion: string): void {
    try {
      this.#options.store.replace(objects, resourceVersion);
    } catch (cause) {
      const message = `the store did not take the list: ${messageOf(cause)}`;
      throw new CacheError('CACHE_STORE_FAILED', message, { cause });
    }
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
    // A stop ends a watch without a word to the machine.
    this.#machine = { ...this.#machine, resourceVersion: this.lastSyncResourceVersion };
    this.#watch = undefined;
    this.#sink = undefined;
    this.#initial = undefined;
    await watch?.[Symbol.asyncDispose]();
  }

  #setStatus(status: ReflectorStatus): void {
    this.#status = status;
    this.#options.onStateChange?.(this.status);
  }
}

function overdue(what: string, milliseconds: number): CacheError {
  return new CacheError('CACHE_LIST_OVERDUE', `${what} was not there after ${milliseconds} ms`);
}
