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
  const key = attachedKeyOf(object);
  if (key === undefined) return object.metadata?.name ?? '';
  return key.slice(key.indexOf('/') + 1);
}

/** Returns the namespace of an object; empty if it is cluster-scoped. */
export function namespaceOf(object: AnyObject): string {
  const key = attachedKeyOf(object);
  if (key === undefined) return object.metadata?.namespace ?? '';
  return key.slice(0, Math.max(0, key.indexOf('/')));
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

/** Knows the version of objects whose identity is attached to them. */
export interface VersionSource {
  /** Empty if it has none. */
  versionOf(object: object): string;
}

/**
 * Attaches the identity of a lazily decoded object invisibly, so that nothing is decoded for it. An object can be
 * given one once, before it is frozen. Without a key it only has the source.
 */
export class Identified<Source extends VersionSource = VersionSource> extends ReturnOverride {
  #key: string | undefined;
  readonly #source: Source;

  constructor(object: object, key: string | undefined, source: Source) {
    super(object);
    this.#key = key;
    this.#source = source;
  }

  static keyOf(object: object): string | undefined {
    return #key in object ? object.#key : undefined;
  }

  /** For an object that was prepared before its key was known. */
  static setKey(object: Identified, key: string): void {
    object.#key = key;
  }

  static sourceOf<Source extends VersionSource>(object: Identified<Source>): Source {
    return object.#source;
  }

  static versionOf(object: object): string | undefined {
    const isIdentified = #key in object && object.#key !== undefined;
    return isIdentified ? object.#source.versionOf(object) : undefined;
  }
}

/**
 * Returns the attached key: `namespace/name`, or the name of a cluster-scoped object; empty if it has no name. Undefined
 * for objects without an attached identity.
 */
export function attachedKeyOf(object: object): string | undefined {
  return Identified.keyOf(object);
}

/** Returns the version of an object with an attached identity, empty if it has none; undefined for other objects. */
export function attachedVersionOf(object: object): string | undefined {
  return Identified.versionOf(object);
}
