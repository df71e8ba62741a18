import { type Clock, systemClock } from '../lib/clock.ts';
import { Deferred } from '../lib/deferred.ts';
import { currentCause } from '../lib/diagnostic-channel.ts';
import { nextTurn } from '../lib/next-turn.ts';
import { PromptIterator } from '../lib/prompt-iterator.ts';
import { RingBuffer } from '../lib/ring-buffer.ts';
import { abortable, onAbort } from '../lib/signal.ts';
import {
  type ObservedItem,
  type QueueCause,
  queueAdds,
  queueDones,
  type QueueStatistics,
  queueTakes,
} from './diagnostics.ts';
import { type MetricsProvider, QueueMeter } from './metrics.ts';

/**
 * The number of items handed out before the event loop gets a turn. Workers that read only from
 * caches never wait for I/O, and would otherwise block the loop until the queue is empty.
 */
const SLICE = 1000;

/**
 * Holds the items that wait for a worker and decides their order. The queue above it deduplicates:
 * an item is pushed once, and again only after it was popped.
 */
export interface UnderlyingQueue<T> {
  /** The number of items pushed and not popped. */
  readonly len: number;
  push(item: T): void;
  /** Removes and returns the next item. Only called if `len` is above 0. */
  pop(): T;
  /** Called when an item that waits is added again, so that it can be moved. */
  touch(item: T): void;
}

/** First in, first out. */
class FifoQueue<T> implements UnderlyingQueue<T> {
  readonly #items = new RingBuffer<T>();

  get len(): number {
    return this.#items.size;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  pop(): T {
    return this.#items.shift() as T;
  }

  touch(): void {
    // An item that is added again keeps its place.
  }
}

/** Options of {@link WorkQueue}. */
export interface WorkQueueOptions<T> {
  /**
   * Returns the identity of an item. Default: the item itself, compared as `Map` compares keys
   * (strings by value, objects by identity). Of two items with one key the newer replaces the older.
   */
  readonly keyFunc?: ((item: T) => unknown) | undefined;
  /** The name of the queue in metrics and diagnostics. A queue without a name is not measured. */
  readonly name?: string | undefined;
  readonly metrics?: MetricsProvider | undefined;
  /** Decides the order of the items. Default: first in, first out. */
  readonly queue?: UnderlyingQueue<T> | undefined;
  readonly clock?: Clock | undefined;
}

/** Options of {@link WorkQueue.get} and {@link WorkQueue.shutDownWithDrain}. */
export interface QueueWaitOptions {
  /** Stops waiting; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * `queued`: waiting for a worker. `processing`: a worker has it. `dirty`: a worker has it and it was
 * added again, so `done` puts it back into the queue.
 */
type State = 'dirty' | 'processing' | 'queued';

interface Entry<T> {
  readonly key: unknown;
  /** The newest item; a worker may still hold an older one. */
  item: T;
  state: State;
  /** Set if the queue was observed when the item was added. */
  queued: ObservedItem | undefined;
  /** The same, of the item that a worker has. */
  taken: ObservedItem | undefined;
}

/**
 * A queue that deduplicates items. Guarantees:
 *
 * - At most one worker has an item at any time.
 * - Adding an item that is already waiting does nothing.
 * - An item that is added while a worker has it is processed once more after `done`, no matter how
 *   often it was added.
 * - Items added before the shutdown are handed out, in the order of adding unless `queue` decides
 *   otherwise.
 *
 * `add`, `get` and `done` take constant time unless `queue` takes longer. A worker is a loop around {@link WorkQueue.get} and
 * {@link WorkQueue.done}, or
 *
 * ```ts
 * for await (const key of queue) await reconcile(key);
 * ```
 *
 * where leaving the body, also by an error, is `done`.
 */
export class WorkQueue<T> implements AsyncIterable<T>, Disposable {
  readonly name: string | undefined;
  /** Returns the identity of an item. */
  protected readonly keyFunc: (item: T) => unknown;
  protected readonly meter: QueueMeter | undefined;
  readonly #entries = new Map<unknown, Entry<T>>();
  readonly #queue: UnderlyingQueue<T>;
  /** Idle workers. A set, because a wait can be cancelled in any order. */
  readonly #waiters = new Set<Deferred<IteratorResult<T, undefined>>>();
  readonly #drained = new Deferred();
  #isHandingOut = false;
  #isPausing = false;
  #leftInSlice = SLICE;
  #shuttingDown = false;
  readonly #clock: Clock;
  #adds = 0;
  #dones = 0;

  constructor({ keyFunc, name, metrics, queue, clock = systemClock }: WorkQueueOptions<T> = {}) {
    this.name = name;
    this.#clock = clock;
    this.keyFunc = keyFunc ?? ((item) => item);
    this.#queue = queue ?? new FifoQueue();
    this.meter =
      metrics === undefined || name === undefined
        ? undefined
        : new QueueMeter(metrics.forQueue(name), clock);
  }

  /** The number of items waiting for a worker; items being processed are not included. */
  get len(): number {
    return this.#queue.len;
  }

  /** What the queue holds and has done. Takes time in proportion to its length. */
  get statistics(): QueueStatistics {
    return {
      depth: this.len,
      waiting: 0,
      busy: this.#entries.size - this.len,
      adds: this.#adds,
      retries: 0,
      dones: this.#dones,
      oldest: this.#oldest(),
      rateLimiter: undefined,
    };
  }

  /** True after the first call of a shutdown method. */
  get shuttingDown(): boolean {
    return this.#shuttingDown;
  }

  /** Marks the item as needing processing. Does nothing after a shutdown. */
  add(item: T): void {
    if (this.#shuttingDown) return;
    const key = this.keyFunc(item);
    const entry = this.#entries.get(key);
    if (entry === undefined) {
      this.meter?.added(key);
      const added: Entry<T> = { key, item, state: 'queued', queued: undefined, taken: undefined };
      this.#entries.set(key, added);
      this.#adds += 1;
      if (queueAdds.isWanted) this.#observe(added, false);
      this.#enqueue(added);
      return;
    }
    entry.item = item;
    if (queueAdds.isWanted) this.#observe(entry, entry.state !== 'processing');
    if (entry.state === 'processing') {
      entry.state = 'dirty';
      this.#adds += 1;
      this.meter?.added(key);
    } else if (entry.state === 'queued') this.#queue.touch(item);
  }

  /**
   * Waits for an item and returns it; `done: true` means that the queue is shut down and empty, and
   * the worker should end. Call {@link WorkQueue.done} with each item.
   *
   * Rejects with the signal's reason if it aborts first; then no item was taken.
   */
  get({ signal }: QueueWaitOptions = {}): Promise<IteratorResult<T, undefined>> {
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
    if (this.#queue.len > 0) {
      return this.#isPausing ? this.#wait(signal) : Promise.resolve(this.#take());
    }
    if (this.#shuttingDown) return Promise.resolve({ done: true, value: undefined });
    return this.#wait(signal);
  }

  /**
   * Marks the item as processed, whether it succeeded or not. Puts it back into the queue if it was
   * added meanwhile. Does nothing for an item that no worker has.
   */
  done(item: T): void {
    const key = this.keyFunc(item);
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.state === 'queued') return;
    this.meter?.finished(key);
    this.#dones += 1;
    if (entry.taken !== undefined) this.#noteDone(entry, entry.taken);
    if (entry.state === 'dirty') this.#enqueue(entry);
    else this.#entries.delete(key);
    this.#checkDrained();
  }

  /**
   * Rejects further items. Workers get the items that are waiting, then `done: true`. Also ends a
   * pending {@link WorkQueue.shutDownWithDrain}.
   */
  shutDown(): void {
    this.#close();
    this.#drained.resolve();
  }

  /**
   * Rejects further items and resolves when every accepted item is done. Workers must keep running:
   * an item that no worker gets is never done, and then only {@link WorkQueue.shutDown} or the
   * signal ends the wait. Do not await it in a worker: its own item is not done yet.
   */
  async shutDownWithDrain({ signal }: QueueWaitOptions = {}): Promise<void> {
    this.#close();
    this.#checkDrained();
    await abortable(this.#drained.promise, signal);
  }

  /** Same as {@link WorkQueue.shutDown}. */
  [Symbol.dispose](): void {
    this.shutDown();
  }

  /**
   * Iterates as a worker: ends after a shutdown, and marks each item done when the loop body ends.
   * Several loops share the items of a queue. Do not call `done` in the body. Leaving a loop while it
   * waits takes no item.
   */
  [Symbol.asyncIterator](): AsyncIterableIterator<T> {
    let current: { readonly item: T } | undefined;
    const finish = (): void => {
      if (current !== undefined) this.done(current.item);
      current = undefined;
    };
    return new PromptIterator<T>({
      pull: async (signal) => {
        finish();
        const next = await this.get({ signal });
        if (next.done !== true && !signal.aborted) current = { item: next.value };
        return next;
      },
      drop: (item) => this.#putBack(item),
      end: finish,
    });
  }

  /** Returns an item that was handed to a loop which had already ended. */
  #putBack(item: T): void {
    const key = this.keyFunc(item);
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.state === 'queued') return;
    if (entry.state === 'processing') this.meter?.added(key);
    this.meter?.finished(key);
    this.#enqueue(entry);
  }

  #take(): IteratorResult<T, undefined> {
    const entry = this.#entries.get(this.keyFunc(this.#queue.pop())) as Entry<T>;
    entry.state = 'processing';
    this.meter?.taken(entry.key);
    if (entry.queued !== undefined) this.#noteTaken(entry, entry.queued);
    this.#leftInSlice -= 1;
    if (this.#leftInSlice === 0) void this.#pause();
    return { done: false, value: entry.item };
  }

  /** Returns what is known of an item that a worker has; undefined if it was not observed. */
  observedItem(item: T): ObservedItem | undefined {
    return this.#entries.get(this.keyFunc(item))?.taken;
  }

  /** Returns the priority of an item for diagnostics. */
  protected observedPriority(_item: T): number | undefined {
    return undefined;
  }

  #observe(entry: Entry<T>, isMerged: boolean): void {
    const { key, item } = entry;
    const cause = currentCause() as QueueCause | undefined;
    entry.queued ??= { addedAt: this.#clock.monotonic(), cause, queuedMs: 0, takenAt: 0 };
    const priority = this.observedPriority(item);
    queueAdds.publish({ queue: this, key, cause, priority, isMerged });
  }

  #noteTaken(entry: Entry<T>, item: ObservedItem): void {
    item.takenAt = this.#clock.monotonic();
    item.queuedMs = item.takenAt - item.addedAt;
    entry.taken = item;
    entry.queued = undefined;
    if (!queueTakes.isWanted) return;
    queueTakes.publish({ queue: this, key: entry.key, durationMs: item.queuedMs });
  }

  #noteDone(entry: Entry<T>, { takenAt }: ObservedItem): void {
    entry.taken = undefined;
    if (!queueDones.isWanted) return;
    const durationMs = this.#clock.monotonic() - takenAt;
    queueDones.publish({ queue: this, key: entry.key, durationMs });
  }

  #oldest(): QueueStatistics['oldest'] {
    let oldest: { readonly key: unknown; readonly addedAt: number } | undefined;
    for (const { key, state, queued } of this.#entries.values()) {
      if (state !== 'queued' || queued === undefined) continue;
      if (oldest === undefined || queued.addedAt < oldest.addedAt) {
        oldest = { key, addedAt: queued.addedAt };
      }
    }
    if (oldest === undefined) return undefined;
    return { key: oldest.key, ageMs: this.#clock.monotonic() - oldest.addedAt };
  }

  #enqueue(entry: Entry<T>): void {
    entry.state = 'queued';
    this.#queue.push(entry.item);
    if (this.#waiters.size === 0 || this.#isHandingOut) return;
    // Deferred by a microtask, so that consecutive adds of one item collapse for idle workers too.
    this.#isHandingOut = true;
    queueMicrotask(() => {
      this.#isHandingOut = false;
      this.#serve();
    });
  }

  async #pause(): Promise<void> {
    this.#isPausing = true;
    await nextTurn();
    this.#isPausing = false;
    this.#leftInSlice = SLICE;
    this.#serve();
  }

  /** Resolves waiting workers with the queued items, or with the end after a shutdown. */
  #serve(): void {
    for (const waiter of this.#waiters) {
      if (this.#queue.len > 0 && this.#isPausing) break;
      if (this.#queue.len > 0) waiter.resolve(this.#take());
      else if (this.#shuttingDown) waiter.resolve({ done: true, value: undefined });
      else break;
      this.#waiters.delete(waiter);
    }
  }

  async #wait(signal: AbortSignal | undefined): Promise<IteratorResult<T, undefined>> {
    const waiter = new Deferred<IteratorResult<T, undefined>>();
    this.#waiters.add(waiter);
    // An abort after the waiter was resolved has no effect: the worker keeps the item.
    using _tie = onAbort(signal, () => {
      this.#waiters.delete(waiter);
      waiter.reject(signal?.reason);
    });
    return await waiter.promise;
  }

  #close(): void {
    this.#shuttingDown = true;
    this.meter?.stop();
    this.#serve();
  }

  #checkDrained(): void {
    if (this.#shuttingDown && this.#entries.size === 0) this.#drained.resolve();
  }
}
