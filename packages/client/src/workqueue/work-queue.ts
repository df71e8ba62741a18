import { type Clock, systemClock } from '../lib/clock.ts';
import { Deferred } from '../lib/deferred.ts';
import { nextTurn } from '../lib/next-turn.ts';
import { PromptIterator } from '../lib/prompt-iterator.ts';
import { RingBuffer } from '../lib/ring-buffer.ts';
import { abortable, onAbort } from '../lib/signal.ts';
import type { MetricsProvider } from './metrics.ts';
import { QueueMeter } from './queue-meter.ts';

/**
 * After so many items the event loop gets its turn. Workers that never wait for anything, because all
 * they need is in a cache, would otherwise keep it from everybody else until the queue is empty.
 */
const SLICE = 1000;

/** What a {@link WorkQueue} can be told. */
export interface WorkQueueOptions<T> {
  /**
   * What makes two items the same. By default items are told apart as a `Set` does: strings and
   * numbers by value, objects by identity. Of two items with the same key the newer one is kept.
   */
  readonly keyOf?: ((item: T) => unknown) | undefined;
  /** The name in metrics. Without one nothing is measured. */
  readonly name?: string;
  readonly metrics?: MetricsProvider;
  readonly clock?: Clock;
}

/**
 * `queued`: waits for a worker. `processing`: a worker has it. `again`: a worker has it, and it was
 * added meanwhile, so that it goes back into the queue when the worker is done.
 */
type State = 'again' | 'processing' | 'queued';

interface Entry<T> {
  readonly key: unknown;
  /** The newest; a worker may still have an older one. */
  item: T;
  state: State;
}

/**
 * A queue of things to look at. It promises:
 *
 * - An item is with at most one worker at a time.
 * - An item that is added while it waits is not added a second time.
 * - An item that is added while a worker has it runs once more when that worker is done, however
 *   often it was added.
 * - What was added before the shutdown is handed out, in the order of adding.
 *
 * Adding, getting and finishing cost the same however long the queue is, and workers that never wait
 * do not keep the event loop from others for long. A worker is either a loop
 * around {@link WorkQueue.get} and {@link WorkQueue.done}, or simply
 *
 * ```ts
 * for await (const key of queue) await reconcile(key);
 * ```
 *
 * where the end of the loop's body, also by an error, counts as `done`.
 */
export class WorkQueue<T> implements AsyncIterable<T>, Disposable {
  readonly #keyOf: (item: T) => unknown;
  readonly #entries = new Map<unknown, Entry<T>>();
  readonly #queue = new RingBuffer<Entry<T>>();
  /** A set, because waiting can be given up in any order; there are as many as idle workers. */
  readonly #waiters = new Set<Deferred<IteratorResult<T, undefined>>>();
  readonly #drained = new Deferred();
  readonly #meter: QueueMeter | undefined;
  #isHandingOut = false;
  #isPausing = false;
  #leftInSlice = SLICE;
  #shuttingDown = false;

  constructor({ keyOf, name, metrics, clock = systemClock }: WorkQueueOptions<T> = {}) {
    this.#keyOf = keyOf ?? ((item) => item);
    if (metrics !== undefined && name !== undefined) {
      this.#meter = new QueueMeter(metrics.forQueue(name), clock);
    }
  }

  /** How many items wait for a worker; those that workers have are not counted. */
  get len(): number {
    return this.#queue.size;
  }

  /** True from the first call of a shutdown on. */
  get shuttingDown(): boolean {
    return this.#shuttingDown;
  }

  /** Says that the item has to be looked at. After a shutdown it does nothing. */
  add(item: T): void {
    if (this.#shuttingDown) return;
    const key = this.#keyOf(item);
    const entry = this.#entries.get(key);
    if (entry === undefined) {
      this.#meter?.added(key);
      const added: Entry<T> = { key, item, state: 'queued' };
      this.#entries.set(key, added);
      this.#enqueue(added);
      return;
    }
    entry.item = item;
    if (entry.state === 'processing') {
      entry.state = 'again';
      this.#meter?.added(key);
    }
  }

  /**
   * The next item, once there is one; `done: true` means that the queue was shut down and is empty,
   * and the worker should end. Each item must be given back to {@link WorkQueue.done}.
   *
   * Rejects with the signal's reason if it aborts first; then no item was taken.
   */
  get(signal?: AbortSignal): Promise<IteratorResult<T, undefined>> {
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
    if (this.#queue.size > 0) {
      return this.#isPausing ? this.#wait(signal) : Promise.resolve(this.#take());
    }
    if (this.#shuttingDown) return Promise.resolve({ done: true, value: undefined });
    return this.#wait(signal);
  }

  /**
   * Says that the worker has finished with the item, well or badly. If it was added meanwhile it
   * goes back into the queue. Items that no worker has are left alone.
   */
  done(item: T): void {
    const key = this.#keyOf(item);
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.state === 'queued') return;
    this.#meter?.finished(key);
    if (entry.state === 'again') this.#enqueue(entry);
    else this.#entries.delete(key);
    this.#checkDrained();
  }

  /**
   * Takes nothing more in. Workers get what waits, then learn that it is over. Ends the waiting of
   * {@link WorkQueue.shutDownWithDrain}.
   */
  shutDown(): void {
    this.#close();
    this.#drained.resolve();
  }

  /**
   * Takes nothing more in, and resolves when everything that was taken in is done. That needs workers
   * which go on: what nobody gets is never done, and then only {@link WorkQueue.shutDown} or the
   * signal, with its reason, ends the waiting.
   */
  async shutDownWithDrain(signal?: AbortSignal): Promise<void> {
    this.#close();
    this.#checkDrained();
    await abortable(this.#drained.promise, signal);
  }

  /** The same as {@link WorkQueue.shutDown}. */
  [Symbol.dispose](): void {
    this.shutDown();
  }

  /**
   * A worker's loop: it ends after a shutdown, and each item is done when the body is. Several loops
   * over one queue share its items. Do not call `done` in the body. A loop that is left while it waits
   * takes no item.
   */
  [Symbol.asyncIterator](): AsyncIterableIterator<T, void, undefined> {
    let current: { readonly item: T } | undefined;
    const finish = (): void => {
      if (current !== undefined) this.done(current.item);
      current = undefined;
    };
    return new PromptIterator<T>({
      pull: async (signal) => {
        finish();
        const next = await this.get(signal);
        if (next.done !== true && !signal.aborted) current = { item: next.value };
        return next;
      },
      drop: (item) => this.#putBack(item),
      end: finish,
    });
  }

  /** For queues built on this one: counts an item that comes back. */
  protected countRetry(): void {
    this.#meter?.retried();
  }

  /** For queues built on this one: what makes two items the same. */
  protected keyOf(item: T): unknown {
    return this.#keyOf(item);
  }

  /** For an item that was handed out to a worker that had left. */
  #putBack(item: T): void {
    const key = this.#keyOf(item);
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.state === 'queued') return;
    if (entry.state === 'processing') this.#meter?.added(key);
    this.#meter?.finished(key);
    this.#enqueue(entry);
  }

  #take(): IteratorResult<T, undefined> {
    const entry = this.#queue.shift() as Entry<T>;
    entry.state = 'processing';
    this.#meter?.taken(entry.key);
    this.#leftInSlice -= 1;
    if (this.#leftInSlice === 0) void this.#pause();
    return { done: false, value: entry.item };
  }

  #enqueue(entry: Entry<T>): void {
    entry.state = 'queued';
    this.#queue.push(entry);
    if (this.#waiters.size === 0 || this.#isHandingOut) return;
    // Not at once: several adds of one item in a row are to be one run, also when workers are idle.
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

  /** Gives waiting workers what there is, or the news that nothing more will come. */
  #serve(): void {
    for (const waiter of this.#waiters) {
      if (this.#queue.size > 0 && this.#isPausing) break;
      if (this.#queue.size > 0) waiter.resolve(this.#take());
      else if (this.#shuttingDown) waiter.resolve({ done: true, value: undefined });
      else break;
      this.#waiters.delete(waiter);
    }
  }

  async #wait(signal: AbortSignal | undefined): Promise<IteratorResult<T, undefined>> {
    const waiter = new Deferred<IteratorResult<T, undefined>>();
    this.#waiters.add(waiter);
    // An item that was handed out already stays with this worker: the first settling counts.
    using _tie = onAbort(signal, () => {
      this.#waiters.delete(waiter);
      waiter.reject(signal?.reason);
    });
    return await waiter.promise;
  }

  #close(): void {
    this.#shuttingDown = true;
    this.#meter?.stop();
    this.#serve();
  }

  #checkDrained(): void {
    if (this.#shuttingDown && this.#entries.size === 0) this.#drained.resolve();
  }
}
