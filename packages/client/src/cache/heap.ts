import { Heap as OrderedItems, type HeapItem } from '../lib/heap.ts';
import { CacheError } from './cache-error.ts';
import type { KeyFunc } from './key-func.ts';
import type { RunOptions } from './reflector-options.ts';
import { QueueCore } from './queue-core.ts';

/** How a {@link Heap} is made. */
export interface HeapOptions<T extends object> {
  readonly keyFunc: KeyFunc<T>;
  /** A strict order; objects of equal rank come out in any order. */
  readonly isBefore: (left: T, right: T) => boolean;
}

interface Entry<T> extends HeapItem {
  readonly key: string;
  object: T;
}

/**
 * Objects by key of which the first in some order is always at hand: a queue with priorities. An
 * object is in it once; adding it again puts it into its new place. Writes and `take` cost O(log n),
 * lookups the same however many objects there are.
 */
export class Heap<T extends object> implements Disposable {
  readonly #keyFunc: KeyFunc<T>;
  readonly #entries = new Map<string, Entry<T>>();
  readonly #order: OrderedItems<Entry<T>>;
  readonly #core = new QueueCore(this.#entries);

  constructor({ keyFunc, isBefore }: HeapOptions<T>) {
    this.#keyFunc = keyFunc;
    this.#order = new OrderedItems((left, right) => isBefore(left.object, right.object));
  }

  get size(): number {
    return this.#entries.size;
  }

  get isClosed(): boolean {
    return this.#core.isClosed;
  }

  /** Adds an object, or puts it into the place of the one with the same key. */
  add(object: T): void {
    this.#core.checkOpen();
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

  /** Adds many with nothing in between: whoever waits gets the first of all. */
  addAll(objects: Iterable<T>): void {
    for (const object of objects) this.add(object);
  }

  /** Adds an object unless there is one with its key; true if it was added. */
  addIfNotPresent(object: T): boolean {
    this.#core.checkOpen();
    const key = this.#keyFunc(object);
    if (this.#entries.has(key)) return false;
    this.#push(key, object);
    return true;
  }

  /** Removes the object with the key of this one; false if there is none. */
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

  /** The objects, in the order in which they came. */
  list(): T[] {
    return Array.from(this.#entries.values(), ({ object }) => object);
  }

  listKeys(): string[] {
    return [...this.#entries.keys()];
  }

  /** The first object, which stays. */
  peek(): T | undefined {
    return this.#order.peek()?.object;
  }

  /** Takes the first object; undefined if there is none. */
  take(): T | undefined {
    const entry = this.#order.pop();
    if (entry !== undefined) this.#entries.delete(entry.key);
    return entry?.object;
  }

  /**
   * Waits for an object and takes it. Rejects with `CACHE_QUEUE_CLOSED` once the heap is closed and
   * empty, and with the reason of the signal on abort. Those who wait together are served in the
   * order in which they came.
   */
  async pop(options?: RunOptions): Promise<T> {
    while (await this.#core.ready(options)) {
      // Somebody else may have been quicker.
      const object = this.take();
      if (object !== undefined) return object;
    }
    throw new CacheError('CACHE_QUEUE_CLOSED', 'the heap is closed and empty');
  }

  /** Takes no more writes. What is there can still be taken, looked at and removed. */
  close(): void {
    this.#core.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #push(key: string, object: T): void {
    const entry: Entry<T> = { key, object, heapIndex: -1 };
    this.#entries.set(key, entry);
    this.#order.push(entry);
    this.#core.arrived();
  }
}
