import type { ManagedFieldsEntry } from 'client-ts/meta';
import { difference, hasPath, isEmpty, setOf } from './field-set.ts';
import { decodeManagers, encodeManagers, type Entries, type Managers } from './managers.ts';
import { fieldElement, type PathElement } from './path-element.ts';

/**
 * Where the number of replicas stands, by the apiVersion of the scaled object. A version that is
 * there with no path has no `/scale`; one that is not there is not served.
 */
export type ReplicasPaths = ReadonlyMap<string, readonly PathElement[] | undefined>;

const scaleVersion = 'autoscaling/v1';
const replicasInScale = [fieldElement('spec'), fieldElement('replicas')];

/** The path that `specReplicasPath` of a CRD names (`.spec.replicas`); also that of built-ins. */
export function replicasPath(path = '.spec.replicas'): readonly PathElement[] {
  return path.replace(/^\./, '').split('.').map(fieldElement);
}

/** The `managedFields` that the Scale of an object has: the owners of its number of replicas. */
export function toScaleEntries(
  parent: Entries,
  paths: ReplicasPaths,
): ManagedFieldsEntry[] | undefined {
  const owners: Managers = new Map();
  for (const [key, manager] of decodeManagers(parent)) {
    const path = paths.get(manager.apiVersion);
    if (path === undefined || !hasPath(manager.set, path)) continue;
    owners.set(key, { ...manager, apiVersion: scaleVersion, set: setOf(replicasInScale) });
  }
  return encodeManagers(owners);
}

/**
 * The `managedFields` of an object after a write to its Scale, whose own are `scale`. The number of
 * replicas changes hands; a new owner has no time, because the server gives it none.
 */
export function fromScaleEntries(
  parent: Entries,
  scale: Entries,
  apiVersion: string,
  paths: ReplicasPaths,
): ManagedFieldsEntry[] | undefined {
  const before = decodeManagers(parent);
  const owners = decodeManagers(scale);
  const after: Managers = new Map();
  for (const [key, manager] of before) {
    if (!paths.has(manager.apiVersion)) continue;
    const path = paths.get(manager.apiVersion);
    if (path === undefined || !hasPath(manager.set, path) || owners.delete(key)) {
      after.set(key, manager);
      continue;
    }
    const set = difference(manager.set, setOf(path));
    if (!isEmpty(set)) after.set(key, { ...manager, set });
  }
  for (const [key, { time: _, ...owner }] of owners) {
    if (!hasPath(owner.set, replicasInScale)) continue;
    const time = before.get(key)?.time;
    after.set(key, {
      ...owner,
      apiVersion,
      set: setOf(paths.get(apiVersion) ?? []),
      ...(time === undefined ? {} : { time }),
    });
  }
  return encodeManagers(after);
}
