import { ClientError, defineErrors } from '../lib/errors.ts';
import { Given } from '../lib/given.ts';
import { quoteGo } from '../lib/go-format.ts';
import { apiVersionOf, type GroupVersionKind } from './resource.ts';
import type { DeepReadonly, KubernetesObject, OwnerReference } from './types.ts';

type AnyObject = DeepReadonly<KubernetesObject>;

/** An object without a name, or a text that is no key. */
export class ObjectKeyError extends ClientError {
  constructor(message: string) {
    super('META_OBJECT_KEY_INVALID', message);
  }

  static {
    defineErrors(this, 'ObjectKeyError', 'META', { META_OBJECT_KEY_INVALID: { retry: 'never' } });
  }
}

/** The name of an object; empty if it has none yet. */
export function nameOf(object: AnyObject): string {
  const identity = identityOf(object);
  return identity === undefined ? (object.metadata?.name ?? '') : identity.name;
}

/** The namespace of an object; empty if it lives in none. */
export function namespaceOf(object: AnyObject): string {
  const identity = identityOf(object);
  return identity === undefined ? (object.metadata?.namespace ?? '') : identity.namespace;
}

/** The labels of an object; never undefined. Not for writing. */
export function labelsOf(object: AnyObject): Readonly<Record<string, string>> {
  return object.metadata?.labels ?? {};
}

/** The annotations of an object; never undefined. Not for writing. */
export function annotationsOf(object: AnyObject): Readonly<Record<string, string>> {
  return object.metadata?.annotations ?? {};
}

/** True once a deletion was asked for; finalizers or a grace period may keep the object for long. */
export function isBeingDeleted(object: AnyObject): boolean {
  return (object.metadata?.deletionTimestamp ?? null) !== null;
}

/**
 * `namespace/name`, or `name` for objects outside of namespaces: the key of an object in stores and
 * work queues. Throws {@link ObjectKeyError} for an object without a name, which would otherwise
 * share its key with all others of its kind.
 */
export function metaNamespaceKey(object: AnyObject): string {
  const name = nameOf(object);
  if (name === '') {
    throw new ObjectKeyError(`metadata.name is empty in an object of kind ${object.kind ?? '?'}`);
  }
  const namespace = namespaceOf(object);
  return namespace === '' ? name : `${namespace}/${name}`;
}

/**
 * {@link metaNamespaceKey} for everything that a handler may be given: an object, or what is left of
 * one whose deletion was missed, which carries its key.
 */
export function keyOf(object: AnyObject | { readonly key: string }): string {
  return !('metadata' in object) && 'key' in object ? object.key : metaNamespaceKey(object);
}

/** Takes a key apart; throws {@link ObjectKeyError} for more than one slash. */
export function splitMetaNamespaceKey(key: string): {
  readonly namespace: string;
  readonly name: string;
} {
  const [first = '', second, ...rest] = key.split('/');
  if (rest.length > 0) throw new ObjectKeyError(`unexpected key format: ${quoteGo(key)}`);
  return second === undefined ? { namespace: '', name: first } : { namespace: first, name: second };
}

/** The owner that controls an object; there is at most one. */
export function getControllerOf(object: AnyObject): DeepReadonly<OwnerReference> | undefined {
  return object.metadata?.ownerReferences?.find(({ controller }) => controller === true);
}

/** True if `owner` is what controls `object`. A later object of the same name is another owner. */
export function isControlledBy(object: AnyObject, owner: AnyObject): boolean {
  const uid = owner.metadata?.uid;
  return uid !== undefined && getControllerOf(object)?.uid === uid;
}

/**
 * The reference that makes `owner` the controller of another object, and keeps a foreground deletion
 * of the owner waiting for that object. The owner must exist already: it needs name and uid.
 */
export function newControllerRef(owner: AnyObject, kind: GroupVersionKind): OwnerReference {
  const name = nameOf(owner);
  const uid = owner.metadata?.uid ?? '';
  if (name === '' || uid === '') {
    throw new ObjectKeyError(
      `the owner of kind ${kind.kind} has no metadata.${name === '' ? 'name' : 'uid'}: create it first`,
    );
  }
  return {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    name,
    uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** What keys and order need to know of an object. */
export interface ObjectIdentity {
  /** Empty if it has none. */
  readonly name: string;
  /** Empty for objects outside of namespaces. */
  readonly namespace: string;
  /** Empty if it has none. */
  readonly resourceVersion: string;
  /** Empty if it has none. Another uid under the same name is another object. */
  readonly uid: string;
}

class Identified extends Given {
  #identity: ObjectIdentity;

  constructor(object: object, identity: ObjectIdentity) {
    super(object);
    this.#identity = identity;
  }

  static stamp(object: object, identity: ObjectIdentity): Identified {
    return new Identified(object, identity);
  }

  static of(object: object): ObjectIdentity | undefined {
    return #identity in object ? object.#identity : undefined;
  }
}

/**
 * Notes, out of everybody's sight, what an object is. For objects that are read when they are
 * touched: who asks {@link identityOf} touches nothing. An object can be stamped once, before it is
 * frozen.
 */
export function stampIdentity(object: object, identity: ObjectIdentity): void {
  Identified.stamp(object, identity);
}

/** What was noted of an object; undefined for those that have to be looked at. */
export function identityOf(object: object): ObjectIdentity | undefined {
  return Identified.of(object);
}
