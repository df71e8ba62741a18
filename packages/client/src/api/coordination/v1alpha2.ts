// Kubernetes 1.36.4, coordination.k8s.io/v1alpha2. Written by `npm run generate`; do not edit.

import type { ResourceDescriptor, Verb } from '../../meta/resource.ts';
import type { ListMeta, MicroTime, ObjectMeta } from '../../meta/types.ts';

/** `/apis/coordination.k8s.io/v1alpha2/namespaces/{namespace}/leasecandidates` */
export const leaseCandidates: ResourceDescriptor<LeaseCandidate, 'Namespaced', Verb, never> = {
  group: 'coordination.k8s.io',
  version: 'v1alpha2',
  resource: 'leasecandidates',
  kind: 'LeaseCandidate',
  singular: 'leasecandidate',
  scope: 'Namespaced',
  verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  subresources: [],
  shortNames: [],
  categories: [],
};

export interface LeaseCandidate {
  apiVersion?: 'coordination.k8s.io/v1alpha2';
  kind?: 'LeaseCandidate';
  metadata?: ObjectMeta;
  spec: LeaseCandidateSpec;
}

export interface LeaseCandidateList {
  apiVersion?: 'coordination.k8s.io/v1alpha2';
  items: LeaseCandidate[];
  kind?: 'LeaseCandidateList';
  metadata?: ListMeta;
}

export interface LeaseCandidateSpec {
  binaryVersion: string;
  emulationVersion?: string;
  leaseName: string;
  pingTime?: MicroTime;
  renewTime?: MicroTime;
  strategy: string;
}
