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

export interface IPAddress {
  apiVersion?: 'networking.k8s.io/v1beta1';
  kind?: 'IPAddress';
  metadata?: ObjectMeta;
  spec: IPAddressSpec;
}

export interface IPAddressList {
  apiVersion?: 'networking.k8s.io/v1beta1';
  items: IPAddress[];
  kind?: 'IPAddressList';
  metadata?: ListMeta;
}

export interface IPAddressSpec {
  parentRef: ParentReference;
}

export interface ParentReference {
  group?: string;
  name: string;
  namespace?: string;
  resource: string;
}

export interface ServiceCIDR {
  apiVersion?: 'networking.k8s.io/v1beta1';
  kind?: 'ServiceCIDR';
  metadata?: ObjectMeta;
  spec?: ServiceCIDRSpec;
  status?: ServiceCIDRStatus;
}

export interface ServiceCIDRList {
  apiVersion?: 'networking.k8s.io/v1beta1';
  items: ServiceCIDR[];
  kind?: 'ServiceCIDRList';
  metadata?: ListMeta;
}

export interface ServiceCIDRSpec {
  cidrs?: string[];
}

export interface ServiceCIDRStatus {
  conditions?: Condition[];
}
