import type { Clock } from '../lib/clock.ts';
import { Deferred } from '../lib/deferred.ts';
import { nextTurn } from '../lib/next-turn.ts';
import { RingBuffer } from '../lib/ring-buffer.ts';
import { CacheError } from './cache-error.ts';
import type { ResourceEventHandler } from './event-handler.ts';
import { type Notification, type NotificationBatch, notificationAt } from './notification.ts';

/** What is done about a handler that cannot keep up. */
export type OverflowPolicy =
  /** The whole informer waits, and stops reading from the server. */
  | 'hold'
  /** The handler is removed, and the error handler of the informer hears of it. */
  | 'remove';

/** How a {@link ProcessorListener} is made. */
export interface ProcessorListenerOptions<T extends object> {
  readonly name: string;
  readonly handler: ResourceEventHandler<T>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly onError: (error: CacheError) => void;
  readonly maxPending?: number;
  readonly overflow?: OverflowPolicy;
}

/** After this long a listener lets others have their turn. */
const sliceMs = 10;

/**
 * One handler with its own buffer: it takes as long as it takes, and nobody else waits for it. Calls
 * come one after another, in order. What it throws is reported, and counts as handled.
 */
export class ProcessorListener<T extends object> {
  readonly name: string;
  readonly #handler: ResourceEventHandler<T>;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #onError: (error: CacheError) => void;
  readonly #maxPending: number;
  readonly #overflow: OverflowPolicy;
  readonly #buffer = new RingBuffer<Notification<T> | NotificationBatch<T>>();
  readonly #synced = new Deferred();
  #room: Deferred | undefined;
  #running: Promise<void> | undefined;
  #pending = 0;
  #highWater = 0;
  #initialPending = 0;
  #isUpstreamSynced = false;
  #hasSynced = false;
  #isRemoved = false;

  constructor(options: ProcessorListenerOptions<T>) {
    this.name = options.name;
    this.#handler = options.handler;
    this.#clock = options.clock;
    this.#onError = options.onError;
    this.#maxPending = options.maxPending ?? Infinity;
    this.#overflow = options.overflow ?? 'hold';
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
    return this.#hasSynced;
  }

  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  get isRemoved(): boolean {
    return this.#isRemoved;
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

  /** Undefined unless the informer must wait for this handler. */
  room(): Promise<void> | undefined {
    if (this.#pending < this.#maxPending || this.#isRemoved) return undefined;
    this.#room ??= new Deferred();
    return this.#room.promise;
  }

  /** Resolves when everything that it was told has been handled. */
  async idle(): Promise<void> {
    await this.#running;
  }

  /** Drops what waits. Resolves when a call that is under way has ended. */
  async remove(): Promise<void> {
    this.#isRemoved = true;
    this.#buffer.clear();
    this.#pending = 0;
    this.#makeRoom();
    await this.#running;
  }

  #push(entry: Notification<T> | NotificationBatch<T>, count: number, initial: number): void {
    if (this.#isRemoved) return;
    if (this.#overflow === 'remove' && this.#pending >= this.#maxPending) {
      void this.remove();
      const message = `the handler ${this.name} was removed: ${this.#maxPending} events waited for it`;
      this.#onError(new CacheError('CACHE_HANDLER_OVERFLOW', message));
      return;
    }
    this.#buffer.push(entry);
    this.#pending += count;
    this.#initialPending += initial;
    if (this.#pending > this.#highWater) this.#highWater = this.#pending;
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    // Handlers must not run inside of the one who tells them.
    await Promise.resolve();
    let sliceEnd = this.#clock.monotonic() + sliceMs;
    while (this.#buffer.size > 0) {
      const entry = this.#buffer.shift() as Notification<T> | NotificationBatch<T>;
      const count = 'items' in entry ? entry.items.length : 1;
      for (let position = 0; position < count && !this.#isRemoved; position += 1) {
        const notification = 'items' in entry ? notificationAt(entry, position) : entry;
        try {
          const handled = this.#call(notification);
          if (handled instanceof Promise) await handled;
        } catch (cause) {
          this.#report(notification, cause);
        }
        this.#finish(notification);
        if (this.#clock.monotonic() >= sliceEnd) {
          await nextTurn();
          sliceEnd = this.#clock.monotonic() + sliceMs;
        }
      }
    }
    this.#running = undefined;
  }

  #call(notification: Notification<T>): Promise<void> | void {
    switch (notification.type) {
      case 'add':
        return this.#handler.onAdd?.(notification.object, notification.isInInitialList);
      case 'update':
        return this.#handler.onUpdate?.(notification.oldObject, notification.newObject);
      case 'delete':
        return this.#handler.onDelete?.(notification.object);
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
    if (!this.#isUpstreamSynced || this.#initialPending > 0) return;
    this.#hasSynced = true;
    this.#synced.resolve();
  }

  #makeRoom(): void {
    this.#room?.resolve();
    this.#room = undefined;
  }

  #report({ type }: Notification<T>, cause: unknown): void {
    const message = `the handler ${this.name} failed on ${type}`;
    this.#onError(new CacheError('CACHE_HANDLER_FAILED', message, { cause }));
  }
}
