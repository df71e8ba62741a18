import { Deferred } from '../lib/deferred.ts';
import { BinaryHeap, type BinaryHeapItem } from '../lib/binary-heap.ts';
import { abortable } from '../lib/signal.ts';
import { CacheError } from './cache-error.ts';
import type { KeyFunc } from './store.ts';

/** Options of {@link Heap}. */
export interface HeapOptions<T extends object> {
  readonly keyFunc: KeyFunc<T>;
  /** A strict order; objects of equal rank come out in any order. */
  readonly isBefore: (left: T, right: T) => boolean;
}

interface Entry<T> extends BinaryHeapItem {
  readonly key: string;
  object: T;
}

/**
 * A priority queue of objects by key. An object is in it once; adding it again moves it to its new
 * place. Writes and pops cost O(log n), lookups O(1).
 */
export class Heap<T extends object> implements Disposable {
  readonly #keyFunc: KeyFunc<T>;
  readonly #entries = new Map<string, Entry<T>>();
  readonly #order: BinaryHeap<Entry<T>>;
  #arrival: Deferred | undefined;
  #isClosed = false;

  constructor({ keyFunc, isBefore }: HeapOptions<T>) {
    this.#keyFunc = keyFunc;
    this.#order = new BinaryHeap((left, right) => isBefore(left.object, right.object));
  }

  get size(): number {
    return this.#entries.size;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Adds an object, or replaces the one with the same key. */
  add(object: T): void {
    this.#checkOpen();
    const key = this.#keyFunc(object);
    const entry = this.#entries.get(key);
    if (entry === undefined) this.#push(key, object);
    else {
      entry.object = object;
      this.#order.update(entry);
    }
  }

  /** The same as {@link Heap.add}. */
  update(object: T): void {
    this.add(object);
  }

  /** Adds many objects in one step: a waiting `pop` gets the first of all. */
  addAll(objects: Iterable<T>): void {
    for (const object of objects) this.add(object);
  }

  /** Adds an object unless there is one with its key; returns true if it was added. */
  addIfNotPresent(object: T): boolean {
    this.#checkOpen();
    const key = this.#keyFunc(object);
    if (this.#entries.has(key)) return false;
    this.#push(key, object);
    return true;
  }

  /** Removes the object with the key of this one; returns false if there is none. */
  delete(object: T): boolean {
    return this.deleteByKey(this.#keyFunc(object));
  }

  deleteByKey(key: string): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined) return false;
    this.#entries.delete(key);
    return this.#order.remove(entry);
  }

  get(object: T): T | undefined {
    return this.getByKey(this.#keyFunc(object));
  }

  getByKey(key: string): T | undefined {
    return this.#entries.get(key)?.object;
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** Returns the objects in the order in which they were added. */
  list(): T[] {
    return Array.from(this.#entries.values(), ({ object }) => object);
  }

  listKeys(): string[] {
    return [...this.#entries.keys()];
  }

  /** Returns the first object without removing it. */
  peek(): T | undefined {
    return this.#order.peek()?.object;
  }

  /** Removes and returns the first object; undefined if there is none. */
  tryPop(): T | undefined {
    const entry = this.#order.pop();
    if (entry !== undefined) this.#entries.delete(entry.key);
    return entry?.object;
  }

  /**
   * Waits for an object and removes it. Rejects with `CACHE_QUEUE_CLOSED` once the heap is closed and
   * empty, and with the reason of the signal on abort. Waiting calls are served in order.
   */
  async pop({ signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<T> {
    signal?.throwIfAborted();
    for (;;) {
      const object = this.tryPop();
      if (object !== undefined) return object;
      if (this.#isClosed)
        throw new CacheError('CACHE_QUEUE_CLOSED', 'the heap is closed and empty');
      this.#arrival ??= new Deferred();
      await abortable(this.#arrival.promise, signal);
    }
  }

  /** Refuses further writes. Objects in the heap can still be popped, read and removed. */
  close(): void {
    this.#isClosed = true;
    this.#arrived();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #push(key: string, object: T): void {
    const entry: Entry<T> = { key, object, heapIndex: -1 };
    this.#entries.set(key, entry);
    this.#order.push(entry);
    this.#arrived();
  }

  #arrived(): void {
    this.#arrival?.resolve();
    this.#arrival = undefined;
  }

  #checkOpen(): void {
    if (this.#isClosed) {
      throw new CacheError('CACHE_QUEUE_CLOSED', 'the heap is closed and accepts no writes');
    }
  }
}
