import { CallTracker } from '../lib/call-tracker.ts';
import type { Clock } from '../lib/clock.ts';
import { areCausesWanted, withCause } from '../lib/diagnostic-channel.ts';
import { Deferred } from '../lib/deferred.ts';
import { Milestone } from '../lib/milestone.ts';
import { nextTurn } from '../lib/next-turn.ts';
import { RingBuffer } from '../lib/ring-buffer.ts';
import { sliceMs } from '../lib/slices.ts';
import { isThenable } from '../lib/thenable.ts';
import { CacheError } from './cache-error.ts';
import {
  type DiagnosedInformer,
  type HandlerCall,
  type HandlerStatistics,
  SLOW_CALL_MS,
  slowHandlerCalls,
} from './diagnostics.ts';
import type { OverflowPolicy, ResourceEventHandler } from './event-handler.ts';
import {
  type DeletedFinalStateUnknown,
  deletionHandlingMetaNamespaceKeyFunc,
  lastKnownState,
} from './store.ts';

/** One call of a handler. */
export type Notification<T extends object> =
  | { readonly type: 'add'; readonly object: T; readonly isInInitialList: boolean }
  | { readonly type: 'delete'; readonly object: DeletedFinalStateUnknown<T> | T }
  | { readonly type: 'update'; readonly oldObject: T; readonly newObject: T };

/**
 * Many calls as one value that all listeners share: a list of 100,000 objects for 100 handlers is 100
 * references, not 10 million.
 */
export type NotificationBatch<T extends object> =
  /** The calls as they are, and how many of them are for objects of the first list. */
  | {
      readonly type: 'each';
      readonly items: readonly Notification<T>[];
      readonly initialCount: number;
    }
  /** An `add` for each object that was cached when the handler was added. */
  | { readonly type: 'replay'; readonly items: readonly T[] }
  /** An `update` of each object to itself. */
  | { readonly type: 'resync'; readonly items: readonly T[] };

/** Notifications in order, with the keys of their objects: two arrays, as a list may be long. */
export class KeyedNotifications<T extends object> {
  readonly keys: string[] = [];
  readonly items: Notification<T>[] = [];
  /** How many of them are of these types; the others are updates. */
  added = 0;
  deleted = 0;

  add(key: string, notification: Notification<T>): void {
    this.keys.push(key);
    this.items.push(notification);
    this.#count(notification, 1);
  }

  /** For the second object of a list with one key, which only a faulty server sends: takes O(n). */
  remove(key: string): void {
    const at = this.keys.indexOf(key);
    if (at === -1) return;
    this.keys.splice(at, 1);
    for (const removed of this.items.splice(at, 1)) this.#count(removed, -1);
  }

  #count({ type }: Notification<T>, change: -1 | 1): void {
    if (type === 'add') this.added += change;
    else if (type === 'delete') this.deleted += change;
  }
}

/** Options of {@link ProcessorListener}. */
export interface ProcessorListenerOptions<T extends object> {
  readonly name: string;
  readonly handler: ResourceEventHandler<T>;
  /** For diagnostics. */
  readonly informer?: DiagnosedInformer | undefined;
  readonly clock: Pick<Clock, 'monotonic' | 'schedule'>;
  /** Must not throw. */
  readonly onError: (error: CacheError) => void;
  /** Called once, when the listener is removed, for whatever reason. */
  readonly onRemoved?: (() => void) | undefined;
  /** How long a removal waits for the current call. */
  readonly gracePeriodMs: number;
  readonly maxPending?: number | undefined;
  readonly overflow?: OverflowPolicy | undefined;
}

/**
 * One handler and its buffer: no other handler waits for it. Calls are made one after another, in
 * order. Errors of the handler are reported, and the call counts as made.
 */
export class ProcessorListener<T extends object> {
  readonly name: string;
  readonly #options: ProcessorListenerOptions<T>;
  readonly #maxPending: number;
  readonly #buffer = new RingBuffer<Notification<T> | NotificationBatch<T>>();
  readonly #synced = new Milestone();
  readonly #calls = new CallTracker<Notification<T>['type']>();
  #room: Deferred | undefined;
  /** False while calls are pending, except after the grace period. */
  #isIdle = true;
  /** Present while something waits for that; resolved then. */
  #idle: Deferred | undefined;
  #isRunning = false;
  /** The current call, while causes are tracked. */
  #called: Notification<T> | undefined;
  #pending = 0;
  #highWater = 0;
  #slowestMs = 0;
  #slowestKey = '';
  /** Calls that take longer are noted: they are slow, or the slowest so far. */
  #notedMs = 0;
  #initialPending = 0;
  #isUpstreamSynced = false;
  #isRemoved = false;

  constructor(options: ProcessorListenerOptions<T>) {
    this.name = options.name;
    this.#options = options;
    this.#maxPending = options.maxPending ?? Infinity;
  }

  /** The number of pending calls, with the current one. */
  get pending(): number {
    return this.#pending;
  }

  /** The largest number of pending calls so far. */
  get highWater(): number {
    return this.#highWater;
  }

  get statistics(): HandlerStatistics {
    const { name, pending, highWater } = this;
    return { name, pending, highWater, slowestMs: this.#slowestMs, slowestKey: this.#slowestKey };
  }

  /** True once the handler has been called for the whole first list. */
  get hasSynced(): boolean {
    return this.#synced.isReached;
  }

  /** Rejects if the listener is removed, or the informer stopped, before. */
  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  get isRemoved(): boolean {
    return this.#isRemoved;
  }

  /** True if the caller is the handler, in the current call. */
  get isCaller(): boolean {
    return this.#calls.isWithin;
  }

  /** Buffers calls of the handler. */
  add(entry: Notification<T> | NotificationBatch<T>): void {
    const count = callsOf(entry);
    if (this.#isRemoved || count === 0) return;
    if (this.#options.overflow === 'remove' && this.#pending >= this.#maxPending) {
      this.#drop();
      const message = `handler ${this.name} was removed: ${this.#maxPending} events were pending`;
      this.#options.onError(new CacheError('CACHE_HANDLER_OVERFLOW', message));
      return;
    }
    this.#buffer.push(entry);
    this.#pending += count;
    this.#initialPending += initialCount(entry);
    if (this.#pending > this.#highWater) this.#highWater = this.#pending;
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#isIdle = false;
    void this.#run();
  }

  /** The informer has the whole first list, and all of it is in the buffer. */
  upstreamSynced(): void {
    this.#isUpstreamSynced = true;
    this.#checkSynced();
  }

  /** The informer runs: a first list may come. */
  upstreamStarted(): void {
    if (!this.#isRemoved) this.#synced.renew();
  }

  /** The informer has stopped: no first list comes until it is run again. */
  upstreamStopped(error: CacheError): void {
    if (!this.#isUpstreamSynced) this.#synced.fail(error);
  }

  /**
   * Returns a promise if the informer must wait for this handler. It never waits for one with
   * `overflow: 'remove'`: the next event removes it.
   */
  room(): Promise<void> | undefined {
    if (this.#pending < this.#maxPending || this.#isRemoved) return undefined;
    if (this.#options.overflow === 'remove') return undefined;
    this.#room ??= new Deferred();
    return this.#room.promise;
  }

  /** Resolves when no calls are pending. */
  async idle(): Promise<void> {
    if (this.#isIdle) return;
    this.#idle ??= new Deferred();
    await this.#idle.promise;
  }

  /**
   * Drops pending calls. Resolves when the current call has ended; after the grace period it is
   * reported and no longer waited for. Does not wait if it is called in that call.
   */
  async remove(): Promise<void> {
    const isCaller = this.isCaller;
    this.#drop();
    if (isCaller || this.#isIdle) return;
    const { clock, gracePeriodMs } = this.#options;
    using _timer =
      gracePeriodMs < Infinity
        ? clock.schedule(gracePeriodMs, () => this.abandon('after it was removed'))
        : undefined;
    await this.idle();
  }

  /** Reports a handler that has not finished, removes it and no longer waits for it. */
  abandon(when: string): void {
    if (this.#isIdle) return;
    const { gracePeriodMs, onError } = this.#options;
    const waiting = this.#pending > 1 ? `; ${this.#pending - 1} more events were pending` : '';
    this.#drop();
    this.#becomeIdle();
    const message = `handler ${this.name} did not finish within ${gracePeriodMs} ms ${when}${waiting}`;
    onError(new CacheError('CACHE_HANDLER_STUCK', message));
  }

  async #run(): Promise<void> {
    const { clock } = this.#options;
    // Handlers must not run inside the code that notifies them.
    await Promise.resolve();
    let endedAt = clock.monotonic();
    let sliceEnd = endedAt + sliceMs;
    while (this.#buffer.size > 0) {
      const entry = this.#buffer.shift() as Notification<T> | NotificationBatch<T>;
      const count = callsOf(entry);
      for (let position = 0; position < count && !this.#isRemoved; position += 1) {
        const notification = notificationAt(entry, position);
        try {
          const handled = areCausesWanted()
            ? this.#callWithCause(notification)
            : this.#call(notification);
          if (handled !== undefined && isThenable(handled)) await handled;
        } catch (cause) {
          const message = `handler ${this.name} failed on ${notification.type}`;
          this.#options.onError(new CacheError('CACHE_HANDLER_FAILED', message, { cause }));
        }
        this.#calls.settled();
        this.#finish(notification);
        // The end of a call is the beginning of the next: the clock is read once for each.
        const now = clock.monotonic();
        if (now - endedAt > this.#notedMs) this.#noteCall(notification, now - endedAt);
        endedAt = now;
        if (now >= sliceEnd) {
          await nextTurn();
          endedAt = clock.monotonic();
          sliceEnd = endedAt + sliceMs;
        }
      }
    }
    this.#isRunning = false;
    this.#called = undefined;
    this.#calls[Symbol.dispose]();
    this.#becomeIdle();
  }

  #call(notification: Notification<T>): Promise<void> | void {
    return this.#calls.call(notification.type, this.#callHandler, notification);
  }

  #callWithCause(notification: Notification<T>): Promise<void> | void {
    this.#called = notification;
    return withCause(this.#createCause, this.#callWithinCause);
  }

  // Made once: a closure for each call would cost more than all else that diagnostics do here.
  readonly #createCause = (): HandlerCall | undefined =>
    this.#called && this.#causeOf(this.#called);
  readonly #callWithinCause = (): Promise<void> | void => this.#called && this.#call(this.#called);

  #causeOf(notification: Notification<T>): HandlerCall | undefined {
    const { informer, name: handler } = this.#options;
    if (informer === undefined) return undefined;
    return { kind: 'change', informer, handler, ...subjectOf(notification) };
  }

  #noteCall(notification: Notification<T>, durationMs: number): void {
    if (durationMs > this.#slowestMs) {
      this.#slowestMs = durationMs;
      this.#slowestKey = keyOf(notification);
      this.#notedMs = Math.min(durationMs, SLOW_CALL_MS);
    }
    if (durationMs < SLOW_CALL_MS || !slowHandlerCalls.hasSubscribers) return;
    const call = this.#causeOf(notification);
    if (call !== undefined) slowHandlerCalls.publish({ ...call, durationMs });
  }

  readonly #callHandler = (notification: Notification<T>): Promise<void> | void => {
    const { handler } = this.#options;
    switch (notification.type) {
      case 'add':
        return handler.onAdd?.(notification.object, notification.isInInitialList);
      case 'update':
        return handler.onUpdate?.(notification.oldObject, notification.newObject);
      case 'delete':
        return handler.onDelete?.(notification.object);
    }
  };

  #finish(notification: Notification<T>): void {
    if (this.#isRemoved) return;
    this.#pending -= 1;
    if (this.#room !== undefined && this.#pending < this.#maxPending) this.#makeRoom();
    if (notification.type !== 'add' || !notification.isInInitialList) return;
    this.#initialPending -= 1;
    if (this.#initialPending === 0) this.#checkSynced();
  }

  #checkSynced(): void {
    if (this.#isUpstreamSynced && this.#initialPending === 0) this.#synced.reach();
  }

  #makeRoom(): void {
    this.#room?.resolve();
    this.#room = undefined;
  }

  #becomeIdle(): void {
    this.#isIdle = true;
    this.#idle?.resolve();
    this.#idle = undefined;
  }

  #drop(): void {
    if (this.#isRemoved) return;
    this.#isRemoved = true;
    this.#buffer.clear();
    this.#pending = 0;
    this.#makeRoom();
    const message = `handler ${this.name} was removed before it had synced`;
    this.#synced.fail(new CacheError('CACHE_HANDLER_REMOVED', message));
    this.#options.onRemoved?.();
  }
}

interface Entry<T extends object> {
  readonly listener: ProcessorListener<T>;
  /** The requested period, and the one the informer can keep. 0 for never. */
  readonly requestedMs: number;
  periodMs: number;
  nextResyncAt: number;
}

/** Distributes notifications to all listeners of an informer. */
export class SharedProcessor<T extends object> {
  /** Replaced by every change, so that an iteration is not affected by it. */
  #entries: readonly Entry<T>[] = [];
  #due = new Set<ProcessorListener<T>>();

  add(listener: ProcessorListener<T>, requestedMs: number, periodMs: number, now: number): void {
    const entry = { listener, requestedMs, periodMs, nextResyncAt: now + periodMs };
    this.#entries = [...this.#entries, entry];
  }

  /** Does nothing if the listener was removed already. */
  remove(listener: ProcessorListener<T>): void {
    this.#entries = this.#entries.filter((entry) => entry.listener !== listener);
  }

  get statistics(): readonly HandlerStatistics[] {
    return this.#entries.map(({ listener }) => listener.statistics);
  }

  distribute(notification: Notification<T> | NotificationBatch<T>): void {
    for (const { listener } of this.#entries) listener.add(notification);
  }

  upstreamSynced(): void {
    for (const { listener } of this.#entries) listener.upstreamSynced();
  }

  upstreamStarted(): void {
    for (const { listener } of this.#entries) listener.upstreamStarted();
  }

  upstreamStopped(error: CacheError): void {
    for (const { listener } of this.#entries) listener.upstreamStopped(error);
  }

  /** The listener whose handler is the caller, if there is one. */
  get caller(): ProcessorListener<T> | undefined {
    return this.#entries.find(({ listener }) => listener.isCaller)?.listener;
  }

  /** Resolves when no listener has pending calls, except one. */
  async idle(except?: ProcessorListener<T>): Promise<void> {
    const others = this.#entries.filter(({ listener }) => listener !== except);
    await Promise.all(others.map(({ listener }) => listener.idle()));
  }

  /**
   * Resolves when no listener has pending calls. After the grace period those that have are reported
   * and removed, and no longer waited for.
   */
  async drain(gracePeriodMs: number, clock: Pick<Clock, 'schedule'>): Promise<void> {
    const abandon = (): void => {
      for (const { listener } of this.#entries) listener.abandon('after the informer was stopped');
    };
    using _timer =
      gracePeriodMs < Infinity && this.#entries.some(({ listener }) => listener.pending > 0)
        ? clock.schedule(gracePeriodMs, abandon)
        : undefined;
    await this.idle();
  }

  /** Returns a promise if the informer must wait for a handler. */
  room(): Promise<void> | undefined {
    for (const { listener } of this.#entries) {
      const room = listener.room();
      if (room !== undefined) return room;
    }
    return undefined;
  }

  /** Notes which listeners are due for a resync, and returns true if any is. */
  shouldResync(now: number): boolean {
    this.#due = new Set();
    for (const entry of this.#entries) {
      if (entry.periodMs <= 0 || now < entry.nextResyncAt) continue;
      this.#due.add(entry.listener);
      entry.nextResyncAt = now + entry.periodMs;
    }
    return this.#due.size > 0;
  }

  /** Delivers objects again to the listeners that {@link SharedProcessor.shouldResync} noted. */
  resync(objects: readonly T[]): void {
    for (const listener of this.#due) listener.add({ type: 'resync', items: objects });
  }

  /** Adapts all periods to the period at which the informer checks for resyncs. */
  checkPeriodChanged(checkPeriodMs: number, now: number): void {
    for (const entry of this.#entries) {
      entry.periodMs = resyncPeriodFor(entry.requestedMs, checkPeriodMs);
      entry.nextResyncAt = now + entry.periodMs;
    }
  }
}

/**
 * Returns how often a listener can be resynced that requests `requestedMs`, by an informer that checks
 * every `checkPeriodMs`: not more often, and never if either is 0.
 */
export function resyncPeriodFor(requestedMs: number, checkPeriodMs: number): number {
  if (requestedMs <= 0 || checkPeriodMs <= 0) return 0;
  return Math.max(requestedMs, checkPeriodMs);
}

/** Returns how many of the calls are for objects of the first list. */
function initialCount<T extends object>(entry: Notification<T> | NotificationBatch<T>): number {
  switch (entry.type) {
    case 'add':
      return entry.isInInitialList ? 1 : 0;
    case 'each':
      return entry.initialCount;
    case 'replay':
      return entry.items.length;
    default:
      return 0;
  }
}

function subjectOf<T extends object>(
  notification: Notification<T>,
): Pick<HandlerCall, 'event' | 'object'> {
  switch (notification.type) {
    case 'add':
      return { event: 'add', object: notification.object };
    case 'update': {
      const { oldObject, newObject: object } = notification;
      return { event: oldObject === object ? 'resync' : 'update', object };
    }
    case 'delete':
      return { event: 'delete', object: lastKnownState(notification.object) };
  }
}

function keyOf<T extends object>(notification: Notification<T>): string {
  const object = notification.type === 'update' ? notification.newObject : notification.object;
  return deletionHandlingMetaNamespaceKeyFunc(object);
}

/** Returns the number of calls of a handler that an entry of its buffer stands for. */
function callsOf<T extends object>(entry: Notification<T> | NotificationBatch<T>): number {
  switch (entry.type) {
    case 'add':
    case 'delete':
    case 'update':
      return 1;
    default:
      return entry.items.length;
  }
}

function notificationAt<T extends object>(
  entry: Notification<T> | NotificationBatch<T>,
  position: number,
): Notification<T> {
  switch (entry.type) {
    case 'each':
      return entry.items[position] as Notification<T>;
    case 'replay':
      return { type: 'add', object: entry.items[position] as T, isInInitialList: true };
    case 'resync': {
      const object = entry.items[position] as T;
      return { type: 'update', oldObject: object, newObject: object };
    }
    default:
      return entry;
  }
}
