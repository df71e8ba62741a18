import { type DeletedFinalStateUnknown, lastKnownState } from './store.ts';
import type { SyncSource } from './wait-for-cache-sync.ts';

/** A handler may return a promise: the next event waits for it. */
type Handled = Promise<void> | void;

/**
 * Called for changes of the objects of an informer. Every function is optional; an object of plain
 * functions will do (client-go's `ResourceEventHandlerFuncs`).
 *
 * For each object the calls are in the order of the server, one after another: if a function returns
 * a promise, the next call waits for it. Errors are reported, and the next call is made nevertheless.
 * The store is never behind: it has the state of the call or a newer one.
 */
export interface ResourceEventHandler<T extends object> {
  /** `isInInitialList` is true for objects that existed before the handler or the informer. */
  onAdd?(object: T, isInInitialList: boolean): Handled;
  /**
   * Also called for an object that was deleted and created again while the watch was down: compare
   * uids where it matters. After a resync both are the same object.
   */
  onUpdate?(oldObject: T, newObject: T): Handled;
  /** Called with the last state, or with a tombstone if the deletion was missed. */
  onDelete?(object: DeletedFinalStateUnknown<T> | T): Handled;
}

/** client-go's name for a handler made of functions, which every {@link ResourceEventHandler} is. */
export type ResourceEventHandlerFuncs<T extends object> = ResourceEventHandler<T>;

/** What happens when a handler cannot keep up. */
export type OverflowPolicy =
  /** The whole informer waits, and stops reading from the server. */
  | 'hold'
  /** The handler is removed, and `onHandlerError` of the informer is called. */
  | 'remove';

/** Options of a handler. */
export interface EventHandlerOptions {
  /** Name in errors and in {@link waitForCacheSync}. */
  readonly name?: string | undefined;
  /**
   * How often the handler is called again for all objects. Default: the period of the informer. At
   * least 1 s; and while the informer runs, at least the shortest period that it was started with, or
   * never if there was none.
   */
  readonly resyncPeriodMs?: number | undefined;
  /** Removes the handler when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** How many calls may be pending. Default: no limit. A list may exceed it. */
  readonly maxPending?: number | undefined;
  /** What happens when more would be pending. Default `hold`. */
  readonly overflow?: OverflowPolicy | undefined;
}

/**
 * A handler of an informer. It stays until it is removed; `await using` removes it at the end of a
 * block.
 */
export interface EventHandlerRegistration extends AsyncDisposable {
  /** Name in errors and in {@link waitForCacheSync}. */
  readonly name: string;
  /** The informer that calls the handler. */
  readonly informer: SyncSource;
  /** True once the handler has been called for the whole first list. */
  readonly hasSynced: boolean;
  /**
   * Resolves when {@link EventHandlerRegistration.hasSynced} becomes true. Rejects if the handler is
   * removed or the informer stopped before; after the informer is run again, it can be awaited again.
   */
  readonly synced: Promise<void>;
  /** The number of pending calls, with the current one. */
  readonly pending: number;
  /** The largest number of pending calls so far. */
  readonly highWater: number;
  readonly isRemoved: boolean;
  /**
   * Drops pending calls, and resolves when the current one has ended: the handler is not called any
   * more. In that call itself it does not wait. A call that does not end within the grace period of
   * the informer is reported and no longer waited for. Removing twice is harmless.
   */
  remove(): Promise<void>;
}

/** Options of {@link filteringResourceEventHandler}. */
export interface FilteringResourceEventHandlerOptions<T extends object> {
  readonly filter: (object: T) => boolean;
  readonly handler: ResourceEventHandler<T>;
}

/**
 * Returns a handler of the objects that pass a filter: one that starts to pass is added, and one that
 * no longer passes is deleted, with the last state that passed. A deletion of which only the key is
 * known always passes.
 */
export function filteringResourceEventHandler<T extends object>({
  filter,
  handler,
}: FilteringResourceEventHandlerOptions<T>): ResourceEventHandler<T> {
  return {
    onAdd: (object, isInInitialList) =>
      filter(object) ? handler.onAdd?.(object, isInInitialList) : undefined,
    onUpdate: (oldObject, newObject) => {
      const passed = filter(oldObject);
      if (filter(newObject)) {
        return passed
          ? handler.onUpdate?.(oldObject, newObject)
          : handler.onAdd?.(newObject, false);
      }
      return passed ? handler.onDelete?.(oldObject) : undefined;
    },
    onDelete: (object) => {
      const state = lastKnownState(object);
      return state === undefined || filter(state) ? handler.onDelete?.(object) : undefined;
    },
  };
}
