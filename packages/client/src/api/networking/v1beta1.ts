// Kubernetes 1.36.4, networking.k8s.io/v1beta1. Written by `npm run generate`; do not edit.

import type { ResourceDescriptor, Verb } from '../../meta/resource.ts';
import type { Condition, ListMeta, ObjectMeta } from '../../meta/types.ts';

const everyVerb: readonly Verb[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

/** `/apis/networking.k8s.io/v1beta1/ipaddresses` */
export const ipAddresses: ResourceDescriptor<IPAddress, 'Cluster', Verb, never> = {
  group: 'networking.k8s.io',
  version: 'v1beta1',
  resource: 'ipaddresses',
  kind: 'IPAddress',
  singular: 'ipaddress',
  scope: 'Cluster',
  verbs: everyVerb,
  subresources: [],
  shortNames: ['ip'],
  categories: [],
};

/** `/apis/networking.k8s.io/v1beta1/servicecidrs` */
export const serviceCIDRs: ResourceDescriptor<ServiceCIDR, 'Cluster', Verb, 'status'> = {
  group: 'networking.k8s.io',
  version: 'v1beta1',
  resource: 'servicecidrs',
  kind: 'ServiceCIDR',
  singular: 'servicecidr',
  scope: 'Cluster',
  verbs: everyVerb,
  subresources: [
    {
      name: 'status',
      kind: { group: 'networking.k8s.io', version: 'v1beta1', kind: 'ServiceCIDR' },
      verbs: ['get', 'patch', 'update'],
    },
  ],
  shortNames: [],
  categories: [],
};

/**
 * An address in use, so that it is allocated once. Named after the address; managed by the
 * server for Services.
 */
export interface IPAddress {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'networking.k8s.io/v1beta1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'IPAddress';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** What uses the address. */
  spec: IPAddressSpec;
}

/** A list of IPAddress objects, as a list request returns it. Large lists come in pages. */
export interface IPAddressList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'networking.k8s.io/v1beta1';
  /** The objects of this page. */
  items: IPAddress[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'IPAddressList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** What uses an address. */
export interface IPAddressSpec {
  /** The object that uses the address. */
  parentRef: ParentReference;
}

/** The object that an address belongs to. */
export interface ParentReference {
  /** API group of the object. */
  group?: string;
  /** Name of the object. */
  name: string;
  /** Namespace of the object. */
  namespace?: string;
  /** Plural name of the resource. */
  resource: string;
}

/** A range of addresses for Services. Several ranges add up. */
export interface ServiceCIDR {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'networking.k8s.io/v1beta1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ServiceCIDR';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The ranges. */
  spec?: ServiceCIDRSpec;
  /** The observed state. Read-only. */
  status?: ServiceCIDRStatus;
}

/** A list of ServiceCIDR objects, as a list request returns it. Large lists come in pages. */
export interface ServiceCIDRList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'networking.k8s.io/v1beta1';
  /** The objects of this page. */
  items: ServiceCIDR[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ServiceCIDRList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** Ranges of addresses. */
export interface ServiceCIDRSpec {
  /** Ranges, at most one IPv4 and one IPv6. Cannot change. */
  cidrs?: string[];
}

/** The observed state of a range of addresses. */
export interface ServiceCIDRStatus {
  /** Aspects of the state. `Ready` is false while the range is being removed. */
  conditions?: Condition[];
}
