import { splitMetaNamespaceKey } from 'client-ts/cache';
import { enqueueRequestForObject, enqueueRequestsFromMapFunc } from 'client-ts/controller';
import { isBeingDeleted, isNotFound, type KubernetesObject } from 'client-ts/meta';
import type { CanPatch, MergePatch } from 'client-ts/rest';
import { RateLimitingQueue } from 'client-ts/workqueue';

import {
  type CachedClaim,
  type CachedPod,
  type CachedVolume,
  type Cluster,
  isActive,
  type SimulatedController,
} from './cluster.ts';
import type { VolumeCache } from './volume-cache.ts';

/** In metrics, diagnostics and messages. */
const CLAIMS = 'claim protection';
const VOLUMES = 'volume protection';

/** Keeps deleted claims until no running pod uses them, by the finalizer that claims have. */
export function claimProtection(cluster: Cluster): SimulatedController {
  const { cache, client, clock } = cluster;
  const queue = new RateLimitingQueue<string>({ name: CLAIMS, clock });
  cache.claims.informer.addEventHandler(enqueueRequestForObject(queue), { name: CLAIMS });
  cache.pods.informer.addEventHandler(
    enqueueRequestsFromMapFunc(queue, (pod) =>
      claimsOf(pod).map((name) => `${pod.metadata.namespace}/${name}`),
    ),
    { name: CLAIMS },
  );
  return {
    name: CLAIMS,
    queue,
    reconcile: async (key, { signal }) => {
      const { namespace, name } = splitMetaNamespaceKey(key);
      const claim = cache.claims.lister.namespace(namespace).find(name);
      if (claim === undefined) return;
      const isUsed = (): boolean =>
        cache.pods.lister
          .namespace(namespace)
          .list()
          .some((pod) => (isActive(pod) || isBeingDeleted(pod)) && claimsOf(pod).includes(name));
      const claims = client.coreV1.persistentVolumeClaims(namespace);
      await protect(claims, claim, { finalizer: 'kubernetes.io/pvc-protection', isUsed, signal });
    },
  };
}

/** Keeps deleted volumes until they are no longer bound, by the finalizer that volumes have. */
export function volumeProtection(
  { client, clock }: Cluster,
  { volumes }: VolumeCache,
): SimulatedController {
  const queue = new RateLimitingQueue<string>({ name: VOLUMES, clock });
  volumes.informer.addEventHandler(enqueueRequestForObject(queue), { name: VOLUMES });
  return {
    name: VOLUMES,
    queue,
    reconcile: async (name, { signal }) => {
      const volume = volumes.lister.find(name);
      if (volume === undefined) return;
      const isUsed = (): boolean => volume.status?.phase === 'Bound';
      const finalizer = 'kubernetes.io/pv-protection';
      await protect(client.coreV1.persistentVolumes(), volume, { finalizer, isUsed, signal });
    },
  };
}

/** The names of the claims that a pod uses. */
export function claimsOf({ spec }: CachedPod): string[] {
  return (spec?.volumes ?? []).flatMap(({ persistentVolumeClaim: claim }) =>
    claim === undefined ? [] : [claim.claimName],
  );
}

interface Protection {
  readonly finalizer: string;
  readonly isUsed: () => boolean;
  readonly signal: AbortSignal;
}

/** Adds the finalizer to an object without it, and removes it when the object is deleted and unused. */
async function protect<T extends KubernetesObject>(
  client: CanPatch<T>,
  object: CachedClaim | CachedVolume,
  { finalizer, isUsed, signal }: Protection,
): Promise<void> {
  const { name, finalizers = [], resourceVersion } = object.metadata;
  const isDeleted = isBeingDeleted(object);
  if (finalizers.includes(finalizer) !== isDeleted || (isDeleted && isUsed())) return;
  const wanted = isDeleted
    ? finalizers.filter((one) => one !== finalizer)
    : [...finalizers, finalizer];
  const patch = { metadata: { finalizers: wanted, resourceVersion } } as MergePatch<T>;
  try {
    await client.patch(name, patch, { type: 'merge', signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
