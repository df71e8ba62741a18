import { Clientset, type Config } from 'client-ts';
import {
  enqueueRequestForObject,
  enqueueRequestForOwner,
  runController,
} from 'client-ts/controller';
import { SharedInformerFactory } from 'client-ts/informers';
import { type LeaderElector, LeaseLock, withLeadership } from 'client-ts/leaderelection';
import { getControllerOf } from 'client-ts/meta';
import { coreV1Sink, EventBroadcaster } from 'client-ts/record';
import { RateLimitingQueue } from 'client-ts/workqueue';

import { fenced } from './fence.ts';
import { WEB_SET_LABEL } from './pods.ts';
import { webSetReconciler } from './reconcile.ts';
import { webSets } from './web-set.ts';

/** How an operator works. */
export interface OperatorOptions {
  readonly config: Config;
  /** Where its Lease is, and its WebSets are. */
  readonly namespace: string;
  /** No two processes may have the same. */
  readonly identity: string;
  /** How long others wait for a leader that is silent. */
  readonly leaseDurationMs: number;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

/**
 * Stands for election, and keeps WebSets right while it leads. Resolves when it was stopped, or when
 * it has lost its leadership; then the process should end, and another begin with empty caches.
 */
export async function runOperator(options: OperatorOptions): Promise<'lost' | 'stopped'> {
  const { config, namespace, identity, leaseDurationMs, signal, log } = options;
  await using client = new Clientset(config);
  const lock = new LeaseLock({ client, namespace, name: 'web-set-operator', identity });
  const { outcome } = await withLeadership(
    {
      lock,
      signal,
      leaseDurationMs,
      renewDeadlineMs: (leaseDurationMs * 2) / 3,
      retryPeriodMs: (leaseDurationMs * 2) / 15,
      callbacks: { onNewLeader: (leader) => log(`${leader || 'nobody'} leads`) },
      onError: (error) => log(messageOf(error)),
    },
    (leading, elector) => lead(options, leading, elector),
  );
  return outcome === 'lost' ? 'lost' : 'stopped';
}

/** Everything that only the leader does. It starts from nothing: caches from before may be behind. */
async function lead(
  { config, namespace, identity, log }: OperatorOptions,
  leading: AbortSignal,
  elector: LeaderElector,
): Promise<void> {
  await using fence = fenced(config, elector, leading);
  await using client = new Clientset(fence.config);
  await using broadcaster = new EventBroadcaster({ onError: ({ message }) => log(message) });
  broadcaster.startRecordingToSink(coreV1Sink(client));
  broadcaster.startEventWatcher(({ reason, message, involvedObject }) =>
    log(`${reason} ${involvedObject.namespace}/${involvedObject.name}: ${message}`),
  );
  const factory = new SharedInformerFactory(client, { namespace });
  const sets = factory.forResource(webSets);
  const pods = factory.coreV1.pods({ labelSelector: WEB_SET_LABEL });
  const podIndex = pods.informer.addIndexers({
    owner: (pod) => [getControllerOf(pod)?.uid ?? ''],
  }).indexer;

  const queue = new RateLimitingQueue<string>();
  sets.informer.addEventHandler(enqueueRequestForObject(queue));
  pods.informer.addEventHandler(
    enqueueRequestForOwner(queue, webSets, { onlyControllerOwner: true }),
  );
  await runController({
    informers: [sets.informer, pods.informer],
    queue,
    workers: 4,
    timeoutMs: 30_000,
    signal: leading,
    onError: (error) => log(error.message),
    reconcile: webSetReconciler({
      client,
      recorder: broadcaster.newRecorder({ component: 'web-set-operator', host: identity }),
      findWebSet: (key) => sets.informer.indexer.getByKey(key),
      podsOf: (uid) => podIndex.byIndex('owner', uid),
      fieldManager: `web-set-operator-${identity}`,
    }),
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
