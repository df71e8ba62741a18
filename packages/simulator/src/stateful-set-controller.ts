import { statefulSets, type StatefulSetStatus } from 'client-ts/api/apps/v1';
import type { PersistentVolumeClaim, Volume } from 'client-ts/api/core/v1';
import { splitMetaNamespaceKey } from 'client-ts/cache';
import { enqueueRequestForObject, enqueueRequestForOwner } from 'client-ts/controller';
import { isAlreadyExists, isBeingDeleted } from 'client-ts/meta';
import { RateLimitingQueue } from 'client-ts/workqueue';

import {
  type CachedPod,
  type CachedStatefulSet,
  type Cluster,
  isActive,
  isReady,
  type SimulatedController,
} from './cluster.ts';
import { OwnedPods, revisionLabel, templateHash } from './owned-pods.ts';
import { setStatus } from './set-status.ts';

/** In metrics, diagnostics and messages. */
const NAME = 'stateful sets';

/**
 * Maintains the numbered pods of stateful sets: in order and one at a time unless `Parallel`, with
 * their claims, and replaced from the highest number down when the template changes.
 */
export function statefulSetController(cluster: Cluster): SimulatedController {
  const { cache, client, clock } = cluster;
  const queue = new RateLimitingQueue<string>({ name: NAME, clock });
  const pods = new OwnedPods(cluster, statefulSets, 'statefulset-controller');
  cache.statefulSets.informer.addEventHandler(enqueueRequestForObject(queue), { name: NAME });
  cache.pods.informer.addEventHandler(enqueueRequestForOwner(queue, statefulSets), { name: NAME });

  async function createPod(
    set: CachedStatefulSet,
    ordinal: number,
    revision: string,
    signal: AbortSignal,
  ): Promise<void> {
    const { name: setName, namespace = '' } = set.metadata;
    const name = `${setName}-${ordinal}`;
    const { template, serviceName = '' } = set.spec ?? {};
    const claims = (set.spec?.volumeClaimTemplates ?? []).map((claim) => ({
      volume: claim.metadata?.name ?? '',
      claim: `${claim.metadata?.name}-${name}`,
      spec: claim.spec,
    }));
    for (const { claim, spec } of claims) {
      const labels = { ...set.spec?.selector.matchLabels };
      const wanted = { metadata: { name: claim, labels }, spec } as PersistentVolumeClaim;
      await client.coreV1
        .persistentVolumeClaims(namespace)
        .create(wanted, { signal })
        .catch(ignoreAlreadyExists);
    }
    const claimed = new Set(claims.map(({ volume }) => volume));
    const others = (template?.spec?.volumes ?? []).filter((volume) => !claimed.has(volume.name));
    const volumes = [
      ...others,
      ...claims.map(({ volume, claim }) => ({
        name: volume,
        persistentVolumeClaim: { claimName: claim },
      })),
    ] as Volume[];
    const labels = {
      [revisionLabel]: revision,
      'statefulset.kubernetes.io/pod-name': name,
      'apps.kubernetes.io/pod-index': String(ordinal),
    };
    const spec = { hostname: name, subdomain: serviceName, volumes };
    await pods.create(set, template ?? {}, { name, labels, spec }, signal);
  }

  /** Takes the next step. Returns after it; the change of the pod is the reason for the next one. */
  async function step(
    set: CachedStatefulSet,
    revision: string,
    signal: AbortSignal,
  ): Promise<void> {
    const { replicas = 1, ordinals, podManagementPolicy, updateStrategy } = set.spec ?? {};
    const start = ordinals?.start ?? 0;
    const isParallel = podManagementPolicy === 'Parallel';
    const existing = new Map(cache.podsOf(set).map((pod) => [ordinalOf(set, pod), pod]));
    for (let ordinal = start; ordinal < start + replicas; ordinal += 1) {
      const pod = existing.get(ordinal);
      if (pod === undefined) {
        await createPod(set, ordinal, revision, signal);
        if (!isParallel) return;
      } else if (!isActive(pod)) {
        if (!isBeingDeleted(pod)) await pods.delete(set, pod, signal);
        if (!isParallel) return;
      } else if (!isReady(pod) && !isParallel) {
        return;
      }
    }
    const surplus = [...existing]
      .filter(([ordinal]) => ordinal < start || ordinal >= start + replicas)
      .toSorted(([left], [right]) => right - left);
    for (const [, pod] of surplus) {
      if (!isBeingDeleted(pod)) await pods.delete(set, pod, signal);
      if (!isParallel) return;
    }
    if (surplus.length > 0 || updateStrategy?.type === 'OnDelete') return;
    const partition = start + (updateStrategy?.rollingUpdate?.partition ?? 0);
    const wanted = [...existing].toSorted(([left], [right]) => right - left);
    if (wanted.some(([, pod]) => !isActive(pod) || !isReady(pod))) return;
    const old = wanted.find(
      ([ordinal, pod]) => ordinal >= partition && revisionOf(pod) !== revision,
    );
    if (old !== undefined) await pods.delete(set, old[1], signal);
  }

  return {
    name: NAME,
    queue,
    reconcile: async (key, { signal }) => {
      const { namespace, name } = splitMetaNamespaceKey(key);
      const set = cache.statefulSets.lister.namespace(namespace).find(name);
      if (set === undefined || isBeingDeleted(set)) return;
      const revision = `${name}-${templateHash(set.spec?.template)}`;
      await step(set, revision, signal);
      const status = statusOf(set, cache.podsOf(set).filter(isActive), revision);
      await setStatus(client.appsV1.statefulSets(namespace), set, status, signal);
    },
  };
}

function statusOf(
  set: CachedStatefulSet,
  active: readonly CachedPod[],
  updateRevision: string,
): StatefulSetStatus {
  const ready = active.filter(isReady).length;
  const updated = active.filter((pod) => revisionOf(pod) === updateRevision).length;
  const isDone = updated === active.length && active.length === (set.spec?.replicas ?? 1);
  const currentRevision = isDone ? updateRevision : (set.status?.currentRevision ?? updateRevision);
  return {
    observedGeneration: set.metadata.generation ?? 0,
    replicas: active.length,
    readyReplicas: ready,
    availableReplicas: ready,
    currentReplicas: active.filter((pod) => revisionOf(pod) === currentRevision).length,
    updatedReplicas: updated,
    currentRevision,
    updateRevision,
    collisionCount: 0,
  };
}

function revisionOf({ metadata }: CachedPod): string | undefined {
  return metadata.labels?.[revisionLabel];
}

function ordinalOf({ metadata }: CachedStatefulSet, pod: CachedPod): number {
  return Number(pod.metadata.name.slice(metadata.name.length + 1));
}

function ignoreAlreadyExists(error: unknown): void {
  if (!isAlreadyExists(error)) throw error;
}
