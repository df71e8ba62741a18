/**
 * What is left of an object whose deletion was missed: it went while nobody watched, and a later
 * list showed that it is gone. `object` is the last known state and may be older than the state in
 * which the object was deleted; it is undefined if no state was known.
 */
export class DeletedFinalStateUnknown<T> {
  readonly key: string;
  readonly object: T | undefined;

  constructor(key: string, object: T | undefined) {
    this.key = key;
    this.object = object;
  }
}

/**
 * The object itself, or the last known state of one whose deletion was missed: what handlers of
 * deletions mostly want.
 */
export function lastKnownState<T extends object>(
  object: DeletedFinalStateUnknown<T> | T,
): T | undefined {
  return object instanceof DeletedFinalStateUnknown ? object.object : object;
}
