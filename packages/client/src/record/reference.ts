import type { ObjectReference } from '../api/core/v1.ts';
import { apiVersionOf, type GroupVersionKind } from '../meta/resource.ts';
import type { DeepReadonly, KubernetesObject } from '../meta/types.ts';
import { RecordError } from './record-error.ts';

/** The object of an event: an object with a kind, or a reference to any object. */
export type EventSubject = DeepReadonly<KubernetesObject> | Readonly<ObjectReference>;

/** Options of {@link getReference}. */
export interface ReferenceOptions {
  /** The descriptor of the object, for items of a list, which have no kind: `pods`. */
  readonly descriptor?: GroupVersionKind | undefined;
  /** The part of the object that is meant: `spec.containers{web}`. */
  readonly fieldPath?: string | undefined;
}

/**
 * Returns a reference to an object, for events and `ObjectReference` fields; a reference is returned
 * as it is. Throws a {@link RecordError} if neither the object nor the options have the kind.
 *
 * ```ts
 * import { pods } from 'client-ts/api/core/v1';
 * recorder.event(getReference(pod, { descriptor: pods }), 'Normal', 'Seen', 'in a list');
 * ```
 */
export function getReference(
  object: EventSubject,
  { descriptor, fieldPath }: ReferenceOptions = {},
): ObjectReference {
  const reference = isObject(object) ? referenceTo(object, descriptor) : { ...object };
  return fieldPath === undefined ? reference : { ...reference, fieldPath };
}

/** Objects have metadata, references do not. */
function isObject(subject: EventSubject): subject is DeepReadonly<KubernetesObject> {
  return 'metadata' in subject;
}

function referenceTo(
  object: DeepReadonly<KubernetesObject>,
  descriptor: GroupVersionKind | undefined,
): ObjectReference {
  const kind = object.kind ?? descriptor?.kind ?? '';
  const apiVersion = object.apiVersion ?? (descriptor && apiVersionOf(descriptor)) ?? '';
  const { name, namespace, uid, resourceVersion } = object.metadata ?? {};
  if (kind === '' || apiVersion === '') {
    const missing = kind === '' ? 'kind' : 'apiVersion';
    throw new RecordError(
      'RECORD_REFERENCE_INVALID',
      `object ${name === undefined ? 'without a name' : `"${name}"`} has no ${missing}`,
    );
  }
  return {
    kind,
    apiVersion,
    ...(name !== undefined && { name }),
    ...(namespace !== undefined && { namespace }),
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
}
