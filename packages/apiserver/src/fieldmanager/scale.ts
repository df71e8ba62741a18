import type { ManagedFieldsEntry } from 'client-ts/meta';
import { difference, hasPath, isEmpty, setOf } from './field-set.ts';
import { decodeManagers, encodeManagers, type Entries, type Managers } from './managers.ts';
import { fieldElement, type PathElement } from './path-element.ts';

/**
 * The path of the number of replicas, by the apiVersion of the scaled object. A version with an
 * undefined path has no `/scale`; a missing version is not served.
 */
export type ReplicasPaths = ReadonlyMap<string, readonly PathElement[] | undefined>;

const scaleVersion = 'autoscaling/v1';
const replicasInScale = [fieldElement('spec'), fieldElement('replicas')];

/**
 * Converts `specReplicasPath` of a CRD (`.spec.replicas`); the default is that of built-in kinds.
 */
export function replicasPath(path = '.spec.replicas'): readonly PathElement[] {
  return path.replace(/^\./, '').split('.').map(fieldElement);
}

/** Returns the `managedFields` of an object's Scale: the owners of its number of replicas. */
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
 * Returns the `managedFields` of an object after a write to its Scale, whose entries are `scale`. A
 * new owner of the replicas has no time, like on a real server.
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
