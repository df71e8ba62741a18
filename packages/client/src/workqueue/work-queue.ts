import { type Clock, systemClock } from '../lib/clock.ts';
import { Deferred } from '../lib/deferred.ts';
import { currentCause } from '../lib/diagnostic-channel.ts';
import { KeySlots, NO_SLOT } from '../lib/key-slots.ts';
import { nextTurn } from '../lib/next-turn.ts';
import { PromptIterator } from '../lib/prompt-iterator.ts';
import { abortable } from '../lib/signal.ts';
import {
  type ObservedItem,
  type QueueCause,
  queueAdds,
  queueDones,
  type QueueStatistics,
  queueTakes,
} from './diagnostics.ts';
import { type MetricsProvider, QueueMeter } from './metrics.ts';
import { type Waiter, Waiters } from './waiters.ts';

/**
 * The number of items handed out before the event loop gets a turn. Workers that read only from
 * caches never wait for I/O, and would otherwise block the loop until the queue is empty.
 */
const SLICE = 1000;

/** The number of slots for which there is memory at first. */
const SMALLEST_CAPACITY = 64;

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

/** No key has the slot. */
const FREE = 0;
/** A worker has the key. */
const PROCESSING = -1;
/** A worker has it and it was added again, so `done` puts it back into the queue. */
const DIRTY = -2;
/** The key waits for a worker, and no other behind it. What is above {@link FREE} waits. */
const LAST = 2 ** 31 - 1;

/** What workers get after a shutdown. */
const END: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** The default `keyFunc`: items are keys. */
const itself = (item: unknown): unknown => item;

/** What is known of an item that was added while the queue was observed. */
interface Observation {
  /** Since it was added; undefined while only a worker has it. */
  queued: ObservedItem | undefined;
  /** Of the item that a worker has. */
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
  /** The keys that wait or that workers have. */
  readonly #slots = new KeySlots<unknown>();
  /**
   * By slot, the state of its key; if it waits, the slot of the key behind it, counted from 1, so that the first
   * that came is the first that goes. One array of integers, and not an object per key: a million
   * keys are not a million objects to collect, and a key is looked up in one place.
   */
  #states = new Int32Array(SMALLEST_CAPACITY);
  /** By slot, the newest item; a worker may still hold an older one. Without `keyFunc` items are keys. */
  readonly #items: (T | undefined)[] | undefined;
  readonly #observations = new Map<unknown, Observation>();
  #first = NO_SLOT;
  #last = NO_SLOT;
  #queued = 0;
  readonly #order: UnderlyingQueue<T> | undefined;
  /** The slot that was handed out last: a worker that does not wait is done with it next. */
  #lastTaken = NO_SLOT;
  /** The slot behind the key that was last added while it waited. */
  #behindAdded = NO_SLOT;
  /**
   * That slot while keys are added in the order in which they wait, as by a resync: the next key is compared
   * with it before it is searched for. In any other order there is nothing to compare.
   */
  #expected = NO_SLOT;
  /** Idle workers. */
  readonly #waiters = new Waiters<IteratorResult<T, undefined>>();
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
    this.keyFunc = keyFunc ?? itself;
    this.#items = keyFunc === undefined ? undefined : [];
    this.#order = queue;
    this.meter =
      metrics === undefined || name === undefined
        ? undefined
        : new QueueMeter(metrics.forQueue(name), clock);
  }

  /** The number of items waiting for a worker; items being processed are not included. */
  get len(): number {
    return this.#order === undefined ? this.#queued : this.#order.len;
  }

  /** What the queue holds and has done. Takes time in proportion to its length. */
  get statistics(): QueueStatistics {
    return {
      depth: this.len,
      waiting: 0,
      busy: this.#slots.size - this.len,
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
    const expected = this.#expected;
    const isExpected = expected !== NO_SLOT && this.#slots.isAt(expected, key);
    const slot = isExpected ? expected : this.#slots.findOrAdd(key);
    if (this.#items !== undefined) this.#items[slot] = item;
    const state = this.#stateOf(slot);
    if (state === FREE || state === PROCESSING) {
      this.meter?.added(slot);
      this.#adds += 1;
      this.#states[slot] = state === FREE ? LAST : DIRTY;
    }
    if (queueAdds.isWanted) this.#observe(key, item, state > FREE || state === DIRTY);
    if (state === FREE) {
      this.#expected = NO_SLOT;
      this.#enqueue(slot, item);
    } else if (state > FREE) {
      this.#expectBehind(slot, state);
      this.#order?.touch(item);
    }
  }

  /**
   * Waits for an item and returns it; `done: true` means that the queue is shut down and empty, and
   * the worker should end. Call {@link WorkQueue.done} with each item.
   *
   * Rejects with the signal's reason if it aborts first; then no item was taken.
   */
  get({ signal }: QueueWaitOptions = {}): Promise<IteratorResult<T, undefined>> {
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
    const next = this.tryGet();
    return next === undefined ? this.#waiters.add(signal).promise : Promise.resolve(next);
  }

  /**
   * Returns what {@link WorkQueue.get} would without waiting, or undefined if it would wait: for an
   * item, or because the event loop is due a turn. A loop around `queue.tryGet() ?? (await
   * queue.get())` pays for a promise only when there is a wait.
   */
  tryGet(): IteratorResult<T, undefined> | undefined {
    if (this.len > 0) return this.#isPausing ? undefined : this.#take();
    return this.#shuttingDown ? END : undefined;
  }

  /**
   * Marks the item as processed, whether it succeeded or not. Puts it back into the queue if it was
   * added meanwhile. Does nothing for an item that no worker has.
   */
  done(item: T): void {
    const key = this.keyFunc(item);
    const slot = this.#slotInWork(key);
    if (slot === NO_SLOT) return;
    this.meter?.finished(slot);
    this.#dones += 1;
    if (this.#observations.size > 0) this.#noteDone(key);
    if (this.#states[slot] === DIRTY) this.#requeue(slot, item);
    else this.#release(slot);
    if (this.#shuttingDown) this.#checkDrained();
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
    let waiter: Waiter<IteratorResult<T, undefined>> | undefined;
    let isOver = false;
    const finish = (): void => {
      if (current !== undefined) this.done(current.item);
      current = undefined;
    };
    return new PromptIterator<T>({
      ready: () => {
        finish();
        const next = this.tryGet();
        if (next !== undefined && next.done !== true) current = { item: next.value };
        return next;
      },
      pull: async () => {
        finish();
        let next = this.tryGet();
        if (next === undefined) {
          waiter = this.#waiters.add(undefined);
          next = await waiter.promise;
        }
        if (next.done !== true && !isOver) current = { item: next.value };
        return next;
      },
      drop: (item) => this.#putBack(item),
      end: () => {
        isOver = true;
        finish();
        if (waiter !== undefined) this.#waiters.resolve(waiter, END);
      },
    });
  }

  /** Returns an item that was handed to a loop which had already ended. */
  #putBack(item: T): void {
    const slot = this.#slotInWork(this.keyFunc(item));
    if (slot === NO_SLOT) return;
    if (this.#states[slot] === PROCESSING) this.meter?.added(slot);
    this.meter?.finished(slot);
    this.#requeue(slot, item);
  }

  #take(): IteratorResult<T, undefined> {
    const slot = this.#pop();
    this.#states[slot] = PROCESSING;
    this.#lastTaken = slot;
    this.meter?.taken(slot);
    if (this.#observations.size > 0) this.#noteTaken(this.#slots.keyOf(slot));
    this.#leftInSlice -= 1;
    if (this.#leftInSlice === 0) void this.#pause();
    return { done: false, value: this.#newest(slot) };
  }

  /** Returns the slot of the next key. Only called if `len` is above 0. */
  #pop(): number {
    if (this.#order !== undefined) return this.#slots.find(this.keyFunc(this.#order.pop()));
    const slot = this.#first;
    this.#first = (this.#states[slot] as number) - 1;
    this.#queued -= 1;
    return slot;
  }

  #newest(slot: number): T {
    return (this.#items === undefined ? this.#slots.keyOf(slot) : this.#items[slot]) as T;
  }

  /** Called when a key is added that waits. */
  #expectBehind(slot: number, state: number): void {
    const behind = state === LAST ? this.#first : state - 1;
    this.#expected = slot === this.#behindAdded ? behind : NO_SLOT;
    this.#behindAdded = behind;
  }

  /** Returns the slot of a key that a worker has; {@link NO_SLOT} if none has it. */
  #slotInWork(key: unknown): number {
    const last = this.#lastTaken;
    const slot = last !== NO_SLOT && this.#slots.keyOf(last) === key ? last : this.#slots.find(key);
    return slot !== NO_SLOT && (this.#states[slot] as number) < FREE ? slot : NO_SLOT;
  }

  #release(slot: number): void {
    this.#states[slot] = FREE;
    if (this.#items !== undefined) this.#items[slot] = undefined;
    this.#slots.remove(slot);
    // The key of a free slot is undefined, which may be the key of another item.
    if (slot === this.#lastTaken) this.#lastTaken = NO_SLOT;
    if (this.#slots.span > 0) return;
    this.meter?.reset();
    this.#states = new Int32Array(SMALLEST_CAPACITY);
    if (this.#items !== undefined) this.#items.length = 0;
  }

  /** Returns the state of a slot that is in use, possibly for the first time. */
  #stateOf(slot: number): number {
    if (slot === this.#states.length) {
      const states = new Int32Array(2 * slot);
      states.set(this.#states);
      this.#states = states;
    }
    return this.#states[slot] as number;
  }

  /** Returns what is known of an item that a worker has; undefined if it was not observed. */
  observedItem(item: T): ObservedItem | undefined {
    return this.#observations.get(this.keyFunc(item))?.taken;
  }

  /** Returns the priority of an item for diagnostics. */
  protected observedPriority(_item: T): number | undefined {
    return undefined;
  }

  #observe(key: unknown, item: T, isMerged: boolean): void {
    const cause = currentCause() as QueueCause | undefined;
    const known = this.#observations.get(key) ?? { queued: undefined, taken: undefined };
    known.queued ??= { addedAt: this.#clock.monotonic(), cause, queuedMs: 0, takenAt: 0 };
    this.#observations.set(key, known);
    const priority = this.observedPriority(item);
    queueAdds.publish({ queue: this, key, cause, priority, isMerged });
  }

  #noteTaken(key: unknown): void {
    const known = this.#observations.get(key);
    const item = known?.queued;
    if (known === undefined || item === undefined) return;
    item.takenAt = this.#clock.monotonic();
    item.queuedMs = item.takenAt - item.addedAt;
    known.taken = item;
    known.queued = undefined;
    if (!queueTakes.isWanted) return;
    queueTakes.publish({ queue: this, key, durationMs: item.queuedMs });
  }

  #noteDone(key: unknown): void {
    const known = this.#observations.get(key);
    const item = known?.taken;
    if (known === undefined || item === undefined) return;
    known.taken = undefined;
    if (known.queued === undefined) this.#observations.delete(key);
    if (!queueDones.isWanted) return;
    const durationMs = this.#clock.monotonic() - item.takenAt;
    queueDones.publish({ queue: this, key, durationMs });
  }

  #oldest(): QueueStatistics['oldest'] {
    let oldest: { readonly key: unknown; readonly addedAt: number } | undefined;
    for (const [key, { queued }] of this.#observations) {
      const slot = this.#slots.find(key);
      if (queued === undefined || slot === NO_SLOT) continue;
      if ((this.#states[slot] as number) <= FREE) continue;
      if (oldest === undefined || queued.addedAt < oldest.addedAt) {
        oldest = { key, addedAt: queued.addedAt };
      }
    }
    if (oldest === undefined) return undefined;
    return { key: oldest.key, ageMs: this.#clock.monotonic() - oldest.addedAt };
  }

  /** Puts an item that a worker had back into the queue. */
  #requeue(slot: number, item: T): void {
    this.#states[slot] = LAST;
    this.#enqueue(slot, this.#items === undefined ? item : (this.#items[slot] as T));
  }

  #enqueue(slot: number, item: T): void {
    if (this.#order === undefined) this.#append(slot);
    else this.#order.push(item);
    if (this.#waiters.size === 0 || this.#isHandingOut) return;
    // Deferred by a microtask, so that consecutive adds of one item collapse for idle workers too.
    this.#isHandingOut = true;
    queueMicrotask(() => {
      this.#isHandingOut = false;
      this.#serve();
    });
  }

  #append(slot: number): void {
    if (this.#queued === 0) this.#first = slot;
    else this.#states[this.#last] = slot + 1;
    this.#last = slot;
    this.#queued += 1;
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
    while (this.#waiters.size > 0) {
      const next = this.tryGet();
      if (next === undefined) return;
      this.#waiters.resolveFirst(next);
    }
  }

  #close(): void {
    this.#shuttingDown = true;
    this.meter?.stop();
    this.#serve();
  }

  #checkDrained(): void {
    if (this.#shuttingDown && this.#slots.size === 0) this.#drained.resolve();
  }
}
