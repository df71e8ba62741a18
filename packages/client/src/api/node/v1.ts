// Kubernetes 1.36.4, node.k8s.io/v1. Written by `npm run generate`; do not edit.

import type { ResourceDescriptor, Verb } from '../../meta/resource.ts';
import type { ListMeta, ObjectMeta, Quantity } from '../../meta/types.ts';
import type { Toleration } from '../core/v1.ts';

/** `/apis/node.k8s.io/v1/runtimeclasses` */
export const runtimeClasses: ResourceDescriptor<RuntimeClass, 'Cluster', Verb, never> = {
  group: 'node.k8s.io',
  version: 'v1',
  resource: 'runtimeclasses',
  kind: 'RuntimeClass',
  singular: 'runtimeclass',
  scope: 'Cluster',
  verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  subresources: [],
  shortNames: [],
  categories: [],
};

export interface Overhead {
  podFixed?: Record<string, Quantity>;
}

export interface RuntimeClass {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'node.k8s.io/v1';
  handler: string;
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'RuntimeClass';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  overhead?: Overhead;
  scheduling?: Scheduling;
}

/** A list of RuntimeClass objects, as a list request returns it. Large lists come in pages. */
export interface RuntimeClassList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'node.k8s.io/v1';
  /** The objects of this page. */
  items: RuntimeClass[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'RuntimeClassList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

export interface Scheduling {
  nodeSelector?: Record<string, string>;
  tolerations?: Toleration[];
}
