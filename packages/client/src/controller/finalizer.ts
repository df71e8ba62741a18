import type { CachedObject } from '../cache/list-watch.ts';
import { isConflict, isNotFound } from '../meta/error-guards.ts';
import { isBeingDeleted, nameOf, namespaceOf } from '../meta/object.ts';
import type { ReconcileContext, ReconcileResult } from '../workqueue/reconcile.ts';

/** What {@link withFinalizer} sends: the list as a whole, for the version that it was made from. */
export interface FinalizersPatch {
  metadata: { resourceVersion: string; finalizers: string[] };
}

/** The part of a client of one resource that {@link withFinalizer} uses. */
export interface FinalizableClient<T> {
  get(name: string, options: { readonly signal: AbortSignal }): Promise<T>;
  patch(
    name: string,
    patch: FinalizersPatch,
    options: { readonly type: 'merge'; readonly signal: AbortSignal },
  ): Promise<T>;
}

/** How {@link withFinalizer} looks after objects. */
export interface FinalizerOptions<T extends CachedObject> {
  /** With a domain, as servers demand: `example.com/disks`. */
  readonly finalizer: string;
  /** The client for a namespace; it is given an empty one for objects outside of namespaces. */
  readonly client: (namespace: string) => FinalizableClient<T>;
  /** Makes things as the object wants them. */
  readonly apply: (
    object: T,
    context: ReconcileContext,
  ) => Promise<ReconcileResult> | ReconcileResult;
  /**
   * Undoes what `apply` did, also if that stopped half-way, and also if it was undone before: it may
   * run several times. It has not succeeded when it throws, nor when it returns `requeueAfter(…)`.
   */
  readonly cleanup: (
    object: T,
    context: ReconcileContext,
  ) => Promise<ReconcileResult> | ReconcileResult;
}

/**
 * Gives a function that reconciles an object through `apply`, or through `cleanup` if it is being
 * deleted, with a finalizer that keeps the object until then.
 *
 * Guarantee: if `apply` ever started for an object, `cleanup` runs to success before the object goes.
 * The finalizer is stored before `apply` starts, and removed only after `cleanup` has succeeded. A
 * crash at any point leaves the finalizer in place, and `cleanup` runs again.
 *
 * It holds as long as nobody else removes the finalizer, and the object that is handed in is not
 * older than what a colleague in another process has already cleaned up: start informers after the
 * election, not before.
 *
 * The list of finalizers is written only for the very version of the object that it was read from,
 * so those of others are never touched. After a conflict it is done once more on a fresh object; then
 * the conflict is thrown, and the work queue tries again.
 */
export function withFinalizer<T extends CachedObject>(
  options: FinalizerOptions<T>,
): (object: T, context: ReconcileContext) => Promise<ReconcileResult> {
  const { finalizer, client, apply, cleanup } = options;
  const isHeld = (object: T): boolean => finalizersOf(object).includes(finalizer);
  return async (object, context) => {
    const store = client(namespaceOf(object));
    if (!isBeingDeleted(object)) {
      const held = isHeld(object)
        ? object
        : await writeFinalizers(store, object, context, (current) =>
            isHeld(current) || isBeingDeleted(current)
              ? undefined
              : [...finalizersOf(current), finalizer],
          );
      // Deleted, or made anew, since it was read: what is there now comes as a change of its own.
      if (held === undefined || isBeingDeleted(held)) return undefined;
      return await apply(held, context);
    }
    if (!isHeld(object)) return undefined;
    const unfinished = await cleanup(object, context);
    if (unfinished !== undefined) return unfinished;
    // No need to clean up again after a conflict: a deletion is not taken back.
    await writeFinalizers(store, object, context, (current) =>
      isHeld(current) ? finalizersOf(current).filter((name) => name !== finalizer) : undefined,
    );
    return undefined;
  };
}

/**
 * Replaces the finalizers of an object, if `change` gives others. Gives the object as it is then;
 * undefined if there is no such object any more.
 */
async function writeFinalizers<T extends CachedObject>(
  store: FinalizableClient<T>,
  object: T,
  { signal }: ReconcileContext,
  change: (object: T) => string[] | undefined,
): Promise<T | undefined> {
  const name = nameOf(object);
  const write = async (current: T): Promise<T> => {
    const finalizers = change(current);
    if (finalizers === undefined) return current;
    const resourceVersion = current.metadata?.resourceVersion ?? '';
    const metadata = { resourceVersion, finalizers };
    return await store.patch(name, { metadata }, { type: 'merge', signal });
  };
  try {
    return await write(object).catch(async (error: unknown) => {
      if (!isConflict(error)) throw error;
      const current = await store.get(name, { signal });
      return current.metadata?.uid === object.metadata?.uid ? await write(current) : undefined;
    });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function finalizersOf(object: CachedObject): readonly string[] {
  return object.metadata?.finalizers ?? [];
}
