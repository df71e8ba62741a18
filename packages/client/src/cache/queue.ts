import { Deferred } from '../lib/deferred.ts';
import { ClientError, defineErrors } from '../lib/errors.ts';
import { Milestone } from '../lib/milestone.ts';
import { abortable } from '../lib/signal.ts';
import { isThenable } from '../lib/thenable.ts';
import { CacheError } from './cache-error.ts';
import type { DeletedFinalStateUnknown, ReflectorStore } from './store.ts';

/**
 * Processes one item of a queue. `isInInitialList` is true for items of the first list. The next item
 * is not processed before the function has returned and its promise, if any, has settled.
 */
export type PopProcessFunc<Item> = (item: Item, isInInitialList: boolean) => Promise<void> | void;

/**
 * Thrown by a {@link PopProcessFunc} to put the item back into the queue; the caller of `pop` gets
 * `cause`.
 */
export class RequeueError extends ClientError {
  constructor(cause: unknown) {
    super('CACHE_REQUEUE', 'the item is put back into the queue', { cause });
  }

  static {
    defineErrors(this, 'RequeueError', 'CACHE', { CACHE_REQUEUE: { retry: 'later' } });
  }
}

/**
 * The queue between a reflector, which writes, and a controller, which pops. There is one consumer:
 * popping while an item is processed throws `CACHE_QUEUE_BUSY`.
 */
export interface Queue<T extends object, Item> extends ReflectorStore<T>, Disposable {
  /** The number of items in the queue. */
  readonly size: number;
  readonly isClosed: boolean;
  /**
   * True once everything of the first list has been processed; immediately if the first write was not
   * a list. Stays true.
   */
  readonly hasSynced: boolean;
  /**
   * Resolves when {@link Queue.hasSynced} becomes true. Rejects with `CACHE_STOPPED` if the queue is
   * closed before.
   */
  readonly synced: Promise<void>;
  /**
   * Processes the first item, if there is one. Works synchronously if `process` does, and then
   * returns undefined. Throws what `process` throws; the item counts as processed, except after a
   * {@link RequeueError}.
   */
  tryPop(process: PopProcessFunc<Item>): Promise<void> | undefined;
  /**
   * Waits for an item and processes it. Rejects with `CACHE_QUEUE_CLOSED` once the queue is closed
   * and empty, and with the reason of the signal on abort.
   */
  pop(
    process: PopProcessFunc<Item>,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<void>;
  /** Refuses further writes. Items in the queue can still be popped. */
  close(): void;
}

/** The base of all queues: waiting, processing, closing, and when the first list is processed. */
export abstract class QueueBase<T extends object, Item> implements Queue<T, Item> {
  readonly #synced = new Milestone();
  #arrival: Deferred | undefined;
  #isPopulated = false;
  /** Objects of the first list that have not been processed. */
  #initialCount = 0;
  #isBusy = false;
  #isClosed = false;

  abstract get size(): number;
  abstract add(object: T): void;
  abstract update(object: T): void;
  abstract delete(object: DeletedFinalStateUnknown<T> | T): void;
  abstract replace(objects: readonly T[], resourceVersion: string): void;
  abstract resync(): void;
  abstract bookmark(resourceVersion: string): void;

  /** Removes and returns the first item. */
  protected abstract shift(): Item | undefined;
  /** Puts an item back that could not be processed. */
  protected abstract unshift(item: Item): void;
  /** Returns how many objects of the first list are processed with an item. */
  protected abstract initialCountOf(item: Item): number;

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get hasSynced(): boolean {
    return this.#isPopulated && this.#initialCount === 0;
  }

  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  tryPop(process: PopProcessFunc<Item>): Promise<void> | undefined {
    if (this.#isBusy) {
      throw new CacheError('CACHE_QUEUE_BUSY', 'an item of the queue is being processed');
    }
    const item = this.shift();
    if (item === undefined) return undefined;
    this.#isBusy = true;
    let pending: PromiseLike<void> | void;
    try {
      pending = process(item, !this.hasSynced);
    } catch (error) {
      this.#fail(item, error);
    }
    if (!isThenable(pending)) {
      this.#finish(item);
      return undefined;
    }
    return Promise.resolve(pending).then(
      () => this.#finish(item),
      (error: unknown) => this.#fail(item, error),
    );
  }

  async pop(
    process: PopProcessFunc<Item>,
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<void> {
    signal?.throwIfAborted();
    while (this.size === 0) {
      if (this.#isClosed) {
        throw new CacheError('CACHE_QUEUE_CLOSED', 'the queue is closed and empty');
      }
      this.#arrival ??= new Deferred();
      await abortable(this.#arrival.promise, signal);
    }
    await this.tryPop(process);
  }

  close(): void {
    this.#isClosed = true;
    this.arrived();
    this.#synced.fail(
      new CacheError('CACHE_STOPPED', 'the queue was closed before the first list was processed'),
    );
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** Throws if the queue is closed. Call it before every write. */
  protected checkOpen(): void {
    if (this.#isClosed) {
      throw new CacheError('CACHE_QUEUE_CLOSED', 'the queue is closed and accepts no writes');
    }
  }

  /** Call it with every write; `initialCount` is the number of objects of a list. The first counts. */
  protected populate(initialCount: number): void {
    if (!this.#isPopulated) this.repopulate(initialCount);
  }

  /** Makes a list the first one as long as none has been processed. */
  protected repopulate(initialCount: number): void {
    if (this.hasSynced) return;
    this.#isPopulated = true;
    this.#initialCount = initialCount;
    if (initialCount === 0) this.#synced.reach();
  }

  /** Notes that objects of the first list were processed, or removed from the queue. */
  protected finishInitial(count: number): void {
    if (this.#initialCount === 0) return;
    this.#initialCount = Math.max(0, this.#initialCount - count);
    if (this.#initialCount === 0) this.#synced.reach();
  }

  /** Wakes a waiting `pop`. Call it after items were added. */
  protected arrived(): void {
    if (this.#arrival === undefined) return;
    this.#arrival.resolve();
    this.#arrival = undefined;
  }

  /** An item counts as processed after, not before: until then the first list is incomplete. */
  #finish(item: Item): void {
    this.#isBusy = false;
    this.finishInitial(this.initialCountOf(item));
  }

  #fail(item: Item, error: unknown): never {
    this.#isBusy = false;
    if (!(error instanceof RequeueError)) {
      this.finishInitial(this.initialCountOf(item));
      throw error;
    }
    this.unshift(item);
    this.arrived();
    throw error.cause;
  }
}
