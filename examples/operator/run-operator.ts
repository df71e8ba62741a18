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

/** Options of {@link runOperator}. */
export interface OperatorOptions {
  readonly config: Config;
  /** The namespace of its Lease and its WebSets. */
  readonly namespace: string;
  /** Unique per process. */
  readonly identity: string;
  /** The lease duration. */
  readonly leaseDurationMs: number;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

/**
 * Takes part in the election and reconciles WebSets while it leads. Resolves when it is stopped or has
 * lost leadership; then the process should exit, and restart with empty caches.
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
      callbacks: { onNewLeader: (leader) => log(leader === '' ? 'no leader' : `${leader} leads`) },
      onError: (error) => log(messageOf(error)),
    },
    (leading, elector) => lead(options, leading, elector),
  );
  return outcome === 'lost' ? 'lost' : 'stopped';
}

/** The work of the leader. It starts with empty caches, because earlier ones may be stale. */
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
