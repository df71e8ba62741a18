import { jsonEqual } from 'client-ts/lib';
import type { KubernetesObject } from 'client-ts/meta';
import type { StoredObject } from '../store/store.ts';
import type { Entries } from './managers.ts';

type Entry = NonNullable<Entries>[number];

/**
 * The `managedFields` to store after a write that has gone through admission: the old ones if
 * nothing differs from the old object but the times in them, so that it counts as no change.
 */
export function keepTimesIfUnchanged(old: StoredObject, updated: KubernetesObject): Entries {
  const before = old.metadata?.managedFields;
  const after = updated.metadata?.managedFields;
  const onlyTimes = jsonEqual(before?.map(withoutTime), after?.map(withoutTime));
  return onlyTimes && jsonEqual(withoutEntries(old), withoutEntries(updated)) ? before : after;
}

function withoutTime(entry: Entry): Entry {
  const { time: _, ...rest } = entry;
  return rest;
}

function withoutEntries(object: StoredObject): StoredObject {
  const { managedFields: _, ...metadata } = object.metadata ?? {};
  return { ...object, metadata };
}
