import type { Deployment, ReplicaSet } from 'client-ts/api/apps/v1';
import type { Node, Pod } from 'client-ts/api/core/v1';
import type { Reconcile } from 'client-ts/controller';
import type { Cached, ResourceInformer, SharedInformerFactory } from 'client-ts/informers';
import type { Clientset } from 'client-ts/kubernetes';
import type { Clock } from 'client-ts/internal';
import { getControllerOf, isBeingDeleted } from 'client-ts/meta';
import type { EventRecorder, EventsV1Recorder } from 'client-ts/record';
import type { RateLimitingQueue } from 'client-ts/workqueue';

import type { Fate } from './fate.ts';

/** Objects as the caches of the simulation have them. */
export type CachedPod = Cached<Pod>;
export type CachedReplicaSet = Cached<ReplicaSet>;
export type CachedDeployment = Cached<Deployment>;
export type CachedNode = Cached<Node>;

/** The mark of the nodes that the simulation made. */
export const simulatedLabel = 'client-ts/simulated';

/** What the controllers of the simulation share. */
export interface World {
  readonly client: Clientset;
  /** Where everything happens that is in a namespace. */
  readonly namespace: string;
  readonly clock: Clock;
  readonly fate: Fate;
  readonly cache: ClusterCache;
  readonly recorders: Recorders;
  /** How long something takes that takes so long in a cluster that is not in a hurry. */
  scaled(milliseconds: number): number;
}

/** Who writes events, under the names that the real ones have. */
export interface Recorders {
  /** A part of the control plane, or the kubelet of a node. */
  of(component: string, host?: string): EventRecorder;
  readonly scheduler: EventsV1Recorder;
}

/** A part of the simulation: keys come into its queue, and it makes them as they should be. */
export interface SimulatedController {
  readonly name: string;
  readonly queue: RateLimitingQueue<string>;
  readonly reconcile: Reconcile<string>;
}

const controllerIndex = 'controller';
const nodeIndex = 'nodeName';

/** What the simulation knows of the cluster without asking: one informer for each kind. */
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

/** Pods that take part in the life of the cluster: not on their way out, and not done for good. */
export function isActive(pod: CachedPod): boolean {
  return (
    !isBeingDeleted(pod) && pod.status?.phase !== 'Failed' && pod.status?.phase !== 'Succeeded'
  );
}

/** Pods that serve. */
export function isReady({ status }: CachedPod): boolean {
  return (
    status?.conditions?.some(
      (condition) => condition.type === 'Ready' && condition.status === 'True',
    ) ?? false
  );
}
