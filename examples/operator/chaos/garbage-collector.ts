import type { Clientset } from 'client-ts';
import { enqueueRequestForObject, type Reconcile, runController } from 'client-ts/controller';
import { SharedInformerFactory } from 'client-ts/informers';
import { getControllerOf, isConflict, isNotFound } from 'client-ts/meta';
import { RateLimitingQueue } from 'client-ts/workqueue';

import { WEB_SET_LABEL } from '../pods.ts';
import { webSets } from '../web-set.ts';

/** Options of {@link runGarbageCollector}. */
export interface GarbageCollectorOptions {
  readonly client: Clientset;
  readonly namespace: string;
  readonly signal: AbortSignal;
}

/**
 * A garbage collector for an API server without controllers: deletes pods whose owner is gone. Such a
 * pod is created when a request was in flight while its process was paused, and its WebSet was deleted
 * meanwhile.
 */
export async function runGarbageCollector(options: GarbageCollectorOptions): Promise<void> {
  const { client, namespace, signal } = options;
  const factory = new SharedInformerFactory(client, { namespace });
  const pods = factory.coreV1.pods({ labelSelector: WEB_SET_LABEL });
  const queue = new RateLimitingQueue<string>();
  pods.informer.addEventHandler(enqueueRequestForObject(queue));
  const reconcile: Reconcile<string> = async (key) => {
    const pod = pods.informer.indexer.getByKey(key);
    const owner = pod && getControllerOf(pod);
    if (pod === undefined || owner === undefined) return;
    const { uid, name } = pod.metadata;
    const found = await client
      .resource(webSets, namespace)
      .get(owner.name, { signal })
      .catch(unlessGone);
    if (found?.metadata.uid === owner.uid) return;
    await client.coreV1.pods(namespace).delete(name, { preconditions: { uid } }).catch(unlessGone);
  };
  await runController({ informers: [pods.informer], queue, signal, reconcile });
}

function unlessGone(error: unknown): undefined {
  if (!isNotFound(error) && !isConflict(error)) throw error;
}
