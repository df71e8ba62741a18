import { deletionHandlingMetaNamespaceKeyFunc } from '../cache/key-func.ts';
import type { CachedObject } from '../cache/list-watch.ts';
import { type DeletedFinalStateUnknown, lastKnownState } from '../cache/tombstone.ts';
import { namespaceOf } from '../meta/object.ts';
import { parseApiVersion, type ResourceDescriptor } from '../meta/resource.ts';

/** Where keys go: a work queue, of any kind. */
export interface KeySink<K> {
  add(key: K): void;
}

/** A `ResourceEventHandler` for `informer.addEventHandler` that does nothing but enqueue. */
export interface EnqueueingHandler<T extends object> {
  readonly onAdd: (object: T) => void;
  readonly onUpdate: (oldObject: T, newObject: T) => void;
  readonly onDelete: (object: DeletedFinalStateUnknown<T> | T) => void;
}

/**
 * A handler that enqueues the key of every object that is added, changed or deleted, whether or not
 * anybody saw it go: `informer.addEventHandler(enqueueKey(queue))`.
 */
export function enqueueKey<T extends CachedObject>(queue: KeySink<string>): EnqueueingHandler<T> {
  return {
    onAdd: (object) => queue.add(deletionHandlingMetaNamespaceKeyFunc(object)),
    onUpdate: (_old, object) => queue.add(deletionHandlingMetaNamespaceKeyFunc(object)),
    onDelete: (object) => queue.add(deletionHandlingMetaNamespaceKeyFunc(object)),
  };
}

/**
 * A handler that enqueues what an object leads to, for instance every object that mentions it. After
 * a change both the old and the new object are mapped, so that whatever it no longer leads to is
 * looked at too. Of a deletion that nobody saw the last known state is mapped; if none is known there
 * is nothing to map.
 */
export function enqueueMapped<T extends CachedObject, K>(
  queue: KeySink<K>,
  keysFor: (object: T) => Iterable<K>,
): EnqueueingHandler<T> {
  const enqueue = (object: T): void => {
    for (const key of keysFor(object)) queue.add(key);
  };
  return {
    onAdd: enqueue,
    onUpdate: (oldObject, newObject) => {
      // The new one first: should the old one be too much for the function, the present still counts.
      enqueue(newObject);
      if (oldObject !== newObject) enqueue(oldObject);
    },
    onDelete: (object) => {
      const state = lastKnownState(object);
      if (state !== undefined) enqueue(state);
    },
  };
}

/** What owns: its descriptor, or as much of it as matters. The version does not. */
export type OwnerKind = Pick<ResourceDescriptor, 'group' | 'kind' | 'scope'>;

/** Which owners {@link enqueueOwner} goes after. */
export interface EnqueueOwnerOptions {
  /** Every owner of the kind, not only the one that controls the object. Default false. */
  readonly anyOwner?: boolean;
}

/**
 * A handler that enqueues the owner of an object, if it is of this kind. The owner is looked for in
 * the namespace of the object, unless its kind lives in none; it may be gone by now. When the owner
 * changes, both the old and the new one are enqueued.
 */
export function enqueueOwner<T extends CachedObject>(
  queue: KeySink<string>,
  { group, kind, scope }: OwnerKind,
  { anyOwner = false }: EnqueueOwnerOptions = {},
): EnqueueingHandler<T> {
  return enqueueMapped(queue, (object) => {
    const namespace = scope === 'Namespaced' ? namespaceOf(object) : '';
    // What lives in no namespace cannot be owned by something that lives in one.
    if (scope === 'Namespaced' && namespace === '') return [];
    return (object.metadata?.ownerReferences ?? [])
      .filter(
        (owner) =>
          owner.kind === kind &&
          parseApiVersion(owner.apiVersion).group === group &&
          (anyOwner || owner.controller === true),
      )
      .map(({ name }) => (namespace === '' ? name : `${namespace}/${name}`));
  });
}
