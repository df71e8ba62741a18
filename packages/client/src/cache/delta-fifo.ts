import { RingBuffer } from '../lib/ring-buffer.ts';
import {
  type AcceptedList,
  type Delta,
  DeltaQueue,
  type DeltaQueueOptions,
  type Deltas,
} from './delta-queue.ts';
import { DeletedFinalStateUnknown, type KeyListerGetter, lastKnownState } from './store.ts';

/** Options of {@link DeltaFIFO}. */
export interface DeltaFIFOOptions<T extends object> extends DeltaQueueOptions<T> {
  /**
   * The objects the consumer knows, usually its store. Without it the queue detects deletions only of
   * objects that are in the queue, and resyncs nothing.
   */
  readonly knownObjects?: KeyListerGetter<T> | undefined;
}

/**
 * A queue of changes by object: each key is in it once, in the order in which keys were first added,
 * and popping it returns everything that happened to it since.
 *
 * Guarantees: the deltas of a key are in order and complete, except that of two deletions in a row
 * the one with a state is kept. After {@link DeltaFIFO.replace}, every object that is known or queued
 * and not in the list is deleted. Queued objects are not resynced: they are newer than the known
 * state. A write costs the same however much is queued.
 *
 * Across keys the order is not that of the server: an object that changes while it is queued is
 * popped at its old place with its newest state. Use {@link RealFIFO} where that matters.
 */
export class DeltaFIFO<T extends object> extends DeltaQueue<T, Delta<T>> {
  readonly #knownObjects: KeyListerGetter<T> | undefined;
  readonly #items = new Map<string, Delta<T>[]>();
  /** Every key of `#items`, once. */
  readonly #queue = new RingBuffer<string>();

  constructor({ knownObjects, ...options }: DeltaFIFOOptions<T>) {
    super(options);
    this.#knownObjects = knownObjects;
  }

  /** The number of keys in the queue. */
  get size(): number {
    return this.#items.size;
  }

  /** Every object is `Replaced`, then all others that are queued or known are deleted. */
  protected pushList({ objects, keys, refusedKeys }: AcceptedList<T>): void {
    for (const [position, object] of objects.entries()) {
      this.push({ type: 'Replaced', key: keys[position] as string, object });
    }
    const replaced = new Set(keys);
    const listed = new Set([...keys, ...refusedKeys]);
    const deleted = [...this.#queuedExcept(listed), ...this.#knownExcept(listed)];
    for (const tombstone of deleted) {
      this.push({ type: 'Deleted', key: tombstone.key, object: tombstone });
    }
    this.populate(replaced.size + deleted.length);
  }

  /** Queues known objects that are not queued as `Sync`. */
  resync(): void {
    this.checkOpen();
    const known = this.#knownObjects;
    if (known === undefined) return;
    for (const key of known.keys()) {
      if (this.#items.has(key)) continue;
      const object = known.getByKey(key);
      if (object !== undefined) this.push({ type: 'Sync', key, object });
    }
    this.arrived();
  }

  /** Does nothing: keys are reordered, so a version says nothing about what has been popped. */
  bookmark(_resourceVersion: string): void {}

  protected push(delta: Delta<T>): void {
    const deltas = this.#items.get(delta.key);
    if (deltas === undefined) {
      this.#items.set(delta.key, [delta]);
      this.#queue.push(delta.key);
    } else append(deltas, delta);
  }

  /** An object that is neither queued nor known has already been deleted. */
  protected isKnown(key: string): boolean {
    return this.#items.has(key) || this.#knownObjects?.has(key) === true;
  }

  protected shift(): Deltas<T> | undefined {
    const key = this.#queue.shift();
    if (key === undefined) return undefined;
    const deltas = this.#items.get(key);
    this.#items.delete(key);
    return deltas;
  }

  /** Puts deltas before those that were queued since, or at the end if there are none. */
  protected unshift(deltas: Deltas<T>): void {
    const { key } = deltas[0] as Delta<T>;
    const since = this.#items.get(key);
    if (since === undefined) this.#queue.push(key);
    const merged = [...deltas];
    for (const delta of since ?? []) append(merged, delta);
    this.#items.set(key, merged);
  }

  protected initialCountOf(): number {
    return 1;
  }

  #queuedExcept(listed: ReadonlySet<string>): DeletedFinalStateUnknown<T>[] {
    const tombstones: DeletedFinalStateUnknown<T>[] = [];
    for (const [key, deltas] of this.#items) {
      if (listed.has(key)) continue;
      const newest = deltas.at(-1) as Delta<T>;
      if (newest.type === 'Deleted') continue;
      tombstones.push(new DeletedFinalStateUnknown(key, lastKnownState(newest.object)));
    }
    return tombstones;
  }

  #knownExcept(listed: ReadonlySet<string>): DeletedFinalStateUnknown<T>[] {
    const tombstones: DeletedFinalStateUnknown<T>[] = [];
    for (const key of this.#knownObjects?.keys() ?? []) {
      if (listed.has(key) || this.#items.has(key)) continue;
      tombstones.push(new DeletedFinalStateUnknown(key, this.#knownObjects?.getByKey(key)));
    }
    return tombstones;
  }
}

/** Of two deletions in a row only one is kept: the later, unless it has no state. */
function append<T extends object>(deltas: Delta<T>[], delta: Delta<T>): void {
  if (delta.type !== 'Deleted' || deltas.at(-1)?.type !== 'Deleted') deltas.push(delta);
  else if (!(delta.object instanceof DeletedFinalStateUnknown)) deltas[deltas.length - 1] = delta;
}
