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

/** A name for a priority. Pods of higher priority are scheduled first and may evict others. */
export interface PriorityClass {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'scheduling.k8s.io/v1';
  /** When to use the class, for people. */
  description?: string;
  /** Whether pods without a class get this one. At most one class should have it. */
  globalDefault?: boolean;
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'PriorityClass';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /**
   * `PreemptLowerPriority` (the default) may evict pods of lower priority; `Never` waits for
   * room. Cannot change.
   */
  preemptionPolicy?: Open<'Never' | 'PreemptLowerPriority'>;
  /** The priority, up to 1000000000 for users' classes. Cannot change. */
  value?: number;
}

/** A list of PriorityClass objects, as a list request returns it. Large lists come in pages. */
export interface PriorityClassList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'scheduling.k8s.io/v1';
  /** The objects of this page. */
  items: PriorityClass[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'PriorityClassList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}
