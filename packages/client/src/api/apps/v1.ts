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

export interface ControllerRevision {
  apiVersion?: 'apps/v1';
  data?: RawExtension;
  kind?: 'ControllerRevision';
  metadata?: ObjectMeta;
  revision: number;
}

export interface ControllerRevisionList {
  apiVersion?: 'apps/v1';
  items: ControllerRevision[];
  kind?: 'ControllerRevisionList';
  metadata?: ListMeta;
}

export interface DaemonSet {
  apiVersion?: 'apps/v1';
  kind?: 'DaemonSet';
  metadata?: ObjectMeta;
  spec?: DaemonSetSpec;
  status?: DaemonSetStatus;
}

export interface DaemonSetCondition {
  lastTransitionTime?: Time;
  message?: string;
  reason?: string;
  status: string;
  type: string;
}

export interface DaemonSetList {
  apiVersion?: 'apps/v1';
  items: DaemonSet[];
  kind?: 'DaemonSetList';
  metadata?: ListMeta;
}

export interface DaemonSetSpec {
  minReadySeconds?: number;
  revisionHistoryLimit?: number;
  selector: LabelSelector;
  template: PodTemplateSpec;
  updateStrategy?: DaemonSetUpdateStrategy;
}

export interface DaemonSetStatus {
  collisionCount?: number;
  conditions?: DaemonSetCondition[];
  currentNumberScheduled: number;
  desiredNumberScheduled: number;
  numberAvailable?: number;
  numberMisscheduled: number;
  numberReady: number;
  numberUnavailable?: number;
  observedGeneration?: number;
  updatedNumberScheduled?: number;
}

export interface DaemonSetUpdateStrategy {
  rollingUpdate?: RollingUpdateDaemonSet;
  type?: Open<'OnDelete' | 'RollingUpdate'>;
}

export interface Deployment {
  apiVersion?: 'apps/v1';
  kind?: 'Deployment';
  metadata?: ObjectMeta;
  spec?: DeploymentSpec;
  status?: DeploymentStatus;
}

export interface DeploymentCondition {
  lastTransitionTime?: Time;
  lastUpdateTime?: Time;
  message?: string;
  reason?: string;
  status: string;
  type: string;
}

export interface DeploymentList {
  apiVersion?: 'apps/v1';
  items: Deployment[];
  kind?: 'DeploymentList';
  metadata?: ListMeta;
}

export interface DeploymentSpec {
  minReadySeconds?: number;
  paused?: boolean;
  progressDeadlineSeconds?: number;
  replicas?: number;
  revisionHistoryLimit?: number;
  selector: LabelSelector;
  strategy?: DeploymentStrategy;
  template: PodTemplateSpec;
}

export interface DeploymentStatus {
  availableReplicas?: number;
  collisionCount?: number;
  conditions?: DeploymentCondition[];
  observedGeneration?: number;
  readyReplicas?: number;
  replicas?: number;
  terminatingReplicas?: number;
  unavailableReplicas?: number;
  updatedReplicas?: number;
}

export interface DeploymentStrategy {
  rollingUpdate?: RollingUpdateDeployment;
  type?: Open<'Recreate' | 'RollingUpdate'>;
}

export interface ReplicaSet {
  apiVersion?: 'apps/v1';
  kind?: 'ReplicaSet';
  metadata?: ObjectMeta;
  spec?: ReplicaSetSpec;
  status?: ReplicaSetStatus;
}

export interface ReplicaSetCondition {
  lastTransitionTime?: Time;
  message?: string;
  reason?: string;
  status: string;
  type: string;
}

export interface ReplicaSetList {
  apiVersion?: 'apps/v1';
  items: ReplicaSet[];
  kind?: 'ReplicaSetList';
  metadata?: ListMeta;
}

export interface ReplicaSetSpec {
  minReadySeconds?: number;
  replicas?: number;
  selector: LabelSelector;
  template?: PodTemplateSpec;
}

export interface ReplicaSetStatus {
  availableReplicas?: number;
  conditions?: ReplicaSetCondition[];
  fullyLabeledReplicas?: number;
  observedGeneration?: number;
  readyReplicas?: number;
  replicas: number;
  terminatingReplicas?: number;
}

export interface RollingUpdateDaemonSet {
  maxSurge?: IntOrString;
  maxUnavailable?: IntOrString;
}

export interface RollingUpdateDeployment {
  maxSurge?: IntOrString;
  maxUnavailable?: IntOrString;
}

export interface RollingUpdateStatefulSetStrategy {
  maxUnavailable?: IntOrString;
  partition?: number;
}

export interface StatefulSet {
  apiVersion?: 'apps/v1';
  kind?: 'StatefulSet';
  metadata?: ObjectMeta;
  spec?: StatefulSetSpec;
  status?: StatefulSetStatus;
}

export interface StatefulSetCondition {
  lastTransitionTime?: Time;
  message?: string;
  reason?: string;
  status: string;
  type: string;
}

export interface StatefulSetList {
  apiVersion?: 'apps/v1';
  items: StatefulSet[];
  kind?: 'StatefulSetList';
  metadata?: ListMeta;
}

export interface StatefulSetOrdinals {
  start?: number;
}

export interface StatefulSetPersistentVolumeClaimRetentionPolicy {
  whenDeleted?: string;
  whenScaled?: string;
}

export interface StatefulSetSpec {
  minReadySeconds?: number;
  ordinals?: StatefulSetOrdinals;
  persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy;
  podManagementPolicy?: Open<'OrderedReady' | 'Parallel'>;
  replicas?: number;
  revisionHistoryLimit?: number;
  selector: LabelSelector;
  serviceName?: string;
  template: PodTemplateSpec;
  updateStrategy?: StatefulSetUpdateStrategy;
  volumeClaimTemplates?: PersistentVolumeClaim[];
}

export interface StatefulSetStatus {
  availableReplicas?: number;
  collisionCount?: number;
  conditions?: StatefulSetCondition[];
  currentReplicas?: number;
  currentRevision?: string;
  observedGeneration?: number;
  readyReplicas?: number;
  replicas: number;
  updateRevision?: string;
  updatedReplicas?: number;
}

export interface StatefulSetUpdateStrategy {
  rollingUpdate?: RollingUpdateStatefulSetStrategy;
  type?: Open<'OnDelete' | 'RollingUpdate'>;
}
