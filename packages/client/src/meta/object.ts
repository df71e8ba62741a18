import { ClientError, defineErrors } from '../lib/errors.ts';
import { ReturnOverride } from '../lib/return-override.ts';
import { apiVersionOf, type GroupVersionKind } from './resource.ts';
import type { DeepReadonly, KubernetesObject, OwnerReference } from './types.ts';

type AnyObject = DeepReadonly<KubernetesObject>;

/** An object has no name, or a string is not a key. */
export class ObjectKeyError extends ClientError {
  constructor(message: string) {
    super('META_OBJECT_KEY_INVALID', message);
  }

  static {
    defineErrors(this, 'ObjectKeyError', 'META', { META_OBJECT_KEY_INVALID: { retry: 'never' } });
  }
}

/** Returns the name of an object; empty if it has none yet. */
export function nameOf(object: AnyObject): string {
  const identity = identityOf(object);
  if (identity === undefined) return object.metadata?.name ?? '';
  return identity.key.slice(identity.key.indexOf('/') + 1);
}

/** Returns the namespace of an object; empty if it is cluster-scoped. */
export function namespaceOf(object: AnyObject): string {
  const identity = identityOf(object);
  if (identity === undefined) return object.metadata?.namespace ?? '';
  return identity.key.slice(0, Math.max(0, identity.key.indexOf('/')));
}

/** Returns the labels of an object; never undefined. Do not write to them. */
export function labelsOf(object: AnyObject): Readonly<Record<string, string>> {
  return object.metadata?.labels ?? {};
}

/** Returns the annotations of an object; never undefined. Do not write to them. */
export function annotationsOf(object: AnyObject): Readonly<Record<string, string>> {
  return object.metadata?.annotations ?? {};
}

/** True if the object is being deleted; finalizers or a grace period may delay its removal. */
export function isBeingDeleted(object: AnyObject): boolean {
  return (object.metadata?.deletionTimestamp ?? null) !== null;
}

/** Returns the owner that controls an object; there is at most one. */
export function getControllerOf(object: AnyObject): DeepReadonly<OwnerReference> | undefined {
  return object.metadata?.ownerReferences?.find(({ controller }) => controller === true);
}

/** True if `owner` controls `object`. A later object of the same name is another owner. */
export function isControlledBy(object: AnyObject, owner: AnyObject): boolean {
  const uid = owner.metadata?.uid;
  return uid !== undefined && getControllerOf(object)?.uid === uid;
}

/**
 * Returns the reference that makes `owner` the controller of another object and blocks a foreground
 * deletion of the owner until that object is gone. The owner must exist: it needs name and uid.
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

/** The identity of an object: what keys and ordering need. */
export interface ObjectIdentity {
  /** `namespace/name`, or the name of a cluster-scoped object; empty if it has no name. */
  readonly key: string;
  /** Empty if it has none. */
  readonly resourceVersion: string;
}

class Identified extends ReturnOverride {
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
 * Attaches the identity of a lazily decoded object invisibly, so that {@link identityOf} decodes
 * nothing. An object can be stamped once, before it is frozen.
 */
export function stampIdentity(object: object, identity: ObjectIdentity): void {
  Identified.stamp(object, identity);
}

/** Returns the attached identity; undefined for other objects. */
export function identityOf(object: object): ObjectIdentity | undefined {
  return Identified.of(object);
}
