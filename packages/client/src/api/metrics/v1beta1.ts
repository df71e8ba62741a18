// metrics.k8s.io/v1beta1, as metrics-server serves it. Written by hand: the API model does not have it.

import type { ResourceDescriptor } from '../../meta/resource.ts';
import type { ListMeta, ObjectMeta, Quantity, Time } from '../../meta/types.ts';

/** `/apis/metrics.k8s.io/v1beta1/nodes` */
export const nodeMetrics: ResourceDescriptor<NodeMetrics, 'Cluster', 'get' | 'list', never> = {
  group: 'metrics.k8s.io',
  version: 'v1beta1',
  resource: 'nodes',
  kind: 'NodeMetrics',
  singular: '',
  scope: 'Cluster',
  verbs: ['get', 'list'],
  subresources: [],
  shortNames: [],
  categories: [],
};

/** `/apis/metrics.k8s.io/v1beta1/namespaces/{namespace}/pods` */
export const podMetrics: ResourceDescriptor<PodMetrics, 'Namespaced', 'get' | 'list', never> = {
  group: 'metrics.k8s.io',
  version: 'v1beta1',
  resource: 'pods',
  kind: 'PodMetrics',
  singular: '',
  scope: 'Namespaced',
  verbs: ['get', 'list'],
  subresources: [],
  shortNames: [],
  categories: [],
};

/** What a container used. */
export interface ContainerMetrics {
  /** Name of the container in the pod. */
  name: string;
  /** Amounts by resource: `cpu` in cores, `memory` in bytes of the working set. */
  usage: Record<string, Quantity>;
}

/** What a node used in a window of time. */
export interface NodeMetrics {
  /** Group and version of the object's schema. */
  apiVersion?: 'metrics.k8s.io/v1beta1';
  /** Name of the object's schema. */
  kind?: 'NodeMetrics';
  /** Name and labels of the node. */
  metadata?: ObjectMeta;
  /** End of the window. */
  timestamp: Time;
  /** Amounts by resource: `cpu` in cores, `memory` in bytes of the working set. */
  usage: Record<string, Quantity>;
  /** Length of the window, such as `15.035s`. */
  window: string;
}

/** A list of NodeMetrics. */
export interface NodeMetricsList {
  /** Group and version of the object's schema. */
  apiVersion?: 'metrics.k8s.io/v1beta1';
  /** The metrics of all nodes. */
  items: NodeMetrics[];
  /** Name of the object's schema. */
  kind?: 'NodeMetricsList';
  /** Metadata of the list, usually empty. */
  metadata?: ListMeta;
}

/** What the containers of a pod used in a window of time. */
export interface PodMetrics {
  /** Group and version of the object's schema. */
  apiVersion?: 'metrics.k8s.io/v1beta1';
  /** The containers that ran in the window. */
  containers: ContainerMetrics[];
  /** Name of the object's schema. */
  kind?: 'PodMetrics';
  /** Name, namespace and labels of the pod. */
  metadata?: ObjectMeta;
  /** End of the window. */
  timestamp: Time;
  /** Length of the window, such as `15.035s`. */
  window: string;
}

/** A list of PodMetrics. */
export interface PodMetricsList {
  /** Group and version of the object's schema. */
  apiVersion?: 'metrics.k8s.io/v1beta1';
  /** The metrics of the pods. */
  items: PodMetrics[];
  /** Name of the object's schema. */
  kind?: 'PodMetricsList';
  /** Metadata of the list, usually empty. */
  metadata?: ListMeta;
}
