// Kubernetes 1.36.4, autoscaling/v2. Written by `npm run generate`; do not edit.

import type { ResourceDescriptor, Verb } from '../../meta/resource.ts';
import type { LabelSelector, ListMeta, ObjectMeta, Quantity, Time } from '../../meta/types.ts';

/** `/apis/autoscaling/v2/namespaces/{namespace}/horizontalpodautoscalers` */
export const horizontalPodAutoscalers: ResourceDescriptor<
  HorizontalPodAutoscaler,
  'Namespaced',
  Verb,
  'status'
> = {
  group: 'autoscaling',
  version: 'v2',
  resource: 'horizontalpodautoscalers',
  kind: 'HorizontalPodAutoscaler',
  singular: 'horizontalpodautoscaler',
  scope: 'Namespaced',
  verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  subresources: [
    {
      name: 'status',
      kind: { group: 'autoscaling', version: 'v2', kind: 'HorizontalPodAutoscaler' },
      verbs: ['get', 'patch', 'update'],
    },
  ],
  shortNames: ['hpa'],
  categories: ['all'],
};

export interface ContainerResourceMetricSource {
  container: string;
  name: string;
  target: MetricTarget;
}

export interface ContainerResourceMetricStatus {
  container: string;
  current: MetricValueStatus;
  name: string;
}

export interface CrossVersionObjectReference {
  apiVersion?: string;
  kind: string;
  name: string;
}

export interface ExternalMetricSource {
  metric: MetricIdentifier;
  target: MetricTarget;
}

export interface ExternalMetricStatus {
  current: MetricValueStatus;
  metric: MetricIdentifier;
}

export interface HPAScalingPolicy {
  periodSeconds: number;
  type: string;
  value: number;
}

export interface HPAScalingRules {
  policies?: HPAScalingPolicy[];
  selectPolicy?: string;
  stabilizationWindowSeconds?: number;
  tolerance?: Quantity;
}

export interface HorizontalPodAutoscaler {
  apiVersion?: 'autoscaling/v2';
  kind?: 'HorizontalPodAutoscaler';
  metadata?: ObjectMeta;
  spec: HorizontalPodAutoscalerSpec;
  status?: HorizontalPodAutoscalerStatus;
}

export interface HorizontalPodAutoscalerBehavior {
  scaleDown?: HPAScalingRules;
  scaleUp?: HPAScalingRules;
}

export interface HorizontalPodAutoscalerCondition {
  lastTransitionTime?: Time;
  message?: string;
  reason?: string;
  status: string;
  type: string;
}

export interface HorizontalPodAutoscalerList {
  apiVersion?: 'autoscaling/v2';
  items: HorizontalPodAutoscaler[];
  kind?: 'HorizontalPodAutoscalerList';
  metadata?: ListMeta;
}

export interface HorizontalPodAutoscalerSpec {
  behavior?: HorizontalPodAutoscalerBehavior;
  maxReplicas: number;
  metrics?: MetricSpec[];
  minReplicas?: number;
  scaleTargetRef: CrossVersionObjectReference;
}

export interface HorizontalPodAutoscalerStatus {
  conditions?: HorizontalPodAutoscalerCondition[];
  currentMetrics?: MetricStatus[];
  currentReplicas?: number;
  desiredReplicas: number;
  lastScaleTime?: Time;
  observedGeneration?: number;
}

export interface MetricIdentifier {
  name: string;
  selector?: LabelSelector;
}

export interface MetricSpec {
  containerResource?: ContainerResourceMetricSource;
  external?: ExternalMetricSource;
  object?: ObjectMetricSource;
  pods?: PodsMetricSource;
  resource?: ResourceMetricSource;
  type: string;
}

export interface MetricStatus {
  containerResource?: ContainerResourceMetricStatus;
  external?: ExternalMetricStatus;
  object?: ObjectMetricStatus;
  pods?: PodsMetricStatus;
  resource?: ResourceMetricStatus;
  type: string;
}

export interface MetricTarget {
  averageUtilization?: number;
  averageValue?: Quantity;
  type: string;
  value?: Quantity;
}

export interface MetricValueStatus {
  averageUtilization?: number;
  averageValue?: Quantity;
  value?: Quantity;
}

export interface ObjectMetricSource {
  describedObject: CrossVersionObjectReference;
  metric: MetricIdentifier;
  target: MetricTarget;
}

export interface ObjectMetricStatus {
  current: MetricValueStatus;
  describedObject: CrossVersionObjectReference;
  metric: MetricIdentifier;
}

export interface PodsMetricSource {
  metric: MetricIdentifier;
  target: MetricTarget;
}

export interface PodsMetricStatus {
  current: MetricValueStatus;
  metric: MetricIdentifier;
}

export interface ResourceMetricSource {
  name: string;
  target: MetricTarget;
}

export interface ResourceMetricStatus {
  current: MetricValueStatus;
  name: string;
}
