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
  apiVersion?: 'node.k8s.io/v1';
  handler: string;
  kind?: 'RuntimeClass';
  metadata?: ObjectMeta;
  overhead?: Overhead;
  scheduling?: Scheduling;
}

export interface RuntimeClassList {
  apiVersion?: 'node.k8s.io/v1';
  items: RuntimeClass[];
  kind?: 'RuntimeClassList';
  metadata?: ListMeta;
}

export interface Scheduling {
  nodeSelector?: Record<string, string>;
  tolerations?: Toleration[];
}
