// Kubernetes 1.36.4, policy/v1. Written by `npm run generate`; do not edit.

import type { ResourceDescriptor, Verb } from '../../meta/resource.ts';
import type {
  Condition,
  DeleteOptions,
  IntOrString,
  LabelSelector,
  ListMeta,
  ObjectMeta,
  Open,
  Time,
} from '../../meta/types.ts';

/** `/apis/policy/v1/namespaces/{namespace}/poddisruptionbudgets` */
export const podDisruptionBudgets: ResourceDescriptor<
  PodDisruptionBudget,
  'Namespaced',
  Verb,
  'status'
> = {
  group: 'policy',
  version: 'v1',
  resource: 'poddisruptionbudgets',
  kind: 'PodDisruptionBudget',
  singular: 'poddisruptionbudget',
  scope: 'Namespaced',
  verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  subresources: [
    {
      name: 'status',
      kind: { group: 'policy', version: 'v1', kind: 'PodDisruptionBudget' },
      verbs: ['get', 'patch', 'update'],
    },
  ],
  shortNames: ['pdb'],
  categories: [],
};

/**
 * Asks for the deletion of a pod with respect for disruption budgets. Sent to the `eviction`
 * subresource of the pod; answered with 429 while a budget forbids it.
 */
export interface Eviction {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'policy/v1';
  /** How to delete the pod. */
  deleteOptions?: DeleteOptions;
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'Eviction';
  /** Name and namespace of the pod. */
  metadata?: ObjectMeta;
}

/**
 * Limits how many pods of an application may be down at the same time because of voluntary
 * disruptions, such as node drains.
 */
export interface PodDisruptionBudget {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'policy/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'PodDisruptionBudget';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The pods and the limit. */
  spec?: PodDisruptionBudgetSpec;
  /** The observed state. Read-only. */
  status?: PodDisruptionBudgetStatus;
}

/**
 * A list of PodDisruptionBudget objects, as a list request returns it. Large lists come in
 * pages.
 */
export interface PodDisruptionBudgetList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'policy/v1';
  /** The objects of this page. */
  items: PodDisruptionBudget[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'PodDisruptionBudgetList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** The pods and the limit. Exactly one of `minAvailable` and `maxUnavailable` is set. */
export interface PodDisruptionBudgetSpec {
  /**
   * How many of the pods may be unavailable, as a number or a percentage of the desired pods.
   * 0 forbids every eviction.
   */
  maxUnavailable?: IntOrString;
  /**
   * How many of the pods must stay available, as a number or a percentage of the desired pods.
   * 100 % forbids every eviction.
   */
  minAvailable?: IntOrString;
  /** Selects the pods. An empty selector means all pods of the namespace, a missing one none. */
  selector?: LabelSelector;
  /**
   * Whether pods that are running but not ready may be evicted only while the budget is met
   * (`IfHealthyBudget`, the default) or always (`AlwaysAllow`).
   */
  unhealthyPodEvictionPolicy?: Open<'AlwaysAllow' | 'IfHealthyBudget'>;
}

/** The observed state of a disruption budget. */
export interface PodDisruptionBudgetStatus {
  /** Aspects of the state. `DisruptionAllowed` shows whether a pod may be evicted now. */
  conditions?: Condition[];
  /** Pods that are ready. */
  currentHealthy?: number;
  /** Pods that must stay ready. */
  desiredHealthy?: number;
  /**
   * Pods whose eviction was granted but which are not deleted yet, with the time. They count
   * as unavailable for about two minutes.
   */
  disruptedPods?: Record<string, Time>;
  /** Pods that may be evicted now. */
  disruptionsAllowed?: number;
  /** Pods that the budget counts in total. */
  expectedPods?: number;
  /**
   * The generation that this status was computed from. With an older one, evictions are
   * refused.
   */
  observedGeneration?: number;
}
