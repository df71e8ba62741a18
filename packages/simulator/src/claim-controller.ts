import { splitMetaNamespaceKey } from 'client-ts/cache';
import { enqueueRequestForObject, enqueueRequestsFromMapFunc } from 'client-ts/controller';
import { isBeingDeleted, isNotFound } from 'client-ts/meta';
import { RateLimitingQueue } from 'client-ts/workqueue';

import { type Cluster, isActive, type SimulatedController } from './cluster.ts';

const protection = 'kubernetes.io/pvc-protection';

/** In metrics, diagnostics and messages. */
const NAME = 'claims';

/** Lets claims go that are deleted and that no running pod uses, as the protection of claims does. */
export function claimController(cluster: Cluster): SimulatedController {
  const { cache, client, clock } = cluster;
  const queue = new RateLimitingQueue<string>({ name: NAME, clock });
  cache.claims.informer.addEventHandler(enqueueRequestForObject(queue), { name: NAME });
  cache.pods.informer.addEventHandler(
    enqueueRequestsFromMapFunc(queue, ({ metadata, spec }) =>
      (spec?.volumes ?? []).flatMap(({ persistentVolumeClaim: claim }) =>
        claim === undefined ? [] : [`${metadata.namespace}/${claim.claimName}`],
      ),
    ),
    { name: NAME },
  );
  return {
    name: NAME,
    queue,
    reconcile: async (key, { signal }) => {
      const { namespace, name } = splitMetaNamespaceKey(key);
      const claim = cache.claims.lister.namespace(namespace).find(name);
      if (claim === undefined || !isBeingDeleted(claim)) return;
      const { finalizers = [], resourceVersion } = claim.metadata;
      const isUsed = cache.pods.lister
        .namespace(namespace)
        .list()
        .some(
          (pod) =>
            (isActive(pod) || isBeingDeleted(pod)) &&
            pod.spec?.volumes?.some((volume) => volume.persistentVolumeClaim?.claimName === name),
        );
      if (isUsed || !finalizers.includes(protection)) return;
      const left = finalizers.filter((one) => one !== protection);
      try {
        await client.coreV1
          .persistentVolumeClaims(namespace)
          .patch(
            name,
            { metadata: { finalizers: left, resourceVersion } },
            { type: 'merge', signal },
          );
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    },
  };
}
