import type { DeletedFinalStateUnknown } from './tombstone.ts';

/** An object is there: it appeared, changed, was listed again, or is handed out once more. */
export interface PresentDelta<T extends object> {
  readonly type: 'Added' | 'Replaced' | 'Sync' | 'Updated';
  readonly key: string;
  readonly object: T;
}

/** An object has gone. If nobody saw it go, a tombstone stands in its place. */
export interface DeletedDelta<T extends object> {
  readonly type: 'Deleted';
  readonly key: string;
  readonly object: DeletedFinalStateUnknown<T> | T;
}

/** Something that happened to one object. */
export type Delta<T extends object> = DeletedDelta<T> | PresentDelta<T>;

/** What happened to one object since the last look, oldest first. Never empty. */
export type Deltas<T extends object> = readonly Delta<T>[];

/** These objects, and no others, are what there is at a version. */
export interface ReplacedAllDelta<T extends object> {
  readonly type: 'ReplacedAll';
  readonly objects: readonly T[];
  /** The keys of the objects, in the same order. */
  readonly keys: readonly string[];
  /** Of objects that are there, but could not be taken: they keep the state that they have. */
  readonly refusedKeys?: readonly string[];
  readonly resourceVersion: string;
}

/** Everything known is handed out once more. */
export interface SyncAllDelta {
  readonly type: 'SyncAll';
}

/** Nothing else happened up to a version. */
export interface BookmarkDelta {
  readonly type: 'Bookmark';
  readonly resourceVersion: string;
}

/** Everything that can come out of a queue between a reflector and a store. */
export type QueueDelta<T extends object> =
  | BookmarkDelta
  | Delta<T>
  | ReplacedAllDelta<T>
  | SyncAllDelta;

/**
 * Changes an object before it is queued, stored and handed out: drops fields to save memory, for
 * instance. It must keep name and namespace. If it throws, an informer reports the key and keeps the last
 * state of the object, if it has one, until the object changes or is listed again. An informer freezes what it returns, unless the objects of its source can be written to.
 */
export type TransformFunc<T extends object> = (object: T) => T;
