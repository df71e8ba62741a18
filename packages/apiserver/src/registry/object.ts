import { cloneJson } from 'client-ts/internal';
import type { KubernetesObject, ObjectMeta } from 'client-ts/meta';
import type { StoredObject } from '../store/store.ts';

/** An object while a request works on it: mutable, and with metadata in place. */
export interface ApiObject extends KubernetesObject {
  metadata: ObjectMeta;
  [field: string]: unknown;
}

/** Returns a copy of a stored object that the request may change, with `metadata` in place. */
export function copyStored(stored: StoredObject): ApiObject {
  const copy = cloneJson(stored) as ApiObject;
  copy.metadata ??= {};
  return copy;
}
