import { RingBuffer } from '../lib/ring-buffer.ts';
import type { Delta, Deltas } from './delta.ts';
import { Intake, type IntakeOptions } from './intake.ts';
import type { ProcessFunc, Queue } from './queue.ts';
import { QueueCore } from './queue-core.ts';
import type { RunOptions } from './reflector-options.ts';
import type { KeyLookup } from './store.ts';
import { DeletedFinalStateUnknown, lastKnownState } from './tombstone.ts';

/** How a {@link DeltaFIFO} is made. */
export interface DeltaFIFOOptions<T extends object> extends IntakeOptions<T> {
  /**
   * What the consumer knows already, mostly its store. Without it the queue notices only the
   * deletion of objects that wait in it, and has nothing to resync.
   */
  readonly knownObjects?: KeyLookup<T> | undefined;
}

/**
 * A queue of what happened, by object: each key waits once, in the order in which the keys first
 * came, and whoever takes it gets everything that happened to it since.
 *
 * Guarantees: the deltas of a key are in order and none is left out, except that of two deletions in
 * a row the one that says more remains. After {@link DeltaFIFO.replace}, every object that is known
 * or waiting and not in the list is deleted. Objects that wait are not resynced: what waits is newer
 * than what is known. A write costs the same however much waits.
 *
 * Across keys the order is not that of the server: an object that changes while it waits is handed
 * out at its old place with its newest state. Use {@link RealFIFO} where that matters.
 */
export class DeltaFIFO<T extends object> implements Queue<T, Deltas<T>> {
  readonly #intake: Intake<T>;
  readonly #knownObjects: KeyLookup<T> | undefined;
  readonly #items = new Map<string, Delta<T>[]>();
  /** Every key of `#items`, once. */
  readonly #queue = new RingBuffer<string>();
  readonly #core = new QueueCore(this.#items);

  constructor({ knownObjects, ...intake }: DeltaFIFOOptions<T>) {
    this.#intake = new Intake(intake);
    this.#knownObjects = knownObjects;
  }

  /** How many keys wait. */
  get size(): number {
    return this.#items.size;
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
    this.#write('Added', object);
  }

  update(object: T): void {
    this.#write('Updated', object);
  }

  /** Does nothing if the object neither waits nor is known: it is gone already. */
  delete(object: DeletedFinalStateUnknown<T> | T): void {
    this.#core.checkOpen();
    const isTombstone = object instanceof DeletedFinalStateUnknown;
    const key = isTombstone ? object.key : this.#intake.keyOf(object);
    this.#core.populate(0);
    if (!this.#items.has(key) && this.#knownObjects?.has(key) !== true) return;
    const deleted = isTombstone ? object : this.#intake.deleted(key, object);
    this.#push({ type: 'Deleted', key, object: deleted });
  }

  /**
   * Queues every object as `Replaced`, then a deletion for all others that wait or are known. If a
   * key or a transformation fails, that object is left as it is, or, without `onRefused`, nothing is
   * queued.
   */
  replace(objects: readonly T[], _resourceVersion: string): void {
    this.#core.checkOpen();
    const taken = this.#intake.list(objects);
    for (const [position, object] of taken.objects.entries()) {
      this.#push({ type: 'Replaced', key: taken.keys[position] as string, object });
    }
    const replaced = new Set(taken.keys);
    const listed = new Set([...taken.keys, ...taken.refusedKeys]);
    const deleted = [...this.#waitingBut(listed), ...this.#knownBut(listed)];
    for (const tombstone of deleted) {
      this.#push({ type: 'Deleted', key: tombstone.key, object: tombstone });
    }
    this.#core.populate(replaced.size + deleted.length);
  }

  /** Queues what is known and does not wait as `Sync`. */
  resync(): void {
    this.#core.checkOpen();
    const known = this.#knownObjects;
    if (known === undefined) return;
    for (const key of known.keys()) {
      if (this.#items.has(key)) continue;
      const object = known.getByKey(key);
      if (object !== undefined) this.#push({ type: 'Sync', key, object });
    }
  }

  /**
   * Does nothing: keys overtake each other here, so that a version would say nothing about what has
   * been taken.
   */
  bookmark(_resourceVersion: string): void {}

  take(process: ProcessFunc<Deltas<T>>): Promise<void> | undefined {
    this.#core.checkFree();
    const key = this.#queue.shift();
    if (key === undefined) return undefined;
    const deltas = this.#items.get(key) ?? [];
    this.#items.delete(key);
    return this.#core.process(process, deltas, {
      initialCount: 1,
      requeue: () => this.#putBack(key, deltas),
    });
  }

  pop(process: ProcessFunc<Deltas<T>>, options?: RunOptions): Promise<void> {
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

  #write(type: 'Added' | 'Updated', object: T): void {
    this.#core.checkOpen();
    const key = this.#intake.keyOf(object);
    const transformed = this.#intake.transformed(object);
    this.#core.populate(0);
    this.#push({ type, key, object: transformed });
  }

  #push(delta: Delta<T>): void {
    const deltas = this.#items.get(delta.key);
    if (deltas === undefined) {
      this.#items.set(delta.key, [delta]);
      this.#queue.push(delta.key);
    } else append(deltas, delta);
    this.#core.arrived();
  }

  /** Before what has come since, so that the order stays right; at the end if nothing has. */
  #putBack(key: string, deltas: Deltas<T>): void {
    const since = this.#items.get(key);
    if (since === undefined) this.#queue.push(key);
    const merged = [...deltas];
    for (const delta of since ?? []) append(merged, delta);
    this.#items.set(key, merged);
    this.#core.arrived();
  }

  #waitingBut(listed: ReadonlySet<string>): DeletedFinalStateUnknown<T>[] {
    const tombstones: DeletedFinalStateUnknown<T>[] = [];
    for (const [key, deltas] of this.#items) {
      if (listed.has(key)) continue;
      const newest = deltas.at(-1);
      if (newest === undefined || newest.type === 'Deleted') continue;
      tombstones.push(new DeletedFinalStateUnknown(key, lastKnownState(newest.object)));
    }
    return tombstones;
  }

  #knownBut(listed: ReadonlySet<string>): DeletedFinalStateUnknown<T>[] {
    const tombstones: DeletedFinalStateUnknown<T>[] = [];
    for (const key of this.#knownObjects?.keys() ?? []) {
      if (listed.has(key) || this.#items.has(key)) continue;
      tombstones.push(new DeletedFinalStateUnknown(key, this.#knownObjects?.getByKey(key)));
    }
    return tombstones;
  }
}

/** Of two deletions in a row only one is kept: the later, unless it knows less. */
function append<T extends object>(deltas: Delta<T>[], delta: Delta<T>): void {
  if (delta.type !== 'Deleted' || deltas.at(-1)?.type !== 'Deleted') deltas.push(delta);
  else if (!(delta.object instanceof DeletedFinalStateUnknown)) deltas[deltas.length - 1] = delta;
}
