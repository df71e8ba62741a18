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

/** Resources that running a pod takes besides its containers. */
export interface Overhead {
  /** Amounts per pod, by resource. */
  podFixed?: Record<string, Quantity>;
}

/** A way to run containers, such as a sandbox with virtual machines. Pods select it by name. */
export interface RuntimeClass {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'node.k8s.io/v1';
  /** Configuration of the container runtime on the nodes that is used. Cannot change. */
  handler: string;
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'RuntimeClass';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** Resources that are added to each pod of the class. */
  overhead?: Overhead;
  /** Nodes that support the class. Default is all nodes. */
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

/** Nodes that support a runtime class. */
export interface Scheduling {
  /** Labels that are added to the node selector of each pod. A conflict rejects the pod. */
  nodeSelector?: Record<string, string>;
  /** Tolerations that are added to each pod. */
  tolerations?: Toleration[];
}
