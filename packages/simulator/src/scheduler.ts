import { nodes, pods as podDescriptor } from 'client-ts/api/core/v1';
import { metaNamespaceKeyFunc, splitMetaNamespaceKey } from 'client-ts/cache';
import {
  enqueueRequestForObject,
  enqueueRequestsFromMapFunc,
  type ReconcileResult,
  requeueAfter,
} from 'client-ts/controller';
import { isBeingDeleted, isConflict, isNotFound } from 'client-ts/meta';
import { getReference } from 'client-ts/record';
import { RateLimitingQueue } from 'client-ts/workqueue';

import { pick } from './chance.ts';
import { misfitOf } from './node-fit.ts';
import type { CachedNode, CachedPod, SimulatedController, Cluster } from './cluster.ts';

/** How long an unschedulable pod waits for the next attempt. */
const retryMs = 8000;

/** In metrics, diagnostics and messages. */
const NAME = 'scheduler';

/** Binds every pod to the node with the fewest pods. */
export function scheduler(cluster: Cluster): SimulatedController {
  const { cache, client, clock, chance } = cluster;
  const queue = new RateLimitingQueue<string>({ name: NAME, clock });
  /** The nodes of bound pods, until the cache has them. */
  const assumed = new Map<string, string>();
  cache.pods.informer.addEventHandler(enqueueRequestForObject(queue), { name: NAME });
  cache.nodes.informer.addEventHandler(
    enqueueRequestsFromMapFunc(queue, () =>
      cache
        .allPods()
        .filter(({ spec }) => spec?.nodeName === undefined)
        .map(metaNamespaceKeyFunc),
    ),
    { name: NAME },
  );

  function load({ metadata }: CachedNode): number {
    const known = cache.podsOn(metadata.name);
    const uids = new Set(known.map((pod) => pod.metadata.uid));
    for (const [uid, nodeName] of assumed) if (nodeName === metadata.name) uids.add(uid);
    return uids.size;
  }

  function choose(pod: CachedPod): { readonly node?: CachedNode; readonly reasons: string } {
    const all = cache.allNodes();
    const open = all.filter(({ spec }) => spec?.unschedulable !== true);
    const suitable = open.filter((node) => misfitOf(node, pod.spec) === undefined);
    const free = suitable.filter((node) => load(node) < capacityOf(node));
    const least = Math.min(...free.map(load));
    const best = free
      .filter((node) => load(node) === least)
      .toSorted((left, right) => (left.metadata.name < right.metadata.name ? -1 : 1));
    const node = pick(chance.of('schedule', pod.metadata.name), best);
    const closed = all.length - open.length;
    const full = suitable.length - free.length;
    const misfits = open.flatMap((node) => misfitOf(node, pod.spec) ?? []);
    const reasons = [
      ...(closed > 0 ? [`${closed} node(s) were unschedulable`] : []),
      ...[...new Set(misfits)].map(
        (why) => `${misfits.filter((misfit) => misfit === why).length} node(s) ${why}`,
      ),
      ...(full > 0 ? [`${full} Too many pods`] : []),
    ].join(', ');
    return {
      ...(node !== undefined && { node }),
      reasons: `0/${all.length} nodes are available: ${reasons}.`,
    };
  }

  return {
    name: NAME,
    queue,
    reconcile: async (key, { signal }): Promise<ReconcileResult> => {
      const { namespace, name } = splitMetaNamespaceKey(key);
      const pod = cache.pods.lister.namespace(namespace).find(name);
      if (pod === undefined || isBeingDeleted(pod)) return;
      const { uid } = pod.metadata;
      if (pod.spec?.nodeName !== undefined) {
        assumed.delete(uid);
        return;
      }
      if (assumed.has(uid)) return;
      const regarding = getReference(pod, { descriptor: podDescriptor });
      const { node, reasons } = choose(pod);
      if (node === undefined) {
        cluster.recorders.scheduler.event(regarding, {
          type: 'Warning',
          reason: 'FailedScheduling',
          action: 'Scheduling',
          note: reasons,
        });
        return requeueAfter(cluster.scaled(retryMs));
      }
      const nodeName = node.metadata.name;
      assumed.set(uid, nodeName);
      try {
        await client.coreV1.pods(namespace).bind(name, nodeName, { signal });
      } catch (error) {
        assumed.delete(uid);
        if (isNotFound(error) || isConflict(error)) return;
        throw error;
      }
      cluster.recorders.scheduler.event(regarding, {
        type: 'Normal',
        reason: 'Scheduled',
        action: 'Binding',
        note: `Successfully assigned ${key} to ${nodeName}`,
        related: getReference(node, { descriptor: nodes }),
      });
    },
  };
}

function capacityOf({ status }: CachedNode): number {
  return Number(status?.allocatable?.['pods'] ?? status?.capacity?.['pods'] ?? 0);
}
