import { RingBuffer } from '../lib/ring-buffer.ts';
import { QueueBase } from './queue.ts';
import { DeletedFinalStateUnknown, type KeyFunc } from './store.ts';

/** Options of {@link FIFO}. */
export interface FIFOOptions<T extends object> {
  readonly keyFunc: KeyFunc<T>;
}

interface Entry<T> {
  readonly key: string;
  /** Undefined once the object was deleted: the entry only keeps its place in the queue. */
  object: T | undefined;
  readonly isInitial: boolean;
}

/**
 * A queue of objects of which only the newest state matters: each is in it once, at the place where
 * it was first added, and is popped in its newest state. An object that is deleted before it is
 * popped never is: use {@link DeltaFIFO} to process deletions.
 */
export class FIFO<T extends object> extends QueueBase<T, T> {
  readonly #keyFunc: KeyFunc<T>;
  readonly #entries = new Map<string, Entry<T>>();
  readonly #queue = new RingBuffer<Entry<T>>();
  /** Of the item that was shifted last, which is being processed. */
  #current: Pick<Entry<T>, 'isInitial' | 'key'> = { key: '', isInitial: false };

  constructor({ keyFunc }: FIFOOptions<T>) {
    super();
    this.#keyFunc = keyFunc;
  }

  /** The number of objects in the queue. */
  get size(): number {
    return this.#entries.size;
  }

  add(object: T): void {
    this.checkOpen();
    const key = this.#keyFunc(object);
    this.populate(0);
    const entry = this.#entries.get(key);
    if (entry === undefined) this.#push(key, object, false);
    else entry.object = object;
  }

  update(object: T): void {
    this.add(object);
  }

  /** Adds an object unless a state of it is queued, which is assumed to be newer. */
  addIfNotPresent(object: T): void {
    this.checkOpen();
    const key = this.#keyFunc(object);
    this.populate(0);
    if (!this.#entries.has(key)) this.#push(key, object, false);
  }

  delete(object: DeletedFinalStateUnknown<T> | T): void {
    this.checkOpen();
    const key = object instanceof DeletedFinalStateUnknown ? object.key : this.#keyFunc(object);
    this.populate(0);
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    entry.object = undefined;
    if (entry.isInitial) this.finishInitial(1);
  }

  /** Replaces everything in the queue. */
  replace(objects: readonly T[], _resourceVersion: string): void {
    this.checkOpen();
    const keyed = new Map(objects.map((object) => [this.#keyFunc(object), object]));
    this.#queue.clear();
    this.#entries.clear();
    const isInitial = !this.hasSynced;
    for (const [key, object] of keyed) this.#push(key, object, isInitial);
    this.repopulate(keyed.size);
  }

  /** Does nothing: the queue knows no other objects than those that are popped anyway. */
  resync(): void {}

  /** Does nothing: the order of the objects says nothing about versions. */
  bookmark(_resourceVersion: string): void {}

  protected shift(): T | undefined {
    for (;;) {
      const entry = this.#queue.shift();
      if (entry === undefined) return undefined;
      const { key, object, isInitial } = entry;
      if (object === undefined) continue;
      this.#current = { key, isInitial };
      this.#entries.delete(key);
      return object;
    }
  }

  protected unshift(object: T): void {
    const { key, isInitial } = this.#current;
    if (!this.#entries.has(key)) this.#push(key, object, isInitial);
    else if (isInitial) this.finishInitial(1);
  }

  protected initialCountOf(): number {
    return this.#current.isInitial ? 1 : 0;
  }

  #push(key: string, object: T, isInitial: boolean): void {
    const entry = { key, object, isInitial };
    this.#entries.set(key, entry);
    this.#queue.push(entry);
    this.arrived();
  }
}
