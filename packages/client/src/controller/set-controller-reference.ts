import { getControllerOf, nameOf, namespaceOf, newControllerRef } from '../meta/object.ts';
import type { GroupVersionKind } from '../meta/resource.ts';
import type { DeepReadonly, KubernetesObject, OwnerReference } from '../meta/types.ts';
import { ControllerError } from './controller-error.ts';

/** How {@link setControllerReference} refers to the owner. */
export interface ControllerReferenceOptions {
  /**
   * Whether a foreground deletion of the owner waits for the object. Default true. On clusters that
   * check it, the controller then needs the right to update the finalizers of its owner.
   */
  readonly blockOwnerDeletion?: boolean;
}

/**
 * The object with `owner` as its controller: when the owner is deleted, so is the object, and changes
 * of the object lead back to the owner. The object that is given stays as it is.
 *
 * An object that names no namespace is taken to go into the owner's, and says so afterwards. Refuses
 * an object that another owner controls already, an earlier owner of the same name included, and an
 * owner in another namespace: garbage collection would take it for one that is gone.
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
      `${describe(object)} cannot be owned by ${ownerKind.kind} ${nameOf(owner)} of namespace ${namespace}`,
    );
  }
  const others = (object.metadata?.ownerReferences ?? []).filter(
    ({ uid }) => uid !== reference.uid,
  );
  return {
    ...object,
    metadata: {
      ...object.metadata,
      ...(namespace !== '' && { namespace }),
      ownerReferences: [...others, reference],
    },
  };
}

function describe(object: DeepReadonly<KubernetesObject>): string {
  const namespace = namespaceOf(object);
  const name = nameOf(object) || object.metadata?.generateName || '(no name)';
  return `${object.kind ?? 'object'} ${namespace === '' ? name : `${namespace}/${name}`}`;
}
