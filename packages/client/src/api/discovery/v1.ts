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

export interface Endpoint {
  addresses: string[];
  conditions?: EndpointConditions;
  deprecatedTopology?: Record<string, string>;
  hints?: EndpointHints;
  hostname?: string;
  nodeName?: string;
  targetRef?: ObjectReference;
  zone?: string;
}

export interface EndpointConditions {
  ready?: boolean;
  serving?: boolean;
  terminating?: boolean;
}

export interface EndpointHints {
  forNodes?: ForNode[];
  forZones?: ForZone[];
}

export interface EndpointPort {
  appProtocol?: string;
  name?: string;
  port?: number;
  protocol?: Open<'SCTP' | 'TCP' | 'UDP'>;
}

export interface EndpointSlice {
  addressType: Open<'FQDN' | 'IPv4' | 'IPv6'>;
  apiVersion?: 'discovery.k8s.io/v1';
  endpoints?: Endpoint[];
  kind?: 'EndpointSlice';
  metadata?: ObjectMeta;
  ports?: EndpointPort[];
}

export interface EndpointSliceList {
  apiVersion?: 'discovery.k8s.io/v1';
  items: EndpointSlice[];
  kind?: 'EndpointSliceList';
  metadata?: ListMeta;
}

export interface ForNode {
  name: string;
}

export interface ForZone {
  name: string;
}
