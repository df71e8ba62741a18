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

export interface Eviction {
  apiVersion?: 'policy/v1';
  deleteOptions?: DeleteOptions;
  kind?: 'Eviction';
  metadata?: ObjectMeta;
}

export interface PodDisruptionBudget {
  apiVersion?: 'policy/v1';
  kind?: 'PodDisruptionBudget';
  metadata?: ObjectMeta;
  spec?: PodDisruptionBudgetSpec;
  status?: PodDisruptionBudgetStatus;
}

export interface PodDisruptionBudgetList {
  apiVersion?: 'policy/v1';
  items: PodDisruptionBudget[];
  kind?: 'PodDisruptionBudgetList';
  metadata?: ListMeta;
}

export interface PodDisruptionBudgetSpec {
  maxUnavailable?: IntOrString;
  minAvailable?: IntOrString;
  selector?: LabelSelector;
  unhealthyPodEvictionPolicy?: Open<'AlwaysAllow' | 'IfHealthyBudget'>;
}

export interface PodDisruptionBudgetStatus {
  conditions?: Condition[];
  currentHealthy?: number;
  desiredHealthy?: number;
  disruptedPods?: Record<string, Time>;
  disruptionsAllowed?: number;
  expectedPods?: number;
  observedGeneration?: number;
}
