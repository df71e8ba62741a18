import type { Deployment, ReplicaSet } from 'client-ts/api/apps/v1';
import type { Node, Pod } from 'client-ts/api/core/v1';
import type { Reconcile } from 'client-ts/controller';
import type { Cached, ResourceInformer, SharedInformerFactory } from 'client-ts/informers';
import type { Clientset } from 'client-ts/kubernetes';
import type { Clock } from 'client-ts/internal';
import { getControllerOf, isBeingDeleted } from 'client-ts/meta';
import type { EventRecorder, EventsV1Recorder } from 'client-ts/record';
import type { RateLimitingQueue } from 'client-ts/workqueue';

import type { Chance } from './chance.ts';
import type { FakeKubelet } from './kubelet/fake-kubelet.ts';

/** Objects of the caches of the simulation. */
export type CachedPod = Cached<Pod>;
export type CachedReplicaSet = Cached<ReplicaSet>;
export type CachedDeployment = Cached<Deployment>;
export type CachedNode = Cached<Node>;

/** The label of simulated nodes and namespaces. */
export const simulatedLabel = 'client-ts/simulated';

/** What the controllers of the simulation share. */
export interface Cluster {
  readonly client: Clientset;
  /** The namespace of the deployments and pods. */
  readonly namespace: string;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly cache: ClusterCache;
  readonly recorders: Recorders;
  /** Runs the containers. Undefined: pods have states, but nothing runs in them. */
  readonly kubelet: FakeKubelet | undefined;
  /** Scales a duration by the rate of the simulation. */
  scaled(milliseconds: number): number;
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

/** The informers of the simulation, with their indices. */
export class ClusterCache {
  readonly deployments: ResourceInformer<CachedDeployment>;
  readonly replicaSets: ResourceInformer<CachedReplicaSet>;
  readonly pods: ResourceInformer<CachedPod>;
  readonly nodes: ResourceInformer<CachedNode>;
  readonly #namespace: string;

  constructor(factory: SharedInformerFactory, namespace: string) {
    this.#namespace = namespace;
    this.deployments = factory.appsV1.deployments({ namespace });
    this.replicaSets = factory.appsV1.replicaSets({ namespace });
    this.pods = factory.coreV1.pods({ namespace });
    this.nodes = factory.coreV1.nodes({ labelSelector: `${simulatedLabel}=true` });
    this.replicaSets.informer.addIndexers({ [controllerIndex]: controllerUid });
    this.pods.informer.addIndexers({
      [controllerIndex]: controllerUid,
      [nodeIndex]: ({ spec }) => (spec?.nodeName === undefined ? [] : [spec.nodeName]),
    });
  }

  replicaSetsOf({ metadata }: CachedDeployment): CachedReplicaSet[] {
    return this.replicaSets.informer.indexer.byIndex(controllerIndex, metadata.uid);
  }

  podsOf({ metadata }: CachedReplicaSet): CachedPod[] {
    return this.pods.informer.indexer.byIndex(controllerIndex, metadata.uid);
  }

  podsOn(nodeName: string): CachedPod[] {
    return this.pods.informer.indexer.byIndex(nodeIndex, nodeName);
  }

  allDeployments(): CachedDeployment[] {
    return this.deployments.lister.namespace(this.#namespace).list();
  }

  allPods(): CachedPod[] {
    return this.pods.lister.namespace(this.#namespace).list();
  }

  allNodes(): CachedNode[] {
    return this.nodes.lister.list();
  }
}

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
