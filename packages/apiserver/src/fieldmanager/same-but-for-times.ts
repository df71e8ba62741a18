import { jsonEqual } from 'client-ts/internal';
import type { StoredObject } from '../store/store.ts';
import type { Entries } from './managers.ts';

/**
 * True if two objects differ in nothing but the times in their `managedFields`. Such a write is no
 * change: the old object stays.
 */
export function sameButForTimes(old: StoredObject, updated: StoredObject): boolean {
  return jsonEqual(withoutTimes(old), withoutTimes(updated));
}

function withoutTimes({ metadata, ...object }: StoredObject): unknown {
  const managedFields = metadata?.managedFields?.map(withoutTime);
  return { ...object, metadata: { ...metadata, managedFields } };
}

function withoutTime(entry: NonNullable<Entries>[number]): unknown {
  const { time: _, ...rest } = entry;
  return rest;
}
