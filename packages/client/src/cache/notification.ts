import type { DeletedFinalStateUnknown } from './tombstone.ts';

/** One call of a handler. */
export type Notification<T extends object> =
  | { readonly type: 'add'; readonly object: T; readonly isInInitialList: boolean }
  | { readonly type: 'delete'; readonly object: DeletedFinalStateUnknown<T> | T }
  | { readonly type: 'update'; readonly oldObject: T; readonly newObject: T };

/**
 * Many calls as one value that all listeners share. A list of a hundred thousand objects for a
 * hundred handlers is a hundred references, not ten million.
 */
export type NotificationBatch<T extends object> =
  /** As they are. */
  | { readonly type: 'each'; readonly items: readonly Notification<T>[] }
  /** The objects as they were when a handler came. */
  | { readonly type: 'replay'; readonly items: readonly T[] }
  /** The objects once more. */
  | { readonly type: 'resync'; readonly items: readonly T[] };

/** The call at a place of a batch. */
export function notificationAt<T extends object>(
  batch: NotificationBatch<T>,
  position: number,
): Notification<T> {
  if (batch.type === 'each') return batch.items[position] as Notification<T>;
  const object = batch.items[position] as T;
  return batch.type === 'replay'
    ? { type: 'add', object, isInInitialList: true }
    : { type: 'update', oldObject: object, newObject: object };
}
