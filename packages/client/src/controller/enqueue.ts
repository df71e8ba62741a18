import type { CachedObject } from '../cache/list-watch.ts';
import {
  type DeletedFinalStateUnknown,
  deletionHandlingMetaNamespaceKeyFunc,
  lastKnownState,
  metaNamespaceKeyFunc,
  versionOf,
} from '../cache/store.ts';
import { messageOf } from '../lib/errors.ts';
import { namespaceOf } from '../meta/object.ts';
import { parseApiVersion, type ResourceDescriptor } from '../meta/resource.ts';
import { LOW_PRIORITY, type PriorityOptions } from '../workqueue/priority-queue.ts';
import { ControllerError } from './controller-error.ts';
import type { ObjectChange, Predicate } from './predicates.ts';

/** The part of a work queue that the handlers use. */
export interface KeyQueue<K> {
  /** A `PriorityQueue` uses the priority; other queues ignore it. */
  add(key: K, options: PriorityOptions): void;
}

/** A `ResourceEventHandler` for `informer.addEventHandler` that only enqueues keys. */
export interface EnqueueHandler<T extends object> {
  readonly onAdd: (object: T, isInInitialList?: boolean) => void;
  readonly onUpdate: (oldObject: T, newObject: T) => void;
  readonly onDelete: (object: DeletedFinalStateUnknown<T> | T) => void;
}

/** Options of the functions that return handlers. */
export interface EnqueueOptions<T> {
  /** Enqueues only for changes that all of them pass. Default: every change. */
  readonly predicates?: readonly Predicate<T>[] | undefined;
  /** Returns the priority of a change in a `PriorityQueue`. Default {@link changePriority}. */
  readonly priority?: ((change: ObjectChange<T>) => number) | undefined;
  /**
   * Called when a predicate or a mapping throws: only that change is lost. Default: the handler
   * throws, and the informer reports it.
   */
  readonly onError?: ((error: ControllerError) => void) | undefined;
}

/**
 * Returns the default priority of a change: {@link LOW_PRIORITY} for objects of the initial list and
 * for resyncs, so that a restart does not delay new changes; 0 otherwise.
 */
export function changePriority({
  type,
  object,
  oldObject,
  isInInitialList,
}: ObjectChange<CachedObject>): number {
  const isResync =
    type === 'update' && oldObject !== undefined && versionOf(oldObject) === versionOf(object);
  return isInInitialList || isResync ? LOW_PRIORITY : 0;
}

/**
 * Returns a handler that enqueues the key of each object that is added, updated or deleted,
 * including deletions missed by the watch: `informer.addEventHandler(enqueueRequestForObject(queue))`.
 */
export function enqueueRequestForObject<T extends CachedObject>(
  queue: KeyQueue<string>,
  options: EnqueueOptions<T> = {},
): EnqueueHandler<T> {
  const handle = changeHandler(
    (object: T, priority) => queue.add(metaNamespaceKeyFunc(object), priority),
    // The key of the old object is the same.
    { ...options, mapOld: false },
  );
  return {
    ...handlerOf(handle),
    onDelete: (object) => {
      const state = lastKnownState(object);
      if (state === undefined) queue.add(deletionHandlingMetaNamespaceKeyFunc(object), {});
      else handle({ type: 'delete', object: state, isInInitialList: false });
    },
  };
}

/**
 * Returns a handler that enqueues the keys that `mapFunc` returns for an object, for example those of
 * every object that refers to it. An update maps both the old and the new object, so that objects it
 * no longer refers to are enqueued too, even if the mapping of one of them throws. A deletion missed
 * by the watch maps the last known state; if there is none, nothing is enqueued.
 */
export function enqueueRequestsFromMapFunc<T extends CachedObject, K>(
  queue: KeyQueue<K>,
  mapFunc: (object: T) => Iterable<K>,
  options: EnqueueOptions<T> = {},
): EnqueueHandler<T> {
  const enqueue = (object: T, priority: PriorityOptions): void => {
    for (const key of mapFunc(object)) queue.add(key, priority);
  };
  return handlerOf(changeHandler(enqueue, { ...options, mapOld: true }));
}

type ChangeHandler<T> = (change: ObjectChange<T>) => void;

function handlerOf<T extends CachedObject>(handle: ChangeHandler<T>): EnqueueHandler<T> {
  return {
    onAdd: (object, isInInitialList = false) => handle({ type: 'add', object, isInInitialList }),
    onUpdate: (oldObject, object) =>
      handle({ type: 'update', oldObject, object, isInInitialList: false }),
    onDelete: (object) => {
      const state = lastKnownState(object);
      if (state !== undefined) handle({ type: 'delete', object: state, isInInitialList: false });
    },
  };
}

/** A change takes no closures: a list of a hundred thousand objects is as many changes. */
function changeHandler<T extends CachedObject>(
  enqueue: (object: T, priority: PriorityOptions) => void,
  {
    predicates = [],
    priority: priorityOf = changePriority,
    mapOld,
    onError,
  }: EnqueueOptions<T> & { readonly mapOld: boolean },
): ChangeHandler<T> {
  const report = (error: ControllerError): void => {
    if (onError === undefined) throw error;
    onError(error);
  };
  const tryEnqueue = (
    change: ObjectChange<T>,
    object: T,
    priority: PriorityOptions,
  ): ControllerError | undefined => {
    try {
      enqueue(object, priority);
      return undefined;
    } catch (cause) {
      return callbackError('mapping', change, cause);
    }
  };
  return (change) => {
    const { object, oldObject } = change;
    let priority: number | undefined;
    try {
      for (const predicate of predicates) if (!predicate(change)) return;
      priority = priorityOf(change);
    } catch (cause) {
      report(callbackError('predicate', change, cause));
    }
    if (priority === undefined) return;
    const options = { priority };
    const error = tryEnqueue(change, object, options);
    // Also if the mapping of the new object has failed.
    const oldError =
      mapOld && oldObject !== undefined && oldObject !== object
        ? tryEnqueue(change, oldObject, options)
        : undefined;
    if (error !== undefined) report(error);
    if (oldError !== undefined) report(oldError);
  };
}

function callbackError(
  what: 'mapping' | 'predicate',
  { type, object }: ObjectChange<CachedObject>,
  cause: unknown,
): ControllerError {
  const code = what === 'mapping' ? 'CONTROLLER_MAPPING_FAILED' : 'CONTROLLER_PREDICATE_FAILED';
  const key = metaNamespaceKeyFunc(object);
  const message = `${what} failed for the ${type} of "${key}": ${messageOf(cause)}`;
  return new ControllerError(code, message, { cause });
}

/** The type of an owner: its descriptor, or these three fields of it. Versions are not compared. */
export type OwnerType = Pick<ResourceDescriptor, 'group' | 'kind' | 'scope'>;

/** Options of {@link enqueueRequestForOwner}. */
export interface EnqueueOwnerOptions<T = CachedObject> extends EnqueueOptions<T> {
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
  { onlyControllerOwner = false, ...options }: EnqueueOwnerOptions<T> = {},
): EnqueueHandler<T> {
  const mapFunc = (object: T): string[] => {
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
  };
  return enqueueRequestsFromMapFunc(queue, mapFunc, options);
}
