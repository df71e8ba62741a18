import { metaNamespaceKey } from '../meta/object.ts';
import type { DeepReadonly, KubernetesObject } from '../meta/types.ts';
import { DeletedFinalStateUnknown } from './tombstone.ts';

/** Gives the key under which a store keeps an object. Must give the same key for the same object. */
export type KeyFunc<T> = (object: T) => string;

/** A key where an object is expected: {@link metaNamespaceKeyFunc} gives it back as it is. */
export class ExplicitKey {
  readonly key: string;

  constructor(key: string) {
    this.key = key;
  }
}

type AnyObject = DeepReadonly<KubernetesObject>;

/**
 * `namespace/name`, or `name` for objects outside of namespaces. Throws `ObjectKeyError` for an
 * object without a name.
 */
export function metaNamespaceKeyFunc(object: AnyObject | ExplicitKey): string {
  return object instanceof ExplicitKey ? object.key : metaNamespaceKey(object);
}

/** {@link metaNamespaceKeyFunc} that also takes what handlers of deletions are given. */
export function deletionHandlingMetaNamespaceKeyFunc(
  object: AnyObject | DeletedFinalStateUnknown<unknown> | ExplicitKey,
): string {
  return object instanceof DeletedFinalStateUnknown ? object.key : metaNamespaceKeyFunc(object);
}
