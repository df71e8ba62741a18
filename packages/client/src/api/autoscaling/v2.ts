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

/**
 * A metric of one container in each pod, such as its CPU use. Sidecars then do not distort
 * it.
 */
export interface ContainerResourceMetricSource {
  /** Name of the container. */
  container: string;
  /** The resource, `cpu` or `memory`. */
  name: string;
  /** The value to aim for. */
  target: MetricTarget;
}

/** Current value of a metric of one container. */
export interface ContainerResourceMetricStatus {
  /** Name of the container. */
  container: string;
  /** The current value. */
  current: MetricValueStatus;
  /** The resource. */
  name: string;
}

/** An object in the same namespace, in whatever version. */
export interface CrossVersionObjectReference {
  /** Group and version of the object. */
  apiVersion?: string;
  /** Kind of the object. */
  kind: string;
  /** Name of the object. */
  name: string;
}

/** A metric from outside the cluster, such as the length of a queue. */
export interface ExternalMetricSource {
  /** The metric. */
  metric: MetricIdentifier;
  /** The value to aim for. */
  target: MetricTarget;
}

/** Current value of an external metric. */
export interface ExternalMetricStatus {
  /** The current value. */
  current: MetricValueStatus;
  /** The metric. */
  metric: MetricIdentifier;
}

/** Limits a change of the number of pods within a time. */
export interface HPAScalingPolicy {
  /** Length of the time window in seconds, from 1 to 1800. */
  periodSeconds: number;
  /** `Pods` limits the change to a number, `Percent` to a share of the pods. */
  type: string;
  /** Largest change within the window. Must be positive. */
  value: number;
}

/** How fast the number of pods may change in one direction. */
export interface HPAScalingRules {
  /** Limits of the change. Without any, defaults of the direction apply. */
  policies?: HPAScalingPolicy[];
  /**
   * Which policy counts if there are several, `Max` (the default, the largest change), `Min`,
   * or `Disabled`, which forbids this direction.
   */
  selectPolicy?: string;
  /**
   * Seconds for which past recommendations are taken into account, against flapping. Up to
   * 3600. Default 0 for scaling up, 300 for down.
   */
  stabilizationWindowSeconds?: number;
  /**
   * Deviation from the target that is ignored, as a fraction such as `0.05`. The default is
   * the cluster's, usually 0.1.
   */
  tolerance?: Quantity;
}

/** Scales a workload so that metrics of its pods, or others, stay near their targets. */
export interface HorizontalPodAutoscaler {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'autoscaling/v2';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'HorizontalPodAutoscaler';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The workload, the bounds and the metrics. */
  spec: HorizontalPodAutoscalerSpec;
  /** The observed state. Read-only. */
  status?: HorizontalPodAutoscalerStatus;
}

/** Limits on the pace of scaling, apart for each direction. */
export interface HorizontalPodAutoscalerBehavior {
  /**
   * Rules for scaling down. By default the highest recommendation of the last 300 seconds
   * counts, and all pods above the minimum may go.
   */
  scaleDown?: HPAScalingRules;
  /**
   * Rules for scaling up. By default at most 4 pods or 100 % per 15 seconds, whichever is
   * more.
   */
  scaleUp?: HPAScalingRules;
}

/** One aspect of an autoscaler's state, `AbleToScale`, `ScalingActive` or `ScalingLimited`. */
export interface HorizontalPodAutoscalerCondition {
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

/**
 * A list of HorizontalPodAutoscaler objects, as a list request returns it. Large lists come
 * in pages.
 */
export interface HorizontalPodAutoscalerList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'autoscaling/v2';
  /** The objects of this page. */
  items: HorizontalPodAutoscaler[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'HorizontalPodAutoscalerList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** What to scale, within which bounds, and by which metrics. */
export interface HorizontalPodAutoscalerSpec {
  /** How fast to scale in each direction. */
  behavior?: HorizontalPodAutoscalerBehavior;
  /** Most pods to scale up to. Not below `minReplicas`. */
  maxReplicas: number;
  /**
   * Metrics to scale by. The one that asks for the most pods wins. Default is 80 % average CPU
   * use.
   */
  metrics?: MetricSpec[];
  /**
   * Fewest pods to scale down to. Default 1. 0 needs a feature gate and an object or external
   * metric.
   */
  minReplicas?: number;
  /** The workload to scale. It must have a `scale` subresource. */
  scaleTargetRef: CrossVersionObjectReference;
}

/** The observed state of an autoscaler. */
export interface HorizontalPodAutoscalerStatus {
  /** Aspects of the state, at most one of each type. */
  conditions?: HorizontalPodAutoscalerCondition[];
  /** Metrics as last read. */
  currentMetrics?: MetricStatus[] | null;
  /** Pods of the workload when the autoscaler last looked. */
  currentReplicas?: number;
  /** Pods that the autoscaler last computed. */
  desiredReplicas: number;
  /** When the autoscaler last changed the number of pods. */
  lastScaleTime?: Time;
  /** The generation that this status was computed from. */
  observedGeneration?: number;
}

/** Names a metric. */
export interface MetricIdentifier {
  /** Name of the metric. */
  name: string;
  /** Narrows the metric by its labels. Passed to the metrics server. */
  selector?: LabelSelector;
}

/** A metric to scale by. Exactly the field that `type` names is set. */
export interface MetricSpec {
  /** CPU or memory of one container in each pod. */
  containerResource?: ContainerResourceMetricSource;
  /** A metric from outside the cluster. */
  external?: ExternalMetricSource;
  /** A metric of one Kubernetes object, such as requests per second of an Ingress. */
  object?: ObjectMetricSource;
  /** A custom metric of each pod, averaged. */
  pods?: PodsMetricSource;
  /** CPU or memory of the pods. */
  resource?: ResourceMetricSource;
  /** Kind of the metric, `ContainerResource`, `External`, `Object`, `Pods` or `Resource`. */
  type: string;
}

/** Current value of a metric. Exactly the field that `type` names is set. */
export interface MetricStatus {
  /** CPU or memory of one container in each pod. */
  containerResource?: ContainerResourceMetricStatus;
  /** A metric from outside the cluster. */
  external?: ExternalMetricStatus;
  /** A metric of one Kubernetes object. */
  object?: ObjectMetricStatus;
  /** A custom metric of each pod, averaged. */
  pods?: PodsMetricStatus;
  /** CPU or memory of the pods. */
  resource?: ResourceMetricStatus;
  /** Kind of the metric, `ContainerResource`, `External`, `Object`, `Pods` or `Resource`. */
  type: string;
}

/** A value, average or share. Exactly the field that `type` names is set. */
export interface MetricTarget {
  /** Average over the pods, in percent of what they request. Only for resource metrics. */
  averageUtilization?: number;
  /** Average over the pods, as a quantity. */
  averageValue?: Quantity;
  /** Which field counts, `Utilization`, `Value` or `AverageValue`. */
  type: string;
  /** Value of the metric as a whole, as a quantity. */
  value?: Quantity;
}

/** Current value of a metric. */
export interface MetricValueStatus {
  /** Average over the pods, in percent of what they request. */
  averageUtilization?: number;
  /** Average over the pods, as a quantity. */
  averageValue?: Quantity;
  /** Value of the metric as a whole, as a quantity. */
  value?: Quantity;
}

/** A metric of one Kubernetes object. */
export interface ObjectMetricSource {
  /** The object that the metric belongs to. */
  describedObject: CrossVersionObjectReference;
  /** The metric. */
  metric: MetricIdentifier;
  /** The value to aim for. */
  target: MetricTarget;
}

/** Current value of a metric of one object. */
export interface ObjectMetricStatus {
  /** The current value. */
  current: MetricValueStatus;
  /** The object that the metric belongs to. */
  describedObject: CrossVersionObjectReference;
  /** The metric. */
  metric: MetricIdentifier;
}

/** A custom metric of each pod, averaged over them. */
export interface PodsMetricSource {
  /** The metric. */
  metric: MetricIdentifier;
  /** The value to aim for. Only `AverageValue` is allowed. */
  target: MetricTarget;
}

/** Current value of a custom metric of the pods. */
export interface PodsMetricStatus {
  /** The current value. */
  current: MetricValueStatus;
  /** The metric. */
  metric: MetricIdentifier;
}

/** CPU or memory of the pods, summed over their containers. */
export interface ResourceMetricSource {
  /** The resource, `cpu` or `memory`. */
  name: string;
  /** The value to aim for. */
  target: MetricTarget;
}

/** Current use of a resource by the pods. */
export interface ResourceMetricStatus {
  /** The current value. */
  current: MetricValueStatus;
  /** The resource. */
  name: string;
}
