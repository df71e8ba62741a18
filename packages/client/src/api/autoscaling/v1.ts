// Kubernetes 1.36.4, autoscaling/v1. Written by `npm run generate`; do not edit.

import type { ResourceDescriptor, Verb } from '../../meta/resource.ts';
import type { ListMeta, ObjectMeta, Time } from '../../meta/types.ts';

/** `/apis/autoscaling/v1/namespaces/{namespace}/horizontalpodautoscalers` */
export const horizontalPodAutoscalers: ResourceDescriptor<
  HorizontalPodAutoscaler,
  'Namespaced',
  Verb,
  'status'
> = {
  group: 'autoscaling',
  version: 'v1',
  resource: 'horizontalpodautoscalers',
  kind: 'HorizontalPodAutoscaler',
  singular: 'horizontalpodautoscaler',
  scope: 'Namespaced',
  verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  subresources: [
    {
      name: 'status',
      kind: { group: 'autoscaling', version: 'v1', kind: 'HorizontalPodAutoscaler' },
      verbs: ['get', 'patch', 'update'],
    },
  ],
  shortNames: ['hpa'],
  categories: ['all'],
};

/** An object in the same namespace, in whatever version. */
export interface CrossVersionObjectReference {
  /** Group and version of the object. */
  apiVersion?: string;
  /** Kind of the object. */
  kind: string;
  /** Name of the object. */
  name: string;
}

/**
 * Scales a workload by the CPU use of its pods. Version `autoscaling/v2` knows other metrics
 * as well.
 */
export interface HorizontalPodAutoscaler {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'autoscaling/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'HorizontalPodAutoscaler';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The workload and the goal. */
  spec: HorizontalPodAutoscalerSpec;
  /** The observed state. Read-only. */
  status?: HorizontalPodAutoscalerStatus;
}

/**
 * A list of HorizontalPodAutoscaler objects, as a list request returns it. Large lists come
 * in pages.
 */
export interface HorizontalPodAutoscalerList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'autoscaling/v1';
  /** The objects of this page. */
  items: HorizontalPodAutoscaler[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'HorizontalPodAutoscalerList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** What to scale, within which bounds, and towards which CPU use. */
export interface HorizontalPodAutoscalerSpec {
  /** Most pods to scale up to. Not below `minReplicas`. */
  maxReplicas: number;
  /** Fewest pods to scale down to. Default 1. */
  minReplicas?: number;
  /** The workload to scale. It must have a `scale` subresource. */
  scaleTargetRef: CrossVersionObjectReference;
  /** Average CPU use of the pods to aim for, in percent of what they request. Default 80. */
  targetCPUUtilizationPercentage?: number;
}

/** The observed state of an autoscaler. */
export interface HorizontalPodAutoscalerStatus {
  /** Average CPU use of the pods, in percent of what they request. */
  currentCPUUtilizationPercentage?: number;
  /** Pods of the workload when the autoscaler last looked. */
  currentReplicas: number;
  /** Pods that the autoscaler last computed. */
  desiredReplicas: number;
  /** When the autoscaler last changed the number of pods. */
  lastScaleTime?: Time;
  /** The generation that this status was computed from. */
  observedGeneration?: number;
}

/** The number of replicas of a workload, as its `scale` subresource shows it. */
export interface Scale {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'autoscaling/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'Scale';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The number of replicas that is asked for. */
  spec?: ScaleSpec;
  /** The observed number. Read-only. */
  status?: ScaleStatus;
}

/** Size of a workload, as a client sets it. */
export interface ScaleSpec {
  /** Number of replicas to run. */
  replicas?: number;
}

/** Size of a workload, as its controller reports it. */
export interface ScaleStatus {
  /** Replicas that exist. */
  replicas: number;
  /** Label selector of the pods as a string, in the notation of list requests. */
  selector?: string;
}
