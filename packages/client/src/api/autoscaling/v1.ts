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

export interface CrossVersionObjectReference {
  apiVersion?: string;
  kind: string;
  name: string;
}

export interface HorizontalPodAutoscaler {
  apiVersion?: 'autoscaling/v1';
  kind?: 'HorizontalPodAutoscaler';
  metadata?: ObjectMeta;
  spec: HorizontalPodAutoscalerSpec;
  status?: HorizontalPodAutoscalerStatus;
}

export interface HorizontalPodAutoscalerList {
  apiVersion?: 'autoscaling/v1';
  items: HorizontalPodAutoscaler[];
  kind?: 'HorizontalPodAutoscalerList';
  metadata?: ListMeta;
}

export interface HorizontalPodAutoscalerSpec {
  maxReplicas: number;
  minReplicas?: number;
  scaleTargetRef: CrossVersionObjectReference;
  targetCPUUtilizationPercentage?: number;
}

export interface HorizontalPodAutoscalerStatus {
  currentCPUUtilizationPercentage?: number;
  currentReplicas: number;
  desiredReplicas: number;
  lastScaleTime?: Time;
  observedGeneration?: number;
}

export interface Scale {
  apiVersion?: 'autoscaling/v1';
  kind?: 'Scale';
  metadata?: ObjectMeta;
  spec?: ScaleSpec;
  status?: ScaleStatus;
}

export interface ScaleSpec {
  replicas?: number;
}

export interface ScaleStatus {
  replicas: number;
  selector?: string;
}
