// Kubernetes 1.36.4, apps/v1. Written by `npm run generate`; do not edit.

import type { ResourceDescriptor, Verb } from '../../meta/resource.ts';
import type {
  IntOrString,
  LabelSelector,
  ListMeta,
  ObjectMeta,
  Open,
  RawExtension,
  Time,
} from '../../meta/types.ts';
import type { PersistentVolumeClaim, PodTemplateSpec } from '../core/v1.ts';

const everyVerb: readonly Verb[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

/** `/apis/apps/v1/namespaces/{namespace}/controllerrevisions` */
export const controllerRevisions: ResourceDescriptor<
  ControllerRevision,
  'Namespaced',
  Verb,
  never
> = {
  group: 'apps',
  version: 'v1',
  resource: 'controllerrevisions',
  kind: 'ControllerRevision',
  singular: 'controllerrevision',
  scope: 'Namespaced',
  verbs: everyVerb,
  subresources: [],
  shortNames: [],
  categories: [],
};

/** `/apis/apps/v1/namespaces/{namespace}/daemonsets` */
export const daemonSets: ResourceDescriptor<DaemonSet, 'Namespaced', Verb, 'status'> = {
  group: 'apps',
  version: 'v1',
  resource: 'daemonsets',
  kind: 'DaemonSet',
  singular: 'daemonset',
  scope: 'Namespaced',
  verbs: everyVerb,
  subresources: [
    {
      name: 'status',
      kind: { group: 'apps', version: 'v1', kind: 'DaemonSet' },
      verbs: ['get', 'patch', 'update'],
    },
  ],
  shortNames: ['ds'],
  categories: ['all'],
};

/** `/apis/apps/v1/namespaces/{namespace}/deployments` */
export const deployments: ResourceDescriptor<Deployment, 'Namespaced', Verb, 'scale' | 'status'> = {
  group: 'apps',
  version: 'v1',
  resource: 'deployments',
  kind: 'Deployment',
  singular: 'deployment',
  scope: 'Namespaced',
  verbs: everyVerb,
  subresources: [
    {
      name: 'scale',
      kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
      verbs: ['get', 'patch', 'update'],
    },
    {
      name: 'status',
      kind: { group: 'apps', version: 'v1', kind: 'Deployment' },
      verbs: ['get', 'patch', 'update'],
    },
  ],
  shortNames: ['deploy'],
  categories: ['all'],
};

/** `/apis/apps/v1/namespaces/{namespace}/replicasets` */
export const replicaSets: ResourceDescriptor<ReplicaSet, 'Namespaced', Verb, 'scale' | 'status'> = {
  group: 'apps',
  version: 'v1',
  resource: 'replicasets',
  kind: 'ReplicaSet',
  singular: 'replicaset',
  scope: 'Namespaced',
  verbs: everyVerb,
  subresources: [
    {
      name: 'scale',
      kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
      verbs: ['get', 'patch', 'update'],
    },
    {
      name: 'status',
      kind: { group: 'apps', version: 'v1', kind: 'ReplicaSet' },
      verbs: ['get', 'patch', 'update'],
    },
  ],
  shortNames: ['rs'],
  categories: ['all'],
};

/** `/apis/apps/v1/namespaces/{namespace}/statefulsets` */
export const statefulSets: ResourceDescriptor<StatefulSet, 'Namespaced', Verb, 'scale' | 'status'> =
  {
    group: 'apps',
    version: 'v1',
    resource: 'statefulsets',
    kind: 'StatefulSet',
    singular: 'statefulset',
    scope: 'Namespaced',
    verbs: everyVerb,
    subresources: [
      {
        name: 'scale',
        kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
        verbs: ['get', 'patch', 'update'],
      },
      {
        name: 'status',
        kind: { group: 'apps', version: 'v1', kind: 'StatefulSet' },
        verbs: ['get', 'patch', 'update'],
      },
    ],
    shortNames: ['sts'],
    categories: ['all'],
  };

/**
 * A snapshot of a StatefulSet's or DaemonSet's template, for rollbacks. Managed by their
 * controllers; its data cannot change.
 */
export interface ControllerRevision {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'apps/v1';
  /** The snapshot. */
  data?: RawExtension;
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ControllerRevision';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** Number of the revision. Higher ones are newer. */
  revision: number;
}

/**
 * A list of ControllerRevision objects, as a list request returns it. Large lists come in
 * pages.
 */
export interface ControllerRevisionList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'apps/v1';
  /** The objects of this page. */
  items: ControllerRevision[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ControllerRevisionList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/**
 * Runs one copy of a pod on every node, or on every node that a selector matches. Pods come
 * and go with the nodes.
 */
export interface DaemonSet {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'apps/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'DaemonSet';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The desired state. */
  spec?: DaemonSetSpec;
  /** The state that the controller last observed. Read-only; it may lag behind. */
  status?: DaemonSetStatus;
}

/** One aspect of a DaemonSet's state. Kubernetes itself sets none; other controllers may. */
export interface DaemonSetCondition {
  /**
   * When `status` last changed from one value to another. A new message or reason alone does
   * not move it.
   */
  lastTransitionTime?: Time;
  /** Details for people. May be empty; not meant to be parsed. */
  message?: string;
  /** The cause of the last transition as one CamelCase word, for programs. */
  reason?: string;
  /** Whether the condition holds. `Unknown` means that the controller cannot tell. */
  status: string;
  /**
   * Name of the condition in CamelCase, such as `Ready`; other projects prefix it with their
   * domain.
   */
  type: string;
}

/** A list of DaemonSet objects, as a list request returns it. Large lists come in pages. */
export interface DaemonSetList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'apps/v1';
  /** The objects of this page. */
  items: DaemonSet[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'DaemonSetList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** The desired state of a DaemonSet. */
export interface DaemonSetSpec {
  /**
   * Seconds that a new pod must be ready without a container crash before it counts as
   * available. Default 0.
   */
  minReadySeconds?: number;
  /** How many old revisions (ControllerRevisions) to keep for rollbacks. Default 10. */
  revisionHistoryLimit?: number;
  /**
   * Selects the pods that belong to this DaemonSet. It must match the labels of the template
   * and cannot change.
   */
  selector: LabelSelector;
  /**
   * The pod to run on each node. Its node selector, affinity and tolerations decide which
   * nodes that is. The restart policy must be `Always`.
   */
  template: PodTemplateSpec;
  /** How pods are replaced after a change of the template. */
  updateStrategy?: DaemonSetUpdateStrategy;
}

/** The observed state of a DaemonSet. Counts are of nodes, not of pods. */
export interface DaemonSetStatus {
  /** How often a revision name was already taken. The controller uses it to find a free name. */
  collisionCount?: number;
  /** Aspects of the state, at most one of each type. */
  conditions?: DaemonSetCondition[];
  /** Nodes that should run the pod and do. */
  currentNumberScheduled: number;
  /** Nodes that should run the pod. */
  desiredNumberScheduled: number;
  /** Nodes that should run the pod and have it ready for at least `minReadySeconds`. */
  numberAvailable?: number;
  /** Nodes that run the pod although they should not. */
  numberMisscheduled: number;
  /** Nodes that should run the pod and have it ready. */
  numberReady: number;
  /** Nodes that should run the pod and do not have it available. */
  numberUnavailable?: number;
  /** The generation that this status was computed from. */
  observedGeneration?: number;
  /** Nodes that run the pod from the current template. */
  updatedNumberScheduled?: number;
}

/** How a DaemonSet replaces its pods. */
export interface DaemonSetUpdateStrategy {
  /** Limits of a rolling update. Only with type `RollingUpdate`. */
  rollingUpdate?: RollingUpdateDaemonSet;
  /**
   * `RollingUpdate` (the default) replaces pods node by node; `OnDelete` replaces a pod only
   * after it was deleted by hand.
   */
  type?: Open<'OnDelete' | 'RollingUpdate'>;
}

/**
 * Keeps a number of identical pods running and rolls out changes to them step by step. Each
 * version of the template gets its own ReplicaSet.
 */
export interface Deployment {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'apps/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'Deployment';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The desired state. */
  spec?: DeploymentSpec;
  /** The state that the controller last observed. Read-only; it may lag behind. */
  status?: DeploymentStatus;
}

/**
 * One aspect of a Deployment's state. The controller sets `Available`, `Progressing` and
 * `ReplicaFailure`.
 */
export interface DeploymentCondition {
  /**
   * When `status` last changed from one value to another. A new message or reason alone does
   * not move it.
   */
  lastTransitionTime?: Time;
  /** When the controller last wrote this condition, whether or not its status changed. */
  lastUpdateTime?: Time;
  /** Details for people. May be empty; not meant to be parsed. */
  message?: string;
  /** The cause of the last transition as one CamelCase word, for programs. */
  reason?: string;
  /** Whether the condition holds. `Unknown` means that the controller cannot tell. */
  status: string;
  /**
   * Name of the condition in CamelCase, such as `Ready`; other projects prefix it with their
   * domain.
   */
  type: string;
}

/** A list of Deployment objects, as a list request returns it. Large lists come in pages. */
export interface DeploymentList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'apps/v1';
  /** The objects of this page. */
  items: Deployment[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'DeploymentList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** The desired state of a Deployment. */
export interface DeploymentSpec {
  /**
   * Seconds that a new pod must be ready without a container crash before it counts as
   * available. Default 0.
   */
  minReadySeconds?: number;
  /** While true, changes of the template are not rolled out. Scaling still works. */
  paused?: boolean;
  /**
   * Seconds without progress after which a rollout is reported as failed in the `Progressing`
   * condition. Nothing is rolled back. Default 600.
   */
  progressDeadlineSeconds?: number;
  /** Number of pods to run. Default 1. Leave it out if an autoscaler manages it. */
  replicas?: number;
  /**
   * How many old ReplicaSets to keep for rollbacks. Default 10; with 0 a rollback is not
   * possible.
   */
  revisionHistoryLimit?: number;
  /**
   * Selects the pods that belong to this Deployment. It must match the labels of the template
   * and cannot change.
   */
  selector: LabelSelector;
  /** How old pods are replaced by new ones. */
  strategy?: DeploymentStrategy;
  /** The pod to run. A change starts a rollout. The restart policy must be `Always`. */
  template: PodTemplateSpec;
}

/** The observed state of a Deployment. */
export interface DeploymentStatus {
  /** Pods that have been ready for at least `minReadySeconds`. */
  availableReplicas?: number;
  /**
   * How often the name of a new ReplicaSet was already taken. The controller uses it to find a
   * free name.
   */
  collisionCount?: number;
  /** Aspects of the state, at most one of each type. */
  conditions?: DeploymentCondition[];
  /** The generation that this status was computed from. */
  observedGeneration?: number;
  /** Pods whose `Ready` condition is true. */
  readyReplicas?: number;
  /** Pods that match the selector and are not terminating, old and new. */
  replicas?: number;
  /** Pods that are being deleted but still exist. */
  terminatingReplicas?: number;
  /**
   * Pods that are still missing for full availability, because they do not exist yet or are
   * not available yet.
   */
  unavailableReplicas?: number;
  /** Pods that were made from the current template. */
  updatedReplicas?: number;
}

/** How a Deployment replaces its pods. */
export interface DeploymentStrategy {
  /** Limits of a rolling update. Only with type `RollingUpdate`. */
  rollingUpdate?: RollingUpdateDeployment;
  /**
   * `RollingUpdate` (the default) replaces pods gradually; `Recreate` deletes all old pods
   * before it creates new ones, with downtime.
   */
  type?: Open<'Recreate' | 'RollingUpdate'>;
}

/**
 * Keeps a number of identical pods running. Usually made and managed by a Deployment rather
 * than by hand.
 */
export interface ReplicaSet {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'apps/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ReplicaSet';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The desired state. */
  spec?: ReplicaSetSpec;
  /** The state that the controller last observed. Read-only; it may lag behind. */
  status?: ReplicaSetStatus;
}

/**
 * One aspect of a ReplicaSet's state. The controller sets `ReplicaFailure` when pods cannot
 * be created or deleted.
 */
export interface ReplicaSetCondition {
  /**
   * When `status` last changed from one value to another. A new message or reason alone does
   * not move it.
   */
  lastTransitionTime?: Time;
  /** Details for people. May be empty; not meant to be parsed. */
  message?: string;
  /** The cause of the last transition as one CamelCase word, for programs. */
  reason?: string;
  /** Whether the condition holds. `Unknown` means that the controller cannot tell. */
  status: string;
  /**
   * Name of the condition in CamelCase, such as `Ready`; other projects prefix it with their
   * domain.
   */
  type: string;
}

/** A list of ReplicaSet objects, as a list request returns it. Large lists come in pages. */
export interface ReplicaSetList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'apps/v1';
  /** The objects of this page. */
  items: ReplicaSet[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ReplicaSetList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** The desired state of a ReplicaSet. */
export interface ReplicaSetSpec {
  /**
   * Seconds that a new pod must be ready without a container crash before it counts as
   * available. Default 0.
   */
  minReadySeconds?: number;
  /** Number of pods to run. Default 1. */
  replicas?: number;
  /**
   * Selects the pods that belong to this ReplicaSet. It must match the labels of the template
   * and cannot change.
   */
  selector: LabelSelector;
  /** The pod to create when one is missing. A change affects only pods that are created later. */
  template?: PodTemplateSpec;
}

/** The observed state of a ReplicaSet. */
export interface ReplicaSetStatus {
  /** Pods that have been ready for at least `minReadySeconds`. */
  availableReplicas?: number;
  /** Aspects of the state, at most one of each type. */
  conditions?: ReplicaSetCondition[];
  /** Pods that have all labels of the template, not only those of the selector. */
  fullyLabeledReplicas?: number;
  /** The generation that this status was computed from. */
  observedGeneration?: number;
  /** Pods whose `Ready` condition is true. */
  readyReplicas?: number;
  /** Pods that match the selector and are not terminating. */
  replicas: number;
  /** Pods that are being deleted but still exist. */
  terminatingReplicas?: number;
}

/** Limits of a rolling update of a DaemonSet. */
export interface RollingUpdateDaemonSet {
  /**
   * How many nodes may run an old and a new pod at the same time, as a number or a percentage
   * of nodes. Default 0. Host ports of both pods must not clash.
   */
  maxSurge?: IntOrString;
  /**
   * How many nodes may be without an available pod during the update, as a number or a
   * percentage of nodes. Default 1. Not 0 if `maxSurge` is 0.
   */
  maxUnavailable?: IntOrString;
}

/** Limits of a rolling update of a Deployment. */
export interface RollingUpdateDeployment {
  /**
   * How many pods may exist beyond `replicas` during a rollout, as a number or a percentage,
   * rounded up. Default 25%. Not 0 if `maxUnavailable` is 0.
   */
  maxSurge?: IntOrString;
  /**
   * How many pods may be unavailable during a rollout, as a number or a percentage of
   * `replicas`, rounded down. Default 25%. Not 0 if `maxSurge` is 0.
   */
  maxUnavailable?: IntOrString;
}

/** Limits of a rolling update of a StatefulSet. */
export interface RollingUpdateStatefulSetStrategy {
  /**
   * How many pods may be unavailable during the update, as a number or a percentage of
   * `replicas`, rounded up. Default 1. Not 0.
   */
  maxUnavailable?: IntOrString;
  /**
   * Pods with a lower ordinal keep the old template. Lower it step by step for a staged
   * rollout. Default 0, which updates all.
   */
  partition?: number;
}

/**
 * Runs pods with a stable identity. Each has an ordinal in its name, its own DNS name, and
 * its own volumes that it keeps across restarts.
 */
export interface StatefulSet {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'apps/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'StatefulSet';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The desired state. */
  spec?: StatefulSetSpec;
  /** The state that the controller last observed. Read-only; it may lag behind. */
  status?: StatefulSetStatus;
}

/** One aspect of a StatefulSet's state. Kubernetes itself sets none; other controllers may. */
export interface StatefulSetCondition {
  /**
   * When `status` last changed from one value to another. A new message or reason alone does
   * not move it.
   */
  lastTransitionTime?: Time;
  /** Details for people. May be empty; not meant to be parsed. */
  message?: string;
  /** The cause of the last transition as one CamelCase word, for programs. */
  reason?: string;
  /** Whether the condition holds. `Unknown` means that the controller cannot tell. */
  status: string;
  /**
   * Name of the condition in CamelCase, such as `Ready`; other projects prefix it with their
   * domain.
   */
  type: string;
}

/** A list of StatefulSet objects, as a list request returns it. Large lists come in pages. */
export interface StatefulSetList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'apps/v1';
  /** The objects of this page. */
  items: StatefulSet[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'StatefulSetList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** How the pods are numbered. */
export interface StatefulSetOrdinals {
  /** Ordinal of the first pod; the others follow in steps of one. Default 0. */
  start?: number;
}

/** What happens to claims made from `volumeClaimTemplates` when they are no longer needed. */
export interface StatefulSetPersistentVolumeClaimRetentionPolicy {
  /**
   * What to do with the claims when the StatefulSet is deleted. `Retain` (the default) keeps
   * them, `Delete` deletes them.
   */
  whenDeleted?: string;
  /**
   * What to do with the claims of pods that a scale-down removes. `Retain` (the default) keeps
   * them, `Delete` deletes them.
   */
  whenScaled?: string;
}

/** The desired state of a StatefulSet. */
export interface StatefulSetSpec {
  /**
   * Seconds that a new pod must be ready without a container crash before it counts as
   * available. Default 0.
   */
  minReadySeconds?: number;
  /** How the pods are numbered. Default from 0. */
  ordinals?: StatefulSetOrdinals;
  /**
   * Whether claims are deleted with the StatefulSet or on scale-down. By default they are
   * kept.
   */
  persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy;
  /**
   * `OrderedReady` (the default) creates pods one after the other, each after its predecessor
   * is ready, and removes them in reverse; `Parallel` does not wait. Cannot change.
   */
  podManagementPolicy?: Open<'OrderedReady' | 'Parallel'>;
  /** Number of pods to run. Default 1. Leave it out if an autoscaler manages it. */
  replicas?: number;
  /** How many old revisions (ControllerRevisions) to keep for rollbacks. Default 10. */
  revisionHistoryLimit?: number;
  /**
   * Selects the pods that belong to this StatefulSet. It must match the labels of the template
   * and cannot change.
   */
  selector: LabelSelector;
  /**
   * Headless Service that provides the pods' DNS names (`pod.service.namespace.svc`). It must
   * be created separately. Cannot change.
   */
  serviceName?: string;
  /**
   * The pod to run. Pods are named after the StatefulSet and their ordinal, as in `web-0`. The
   * restart policy must be `Always`.
   */
  template: PodTemplateSpec;
  /** How pods are replaced after a change of the template. */
  updateStrategy?: StatefulSetUpdateStrategy;
  /**
   * Claims to create for each pod, named after the template and the pod. A pod finds its
   * claims again after a restart. Cannot change.
   */
  volumeClaimTemplates?: PersistentVolumeClaim[];
}

/** The observed state of a StatefulSet. */
export interface StatefulSetStatus {
  /** Pods that have been ready for at least `minReadySeconds`. */
  availableReplicas?: number;
  /** How often a revision name was already taken. The controller uses it to find a free name. */
  collisionCount?: number;
  /** Aspects of the state, at most one of each type. */
  conditions?: StatefulSetCondition[];
  /** Pods that were made from `currentRevision`. */
  currentReplicas?: number;
  /**
   * Revision that pods had before the current rollout. Equal to `updateRevision` once the
   * rollout is complete.
   */
  currentRevision?: string;
  /** The generation that this status was computed from. */
  observedGeneration?: number;
  /** Pods whose `Ready` condition is true. */
  readyReplicas?: number;
  /** Pods that the controller has created. */
  replicas: number;
  /** Revision that the rollout leads to. */
  updateRevision?: string;
  /** Pods that were made from `updateRevision`. */
  updatedReplicas?: number;
}

/** How a StatefulSet replaces its pods. */
export interface StatefulSetUpdateStrategy {
  /** Limits of a rolling update. Only with type `RollingUpdate`. */
  rollingUpdate?: RollingUpdateStatefulSetStrategy;
  /**
   * `RollingUpdate` (the default) replaces pods from the highest ordinal down; `OnDelete`
   * replaces a pod only after it was deleted by hand.
   */
  type?: Open<'OnDelete' | 'RollingUpdate'>;
}
