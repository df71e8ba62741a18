import { guardCallback } from '../lib/callback.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { deepFreeze } from '../lib/deep-freeze.ts';
import { Deferred } from '../lib/deferred.ts';
import { errorLogger, loggerOf } from '../lib/logger.ts';
import { Milestone } from '../lib/milestone.ts';
import { checkChoice, checkNumbers } from '../lib/option-error.ts';
import { anySignal, onAbortWeakly } from '../lib/signal.ts';
import { Slices } from '../lib/slices.ts';
import { nameOf } from '../meta/object.ts';
import { isResourceVersion, ResourceVersionError } from '../meta/resource-version.ts';
import { CacheError } from './cache-error.ts';
import { Controller } from './controller.ts';
import { DeltaFIFO } from './delta-fifo.ts';
import { type InformerStatistics, informerStates, runningInformers } from './diagnostics.ts';
import type { QueueDelta, Refusal, ReplacedAllDelta, TransformFunc } from './delta-queue.ts';
import type {
  EventHandlerOptions,
  EventHandlerRegistration,
  ResourceEventHandler,
} from './event-handler.ts';
import { Indexer } from './indexer.ts';
import type { AnyIndexers, IndexInputs, MoreIndexers, NoIndexers } from './indexers.ts';
import { checkIndexFields } from './key-index.ts';
import { InformerCounts } from './informer-counts.ts';
import { hasReached, type InformerState, StateFeed, VersionWaiters } from './informer-state.ts';
import type { CachedObject, ExpectedKind } from './list-watch.ts';
import type { Queue } from './queue.ts';
import { RealFIFO } from './real-fifo.ts';
import { checkReflectorNumbers, type ReflectorOptions, type RunOptions } from './reflector.ts';
import {
  KeyedNotifications,
  type Notification,
  ProcessorListener,
  resyncPeriodFor,
  SharedProcessor,
} from './shared-processor.ts';
import { DeletedFinalStateUnknown, isSameState, metaNamespaceKeyFunc } from './store.ts';
import type { SyncSource } from './wait-for-cache-sync.ts';

/** Options of {@link SharedIndexInformer}. */
export interface SharedIndexInformerOptions<
  T extends CachedObject,
  I extends AnyIndexers<T> = NoIndexers,
> extends Omit<
  ReflectorOptions<T>,
  'afterWrite' | 'onRead' | 'onStateChange' | 'resourceVersion' | 'shouldResync' | 'store'
> {
  /** Name in errors and in {@link waitForCacheSync}. */
  readonly name?: string | undefined;
  readonly indexers?: (I & IndexInputs<T>) | undefined;
  /** Resync period of handlers without one of their own. Default 0: never. */
  readonly resyncPeriodMs?: number | undefined;
  readonly transform?: TransformFunc<T> | undefined;
  /**
   * `in-order` keeps the order of the server across objects and puts a list into the store in one
   * step (client-go's `RealFIFO`); `delta` collects the changes of an object while it is queued
   * (`DeltaFIFO`). Default `in-order`.
   */
  readonly queue?: 'delta' | 'in-order' | undefined;
  /** Called for handlers that throw, or are removed for being too slow. Default: logs a warning. */
  readonly onHandlerError?: ((error: CacheError) => void) | undefined;
  /**
   * How long a stop waits for handlers to finish, and a removal for the current call. Handlers that
   * have not finished by then are reported by name and removed. Default 30 s; `Infinity` for no limit.
   */
  readonly gracePeriodMs?: number | undefined;
}

type DeltaQueueOf<T extends CachedObject> = Queue<T, readonly QueueDelta<T>[]>;

interface Run<T extends CachedObject> {
  readonly controller: Controller<T>;
  readonly queue: DeltaQueueOf<T>;
  readonly stop: AbortController;
  /** Resolves when reading has ended: no more calls are added for handlers. */
  readonly read: Promise<void>;
  readonly ended: Promise<void>;
}

const defaultGracePeriodMs = 30_000;
/** Resyncs are not made more often than this. */
const leastResyncMs = 1000;

/**
 * One watch, one cache, many handlers. The stages are client-go's: a {@link Reflector} reads from the
 * server into a queue ({@link RealFIFO} or {@link DeltaFIFO}); a {@link Controller} drains the queue
 * into the {@link Indexer}; a processor calls every handler at its own pace.
 *
 * Guarantees: every handler, whenever it is added, is called for the cached objects as added, then for
 * every later change, once, in the order of the server for each object. The store is never behind a
 * call. A missed deletion is delivered as a tombstone. A stop is not an error, after it nothing is
 * called any more, and the informer can be run again: changes in between are then delivered.
 *
 * Objects from the store and in handlers are shared and must not be changed.
 */
export class SharedIndexInformer<T extends CachedObject, I extends AnyIndexers<T> = NoIndexers> {
  readonly name: string;
  readonly #options: SharedIndexInformerOptions<T, I>;
  readonly #clock: Clock;
  readonly #onHandlerError: (error: CacheError) => void;
  readonly #indexer: Indexer<T, I>;
  readonly #processor = new SharedProcessor<T>();
  readonly #feed = new StateFeed();
  readonly #waiters = new VersionWaiters();
  readonly #counts = new InformerCounts<T>(this);
  readonly #synced = new Milestone();
  readonly #gracePeriodMs: number;
  #resyncCheckMs: number;
  #handlers = 0;
  #run: Run<T> | undefined;
  #hasRun = false;
  /** The version that earlier runs have read up to. */
  #lastVersion = '';
  /** The version of the store when the queue was last empty, for the queue that reorders keys. */
  #emptiedAt = '';

  constructor(options: SharedIndexInformerOptions<T, I>) {
    const { keyFunc = metaNamespaceKeyFunc, indexers, name = 'informer' } = options;
    checkReflectorNumbers(options);
    checkNumbers(options, { gracePeriodMs: 'duration' });
    checkChoice('queue', options.queue, ['delta', 'in-order']);
    this.name = name;
    this.#gracePeriodMs = options.gracePeriodMs ?? defaultGracePeriodMs;
    const logger = loggerOf(options.logger ?? options.listerWatcher.logger);
    const warn = errorLogger<CacheError>(logger, 'informer.failed');
    const { onError = warn, onHandlerError = warn } = options;
    this.#options = {
      ...options,
      logger,
      onError: guardCallback(`onError of ${name}`, onError, logger),
    };
    this.#clock = options.clock ?? systemClock;
    if (indexers !== undefined) checkIndexFields(name, indexers, options.listerWatcher);
    this.#onHandlerError = guardCallback(`onHandlerError of ${name}`, onHandlerError, logger);
    this.#indexer = new Indexer<T, I>({
      keyFunc,
      indexers,
      onIndexError: ({ code, message, cause }) => this.#report(code, message, cause),
    });
    this.#resyncCheckMs = options.resyncPeriodMs ?? 0;
  }

  /** The cache. Only read from it: writes of others are lost or wrong. */
  get indexer(): Indexer<T, I> {
    return this.#indexer;
  }

  /** What the informer has done so far. */
  get statistics(): InformerStatistics {
    return { ...this.#counts.current, handlers: this.#processor.statistics };
  }

  /** The host and port of the server; empty if unknown. */
  get server(): string {
    return this.#options.listerWatcher.server ?? '';
  }

  get isRunning(): boolean {
    return this.#run !== undefined;
  }

  /** True after a run has ended, until the next starts. */
  get isStopped(): boolean {
    return this.#hasRun && this.#run === undefined;
  }

  /** True once the first list is in the store. Stays true when the informer is stopped. */
  get hasSynced(): boolean {
    return this.#synced.isReached;
  }

  /**
   * Resolves when {@link SharedIndexInformer.hasSynced} becomes true. Rejects with `CACHE_STOPPED` if
   * the informer is stopped before; after it is run again, it can be awaited again.
   */
  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  /** The version that has been read from the server. */
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

  /** Returns the state, then every later one, until the signal aborts or the loop is left. */
  stateChanges({ signal }: RunOptions = {}): AsyncIterableIterator<InformerState> {
    return this.#feed.follow(this.state, signal);
  }

  /** Adds indices, at any time; see {@link Indexer.addIndexers}. */
  addIndexers<More extends AnyIndexers<T>>(
    indexers: IndexInputs<T> & More,
  ): SharedIndexInformer<T, MoreIndexers<T, I, More>> {
    checkIndexFields(this.name, indexers, this.#options.listerWatcher);
    this.#indexer.addIndexers(indexers);
    return this as unknown as SharedIndexInformer<T, MoreIndexers<T, I, More>>;
  }

  /**
   * Adds a handler, at any time. It is first called for every cached object as added, then for every
   * change.
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
      informer: this,
      clock: this.#clock,
      gracePeriodMs: this.#gracePeriodMs,
      onError: this.#onHandlerError,
      onRemoved: () => {
        for (const tie of ties) tie[Symbol.dispose]();
        this.#processor.remove(listener);
      },
    });
    const requestedMs = this.#agreeOnResync(resyncPeriodMs);
    // No change may be distributed between the replay and the registration: no await here.
    listener.add({ type: 'replay', items: this.#indexer.list() });
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
   * everything has stopped. Handlers finish the calls that were added before; those that do not within
   * the grace period are reported and removed.
   */
  async run({ signal }: RunOptions = {}): Promise<void> {
    if (this.#run !== undefined) {
      throw new CacheError('CACHE_RUN_TWICE', `informer ${this.name} is already running`);
    }
    this.#hasRun = true;
    const queue = this.#makeQueue();
    const controller = this.#makeController(queue);
    const stop = new AbortController();
    const read = new Deferred();
    const ended = new Deferred();
    using until = anySignal([signal, stop.signal]);
    this.#run = { controller, queue, stop, read: read.promise, ended: ended.promise };
    runningInformers.add(this);
    this.#synced.renew();
    this.#processor.upstreamStarted();
    queue.synced.then(
      () => this.#becomeSynced(),
      () => undefined,
    );
    try {
      await controller.run({ signal: until.signal });
      read.resolve();
      await this.#processor.drain(this.#gracePeriodMs, this.#clock);
    } finally {
      this.#lastVersion = controller.lastSyncResourceVersion;
      this.#run = undefined;
      runningInformers.delete(this);
      this.#publishState();
      read.resolve();
      ended.resolve();
      this.#endWaits();
    }
  }

  /**
   * Ends the run, if there is one, and resolves when it has ended. Called in a handler, it does not
   * wait for that call.
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
   * Resolves when the store has the state of the server at `resourceVersion`: awaited with the version
   * of a write's answer, the next read sees the write. Before the first run it waits for that. Rejects
   * with `CACHE_STOPPED` if the informer is stopped before, and with the reason of the signal. For an
   * informer with a selector it may take until the next bookmark, about a minute.
   */
  async reached(resourceVersion: string, { signal }: RunOptions = {}): Promise<void> {
    if (!isResourceVersion(resourceVersion)) throw new ResourceVersionError(resourceVersion);
    if (this.#options.listerWatcher.selectsNothing === true) return;
    if (hasReached(this.#appliedVersion(), resourceVersion)) return;
    if (this.isStopped) throw this.#stopped();
    await this.#waiters.wait(resourceVersion, signal);
  }

  #makeQueue(): DeltaQueueOf<T> {
    const { keyFunc = metaNamespaceKeyFunc, queue = 'in-order' } = this.#options;
    const transform = transformOf(this.#options);
    const onRefused = ({ object, key, cause }: Refusal<T>): void => {
      const what = key === undefined ? 'key' : 'transform';
      const which = JSON.stringify(key ?? nameOf(object));
      this.#report(
        'CACHE_STORE_FAILED',
        `the ${what} function failed for the object ${which}`,
        cause,
      );
    };
    return queue === 'delta'
      ? new DeltaFIFO<T>({ keyFunc, transform, onRefused, knownObjects: this.#indexer })
      : new RealFIFO<T>({ keyFunc, transform, onRefused });
  }

  #makeController(queue: DeltaQueueOf<T>): Controller<T> {
    const isReordering = this.#options.queue === 'delta';
    const onProcessed = (): void => {
      if (isReordering && isDrained(queue)) this.#emptiedAt = controller.lastSyncResourceVersion;
      if (this.#waiters.size > 0) this.#waiters.reach(this.#appliedVersion());
    };
    const controller = new Controller<T>({
      queue,
      process: this.#processDeltas,
      waitForRoom: () => this.#processor.room(),
      onProcessed,
      onProcessError: (cause) =>
        this.#report('CACHE_STORE_FAILED', 'a change could not be applied to the store', cause),
      reflector: {
        ...this.#options,
        name: this.name,
        resourceVersion: this.#lastVersion,
        resyncPeriodMs: this.#resyncCheckMs,
        shouldResync: () => this.#processor.shouldResync(this.#clock.monotonic()),
        onRead: (reading) => this.#counts.reading(reading),
        onStateChange: () => {
          this.#publishState();
          onProcessed();
        },
      },
    });
    return controller;
  }

  /**
   * Applies deltas to the store, then notifies the handlers. The store decides whether an object is
   * new, not the event: handlers see each object once as added, then as updated, then as deleted,
   * whatever was missed in between. An object with the uid and version of the cached one is not
   * delivered; one with another uid is an update, as in client-go.
   */
  readonly #processDeltas = (
    deltas: readonly QueueDelta<T>[],
    isInFirstList: boolean,
  ): Promise<void> | void => {
    // What a later run lists is a change for handlers that synced in an earlier one.
    const isInInitialList = isInFirstList && !this.hasSynced;
    for (const delta of deltas) {
      switch (delta.type) {
        case 'Added':
        case 'Replaced':
        case 'Updated': {
          const before = this.#indexer.updateByKey(delta.key, delta.object);
          const notification = changeOf(before, delta.object, isInInitialList);
          if (notification === undefined) break;
          this.#counts.change(delta.key, notification);
          this.#processor.distribute(notification);
          break;
        }
        case 'Deleted':
          this.#delete(delta.key, delta.object);
          break;
        case 'Sync':
          this.#processor.resync([delta.object]);
          break;
        case 'SyncAll':
          this.#processor.resync(this.#indexer.list());
          break;
        case 'Bookmark':
          this.#counts.bookmark();
          this.#indexer.bookmark(delta.resourceVersion);
          break;
        case 'ReplacedAll':
          // It is always the only delta of its item.
          return this.#replaceAll(delta, isInInitialList);
      }
    }
  };

  #delete(key: string, object: DeletedFinalStateUnknown<T> | T): void {
    const isTombstone = object instanceof DeletedFinalStateUnknown;
    const before = this.#indexer.deleteByKey(key, isTombstone ? undefined : object);
    // Handlers have not seen an object that was not in the store.
    if (before === undefined) return;
    const hasState = !isTombstone || object.object !== undefined;
    const deleted = hasState ? object : new DeletedFinalStateUnknown(key, before);
    const notification = { type: 'delete', object: deleted } as const;
    this.#counts.change(key, notification);
    this.#processor.distribute(notification);
  }

  /**
   * Prepares the new content beside the old one, in slices; then store and handlers get it in one
   * step. A handler that is added meanwhile sees either the old objects and all changes, or the new
   * objects and none of them.
   */
  async #replaceAll(
    { keys, objects, refusedKeys = [], resourceVersion }: ReplacedAllDelta<T>,
    isInInitialList: boolean,
  ): Promise<void> {
    const indexer = this.#indexer;
    const replacement = indexer.replacement();
    const changes = new KeyedNotifications<T>();
    const deletions = new KeyedNotifications<T>();
    const slices = new Slices(this.#clock);
    for (let position = 0; position < objects.length; position += 1) {
      const key = keys[position] as string;
      const object = objects[position] as T;
      // Of several objects with one key, which a server should not send, the last wins.
      if (replacement.set(key, object) !== undefined) changes.remove(key);
      const notification = changeOf(indexer.getByKey(key), object, isInInitialList);
      if (notification !== undefined) changes.add(key, notification);
      if (slices.isOver) await slices.next();
    }
    for (const key of refusedKeys) {
      const known = indexer.getByKey(key);
      if (known !== undefined && !replacement.has(key)) replacement.set(key, known);
    }
    for (const key of indexer.keys()) {
      if (!replacement.has(key)) {
        const object = new DeletedFinalStateUnknown(key, indexer.getByKey(key));
        deletions.add(key, { type: 'delete', object });
      }
      if (slices.isOver) await slices.next();
    }
    // The handlers' first slice is in this turn.
    if (slices.count > 1) await slices.next();
    this.#counts.changes(deletions);
    this.#counts.changes(changes);
    replacement.commit(resourceVersion);
    const items = deletions.items.concat(changes.items);
    const initialCount = isInInitialList ? changes.added : 0;
    this.#processor.distribute({ type: 'each', items, initialCount });
  }

  #becomeSynced(): void {
    this.#synced.reach();
    this.#processor.upstreamSynced();
    this.#publishState();
  }

  #publishState(): void {
    const { state } = this;
    this.#feed.publish(state);
    if (informerStates.hasSubscribers) informerStates.publish({ informer: this, state });
  }

  /** Ends the waits that can no longer be met. */
  #endWaits(): void {
    const error = this.#stopped();
    this.#synced.fail(error);
    this.#processor.upstreamStopped(error);
    this.#waiters.reach(this.#appliedVersion());
    this.#waiters.fail(error);
  }

  #stopped(): CacheError {
    return new CacheError('CACHE_STOPPED', `informer ${this.name} was stopped`);
  }

  #report(code: CacheError['code'], message: string, cause: unknown): void {
    this.#options.onError?.(new CacheError(code, `${this.name}: ${message}`, { cause }));
  }

  /**
   * In the queue that keeps the order, the store is at the version of its last object. In the one that
   * reorders keys, it is at a version only when the queue is empty.
   */
  #appliedVersion(): string {
    if (this.#options.queue !== 'delta') return this.#indexer.resourceVersion;
    const isUpToDate = this.#run !== undefined && isDrained(this.#run.queue);
    return isUpToDate ? this.lastSyncResourceVersion : this.#emptiedAt;
  }

  /** Before the informer runs, the handler with the shortest period sets that of the checks. */
  #agreeOnResync(wantedMs: number): number {
    if (wantedMs <= 0) return 0;
    const requestedMs = Math.max(wantedMs, leastResyncMs);
    const isOftenEnough = this.#resyncCheckMs > 0 && requestedMs >= this.#resyncCheckMs;
    if (isOftenEnough || this.isRunning) return requestedMs;
    this.#resyncCheckMs = requestedMs;
    this.#processor.checkPeriodChanged(requestedMs, this.#clock.monotonic());
    return requestedMs;
  }
}

/** The items that an earlier run left in its queue are lost until this run has listed. */
function isDrained({ hasSynced, size }: Pick<Queue<never, never>, 'hasSynced' | 'size'>): boolean {
  return hasSynced && size === 0;
}

function changeOf<T extends object>(
  oldObject: T | undefined,
  newObject: T,
  isInInitialList: boolean,
): Notification<T> | undefined {
  if (oldObject === undefined) return { type: 'add', object: newObject, isInInitialList };
  if (isSameState(newObject, oldObject)) return undefined;
  return { type: 'update', oldObject, newObject };
}

/**
 * Returns the transform of an informer: its objects have a kind, however they arrived, and stay
 * read-only if they were before the user's transform. Undefined if there is nothing to do.
 */
function transformOf<T extends CachedObject>({
  transform,
  expectedKind,
}: {
  readonly transform?: TransformFunc<T> | undefined;
  readonly expectedKind?: ExpectedKind | undefined;
}): TransformFunc<T> | undefined {
  const typed = expectedKind && withKind<T>(expectedKind);
  if (transform === undefined) return typed;
  return (object) => {
    const input = typed === undefined ? object : typed(object);
    const result = transform(input);
    return Object.isFrozen(input) ? deepFreeze(result) : result;
  };
}

/** Objects without a kind come from lists of a custom `ListerWatcher`. */
function withKind<T extends CachedObject>({ apiVersion, kind }: ExpectedKind): TransformFunc<T> {
  return (object) => {
    if (object.kind !== undefined) return object;
    const typed = { apiVersion, kind, ...object };
    return Object.isFrozen(object) ? Object.freeze(typed) : typed;
  };
}

/** Not a closure: it would hold everything that closures made beside it hold. */
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
