import { deletionHandlingMetaNamespaceKeyFunc, metaNamespaceKeyFunc } from '../cache/store.ts';
import type { CachedObject } from '../cache/list-watch.ts';
import { type DeletedFinalStateUnknown, lastKnownState } from '../cache/store.ts';
import { namespaceOf } from '../meta/object.ts';
import { parseApiVersion, type ResourceDescriptor } from '../meta/resource.ts';

/** The part of a work queue that the handlers use. */
export interface KeyQueue<K> {
  add(key: K): void;
}

/** A `ResourceEventHandler` for `informer.addEventHandler` that only enqueues keys. */
export interface EnqueueHandler<T extends object> {
  readonly onAdd: (object: T) => void;
  readonly onUpdate: (oldObject: T, newObject: T) => void;
  readonly onDelete: (object: DeletedFinalStateUnknown<T> | T) => void;
}

/**
 * Returns a handler that enqueues the key of each object that is added, updated or deleted,
 * including deletions missed by the watch: `informer.addEventHandler(enqueueRequestForObject(queue))`.
 */
export function enqueueRequestForObject<T extends CachedObject>(
  queue: KeyQueue<string>,
): EnqueueHandler<T> {
  return {
    onAdd: (object) => queue.add(deletionHandlingMetaNamespaceKeyFunc(object)),
    onUpdate: (_old, object) => queue.add(deletionHandlingMetaNamespaceKeyFunc(object)),
    onDelete: (object) => queue.add(deletionHandlingMetaNamespaceKeyFunc(object)),
  };
}

/**
 * Returns a handler that enqueues the keys that `mapFunc` returns for an object, for example those of
 * every object that refers to it. An update maps both the old and the new object, so that objects it
 * no longer refers to are enqueued too. A deletion missed by the watch maps the last known state; if
 * there is none, nothing is enqueued.
 */
export function enqueueRequestsFromMapFunc<T extends CachedObject, K>(
  queue: KeyQueue<K>,
  mapFunc: (object: T) => Iterable<K>,
): EnqueueHandler<T> {
  const enqueue = (object: T): void => {
    for (const key of mapFunc(object)) queue.add(key);
  };
  return {
    onAdd: enqueue,
    onUpdate: (oldObject, newObject) => {
      // The new object first: if mapFunc throws for the old one, the current state is still enqueued.
      enqueue(newObject);
      if (oldObject !== newObject) enqueue(oldObject);
    },
    onDelete: (object) => {
      const state = lastKnownState(object);
      if (state !== undefined) enqueue(state);
    },
  };
}

/** The type of an owner: its descriptor, or these three fields of it. Versions are not compared. */
export type OwnerType = Pick<ResourceDescriptor, 'group' | 'kind' | 'scope'>;

/** Options of {@link enqueueRequestForOwner}. */
export interface EnqueueOwnerOptions {
  /** Ignores owners that are not the controller of the object. Default false. */
  readonly onlyControllerOwner?: boolean | undefined;
}

/**
 * Returns a handler that enqueues the owners of an object that have this type. The key of a
 * namespaced owner has the namespace of the object; the owner itself may no longer exist. When the
 * owner changes, both the old and the new one are enqueued.
 */
export function enqueueRequestForOwner<T extends CachedObject>(
  queue: KeyQueue<string>,
  { group, kind, scope }: OwnerType,
  { onlyControllerOwner = false }: EnqueueOwnerOptions = {},
): EnqueueHandler<T> {
  return enqueueRequestsFromMapFunc(queue, (object) => {
    const namespace = scope === 'Namespaced' ? namespaceOf(object) : '';
    // A cluster-scoped object cannot have a namespaced owner.
    if (scope === 'Namespaced' && namespace === '') return [];
    return (object.metadata?.ownerReferences ?? [])
      .filter(
        (owner) =>
          owner.kind === kind &&
          parseApiVersion(owner.apiVersion).group === group &&
          (!onlyControllerOwner || owner.controller === true),
      )
      .map(({ name }) => metaNamespaceKeyFunc({ metadata: { namespace, name } }));
  });
}
