import { deployments, replicaSets } from 'client-ts/api/apps/v1';
import { pods } from 'client-ts/api/core/v1';
import { enqueueRequestsFromMapFunc, type KeyQueue } from 'client-ts/controller';
import { getControllerOf, isBeingDeleted, isConflict, isNotFound } from 'client-ts/meta';
import { RateLimitingQueue } from 'client-ts/workqueue';

import type { CachedPod, CachedReplicaSet, SimulatedController, Cluster } from './cluster.ts';

/** `ReplicaSet/shop/web-abc`, `Pod/shop/web-abc-12345`. */
function keyOf(kind: string, { metadata }: CachedPod | CachedReplicaSet): string {
  return `${kind}/${metadata.namespace}/${metadata.name}`;
}

/** In metrics, diagnostics and messages. */
const NAME = 'garbage collector';

/**
 * Deletes replica sets and pods whose owners are gone. The embedded server and servers with a
 * control plane do this themselves; a kube-apiserver alone does not.
 */
export function garbageCollector(cluster: Cluster): SimulatedController {
  const { cache, client, clock } = cluster;
  const queue = new RateLimitingQueue<string>({ name: NAME, clock });
  const keys: KeyQueue<string> = queue;
  cache.deployments.informer.addEventHandler(
    enqueueRequestsFromMapFunc(keys, (owner) =>
      cache.replicaSetsOf(owner).map((set) => keyOf(replicaSets.kind, set)),
    ),
    { name: NAME },
  );
  cache.replicaSets.informer.addEventHandler(
    enqueueRequestsFromMapFunc(keys, (set) => [
      keyOf(replicaSets.kind, set),
      ...cache.podsOf(set).map((pod) => keyOf(pods.kind, pod)),
    ]),
    { name: NAME },
  );
  cache.pods.informer.addEventHandler(
    enqueueRequestsFromMapFunc(keys, (pod) => [keyOf(pods.kind, pod)]),
    { name: NAME },
  );

  /** An owner is always cached before its dependents are created. */
  function isOrphan(object: CachedPod | CachedReplicaSet): boolean {
    const owner = getControllerOf(object);
    const { namespace = '' } = object.metadata;
    if (owner === undefined || isBeingDeleted(object)) return false;
    const owners =
      owner.kind === deployments.kind
        ? cache.deployments.lister.namespace(namespace)
        : owner.kind === replicaSets.kind
          ? cache.replicaSets.lister.namespace(namespace)
          : undefined;
    return owners !== undefined && owners.find(owner.name)?.metadata.uid !== owner.uid;
  }

  return {
    name: NAME,
    queue,
    reconcile: async (key, { signal }) => {
      const [kind, namespace = '', name = ''] = key.split('/');
      const isSet = kind === replicaSets.kind;
      const object = isSet
        ? cache.replicaSets.lister.namespace(namespace).find(name)
        : cache.pods.lister.namespace(namespace).find(name);
      if (object === undefined || !isOrphan(object)) return;
      const options = { preconditions: { uid: object.metadata.uid }, signal };
      const { appsV1, coreV1 } = client;
      try {
        if (isSet) await appsV1.replicaSets(namespace).delete(name, options);
        else await coreV1.pods(namespace).delete(name, options);
      } catch (error) {
        if (!isNotFound(error) && !isConflict(error)) throw error;
      }
    },
  };
}
