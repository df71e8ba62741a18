import { replicaSets } from 'client-ts/api/apps/v1';
import { splitMetaNamespaceKey } from 'client-ts/cache';
import { enqueueRequestForObject, enqueueRequestForOwner } from 'client-ts/controller';
import { isBeingDeleted } from 'client-ts/meta';
import { RateLimitingQueue } from 'client-ts/workqueue';

import { nameSuffix } from './chance.ts';
import { OwnedPods } from './owned-pods.ts';
import { setStatus } from './set-status.ts';
import {
  type CachedPod,
  type CachedReplicaSet,
  isActive,
  isReady,
  type SimulatedController,
  type Cluster,
} from './cluster.ts';

/** In metrics, diagnostics and messages. */
const NAME = 'replica sets';

/** Maintains the number of pods of a replica set. */
export function replicaSetController(cluster: Cluster): SimulatedController {
  const { cache, client, clock, chance } = cluster;
  const queue = new RateLimitingQueue<string>({ name: NAME, clock });
  const pods = new OwnedPods(cluster, replicaSets, 'replicaset-controller');
  /** Pods created per set, so that names are not reused. */
  const made = new Map<string, number>();
  cache.replicaSets.informer.addEventHandler(enqueueRequestForObject(queue), { name: NAME });
  cache.pods.informer.addEventHandler(enqueueRequestForOwner(queue, replicaSets), { name: NAME });

  async function createPod(set: CachedReplicaSet, signal: AbortSignal): Promise<void> {
    const { name: setName, uid } = set.metadata;
    const number = (made.get(uid) ?? 0) + 1;
    made.set(uid, number);
    const name = `${setName}-${nameSuffix(chance.of('pod', setName, number), 5)}`;
    await pods.create(set, set.spec?.template ?? {}, { name }, signal);
  }

  return {
    name: NAME,
    queue,
    reconcile: async (key, { signal }) => {
      const { namespace, name } = splitMetaNamespaceKey(key);
      const set = cache.replicaSets.lister.namespace(namespace).find(name);
      if (set === undefined || isBeingDeleted(set)) return;
      const active = cache.podsOf(set).filter(isActive);
      const missing = (set.spec?.replicas ?? 1) - active.length;
      for (let count = 0; count < missing; count += 1) await createPod(set, signal);
      for (const pod of active.toSorted(leastUsefulFirst).slice(0, Math.max(0, -missing))) {
        await pods.delete(set, pod, signal);
      }
      const left = cache.podsOf(set).filter(isActive);
      const ready = left.filter(isReady).length;
      const status = {
        observedGeneration: set.metadata.generation ?? 0,
        replicas: left.length,
        fullyLabeledReplicas: left.length,
        readyReplicas: ready,
        availableReplicas: ready,
      };
      await setStatus(client.appsV1.replicaSets(namespace), set, status, signal);
    },
  };
}

/** Unscheduled pods first, then unready ones, then the youngest. */
function leastUsefulFirst(left: CachedPod, right: CachedPod): number {
  const [leftUse, rightUse] = [usefulness(left), usefulness(right)];
  if (leftUse !== rightUse) return leftUse - rightUse;
  const [leftAge, rightAge] = [left.metadata.creationTimestamp, right.metadata.creationTimestamp];
  if (leftAge !== rightAge) return leftAge < rightAge ? 1 : -1;
  return left.metadata.name < right.metadata.name ? -1 : 1;
}

function usefulness(pod: CachedPod): number {
  if (pod.spec?.nodeName === undefined) return 0;
  return isReady(pod) ? 2 : 1;
}
