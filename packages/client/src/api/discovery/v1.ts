// Kubernetes 1.36.4, discovery.k8s.io/v1. Written by `npm run generate`; do not edit.

import type { ResourceDescriptor, Verb } from '../../meta/resource.ts';
import type { ListMeta, ObjectMeta, Open } from '../../meta/types.ts';
import type { ObjectReference } from '../core/v1.ts';

/** `/apis/discovery.k8s.io/v1/namespaces/{namespace}/endpointslices` */
export const endpointSlices: ResourceDescriptor<EndpointSlice, 'Namespaced', Verb, never> = {
  group: 'discovery.k8s.io',
  version: 'v1',
  resource: 'endpointslices',
  kind: 'EndpointSlice',
  singular: 'endpointslice',
  scope: 'Namespaced',
  verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  subresources: [],
  shortNames: [],
  categories: [],
};

/** One backend of a Service, usually a pod. */
export interface Endpoint {
  /**
   * Addresses of the endpoint, all of the slice's type. Consumers use the first; there are at
   * most 100.
   */
  addresses: string[];
  /** Whether the endpoint can serve. */
  conditions?: EndpointConditions;
  /** Topology labels that were set through a version that no longer exists. Read-only. */
  deprecatedTopology?: Record<string, string>;
  /** Zones and nodes that should use the endpoint. */
  hints?: EndpointHints;
  /** Host name of the endpoint, for its DNS name. */
  hostname?: string;
  /** Node that the endpoint is on. */
  nodeName?: string;
  /** Object behind the endpoint, usually the pod. */
  targetRef?: ObjectReference;
  /** Zone that the endpoint is in. */
  zone?: string;
}

/**
 * Whether an endpoint can serve. A missing value is to be read as true for `ready` and
 * `serving`, as false for `terminating`.
 */
export interface EndpointConditions {
  /**
   * Whether the endpoint should receive traffic. False for terminating endpoints, unless the
   * Service publishes those that are not ready.
   */
  ready?: boolean;
  /** Whether the endpoint can answer requests, even while it is terminating. */
  serving?: boolean;
  /** Whether the endpoint is shutting down. */
  terminating?: boolean;
}

/** Who should use an endpoint. */
export interface EndpointHints {
  /** Nodes that should use the endpoint. At most 8. */
  forNodes?: ForNode[];
  /** Zones that should use the endpoint. At most 8. */
  forZones?: ForZone[];
}

/** A port of all endpoints in a slice. */
export interface EndpointPort {
  /** Protocol on top of the transport, such as `kubernetes.io/h2c`. A hint for implementations. */
  appProtocol?: string;
  /** Name of the port in the Service. Unique in the slice; may be empty. */
  name?: string;
  /** Number of the port. Without it, consumers decide what to do. */
  port?: number;
  /** Transport protocol. Default `TCP`. */
  protocol?: Open<'SCTP' | 'TCP' | 'UDP'>;
}

/**
 * A part of the backends of a Service. The label `kubernetes.io/service-name` says which; a
 * Service may have several slices.
 */
export interface EndpointSlice {
  /** Kind of the addresses. `FQDN` is deprecated. Cannot change. */
  addressType: Open<'FQDN' | 'IPv4' | 'IPv6'>;
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'discovery.k8s.io/v1';
  /** The backends, at most 1000. */
  endpoints?: Endpoint[] | null;
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'EndpointSlice';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** Ports of each endpoint, at most 100. If empty, no port is defined. */
  ports?: EndpointPort[] | null;
}

/** A list of EndpointSlice objects, as a list request returns it. Large lists come in pages. */
export interface EndpointSliceList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'discovery.k8s.io/v1';
  /** The objects of this page. */
  items: EndpointSlice[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'EndpointSliceList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** A node that should use an endpoint. */
export interface ForNode {
  /** Name of the node. */
  name: string;
}

/** A zone that should use an endpoint. */
export interface ForZone {
  /** Name of the zone. */
  name: string;
}
