import { cloneJson } from 'client-ts/internal';
import type { KubernetesObject, ObjectMeta } from 'client-ts/meta';
import type { StoredObject } from '../store/store.ts';

/** An object while a request changes it: mutable, with metadata. */
export interface ApiObject extends KubernetesObject {
  metadata: ObjectMeta;
  [field: string]: unknown;
}

/** Returns a mutable copy of a stored object, with metadata. */
export function copyStored(stored: StoredObject): ApiObject {
  const copy = cloneJson(stored) as ApiObject;
  copy.metadata ??= {};
  return copy;
}
