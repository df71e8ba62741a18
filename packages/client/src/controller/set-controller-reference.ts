import { getControllerOf, nameOf, namespaceOf, newControllerRef } from '../meta/object.ts';
import type { GroupVersionKind } from '../meta/resource.ts';
import type { DeepReadonly, KubernetesObject, OwnerReference } from '../meta/types.ts';
import { ControllerError } from './controller-error.ts';

/** Options of {@link setControllerReference}. */
export interface ControllerReferenceOptions {
  /**
   * Makes a foreground deletion of the owner wait for the object. Default true. Clusters with the
   * admission plugin OwnerReferencesPermissionEnforcement then require the permission to update the
   * finalizers of the owner.
   */
  readonly blockOwnerDeletion?: boolean | undefined;
}

/**
 * Sets `owner` as the controller of `object` and returns `object`: it is deleted with its owner, and
 * `enqueueRequestForOwner` maps it back to its owner. An object without a namespace gets that of the
 * owner.
 *
 * Throws a {@link ControllerError} and changes nothing if the object has another controller (an
 * earlier owner of the same name is another one), or if the owner is in another namespace: the
 * garbage collector would treat that owner as missing and delete the object.
 */
export function setControllerReference<T extends KubernetesObject>(
  owner: DeepReadonly<KubernetesObject>,
  object: T,
  ownerKind: GroupVersionKind,
  { blockOwnerDeletion = true }: ControllerReferenceOptions = {},
): T & { metadata: { namespace?: string; ownerReferences: OwnerReference[] } } {
  const reference = { ...newControllerRef(owner, ownerKind), blockOwnerDeletion };
  const current = getControllerOf(object);
  if (current !== undefined && current.uid !== reference.uid) {
    throw new ControllerError(
      'CONTROLLER_OWNER_CONFLICT',
      `${describe(object)} is controlled by ${current.kind} ${current.name} (uid ${current.uid}), not by ${ownerKind.kind} ${nameOf(owner)} (uid ${reference.uid})`,
    );
  }
  const namespace = namespaceOf(owner);
  const objectNamespace = namespaceOf(object);
  if (namespace !== '' && objectNamespace !== '' && objectNamespace !== namespace) {
    throw new ControllerError(
      'CONTROLLER_OWNER_NAMESPACE',
      `${describe(object)} cannot be owned by ${ownerKind.kind} ${nameOf(owner)} in namespace ${namespace}`,
    );
  }
  const others = (object.metadata?.ownerReferences ?? []).filter(
    ({ uid }) => uid !== reference.uid,
  );
  return Object.assign(object, {
    metadata: {
      ...object.metadata,
      ...(namespace !== '' && { namespace }),
      ownerReferences: [...others, reference],
    },
  });
}

function describe(object: DeepReadonly<KubernetesObject>): string {
  const namespace = namespaceOf(object);
  const name = nameOf(object) || object.metadata?.generateName || '(no name)';
  return `${object.kind ?? 'object'} ${namespace === '' ? name : `${namespace}/${name}`}`;
}
