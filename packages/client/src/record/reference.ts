import type { ObjectReference } from '../api/core/v1.ts';
import { apiVersionOf, type GroupVersionKind } from '../meta/resource.ts';
import type { DeepReadonly, KubernetesObject } from '../meta/types.ts';
import { RecordError } from './record-error.ts';

/** What an event can be about: an object that says its kind, or a reference to any object. */
export type EventSubject = DeepReadonly<KubernetesObject> | Readonly<ObjectReference>;

/** What an object does not say about itself. */
export interface ReferenceOptions {
  /** The kind of an object that comes from a plain list, where it is left out: `pods`. */
  readonly descriptor?: GroupVersionKind;
  /** The part of the object that is meant: `spec.containers{web}`. */
  readonly fieldPath?: string;
}

/**
 * The reference to an object, as events and other objects hold it. A reference stays what it is.
 * Throws a {@link RecordError} if neither the object nor the options say the kind.
 *
 * ```ts
 * import { pods } from 'client-ts/api/core/v1';
 * recorder.event(referenceTo(pod, { descriptor: pods }), 'Normal', 'Seen', 'in a list');
 * ```
 */
export function referenceTo(
  object: EventSubject,
  { descriptor, fieldPath }: ReferenceOptions = {},
): ObjectReference {
  const reference = isObject(object) ? referenceToObject(object, descriptor) : { ...object };
  return fieldPath === undefined ? reference : { ...reference, fieldPath };
}

/** Objects have metadata, and references do not. */
function isObject(subject: EventSubject): subject is DeepReadonly<KubernetesObject> {
  return 'metadata' in subject;
}

function referenceToObject(
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
      `the object ${name ?? 'without a name'} says no ${missing}`,
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
