// Kubernetes 1.36.4, scheduling.k8s.io/v1. Written by `npm run generate`; do not edit.

import type { ResourceDescriptor, Verb } from '../../meta/resource.ts';
import type { ListMeta, ObjectMeta, Open } from '../../meta/types.ts';

/** `/apis/scheduling.k8s.io/v1/priorityclasses` */
export const priorityClasses: ResourceDescriptor<PriorityClass, 'Cluster', Verb, never> = {
  group: 'scheduling.k8s.io',
  version: 'v1',
  resource: 'priorityclasses',
  kind: 'PriorityClass',
  singular: 'priorityclass',
  scope: 'Cluster',
  verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  subresources: [],
  shortNames: ['pc'],
  categories: [],
};

export interface PriorityClass {
  apiVersion?: 'scheduling.k8s.io/v1';
  description?: string;
  globalDefault?: boolean;
  kind?: 'PriorityClass';
  metadata?: ObjectMeta;
  preemptionPolicy?: Open<'Never' | 'PreemptLowerPriority'>;
  value?: number;
}

export interface PriorityClassList {
  apiVersion?: 'scheduling.k8s.io/v1';
  items: PriorityClass[];
  kind?: 'PriorityClassList';
  metadata?: ListMeta;
}
