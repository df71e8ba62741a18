import { type ReplicaSet, replicaSets } from 'client-ts/api/apps/v1';
import { replicationControllers } from 'client-ts/api/core/v1';
import { splitMetaNamespaceKey } from 'client-ts/cache';
import { enqueueRequestForObject, enqueueRequestForOwner } from 'client-ts/controller';
import type { ResourceInformer } from 'client-ts/informers';
import { isBeingDeleted, type ResourceDescriptor } from 'client-ts/meta';
import type { CanPatch } from 'client-ts/rest';
import { RateLimitingQueue } from 'client-ts/workqueue';

import { nameSuffix } from './chance.ts';
import { OwnedPods } from './owned-pods.ts';
import { setStatus } from './set-status.ts';
import {
  type CachedPod,
  type CachedReplicaSet,
  type CachedReplicationController,
  isActive,
  isReady,
  type SimulatedController,
  type Cluster,
} from './cluster.ts';

/** What differs between the kinds that maintain a number of pods. */
interface ReplicaKind {
  /** In metrics, diagnostics and messages. */
  readonly name: string;
  readonly component: string;
  readonly descriptor: ResourceDescriptor;
  readonly objects: ResourceInformer<CachedReplicaSet | CachedReplicationController>;
  readonly writer: (namespace: string) => CanPatch<ReplicaSet, 'status'>;
}

/** Maintains the number of pods of replica sets. */
export function replicaSetController(cluster: Cluster): SimulatedController {
  const { cache, client } = cluster;
  return replicaController(cluster, {
    name: 'replica sets',
    component: 'replicaset-controller',
    descriptor: replicaSets,
    objects: cache.replicaSets as ReplicaKind['objects'],
    writer: (namespace) => client.appsV1.replicaSets(namespace),
  });
}

/** Maintains the number of pods of replication controllers, which have the same fields. */
export function replicationController(cluster: Cluster): SimulatedController {
  const { cache, client } = cluster;
  return replicaController(cluster, {
    name: 'replication controllers',
    component: 'replication-controller',
    descriptor: replicationControllers,
    objects: cache.replicationControllers as ReplicaKind['objects'],
    writer: (namespace) =>
      client.coreV1.replicationControllers(namespace) as unknown as CanPatch<ReplicaSet, 'status'>,
  });
}

function replicaController(cluster: Cluster, kind: ReplicaKind): SimulatedController {
  const { cache, clock, chance } = cluster;
  const { name, descriptor, objects } = kind;
  const queue = new RateLimitingQueue<string>({ name, clock });
  const pods = new OwnedPods(cluster, descriptor, kind.component);
  /** Pods created per set, so that names are not reused. */
  const made = new Map<string, number>();
  objects.informer.addEventHandler(enqueueRequestForObject(queue), { name });
  cache.pods.informer.addEventHandler(enqueueRequestForOwner(queue, descriptor), { name });

  async function createPod(set: CachedReplicaSet, signal: AbortSignal): Promise<void> {
    const { name: setName, uid } = set.metadata;
    const number = (made.get(uid) ?? 0) + 1;
    made.set(uid, number);
    const podName = `${setName}-${nameSuffix(chance.of('pod', setName, number), 5)}`;
    await pods.create(set, set.spec?.template ?? {}, { name: podName }, signal);
  }

  return {
    name,
    queue,
    reconcile: async (key, { signal }) => {
      const { namespace, name: setName } = splitMetaNamespaceKey(key);
      const set = objects.lister.namespace(namespace).find(setName) as CachedReplicaSet | undefined;
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
      await setStatus(kind.writer(namespace), set, status, signal);
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
