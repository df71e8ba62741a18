// Kubernetes 1.36.4, coordination.k8s.io/v1. Written by `npm run generate`; do not edit.

import type { ResourceDescriptor, Verb } from '../../meta/resource.ts';
import type { ListMeta, MicroTime, ObjectMeta } from '../../meta/types.ts';

/** `/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases` */
export const leases: ResourceDescriptor<Lease, 'Namespaced', Verb, never> = {
  group: 'coordination.k8s.io',
  version: 'v1',
  resource: 'leases',
  kind: 'Lease',
  singular: 'lease',
  scope: 'Namespaced',
  verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  subresources: [],
  shortNames: [],
  categories: [],
};

export interface Lease {
  apiVersion?: 'coordination.k8s.io/v1';
  kind?: 'Lease';
  metadata?: ObjectMeta;
  spec?: LeaseSpec;
}

export interface LeaseList {
  apiVersion?: 'coordination.k8s.io/v1';
  items: Lease[];
  kind?: 'LeaseList';
  metadata?: ListMeta;
}

export interface LeaseSpec {
  acquireTime?: MicroTime;
  holderIdentity?: string;
  leaseDurationSeconds?: number;
  leaseTransitions?: number;
  preferredHolder?: string;
  renewTime?: MicroTime;
  strategy?: string;
}
