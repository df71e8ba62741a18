import { guardCallback } from '../lib/callback.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { Deferred } from '../lib/deferred.ts';
import { errorLogger, loggerOf } from '../lib/logger.ts';
import { checkChoice, checkNumbers } from '../lib/option-error.ts';
import { anySignal, onAbortWeakly } from '../lib/signal.ts';
import { isResourceVersion, ResourceVersionError } from '../meta/resource-version.ts';
import { CacheError } from './cache-error.ts';
import { Controller } from './controller.ts';
import { DeltaFIFO } from './delta-fifo.ts';
import type { QueueDelta } from './delta.ts';
import type { ResourceEventHandler } from './event-handler.ts';
import type { EventHandlerRegistration } from './event-handler-registration.ts';
import { Indexer } from './indexer.ts';
import type { Indexers, MoreIndexers, NoIndexers } from './indexers.ts';
import { type InformerState, StateFeed } from './informer-state.ts';
import { type Refusal, refusalError } from './intake.ts';
import { metaNamespaceKeyFunc } from './key-func.ts';
import type { CachedObject } from './list-watch.ts';
import { Milestone } from './milestone.ts';
import { ProcessorListener } from './processor-listener.ts';
import type { Queue } from './queue.ts';
import { transformOf } from './transform-of.ts';
import { RealFIFO } from './real-fifo.ts';
import {
  checkInformerNumbers,
  type EventHandlerOptions,
  type SharedIndexInformerOptions,
} from './shared-index-informer-options.ts';
import type { RunOptions } from './reflector-options.ts';
import { resyncPeriodFor, SharedProcessor } from './shared-processor.ts';
import { StoreUpdater } from './store-updater.ts';
import { hasReached, VersionWaiters } from './version-waiters.ts';
import type { SyncSource } from './wait-for-cache-sync.ts';

/** Handlers with a bound are looked after between batches: a large one would go far beyond it. */
const batchSize = 100;
/** How long a stop, or a removal, waits for handlers. */
const defaultGracePeriodMs = 30_000;
/** Resyncs are not made more often than this. */
const leastResyncMs = 1000;

/**
 * One watch, one cache, many handlers: what a reflector reads goes through a queue into an indexed
 * store, and from there to every handler at its own pace.
 *
 * Guarantees: every handler, whenever it is added, hears of what is in the cache as added, then of
 * every later change, once, in the order of the server for each object. The store is never behind a
 * call. A deletion that nobody saw is told by a tombstone. A stop is not an error, after it nothing
 * is called any more, and the informer can be run again: what has changed meanwhile is then told as
 * changes.
 *
 * What comes out of the store and into handlers must not be changed: others see the same objects.
 */
export class SharedIndexInformer<T extends CachedObject, I extends Indexers<T> = NoIndexers> {
  readonly name: string;
  readonly #options: SharedIndexInformerOptions<T, I>;
  readonly #clock: Clock;
  readonly #onHandlerError: (error: CacheError) => void;
  readonly #indexer: Indexer<T, I>;
  readonly #processor = new SharedProcessor<T>();
  readonly #updater: StoreUpdater<T, I>;
  readonly #feed = new StateFeed();
  readonly #waiters = new VersionWaiters();
  readonly #synced = new Milestone();
  readonly #gracePeriodMs: number;
  #resyncCheckMs: number;
  #handlers = 0;
  #run:
    | {
        readonly controller: Controller<T>;
        readonly queue: Queue<T, readonly QueueDelta<T>[]>;
        readonly stop: AbortController;
        /** The reader has ended: nothing more is handed to handlers. */
        readonly read: Promise<void>;
        readonly ended: Promise<void>;
      }
    | undefined;
  #hasRun = false;
  /** How far earlier runs have read. */
  #lastVersion = '';
  /** How far the store was when the queue was last empty: of use where keys overtake each other. */
  #emptiedAt = '';

  constructor(options: SharedIndexInformerOptions<T, I>) {
    const { keyFunc = metaNamespaceKeyFunc, indexers, name = 'informer' } = options;
    checkInformerNumbers(options);
    this.name = name;
    this.#gracePeriodMs = options.gracePeriodMs ?? defaultGracePeriodMs;
    const logger = loggerOf(options.logger ?? options.listerWatcher.logger);
    const warn = errorLogger(logger);
    const { onError = warn, onHandlerError = warn } = options;
    this.#options = {
      ...options,
      logger,
      onError: guardCallback(`onError of ${name}`, onError, logger),
    };
    this.#clock = options.clock ?? systemClock;
    this.#onHandlerError = guardCallback(`onHandlerError of ${name}`, onHandlerError, logger);
    this.#indexer = new Indexer<T, I>({
      keyFunc,
      ...(indexers === undefined ? {} : { indexers }),
      onIndexError: ({ code, message, cause }) =>
        this.#options.onError?.(new CacheError(code, `${name}: ${message}`, { cause })),
    });
    this.#resyncCheckMs = options.resyncPeriodMs ?? 0;
    this.#updater = new StoreUpdater({
      store: this.#indexer,
      processor: this.#processor,
      clock: this.#clock,
    });
  }

  /** The cache. Read from it only: what is written to it by others is lost or wrong. */
  get indexer(): Indexer<T, I> {
    return this.#indexer;
  }

  get isRunning(): boolean {
    return this.#run !== undefined;
  }

  /** True after a run has ended, until the next begins. */
  get isStopped(): boolean {
    return this.#hasRun && this.#run === undefined;
  }

  /** True once the first list is in the store; it stays true when the informer is stopped. */
  get hasSynced(): boolean {
    return this.#synced.isReached;
  }

  /**
   * Resolves when {@link SharedIndexInformer.hasSynced} becomes true. Rejects with `CACHE_STOPPED` if
   * the informer is, or was, stopped before; when it runs again it can be waited for again.
   */
  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  /** How far reading from the server has come. */
  get lastSyncResourceVersion(): string {
    return this.#run?.controller.lastSyncResourceVersion ?? this.#indexer.resourceVersion;
  }

  get state(): InformerState {
    const run = this.#run;
    if (run === undefined) return { state: this.#hasRun ? 'stopped' : 'starting' };
    const { status } = run.controller;
    if (status.state !== 'live') return status;
    if (!run.controller.hasSynced) return { state: 'syncing', received: this.#indexer.size };
    return { state: 'live', resourceVersion: status.resourceVersion, lag: run.queue.size };
  }

  /** The state, then every other, until the signal aborts or the loop is left. */
  stateChanges({ signal }: RunOptions = {}): AsyncIterableIterator<InformerState, void, undefined> {
    return this.#feed.follow(this.state, signal);
  }

  /** Adds indices, at any time; see {@link Indexer.addIndexers}. */
  addIndexers<More extends Indexers<T>>(
    indexers: More,
  ): SharedIndexInformer<T, MoreIndexers<T, I, More>> {
    this.#indexer.addIndexers(indexers);
    return this as unknown as SharedIndexInformer<T, MoreIndexers<T, I, More>>;
  }

  /**
   * Adds a handler, at any time. It is first called for everything that is in the cache, as added,
   * then for what happens.
   */
  addEventHandler(
    handler: ResourceEventHandler<T>,
    options: EventHandlerOptions = {},
  ): EventHandlerRegistration {
    checkNumbers(options, { maxPending: 'count', resyncPeriodMs: 'period' });
    checkChoice('overflow', options.overflow, ['hold', 'remove']);
    this.#handlers += 1;
    const { resyncPeriodMs = this.#options.resyncPeriodMs ?? 0, signal, ...rest } = options;
    const { name = `${this.name} #${this.#handlers}` } = options;
    const ties: Disposable[] = [];
    const listener: ProcessorListener<T> = new ProcessorListener<T>({
      ...rest,
      name,
      handler,
      clock: this.#clock,
      gracePeriodMs: this.#gracePeriodMs,
      onError: this.#onHandlerError,
      onRemoved: () => {
        for (const tie of ties) tie[Symbol.dispose]();
        this.#processor.remove(listener);
      },
    });
    const requestedMs = this.#agreeOnResync(resyncPeriodMs);
    // Nothing may come between the replay and the first change: no await here.
    listener.addBatch({ type: 'replay', items: this.#indexer.list() });
    const periodMs = resyncPeriodFor(requestedMs, this.#resyncCheckMs);
    this.#processor.add(listener, requestedMs, periodMs, this.#clock.monotonic());
    if (this.hasSynced) listener.upstreamSynced();
    else if (this.isStopped) listener.upstreamStopped(this.#stopped());
    // A signal that outlives the informer must not keep it alive.
    ties.push(onAbortWeakly(signal, listener, removeListener));
    return registrationOf(this, listener);
  }

  /**
   * Runs until the signal aborts or {@link SharedIndexInformer.stop} is called, and resolves when
   * everything has come to rest. Handlers finish what has been delivered to them before; those that
   * do not within the grace period are reported and removed.
   */
  async run({ signal }: RunOptions = {}): Promise<void> {
    if (this.#run !== undefined) {
      throw new CacheError('CACHE_RUN_TWICE', `the informer ${this.name} is running`);
    }
    this.#hasRun = true;
    const queue = this.#makeQueue();
    const controller = this.#makeController(queue);
    const stop = new AbortController();
    const read = new Deferred();
    const ended = new Deferred();
    using until = anySignal([signal, stop.signal]);
    this.#run = { controller, queue, stop, read: read.promise, ended: ended.promise };
    this.#synced.renew();
    this.#processor.upstreamStarted();
    void queue.synced.then(() => this.#becomeSynced());
    try {
      await controller.run({ signal: until.signal });
      read.resolve();
      await this.#processor.drain(this.#gracePeriodMs, this.#clock);
    } finally {
      this.#lastVersion = controller.lastSyncResourceVersion;
      this.#run = undefined;
      this.#feed.publish(this.state);
      read.resolve();
      ended.resolve();
      this.#endWaits();
    }
  }

  /**
   * Ends the run, if there is one, and resolves when it has ended. Within a handler it does not wait
   * for the call that it is made in.
   */
  async stop(): Promise<void> {
    const run = this.#run;
    const { caller } = this.#processor;
    run?.stop.abort();
    if (caller === undefined) {
      await run?.ended;
      return;
    }
    await run?.read;
    await this.#processor.idle(caller);
  }

  /**
   * Resolves when the store has what the server had at `resourceVersion`: after a write, the version
   * of the answer makes sure that the next read sees it. Before the first run it waits for it. Rejects
   * with `CACHE_STOPPED` if the informer is, or was, stopped before, and with the reason of the signal.
   * For an informer that sees only a part of the objects it may take until the next bookmark, about a
   * minute.
   */
  async reached(resourceVersion: string, { signal }: RunOptions = {}): Promise<void> {
    if (!isResourceVersion(resourceVersion)) throw new ResourceVersionError(resourceVersion);
    if (this.#options.listerWatcher.selectsNothing === true) return;
    if (hasReached(this.#appliedVersion(), resourceVersion)) return;
    if (this.isStopped) throw this.#stopped();
    await this.#waiters.wait(resourceVersion, signal);
  }

  #makeQueue(): Queue<T, readonly QueueDelta<T>[]> {
    const { keyFunc = metaNamespaceKeyFunc, queue = 'in-order' } = this.#options;
    const transform = transformOf(this.#options);
    const onRefused = (refusal: Refusal<T>): void =>
      this.#options.onError?.(refusalError(this.name, refusal));
    const options = { keyFunc, onRefused, ...(transform && { transform }) };
    return queue === 'delta'
      ? new DeltaFIFO<T>({ ...options, knownObjects: this.#indexer })
      : new RealFIFO<T>({ ...options, batchSize });
  }

  #makeController(queue: Queue<T, readonly QueueDelta<T>[]>): Controller<T> {
    const { onError } = this.#options;
    const afterwards = (): void => {
      if (isDrained(queue)) this.#emptiedAt = controller.lastSyncResourceVersion;
      if (this.#waiters.size > 0) this.#waiters.reach(this.#appliedVersion());
    };
    const controller = new Controller<T>({
      queue,
      // What a later run finds is news to those who have synced in an earlier one.
      process: (deltas, isInInitialList) =>
        this.#updater.apply(deltas, isInInitialList && !this.hasSynced),
      waitForRoom: () => this.#processor.room(),
      onProcessed: afterwards,
      onProcessError: (cause) => {
        const message = `the store of ${this.name} did not take a change`;
        onError?.(new CacheError('CACHE_STORE_FAILED', message, { cause }));
      },
      reflector: {
        ...this.#options,
        name: this.name,
        resourceVersion: this.#lastVersion,
        resyncPeriodMs: this.#resyncCheckMs,
        shouldResync: () => this.#processor.shouldResync(this.#clock.monotonic()),
        onStateChange: () => {
          this.#feed.publish(this.state);
          afterwards();
        },
      },
    });
    return controller;
  }

  #becomeSynced(): void {
    this.#synced.reach();
    this.#processor.upstreamSynced();
    this.#feed.publish(this.state);
  }

  /** Nothing comes any more: those who wait for it must not wait for ever. */
  #endWaits(): void {
    const error = this.#stopped();
    this.#synced.fail(error);
    this.#processor.upstreamStopped(error);
    this.#waiters.reach(this.#appliedVersion());
    this.#waiters.fail(error);
  }

  #stopped(): CacheError {
    return new CacheError('CACHE_STOPPED', `the informer ${this.name} was stopped`);
  }

  /**
   * In a queue that keeps the order, the store stands where its last object does. In one where keys
   * overtake each other, it stands somewhere only when nothing waits.
   */
  #appliedVersion(): string {
    if (this.#options.queue !== 'delta') return this.#indexer.resourceVersion;
    const isUpToDate = this.#run !== undefined && isDrained(this.#run.queue);
    return isUpToDate ? this.lastSyncResourceVersion : this.#emptiedAt;
  }

  /** While the informer runs its rhythm is fixed; before, the fastest handler sets it. */
  #agreeOnResync(wantedMs: number): number {
    if (wantedMs <= 0) return 0;
    const requestedMs = Math.max(wantedMs, leastResyncMs);
    const isRhythmEnough = this.#resyncCheckMs > 0 && requestedMs >= this.#resyncCheckMs;
    if (isRhythmEnough || this.isRunning) return requestedMs;
    this.#resyncCheckMs = requestedMs;
    this.#processor.checkPeriodChanged(requestedMs, this.#clock.monotonic());
    return requestedMs;
  }
}

/** What the last run left in its queue is lost until this one has a list. */
function isDrained({
  hasSynced,
  size,
}: {
  readonly hasSynced: boolean;
  readonly size: number;
}): boolean {
  return hasSynced && size === 0;
}

/** Not a closure: one made beside others would hold everything that those hold. */
function removeListener(listener: Pick<ProcessorListener<never>, 'remove'>): void {
  void listener.remove();
}

function registrationOf<T extends object>(
  informer: SyncSource,
  listener: ProcessorListener<T>,
): EventHandlerRegistration {
  const remove = (): Promise<void> => listener.remove();
  return {
    name: listener.name,
    informer,
    get synced() {
      return listener.synced;
    },
    get hasSynced() {
      return listener.hasSynced;
    },
    get pending() {
      return listener.pending;
    },
    get highWater() {
      return listener.highWater;
    },
    get isRemoved() {
      return listener.isRemoved;
    },
    remove,
    [Symbol.asyncDispose]: remove,
  };
}
