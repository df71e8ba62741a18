import { Deferred } from '../lib/deferred.ts';
import { abortable } from '../lib/signal.ts';
import { isThenable } from '../lib/thenable.ts';
import { CacheError } from './cache-error.ts';
import type { ProcessFunc } from './queue.ts';
import type { RunOptions } from './reflector-options.ts';
import { RequeueError } from './requeue-error.ts';

interface Waiter {
  readonly limit: number;
  readonly deferred: Deferred;
}

/** What a {@link QueueCore} asks of the queue it serves. */
export interface QueueItems {
  readonly size: number;
}

/**
 * What all queues have in common: who waits, who is being processed, whether the first list has
 * been worked off, and closing.
 */
export class QueueCore {
  readonly #items: QueueItems;
  readonly #synced = new Deferred();
  #arrival: Deferred | undefined;
  #waiters: Waiter[] = [];
  #isPopulated = false;
  #initialCount = 0;
  #isBusy = false;
  #isClosed = false;

  constructor(items: QueueItems) {
    this.#items = items;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get hasSynced(): boolean {
    return this.#isPopulated && this.#initialCount === 0;
  }

  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  /**
   * Called with every write; `initialCount` is what it brings if it is a list. Only the first write
   * decides.
   */
  populate(initialCount: number): void {
    if (this.#isPopulated) return;
    this.#isPopulated = true;
    this.#initialCount = initialCount;
    if (initialCount === 0) this.#synced.resolve();
  }

  /**
   * A list takes the place of everything that waits: until a list has been worked off, the newest
   * counts as the first.
   */
  repopulate(initialCount: number): void {
    if (this.hasSynced) return;
    this.#isPopulated = true;
    this.#initialCount = initialCount;
    if (initialCount === 0) this.#synced.resolve();
  }

  /** Notes that items of the first list have been worked off, or have gone. */
  finishInitial(count: number): void {
    if (this.#initialCount === 0) return;
    this.#initialCount = Math.max(0, this.#initialCount - count);
    if (this.#initialCount === 0) this.#synced.resolve();
  }

  /** Wakes the consumer. */
  arrived(): void {
    if (this.#arrival === undefined) return;
    this.#arrival.resolve();
    this.#arrival = undefined;
  }

  /** Lets a write through; throws if the queue is closed. */
  checkOpen(): void {
    if (this.#isClosed) {
      throw new CacheError('CACHE_QUEUE_CLOSED', 'the queue is closed and takes nothing more');
    }
  }

  checkFree(): void {
    if (this.#isBusy) {
      throw new CacheError('CACHE_QUEUE_BUSY', 'an item of the queue is being processed');
    }
  }

  close(): void {
    this.#isClosed = true;
    this.arrived();
  }

  async ready({ signal }: RunOptions = {}): Promise<boolean> {
    signal?.throwIfAborted();
    while (this.#items.size === 0) {
      if (this.#isClosed) return false;
      this.#arrival ??= new Deferred();
      await abortable(this.#arrival.promise, signal);
    }
    return true;
  }

  async below(limit: number, { signal }: RunOptions = {}): Promise<void> {
    signal?.throwIfAborted();
    if (this.#items.size < limit) return;
    const waiter = { limit, deferred: new Deferred() };
    this.#waiters.push(waiter);
    try {
      await abortable(waiter.deferred.promise, signal);
    } finally {
      this.#waiters = this.#waiters.filter((other) => other !== waiter);
    }
  }

  /** Waits for an item, then lets `take` have it. */
  async pop(take: () => Promise<void> | undefined, options?: RunOptions): Promise<void> {
    if (!(await this.ready(options))) {
      throw new CacheError('CACHE_QUEUE_CLOSED', 'the queue is closed and empty');
    }
    await take();
  }

  /**
   * Has an item processed that was taken out. It counts as worked off afterwards, not before, so
   * that nobody believes in a first list whose last object is still on its way. `requeue` puts the
   * item back.
   */
  process<Item>(
    process: ProcessFunc<Item>,
    item: Item,
    { initialCount, requeue }: { readonly initialCount: number; readonly requeue: () => void },
  ): Promise<void> | undefined {
    this.#isBusy = true;
    let pending: PromiseLike<void> | void;
    try {
      pending = process(item, !this.hasSynced);
    } catch (error) {
      this.#fail(error, initialCount, requeue);
    }
    if (!isThenable(pending)) {
      this.#finish(initialCount);
      return undefined;
    }
    return Promise.resolve(pending).then(
      () => this.#finish(initialCount),
      (error: unknown) => this.#fail(error, initialCount, requeue),
    );
  }

  #finish(initialCount: number): void {
    this.#isBusy = false;
    this.finishInitial(initialCount);
    for (const { limit, deferred } of this.#waiters) {
      if (this.#items.size < limit) deferred.resolve();
    }
  }

  #fail(error: unknown, initialCount: number, requeue: () => void): never {
    const goesBack = error instanceof RequeueError;
    if (goesBack) requeue();
    this.#finish(goesBack ? 0 : initialCount);
    throw goesBack ? error.cause : error;
  }
}
