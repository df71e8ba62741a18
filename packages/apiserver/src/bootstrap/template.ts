import { type Random, seededRandom, systemRandom } from 'client-ts/internal';
import { formatTime, type ManagedFieldsEntry } from 'client-ts/meta';

import type { BuiltIns } from '../registry/catalog.ts';
import type { Cluster } from '../registry/cluster.ts';
import { MemoryStore } from '../store/memory-store.ts';
import type { Entry, StoredObject } from '../store/store.ts';

/** What `write` makes of an empty cluster, by the built-in resources of the cluster. */
const templates = new Map<(cluster: Cluster) => void, WeakMap<BuiltIns, readonly Entry[]>>();

/**
 * Copies what `write` would create into a new cluster, with uids and times of its own. Two hundred
 * objects take longer to validate than to copy, and tests start many servers: `write` runs once per
 * process and set of resources.
 */
export function writeFromTemplate(cluster: Cluster, write: (cluster: Cluster) => void): void {
  const { store, clock } = cluster;
  const now = formatTime(clock.now());
  // One draw, so that what a simulation generates does not depend on the number of objects here.
  const random = seededRandom(Math.floor(cluster.random.next() * 2 ** 32));
  for (const { key, value } of templateFor(cluster, write)) {
    store.put(key, (revision) => instance(value, { now, random, revision }));
  }
}

function templateFor(cluster: Cluster, write: (cluster: Cluster) => void): readonly Entry[] {
  const { builtIns } = cluster.catalog;
  let known = templates.get(write);
  if (known === undefined) templates.set(write, (known = new WeakMap()));
  let entries = known.get(builtIns);
  if (entries === undefined) {
    const store = new MemoryStore();
    // The random source of the cluster must not notice whether it is the first.
    write({ ...cluster, store, catalog: cluster.catalog.over(store), random: systemRandom });
    entries = [...store.all()].sort((left, right) => left.modRevision - right.modRevision);
    known.set(builtIns, entries);
  }
  return entries;
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
