import type { CachedObject } from '../cache/list-watch.ts';
import { jsonEqual } from '../lib/json.ts';

/** What happened to an object, for a {@link Predicate}. */
export interface ObjectChange<T> {
  readonly type: 'add' | 'delete' | 'update';
  /** The object after the change; the last known state of one that was deleted. */
  readonly object: T;
  /** The object before an update. The same object after a resync. */
  readonly oldObject?: T | undefined;
  /** True for objects that existed before the handler or the informer. */
  readonly isInInitialList: boolean;
}

/**
 * Returns true if a change concerns a controller. It is called for every change, so it must be
 * fast and must not change the object. If it throws, the change is reported and ignored.
 */
export type Predicate<T> = (change: ObjectChange<T>) => boolean;

/** Makes a predicate of updates: additions and deletions pass. */
function ofUpdates<T>(differs: (oldObject: T, object: T) => boolean): Predicate<T> {
  return ({ type, object, oldObject }) =>
    type !== 'update' || oldObject === undefined || differs(oldObject, object);
}

/**
 * Passes updates that change `metadata.generation`: those of the spec and the start of a deletion,
 * not those of status, labels or annotations, nor resyncs. Additions and deletions pass. Kinds
 * without generations, such as ConfigMap, never pass an update.
 */
export const generationChanged: Predicate<CachedObject> = ofUpdates(
  (oldObject, object) => oldObject.metadata?.generation !== object.metadata?.generation,
);

/** Passes updates that change the object, not resyncs. Additions and deletions pass. */
export const resourceVersionChanged: Predicate<CachedObject> = ofUpdates(
  (oldObject, object) => oldObject.metadata?.resourceVersion !== object.metadata?.resourceVersion,
);

/** Passes updates that change a label. Additions and deletions pass. */
export const labelsChanged: Predicate<CachedObject> = changed(
  ({ metadata }) => metadata?.labels ?? {},
);

/** Passes updates that change an annotation. Additions and deletions pass. */
export const annotationsChanged: Predicate<CachedObject> = changed(
  ({ metadata }) => metadata?.annotations ?? {},
);

/**
 * Returns a predicate that passes updates in which the selected value changes: `changed((pod) =>
 * pod.status?.phase)`. Values are compared as JSON. Additions and deletions pass.
 */
export function changed<T>(select: (object: T) => unknown): Predicate<T> {
  return ofUpdates((oldObject, object) => !jsonEqual(select(oldObject), select(object)));
}

/** Returns a predicate that passes what at least one of the predicates passes. */
export function anyOf<T>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (change) => predicates.some((predicate) => predicate(change));
}

/** Returns a predicate that passes what all of the predicates pass. */
export function allOf<T>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (change) => predicates.every((predicate) => predicate(change));
}

/**
 * Returns a predicate that passes what the predicate does not pass. `not(generationChanged)` passes
 * neither additions nor deletions.
 */
export function not<T>(predicate: Predicate<T>): Predicate<T> {
  return (change) => !predicate(change);
}
