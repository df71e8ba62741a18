import { RingBuffer } from '../lib/ring-buffer.ts';
import type { KeyFunc } from './key-func.ts';
import type { ProcessFunc, Queue } from './queue.ts';
import { QueueCore } from './queue-core.ts';
import type { RunOptions } from './reflector-options.ts';
import { DeletedFinalStateUnknown } from './tombstone.ts';

/** How a {@link FIFO} is made. */
export interface FIFOOptions<T extends object> {
  readonly keyFunc: KeyFunc<T>;
}

interface Entry<T> {
  readonly key: string;
  /** Undefined once the entry has been deleted: it then only takes a place in the queue. */
  object: T | undefined;
  readonly isInitial: boolean;
}

/**
 * A queue of objects of which only the newest state matters: each waits once, at the place where it
 * first came, and is handed out as it is then. What is deleted before is never handed out: use
 * {@link DeltaFIFO} to hear of deletions.
 */
export class FIFO<T extends object> implements Queue<T, T> {
  readonly #keyFunc: KeyFunc<T>;
  readonly #entries = new Map<string, Entry<T>>();
  readonly #queue = new RingBuffer<Entry<T>>();
  readonly #core = new QueueCore(this.#entries);

  constructor({ keyFunc }: FIFOOptions<T>) {
    this.#keyFunc = keyFunc;
  }

  /** How many objects wait. */
  get size(): number {
    return this.#entries.size;
  }

  get isClosed(): boolean {
    return this.#core.isClosed;
  }

  get hasSynced(): boolean {
    return this.#core.hasSynced;
  }

  get synced(): Promise<void> {
    return this.#core.synced;
  }

  add(object: T): void {
    this.#core.checkOpen();
    const key = this.#keyFunc(object);
    this.#core.populate(0);
    const entry = this.#entries.get(key);
    if (entry === undefined) this.#push(key, object, false);
    else entry.object = object;
  }

  update(object: T): void {
    this.add(object);
  }

  /** Adds an object unless a state of it waits already, which is taken to be newer. */
  addIfNotPresent(object: T): void {
    this.#core.checkOpen();
    const key = this.#keyFunc(object);
    this.#core.populate(0);
    if (!this.#entries.has(key)) this.#push(key, object, false);
  }

  delete(object: DeletedFinalStateUnknown<T> | T): void {
    this.#core.checkOpen();
    const key = object instanceof DeletedFinalStateUnknown ? object.key : this.#keyFunc(object);
    this.#core.populate(0);
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    entry.object = undefined;
    if (entry.isInitial) this.#core.finishInitial(1);
  }

  /** What waits now is forgotten. */
  replace(objects: readonly T[], _resourceVersion: string): void {
    this.#core.checkOpen();
    const keyed = new Map(objects.map((object) => [this.#keyFunc(object), object]));
    this.#queue.clear();
    this.#entries.clear();
    const isInitial = !this.#core.hasSynced;
    for (const [key, object] of keyed) this.#push(key, object, isInitial);
    this.#core.repopulate(keyed.size);
  }

  /** Does nothing: what waits is handed out anyhow, and nothing else is known. */
  resync(): void {}

  /** Does nothing: the order of the objects says nothing about versions. */
  bookmark(_resourceVersion: string): void {}

  take(process: ProcessFunc<T>): Promise<void> | undefined {
    this.#core.checkFree();
    for (;;) {
      const entry = this.#queue.shift();
      if (entry === undefined) return undefined;
      const { key, object, isInitial } = entry;
      if (object === undefined) continue;
      this.#entries.delete(key);
      return this.#core.process(process, object, {
        initialCount: isInitial ? 1 : 0,
        requeue: () => {
          if (!this.#entries.has(key)) this.#push(key, object, isInitial);
          else if (isInitial) this.#core.finishInitial(1);
        },
      });
    }
  }

  pop(process: ProcessFunc<T>, options?: RunOptions): Promise<void> {
    return this.#core.pop(() => this.take(process), options);
  }

  ready(options?: RunOptions): Promise<boolean> {
    return this.#core.ready(options);
  }

  below(limit: number, options?: RunOptions): Promise<void> {
    return this.#core.below(limit, options);
  }

  close(): void {
    this.#core.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #push(key: string, object: T, isInitial: boolean): void {
    const entry = { key, object, isInitial };
    this.#entries.set(key, entry);
    this.#queue.push(entry);
    this.#core.arrived();
  }
}
