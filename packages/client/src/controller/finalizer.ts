import type { CachedObject } from '../cache/list-watch.ts';
import { isConflict, isNotFound } from '../meta/error-guards.ts';
import { isBeingDeleted, nameOf, namespaceOf } from '../meta/object.ts';
import type { ReconcileContext, ReconcileResult } from '../workqueue/reconcile.ts';

/** The patch of {@link withFinalizer}: all finalizers, bound to the version they were read from. */
export interface FinalizersPatch {
  metadata: { resourceVersion: string; finalizers: string[] };
}

/** The part of a resource client that {@link withFinalizer} uses. */
export interface FinalizableClient<T> {
  get(name: string, options: { readonly signal: AbortSignal }): Promise<T>;
  patch(
    name: string,
    patch: FinalizersPatch,
    options: { readonly type: 'merge'; readonly signal: AbortSignal },
  ): Promise<T>;
}

/** Options of {@link withFinalizer}. */
export interface FinalizerOptions<T extends CachedObject> {
  /** The name of the finalizer; servers require a domain: `example.com/disks`. */
  readonly finalizer: string;
  /**
   * Returns the client for the namespace of an object, which is empty if it is cluster-scoped. It is
   * called when finalizers are written.
   */
  readonly client: (namespace: string, name: string) => FinalizableClient<T>;
  /** Reconciles an object that is not being deleted. */
  readonly apply: (
    object: T,
    context: ReconcileContext,
  ) => Promise<ReconcileResult> | ReconcileResult;
  /**
   * Undoes what `apply` did. It must be idempotent and handle a partial `apply`, because it may run
   * several times. It has not succeeded if it throws or returns `requeueAfter(…)`.
   */
  readonly cleanup: (
    object: T,
    context: ReconcileContext,
  ) => Promise<ReconcileResult> | ReconcileResult;
}

/**
 * Returns a function that reconciles an object with `apply`, or with `cleanup` if it is being
 * deleted, and keeps a finalizer on the object until `cleanup` has succeeded.
 *
 * Guarantee: if `apply` ever started for an object, `cleanup` succeeds before the object is gone.
 * The finalizer is stored before `apply` starts and removed after `cleanup` has succeeded; after a
 * crash at any point it is still there, and `cleanup` runs again.
 *
 * Requires that no other program removes the finalizer, and that the object is not older than one
 * that another replica has cleaned up: start informers after winning the election, not before.
 *
 * Finalizers are written with the resourceVersion they were read from, so those of other controllers
 * are never lost. After a conflict the write is retried once on a fresh object; a second conflict is
 * thrown, and the work queue retries the key.
 */
export function withFinalizer<T extends CachedObject>(
  options: FinalizerOptions<T>,
): (object: T, context: ReconcileContext) => Promise<ReconcileResult> {
  const { finalizer, client, apply, cleanup } = options;
  const hasFinalizer = (object: T): boolean => finalizersOf(object).includes(finalizer);
  return async (object, context) => {
    const store = (): FinalizableClient<T> => client(namespaceOf(object), nameOf(object));
    if (!isBeingDeleted(object)) {
      const current = hasFinalizer(object)
        ? object
        : await writeFinalizers(store(), object, context, (stored) =>
            hasFinalizer(stored) || isBeingDeleted(stored)
              ? undefined
              : [...finalizersOf(stored), finalizer],
          );
      // Deleted or replaced since it was read: the change enqueues the key again.
      if (current === undefined || isBeingDeleted(current)) return undefined;
      return await apply(current, context);
    }
    if (!hasFinalizer(object)) return undefined;
    const unfinished = await cleanup(object, context);
    // Anything else that plain JavaScript returns would keep the object forever.
    if (unfinished?.type === 'requeue-after') return unfinished;
    // A conflict does not require another cleanup: a deletion cannot be undone.
    await writeFinalizers(store(), object, context, (stored) =>
      hasFinalizer(stored) ? finalizersOf(stored).filter((name) => name !== finalizer) : undefined,
    );
    return undefined;
  };
}

/**
 * Replaces the finalizers of an object unless `change` returns undefined. Returns the object as it is
 * stored afterwards; undefined if it no longer exists.
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
