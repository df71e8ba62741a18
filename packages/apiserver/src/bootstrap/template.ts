import { type Random, seededRandom, systemRandom } from 'client-ts/internal';
import { formatTime, type ManagedFieldsEntry } from 'client-ts/meta';

import type { Cluster } from '../registry/cluster.ts';
import { MemoryStore } from '../store/memory-store.ts';
import type { StoredObject } from '../store/store.ts';

/** The objects of a new cluster with their keys, in the order of their creation. */
export type Template = readonly (readonly [key: string, object: StoredObject])[];

/** Returns what `write` creates in an empty cluster with the resources of `cluster`. */
export function createTemplate(cluster: Cluster, write: (cluster: Cluster) => void): Template {
  const store = new MemoryStore();
  // The random source of the cluster must not notice whether it is the first.
  write({ ...cluster, store, catalog: cluster.catalog.over(store), random: systemRandom });
  return [...store.all()]
    .sort((left, right) => left.modRevision - right.modRevision)
    .map(({ key, value }) => [key, value]);
}

/**
 * Copies the objects of a template into a new cluster, with uids and times of its own. Two hundred
 * objects take longer to validate than to copy, and tests start many servers.
 */
export function writeTemplate({ store, clock, ...cluster }: Cluster, template: Template): void {
  const now = formatTime(clock.now());
  // One draw, so that what a simulation generates does not depend on the number of objects here.
  const random = seededRandom(Math.floor(cluster.random.next() * 2 ** 32));
  for (const [key, object] of template) {
    store.put(key, (revision) => instance(object, { now, random, revision }));
  }
}

interface Origin {
  readonly now: string;
  readonly random: Random;
  readonly revision: number;
}

/** The copy shares everything that is the same in all clusters. */
function instance(template: StoredObject, { now, random, revision }: Origin): StoredObject {
  const { metadata = {} } = template;
  const { managedFields = [] } = metadata;
  const { status } = template as { status?: StatusWithConditions };
  return {
    ...template,
    metadata: {
      ...metadata,
      uid: random.uuid(),
      resourceVersion: String(revision),
      creationTimestamp: now,
      managedFields: managedFields.map((entry): ManagedFieldsEntry => ({ ...entry, time: now })),
    },
    ...(status?.conditions && {
      status: {
        ...status,
        conditions: status.conditions.map((condition) => ({
          ...condition,
          lastTransitionTime: now,
        })),
      },
    }),
  };
}

interface StatusWithConditions {
  readonly conditions?: readonly object[];
}
