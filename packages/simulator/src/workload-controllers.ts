import type { Container } from 'client-ts/api/core/v1';
import { runController } from 'client-ts/controller';
import { type Clock, nextTurn, systemClock } from 'client-ts/internal';
import { SharedInformerFactory } from 'client-ts/informers';
import type { Clientset } from 'client-ts/kubernetes';
import { isAlreadyExists } from 'client-ts/meta';

import { Chance } from './chance.ts';
import { type Cluster, ClusterCache, type SimulatedController } from './cluster.ts';
import { cronJobController } from './cron-job-controller.ts';
import { daemonSetController } from './daemon-set-controller.ts';
import { deploymentController } from './deployment-controller.ts';
import { endpointsController } from './endpoints-controller.ts';
import { EventRecording } from './event-recording.ts';
import { Gate } from './gate.ts';
import { jobController } from './job-controller.ts';
import type { FakeKubelet } from './kubelet/fake-kubelet.ts';
import { kubelets } from './kubelets.ts';
import { instantPods } from './pod-lifecycle.ts';
import { replicaSetController, replicationController } from './replica-set-controller.ts';
import { scheduler } from './scheduler.ts';
import { addNode } from './set-up.ts';
import { statefulSetController } from './stateful-set-controller.ts';
import { VolumeCache } from './volume-cache.ts';
import { volumeControllers } from './volume-controller.ts';
import { claimProtection, volumeProtection } from './volume-protection.ts';

/** Options of {@link WorkloadControllers.start}. */
export interface WorkloadControllersOptions {
  /** With the rights of an administrator. */
  readonly client: Clientset;
  /** How many nodes are created if the server has none. Default 1. */
  readonly nodes?: number | undefined;
  /** Whether the controllers write events. Default true. */
  readonly events?: boolean | undefined;
  /**
   * Runs programs in the containers; give the same to the API server. Pods of which it knows the
   * program complete when that ends. Others, and all pods by default, complete immediately if
   * they are not restarted.
   */
  readonly kubelet?: FakeKubelet | undefined;
  /** Called with errors of attempts, which are retried. */
  readonly onError?: ((error: unknown) => void) | undefined;
  readonly clock?: Clock | undefined;
}

/** The controllers of one namespace, or of all. */
export function workloadControllers(cluster: Cluster): SimulatedController[] {
  return [
    deploymentController(cluster),
    replicaSetController(cluster),
    replicationController(cluster),
    statefulSetController(cluster),
    daemonSetController(cluster),
    jobController(cluster),
    cronJobController(cluster),
    endpointsController(cluster),
    claimProtection(cluster),
    scheduler(cluster),
    kubelets(cluster),
  ];
}

/** Keys that a controller reconciles concurrently. */
export const workers = 4;

/**
 * The workload controllers of a cluster, its scheduler and its kubelets, simulated: Deployments,
 * ReplicaSets, StatefulSets, DaemonSets, Jobs and CronJobs of all namespaces get pods, which are scheduled, run
 * and become ready as fast as the server answers; Services get endpoints, claims the volumes that fit. Pods with
 * the annotation `client-ts/exit-code` end with that code, those with `client-ts/ready: "false"` are
 * never ready.
 *
 * ```ts
 * await using controllers = await WorkloadControllers.start({ client });
 * ```
 */
export class WorkloadControllers implements AsyncDisposable {
  readonly #client: Clientset;
  readonly #cache: ClusterCache;
  readonly #volumeCache: VolumeCache;
  readonly #gate: Gate;
  readonly #stop: () => Promise<void>;

  private constructor(
    client: Clientset,
    cache: ClusterCache,
    volumeCache: VolumeCache,
    gate: Gate,
    stop: () => Promise<void>,
  ) {
    this.#client = client;
    this.#cache = cache;
    this.#volumeCache = volumeCache;
    this.#gate = gate;
    this.#stop = stop;
  }

  /** Creates the nodes and starts the controllers. Resolves when they have seen all objects. */
  static async start(options: WorkloadControllersOptions): Promise<WorkloadControllers> {
    const { client, clock = systemClock, kubelet, onError = () => undefined } = options;
    const isWritten = options.events ?? true;
    const recording = new EventRecording({ client, clock, onError, isWritten });
    const factory = new SharedInformerFactory(client, { clock });
    const stop = new AbortController();
    const cache = new ClusterCache(factory);
    const volumeCache = new VolumeCache(factory);
    const chance = new Chance(1);
    const { recorders } = recording;
    const cluster: Cluster = {
      client,
      clock,
      chance,
      cache,
      recorders,
      kubelet,
      behaviour: instantPods(({ spec }) =>
        (spec?.containers ?? []).some((one) => kubelet?.hasProgram(one as Container) ?? false),
      ),
      scaled: (milliseconds) => milliseconds,
    };
    const gate = new Gate();
    const controllers = [
      ...workloadControllers(cluster),
      ...volumeControllers(cluster, volumeCache),
      volumeProtection(cluster, volumeCache),
    ];
    const informers = [...cache.informers, ...volumeCache.informers];
    await createNodes(options, cluster);
    factory.start();
    const running = controllers.map(({ queue, reconcile }) =>
      runController({
        informers,
        queue,
        reconcile: (key, context) => gate.pass(async () => await reconcile(key, context)),
        workers,
        signal: stop.signal,
        clock,
        onError,
      }),
    );
    await factory.waitForCacheSync();
    return new WorkloadControllers(client, cache, volumeCache, gate, async () => {
      stop.abort();
      await Promise.all(running);
      await factory[Symbol.asyncDispose]();
      await recording[Symbol.asyncDispose]();
    });
  }

  /**
   * Runs `work` while the controllers do nothing, and lets them continue when they have seen what it
   * changed.
   */
  async suspended(work: () => void): Promise<void> {
    await this.#gate.closed(async () => {
      work();
      await this.#caughtUp();
    });
  }

  /** Stops the controllers. The objects stay as they are. */
  async close(): Promise<void> {
    await this.#stop();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Resolves when the cache has the objects of the server. */
  async #caughtUp(): Promise<void> {
    const { appsV1, batchV1, coreV1, storageV1 } = this.#client;
    const cache = this.#cache;
    const pairs = [
      [cache.deployments, appsV1.deployments()],
      [cache.replicaSets, appsV1.replicaSets()],
      [cache.statefulSets, appsV1.statefulSets()],
      [cache.daemonSets, appsV1.daemonSets()],
      [cache.jobs, batchV1.jobs()],
      [cache.cronJobs, batchV1.cronJobs()],
      [cache.services, coreV1.services()],
      [cache.replicationControllers, coreV1.replicationControllers()],
      [cache.claims, coreV1.persistentVolumeClaims()],
      [this.#volumeCache.volumes, coreV1.persistentVolumes()],
      [this.#volumeCache.storageClasses, storageV1.storageClasses()],
      [cache.pods, coreV1.pods()],
      [cache.nodes, coreV1.nodes()],
    ] as const;
    for (const [{ informer }, resource] of pairs) {
      const { items } = await resource.list();
      const wanted = versions(items);
      while (versions(informer.indexer.list()) !== wanted) await nextTurn();
    }
  }
}

/** The same text for the same objects. */
function versions(
  objects: readonly {
    readonly metadata: { readonly uid: string; readonly resourceVersion: string };
  }[],
): string {
  return objects
    .map(({ metadata }) => `${metadata.uid} ${metadata.resourceVersion}`)
    .toSorted()
    .join('\n');
}

async function createNodes(
  { client, nodes = 1 }: WorkloadControllersOptions,
  { chance, recorders }: Cluster,
): Promise<void> {
  const { items } = await client.coreV1.nodes().list({ limit: 1 });
  if (items.length > 0) return;
  const { signal } = new AbortController();
  for (let index = 1; index <= nodes; index += 1) {
    await addNode(index, { client, chance, recorders, signal }).catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
  }
}
