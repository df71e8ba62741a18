import { type DeletedFinalStateUnknown, lastKnownState } from './tombstone.ts';

/** What a handler may return: the next event waits for a promise. */
type Handled = Promise<void> | void;

/**
 * Hears of what happens to the objects of an informer. Every function can be left out.
 *
 * For each object the calls come in the order of the server, one after another: if a function
 * returns a promise, the next call waits for it. Errors are reported and the next call comes all the
 * same. The store is never behind: what a call tells can be read there, or something newer.
 */
export interface ResourceEventHandler<T extends object> {
  /** `isInInitialList` is true for what was there before the handler, or before the informer. */
  onAdd?(object: T, isInInitialList: boolean): Handled;
  /**
   * Also for an object that was deleted and made again while nobody watched: compare uids where it
   * matters. After a resync both are the same object.
   */
  onUpdate?(oldObject: T, newObject: T): Handled;
  /** The last state, or a tombstone if nobody saw the object go. */
  onDelete?(object: DeletedFinalStateUnknown<T> | T): Handled;
}

/** How a {@link filteringResourceEventHandler} chooses. */
export interface FilteringResourceEventHandlerOptions<T extends object> {
  readonly filter: (object: T) => boolean;
  readonly handler: ResourceEventHandler<T>;
}

/**
 * A handler for a part of the objects: one that starts to pass the filter is added, and one that no
 * longer passes is deleted, with the last state that passed. A deletion of which nothing but the key
 * is known passes always.
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
