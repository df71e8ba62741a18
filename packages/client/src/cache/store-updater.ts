import type { Clock } from '../lib/clock.ts';
import { nextTurn } from '../lib/next-turn.ts';
import type { DeletedDelta, PresentDelta, QueueDelta, ReplacedAllDelta } from './delta.ts';
import type { Indexer } from './indexer.ts';
import type { Indexers } from './indexers.ts';
import type { Notification } from './notification.ts';
import { isSameState } from './object-version.ts';
import type { SharedProcessor } from './shared-processor.ts';
import { DeletedFinalStateUnknown } from './tombstone.ts';

/** How a {@link StoreUpdater} is made. */
export interface StoreUpdaterOptions<T extends object, I extends Indexers<T>> {
  readonly store: Indexer<T, I>;
  readonly processor: SharedProcessor<T>;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** A list is put into the store piece by piece; after this long others have their turn. */
const sliceMs = 10;

/**
 * Applies what comes out of a queue: first to the store, then to the listeners. Whether an object is
 * new is decided by the store and not by the word of the server, so listeners hear of each object
 * once as added, then as updated, then as deleted, whatever was missed on the way.
 *
 * An object with the uid and the version that the store has is no news and is not distributed. One
 * with another uid is an update, as in client-go: the deletion in between was not seen.
 */
export class StoreUpdater<T extends object, I extends Indexers<T>> {
  readonly #store: Indexer<T, I>;
  readonly #processor: SharedProcessor<T>;
  readonly #clock: Pick<Clock, 'monotonic'>;

  constructor({ store, processor, clock }: StoreUpdaterOptions<T, I>) {
    this.#store = store;
    this.#processor = processor;
    this.#clock = clock;
  }

  /** Gives a promise only for whole lists, which may take a while. */
  apply(deltas: readonly QueueDelta<T>[], isInInitialList: boolean): Promise<void> | void {
    for (const delta of deltas) {
      switch (delta.type) {
        case 'Added':
        case 'Replaced':
        case 'Updated':
          this.#set(delta, isInInitialList);
          break;
        case 'Sync':
          this.#processor.resync([delta.object]);
          break;
        case 'Deleted':
          this.#delete(delta);
          break;
        case 'Bookmark':
          this.#store.bookmark(delta.resourceVersion);
          break;
        case 'SyncAll':
          this.#processor.resync(this.#store.list());
          break;
        case 'ReplacedAll':
          // It always comes alone.
          return this.#replaceAll(delta, isInInitialList);
      }
    }
  }

  #set({ key, object }: PresentDelta<T>, isInInitialList: boolean): void {
    const oldObject = this.#store.getByKey(key);
    this.#store.updateByKey(key, object);
    const notification = change(oldObject, object, isInInitialList);
    if (notification !== undefined) this.#processor.distribute(notification);
  }

  #delete({ key, object }: DeletedDelta<T>): void {
    const isTombstone = object instanceof DeletedFinalStateUnknown;
    const known = this.#store.getByKey(key);
    // Handlers have not seen what is not in the store.
    if (!this.#store.deleteByKey(key, isTombstone ? undefined : object)) return;
    const hasState = !isTombstone || object.object !== undefined;
    const deleted = hasState ? object : new DeletedFinalStateUnknown(key, known);
    this.#processor.distribute({ type: 'delete', object: deleted });
  }

  /**
   * The new content is prepared beside the old one, in slices. Then store and listeners get it in
   * one step, so that a handler that comes meanwhile sees either the old objects and all changes, or
   * the new objects and none of them.
   */
  async #replaceAll(
    { keys, objects, refusedKeys = [], resourceVersion }: ReplacedAllDelta<T>,
    isInInitialList: boolean,
  ): Promise<void> {
    const replacement = this.#store.replacement();
    /** By key: of several objects with one key, which a server should not send, the last counts. */
    const changes = new Map<string, Notification<T>>();
    const deletions: Notification<T>[] = [];
    let sliceEnd = this.#clock.monotonic() + sliceMs;
    const pause = async (): Promise<void> => {
      await nextTurn();
      sliceEnd = this.#clock.monotonic() + sliceMs;
    };
    for (const [position, object] of objects.entries()) {
      const key = keys[position] as string;
      if (replacement.has(key)) changes.delete(key);
      replacement.set(key, object);
      const notification = change(this.#store.getByKey(key), object, isInInitialList);
      if (notification !== undefined) changes.set(key, notification);
      if (this.#clock.monotonic() >= sliceEnd) await pause();
    }
    for (const key of refusedKeys) {
      const known = this.#store.getByKey(key);
      if (known !== undefined && !replacement.has(key)) replacement.set(key, known);
    }
    for (const key of this.#store.keys()) {
      if (!replacement.has(key)) {
        const object = new DeletedFinalStateUnknown(key, this.#store.getByKey(key));
        deletions.push({ type: 'delete', object });
      }
      if (this.#clock.monotonic() >= sliceEnd) await pause();
    }
    replacement.commit(resourceVersion);
    this.#processor.distributeBatch({ type: 'each', items: [...deletions, ...changes.values()] });
  }
}

function change<T extends object>(
  oldObject: T | undefined,
  newObject: T,
  isInInitialList: boolean,
): Notification<T> | undefined {
  if (oldObject === undefined) return { type: 'add', object: newObject, isInInitialList };
  if (isSameState(newObject, oldObject)) return undefined;
  return { type: 'update', oldObject, newObject };
}
