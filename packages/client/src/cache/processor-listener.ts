import { CallTracker } from '../lib/call-tracker.ts';
import type { Clock } from '../lib/clock.ts';
import { Deferred } from '../lib/deferred.ts';
import { nextTurn } from '../lib/next-turn.ts';
import { RingBuffer } from '../lib/ring-buffer.ts';
import { isThenable } from '../lib/thenable.ts';
import { CacheError } from './cache-error.ts';
import type { ResourceEventHandler } from './event-handler.ts';
import { Milestone } from './milestone.ts';
import { type Notification, type NotificationBatch, notificationAt } from './notification.ts';

/** What is done about a handler that cannot keep up. */
export type OverflowPolicy =
  /** The whole informer waits, and stops reading from the server. */
  | 'hold'
  /** The handler is removed, and the error handler of the informer is called. */
  | 'remove';

/** How a {@link ProcessorListener} is made. */
export interface ProcessorListenerOptions<T extends object> {
  readonly name: string;
  readonly handler: ResourceEventHandler<T>;
  readonly clock: Pick<Clock, 'monotonic' | 'schedule'>;
  /** Must not throw. */
  readonly onError: (error: CacheError) => void;
  /** Called once, when the listener is removed, for whatever reason. */
  readonly onRemoved?: (() => void) | undefined;
  /** How long a removal waits for the call that is under way. */
  readonly gracePeriodMs: number;
  readonly maxPending?: number | undefined;
  readonly overflow?: OverflowPolicy | undefined;
}

/** After this long a listener lets others have their turn. */
const sliceMs = 10;

/**
 * One handler with its own buffer: it takes as long as it takes, and no other handler waits for it.
 * Calls come one after another, in order. What it throws is reported, and counts as handled.
 */
export class ProcessorListener<T extends object> {
  readonly name: string;
  readonly #options: ProcessorListenerOptions<T>;
  readonly #maxPending: number;
  readonly #buffer = new RingBuffer<Notification<T> | NotificationBatch<T>>();
  readonly #synced = new Milestone();
  readonly #calls = new CallTracker<Notification<T>['type']>();
  readonly #invoke = (notification: Notification<T>): Promise<void> | void =>
    this.#callHandler(notification);
  #room: Deferred | undefined;
  /** There while there is something to do, and resolved at the end of it or of the patience. */
  #atRest: Deferred | undefined;
  #isRunning = false;
  #pending = 0;
  #highWater = 0;
  #initialPending = 0;
  #isUpstreamSynced = false;
  #isRemoved = false;

  constructor(options: ProcessorListenerOptions<T>) {
    this.name = options.name;
    this.#options = options;
    this.#maxPending = options.maxPending ?? Infinity;
  }

  /** How many calls wait, with the one that is under way. */
  get pending(): number {
    return this.#pending;
  }

  /** The most that have ever waited. */
  get highWater(): number {
    return this.#highWater;
  }

  /** True once the first list is complete and has been handed to the handler. */
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

  /** True if the caller is the handler, in the call that is under way. */
  get isCaller(): boolean {
    return this.#calls.isWithin;
  }

  add(notification: Notification<T>): void {
    const isInitial = notification.type === 'add' && notification.isInInitialList;
    this.#push(notification, 1, isInitial ? 1 : 0);
  }

  addBatch(batch: NotificationBatch<T>): void {
    const { items, type } = batch;
    if (items.length === 0) return;
    const initial =
      type === 'each'
        ? batch.items.filter((item) => item.type === 'add' && item.isInInitialList).length
        : items.length;
    this.#push(batch, items.length, type === 'resync' ? 0 : initial);
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

  /** The informer has stopped: no first list comes unless it is started again. */
  upstreamStopped(error: CacheError): void {
    if (!this.#isUpstreamSynced) this.#synced.fail(error);
  }

  /**
   * Undefined unless the informer must wait for this handler. It never waits for one that is removed
   * when it cannot keep up: the next event does that.
   */
  room(): Promise<void> | undefined {
    if (this.#pending < this.#maxPending || this.#isRemoved) return undefined;
    if (this.#options.overflow === 'remove') return undefined;
    this.#room ??= new Deferred();
    return this.#room.promise;
  }

  /** Resolves when everything that it was told has been handled, or was dropped. */
  async idle(): Promise<void> {
    await this.#atRest?.promise;
  }

  /**
   * Drops what waits. Resolves when a call that is under way has ended: after the grace period it is
   * reported, and no longer waited for. Does not wait for the call that it is made in.
   */
  async remove(): Promise<void> {
    const isCaller = this.isCaller;
    this.#drop();
    if (isCaller || this.#atRest === undefined) return;
    const { clock, gracePeriodMs } = this.#options;
    using _timer =
      gracePeriodMs < Infinity
        ? clock.schedule(gracePeriodMs, () => this.giveUp('after it was removed'))
        : undefined;
    await this.idle();
  }

  /** Reports what has not come to rest, removes it and no longer waits for it. */
  giveUp(when: string): void {
    if (this.#atRest === undefined) return;
    const { gracePeriodMs, onError } = this.#options;
    const waiting = this.#pending > 1 ? `, with ${this.#pending - 1} more events waiting` : '';
    this.#drop();
    this.#comeToRest();
    const message = `the handler ${this.name} did not finish within ${gracePeriodMs} ms ${when}${waiting}`;
    onError(new CacheError('CACHE_HANDLER_STUCK', message));
  }

  #push(entry: Notification<T> | NotificationBatch<T>, count: number, initial: number): void {
    if (this.#isRemoved) return;
    if (this.#options.overflow === 'remove' && this.#pending >= this.#maxPending) {
      this.#drop();
      const message = `the handler ${this.name} was removed: ${this.#maxPending} events waited for it`;
      this.#options.onError(new CacheError('CACHE_HANDLER_OVERFLOW', message));
      return;
    }
    this.#buffer.push(entry);
    this.#pending += count;
    this.#initialPending += initial;
    if (this.#pending > this.#highWater) this.#highWater = this.#pending;
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#atRest = new Deferred();
    void this.#run();
  }

  async #run(): Promise<void> {
    const { clock } = this.#options;
    // Handlers must not run inside of the code that notifies them.
    await Promise.resolve();
    let sliceEnd = clock.monotonic() + sliceMs;
    while (this.#buffer.size > 0) {
      const entry = this.#buffer.shift() as Notification<T> | NotificationBatch<T>;
      const count = 'items' in entry ? entry.items.length : 1;
      for (let position = 0; position < count && !this.#isRemoved; position += 1) {
        const notification = 'items' in entry ? notificationAt(entry, position) : entry;
        try {
          const handled = this.#calls.call(notification.type, this.#invoke, notification);
          if (isThenable(handled)) await handled;
        } catch (cause) {
          this.#report(notification, cause);
        }
        this.#calls.settled();
        this.#finish(notification);
        if (clock.monotonic() >= sliceEnd) {
          await nextTurn();
          sliceEnd = clock.monotonic() + sliceMs;
        }
      }
    }
    this.#isRunning = false;
    this.#calls[Symbol.dispose]();
    this.#comeToRest();
  }

  #callHandler(notification: Notification<T>): Promise<void> | void {
    const { handler } = this.#options;
    switch (notification.type) {
      case 'add':
        return handler.onAdd?.(notification.object, notification.isInInitialList);
      case 'update':
        return handler.onUpdate?.(notification.oldObject, notification.newObject);
      case 'delete':
        return handler.onDelete?.(notification.object);
    }
  }

  #finish(notification: Notification<T>): void {
    if (this.#isRemoved) return;
    this.#pending -= 1;
    if (this.#pending < this.#maxPending) this.#makeRoom();
    if (notification.type !== 'add' || !notification.isInInitialList) return;
    this.#initialPending -= 1;
    this.#checkSynced();
  }

  #checkSynced(): void {
    if (this.#isUpstreamSynced && this.#initialPending === 0) this.#synced.reach();
  }

  #makeRoom(): void {
    this.#room?.resolve();
    this.#room = undefined;
  }

  #comeToRest(): void {
    this.#atRest?.resolve();
    this.#atRest = undefined;
  }

  #drop(): void {
    if (this.#isRemoved) return;
    this.#isRemoved = true;
    this.#buffer.clear();
    this.#pending = 0;
    this.#makeRoom();
    const message = `the handler ${this.name} was removed before it had synced`;
    this.#synced.fail(new CacheError('CACHE_HANDLER_REMOVED', message));
    this.#options.onRemoved?.();
  }

  #report({ type }: Notification<T>, cause: unknown): void {
    const message = `the handler ${this.name} failed on ${type}`;
    this.#options.onError(new CacheError('CACHE_HANDLER_FAILED', message, { cause }));
  }
}
