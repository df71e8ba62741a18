import { daemonSets, type DaemonSetStatus } from 'client-ts/api/apps/v1';
import { metaNamespaceKeyFunc, splitMetaNamespaceKey } from 'client-ts/cache';
import {
  enqueueRequestForObject,
  enqueueRequestForOwner,
  enqueueRequestsFromMapFunc,
} from 'client-ts/controller';
import { isBeingDeleted } from 'client-ts/meta';
import { RateLimitingQueue } from 'client-ts/workqueue';

import { nameSuffix } from './chance.ts';
import {
  type CachedDaemonSet,
  type CachedNode,
  type CachedPod,
  type Cluster,
  isActive,
  isReady,
  type SimulatedController,
} from './cluster.ts';
import { misfitOf } from './node-fit.ts';
import { OwnedPods, revisionLabel, templateHash } from './owned-pods.ts';
import { countOf } from './rollout.ts';
import { setStatus } from './set-status.ts';

/** In metrics, diagnostics and messages. */
const NAME = 'daemon sets';

/** Maintains one pod of each daemon set on every node that it fits, cordoned ones included. */
export function daemonSetController(cluster: Cluster): SimulatedController {
  const { cache, chance, client, clock } = cluster;
  const queue = new RateLimitingQueue<string>({ name: NAME, clock });
  const pods = new OwnedPods(cluster, daemonSets, 'daemonset-controller');
  let made = 0;
  cache.daemonSets.informer.addEventHandler(enqueueRequestForObject(queue), { name: NAME });
  cache.pods.informer.addEventHandler(enqueueRequestForOwner(queue, daemonSets), { name: NAME });
  cache.nodes.informer.addEventHandler(
    enqueueRequestsFromMapFunc(queue, () =>
      cache.daemonSets.lister.list().map(metaNamespaceKeyFunc),
    ),
    { name: NAME },
  );

  async function createPod(
    set: CachedDaemonSet,
    node: CachedNode,
    revision: string,
    signal: AbortSignal,
  ): Promise<void> {
    made += 1;
    const name = `${set.metadata.name}-${nameSuffix(chance.of('daemon', set.metadata.uid, made), 5)}`;
    const labels = { [revisionLabel]: revision };
    const spec = { nodeName: node.metadata.name };
    await pods.create(set, set.spec?.template ?? {}, { name, labels, spec }, signal);
  }

  /** Deletes pods of an older template, as many at a time as may be unavailable. */
  async function update(
    set: CachedDaemonSet,
    active: readonly CachedPod[],
    revision: string,
    signal: AbortSignal,
  ): Promise<void> {
    const { type, rollingUpdate } = set.spec?.updateStrategy ?? {};
    if (type === 'OnDelete') return;
    const most = countOf(rollingUpdate?.maxUnavailable ?? 1, active.length, Math.ceil);
    const unready = active.filter((pod) => !isReady(pod)).length;
    const old = active.filter((pod) => pod.metadata.labels?.[revisionLabel] !== revision);
    for (const pod of old.slice(0, Math.max(0, Math.max(1, most) - unready))) {
      await pods.delete(set, pod, signal);
    }
  }

  return {
    name: NAME,
    queue,
    reconcile: async (key, { signal }) => {
      const { namespace, name } = splitMetaNamespaceKey(key);
      const set = cache.daemonSets.lister.namespace(namespace).find(name);
      if (set === undefined || isBeingDeleted(set)) return;
      const revision = templateHash(set.spec?.template);
      const template = set.spec?.template.spec;
      const nodes = cache.allNodes().filter((node) => misfitOf(node, template) === undefined);
      const wanted = new Set(nodes.map(({ metadata }) => metadata.name));
      const taken = new Set<string>();
      for (const pod of cache.podsOf(set)) {
        const nodeName = pod.spec?.nodeName ?? '';
        const isSpare = !wanted.has(nodeName) || taken.has(nodeName) || !isActive(pod);
        if (!isSpare || isBeingDeleted(pod)) taken.add(nodeName);
        else await pods.delete(set, pod, signal);
      }
      for (const node of nodes) {
        if (!taken.has(node.metadata.name)) await createPod(set, node, revision, signal);
      }
      const active = cache.podsOf(set).filter(isActive);
      if (active.length === nodes.length) await update(set, active, revision, signal);
      const status = statusOf(set, cache.podsOf(set).filter(isActive), nodes.length, revision);
      await setStatus(client.appsV1.daemonSets(namespace), set, status, signal);
    },
  };
}

function statusOf(
  { metadata }: CachedDaemonSet,
  active: readonly CachedPod[],
  nodes: number,
  revision: string,
): DaemonSetStatus {
  const ready = active.filter(isReady).length;
  return {
    observedGeneration: metadata.generation ?? 0,
    desiredNumberScheduled: nodes,
    currentNumberScheduled: active.length,
    numberMisscheduled: 0,
    numberReady: ready,
    numberAvailable: ready,
    numberUnavailable: Math.max(0, nodes - ready),
    updatedNumberScheduled: active.filter(
      (pod) => pod.metadata.labels?.[revisionLabel] === revision,
    ).length,
  };
}
