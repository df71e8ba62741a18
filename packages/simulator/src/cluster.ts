import type { DaemonSet, Deployment, ReplicaSet, StatefulSet } from 'client-ts/api/apps/v1';
import type { CronJob, Job } from 'client-ts/api/batch/v1';
import type {
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  ReplicationController,
  Service,
} from 'client-ts/api/core/v1';
import type { StorageClass } from 'client-ts/api/storage/v1';
import type { Reconcile, RunnableInformer } from 'client-ts/controller';
import type { Cached, ResourceInformer, SharedInformerFactory } from 'client-ts/informers';
import type { Clientset } from 'client-ts/kubernetes';
import type { Clock } from 'client-ts/internal';
import { getControllerOf, isBeingDeleted, type KubernetesObject } from 'client-ts/meta';
import type { EventRecorder, EventsV1Recorder } from 'client-ts/record';
import type { RateLimitingQueue } from 'client-ts/workqueue';

import type { Chance } from './chance.ts';
import type { FakeKubelet } from './kubelet/fake-kubelet.ts';

/** Objects of the caches of the simulation. */
export type CachedPod = Cached<Pod>;
export type CachedReplicaSet = Cached<ReplicaSet>;
export type CachedDeployment = Cached<Deployment>;
export type CachedNode = Cached<Node>;
export type CachedStatefulSet = Cached<StatefulSet>;
export type CachedDaemonSet = Cached<DaemonSet>;
export type CachedJob = Cached<Job>;
export type CachedCronJob = Cached<CronJob>;
export type CachedService = Cached<Service>;
export type CachedReplicationController = Cached<ReplicationController>;
export type CachedClaim = Cached<PersistentVolumeClaim>;
export type CachedVolume = Cached<PersistentVolume>;
export type CachedStorageClass = Cached<StorageClass>;

/** The label of simulated nodes and namespaces. */
export const simulatedLabel = 'client-ts/simulated';

/** What the controllers of the simulation share. */
export interface Cluster {
  readonly client: Clientset;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly cache: ClusterCache;
  readonly recorders: Recorders;
  /** Runs the containers. Undefined: pods have states, but nothing runs in them. */
  readonly kubelet: FakeKubelet | undefined;
  /** What happens to pods, and when. */
  readonly behaviour: PodBehaviour;
  /** Scales a duration by the rate of the simulation. */
  scaled(milliseconds: number): number;
}

/**
 * The state of a pod on a node: `new`, nothing done yet; `pulling` its image; `unpullable`, there
 * is no such image; `running`; `crashed`, in back-off; `stopping`, terminating and still running;
 * `stopped`, ready to be removed; `completed`, ended for good.
 */
export type PodState =
  | 'completed'
  | 'crashed'
  | 'new'
  | 'pulling'
  | 'running'
  | 'stopped'
  | 'stopping'
  | 'unpullable';

/** What happens to pods by itself. */
export interface PodBehaviour {
  /** How long a pod stays in a state, in milliseconds; Infinity if nothing follows. */
  timeIn(state: PodState, pod: CachedPod): number;
  /** The exit code of containers that end by themselves; undefined if they run on. */
  exitCode(pod: CachedPod): number | undefined;
}

/** The event recorders of the components. */
export interface Recorders {
  /** A component of the control plane, or the kubelet of a node. */
  of(component: string, host?: string): EventRecorder;
  readonly scheduler: EventsV1Recorder;
}

/** A controller of the simulation. */
export interface SimulatedController {
  readonly name: string;
  readonly queue: RateLimitingQueue<string>;
  readonly reconcile: Reconcile<string>;
}

const controllerIndex = 'controller';
const nodeIndex = 'nodeName';

/** What a {@link ClusterCache} has. */
export interface ClusterCacheOptions {
  /** Default: the objects of all namespaces. */
  readonly namespace?: string | undefined;
  /** Selects nodes by label. Default: all. */
  readonly nodeSelector?: string | undefined;
}

/** The informers of the simulation, with their indices. */
export class ClusterCache {
  readonly deployments: ResourceInformer<CachedDeployment>;
  readonly replicaSets: ResourceInformer<CachedReplicaSet>;
  readonly statefulSets: ResourceInformer<CachedStatefulSet>;
  readonly daemonSets: ResourceInformer<CachedDaemonSet>;
  readonly jobs: ResourceInformer<CachedJob>;
  readonly cronJobs: ResourceInformer<CachedCronJob>;
  readonly services: ResourceInformer<CachedService>;
  readonly replicationControllers: ResourceInformer<CachedReplicationController>;
  readonly claims: ResourceInformer<CachedClaim>;
  readonly pods: ResourceInformer<CachedPod>;
  readonly nodes: ResourceInformer<CachedNode>;

  constructor(factory: SharedInformerFactory, options: ClusterCacheOptions = {}) {
    const { namespace, nodeSelector: labelSelector } = options;
    const scope = namespace === undefined ? {} : { namespace };
    this.deployments = factory.appsV1.deployments(scope);
    this.replicaSets = factory.appsV1.replicaSets(scope);
    this.statefulSets = factory.appsV1.statefulSets(scope);
    this.daemonSets = factory.appsV1.daemonSets(scope);
    this.jobs = factory.batchV1.jobs(scope);
    this.cronJobs = factory.batchV1.cronJobs(scope);
    this.services = factory.coreV1.services(scope);
    this.replicationControllers = factory.coreV1.replicationControllers(scope);
    this.claims = factory.coreV1.persistentVolumeClaims(scope);
    this.pods = factory.coreV1.pods(scope);
    this.nodes = factory.coreV1.nodes(labelSelector === undefined ? {} : { labelSelector });
    this.replicaSets.informer.addIndexers({ [controllerIndex]: controllerUid });
    this.pods.informer.addIndexers({
      [controllerIndex]: controllerUid,
      [nodeIndex]: ({ spec }) => (spec?.nodeName === undefined ? [] : [spec.nodeName]),
    });
  }

  /** All informers. */
  get informers(): ClusterInformer[] {
    const { deployments, replicaSets, statefulSets, daemonSets, jobs, cronJobs, services } = this;
    const all = [deployments, replicaSets, statefulSets, daemonSets, jobs, cronJobs, services];
    return [...all, this.replicationControllers, this.claims, this.pods, this.nodes].map(
      ({ informer }) => informer,
    );
  }

  replicaSetsOf({ metadata }: CachedDeployment): CachedReplicaSet[] {
    return this.replicaSets.informer.indexer.byIndex(controllerIndex, metadata.uid);
  }

  /** The pods that an object controls. */
  podsOf({ metadata }: { readonly metadata: { readonly uid: string } }): CachedPod[] {
    return this.pods.informer.indexer.byIndex(controllerIndex, metadata.uid);
  }

  podsOn(nodeName: string): CachedPod[] {
    return this.pods.informer.indexer.byIndex(nodeIndex, nodeName);
  }

  allDeployments(): CachedDeployment[] {
    return this.deployments.lister.list();
  }

  allPods(): CachedPod[] {
    return this.pods.lister.list();
  }

  allNodes(): CachedNode[] {
    return this.nodes.lister.list();
  }
}

/** The part of an informer that all kinds share. */
export type ClusterInformer = RunnableInformer & {
  readonly indexer: { list(): readonly Cached<KubernetesObject>[] };
};

function controllerUid(object: CachedPod | CachedReplicaSet): string[] {
  const owner = getControllerOf(object);
  return owner === undefined ? [] : [owner.uid];
}

/** True for pods that are neither terminating nor completed. */
export function isActive(pod: CachedPod): boolean {
  return (
    !isBeingDeleted(pod) && pod.status?.phase !== 'Failed' && pod.status?.phase !== 'Succeeded'
  );
}

/** True for ready pods. */
export function isReady({ status }: CachedPod): boolean {
  return (
    status?.conditions?.some(
      (condition) => condition.type === 'Ready' && condition.status === 'True',
    ) ?? false
  );
}
