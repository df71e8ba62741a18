import type { Clientset } from 'client-ts';
import type { Pod } from 'client-ts/api/core/v1';
import {
  enqueueRequestForObject,
  type Reconcile,
  requeueAfter,
  runController,
} from 'client-ts/controller';
import { type Cached, SharedInformerFactory } from 'client-ts/informers';
import { isConflict, isNotFound } from 'client-ts/meta';
import type { Clock, Random } from 'client-ts/wait';
import { RateLimitingQueue } from 'client-ts/workqueue';

import { isReady, WEB_SET_LABEL } from './pods.ts';

/** Options of {@link runKubelet}. */
export interface KubeletOptions {
  readonly client: Clientset;
  readonly namespace: string;
  /** The time until a pod is ready. */
  readonly startMs: (pod: Cached<Pod>) => number;
  readonly signal: AbortSignal;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
}

/**
 * A fake kubelet for a cluster without nodes: a controller that sets pods to ready after a delay.
 */
export async function runKubelet({
  client,
  namespace,
  startMs,
  signal,
  clock,
  random,
}: KubeletOptions): Promise<void> {
  const factory = new SharedInformerFactory(client, { namespace, clock, random });
  const pods = factory.coreV1.pods({ labelSelector: WEB_SET_LABEL });
  const queue = new RateLimitingQueue<string>({ name: 'kubelet', clock });
  const started = new Set<string>();
  pods.informer.addEventHandler(enqueueRequestForObject(queue), { name: 'kubelet' });
  const reconcile: Reconcile<string> = async (key) => {
    const pod = pods.informer.indexer.getByKey(key);
    if (pod === undefined || isReady(pod)) return undefined;
    const { name, uid } = pod.metadata;
    if (!started.has(uid)) {
      started.add(uid);
      return requeueAfter(startMs(pod));
    }
    const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
    const options = { type: 'strategic', subresource: 'status', signal } as const;
    try {
      await client.coreV1.pods(namespace).patch(name, { metadata: { uid }, status }, options);
    } catch (error) {
      // The pod is gone, or was replaced by another one with its name.
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
    started.delete(uid);
    return undefined;
  };
  await runController({ informers: [pods.informer], queue, workers: 4, signal, clock, reconcile });
}
