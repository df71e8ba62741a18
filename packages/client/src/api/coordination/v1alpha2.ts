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
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'coordination.k8s.io/v1alpha2';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'LeaseCandidate';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  spec: LeaseCandidateSpec;
}

/** A list of LeaseCandidate objects, as a list request returns it. Large lists come in pages. */
export interface LeaseCandidateList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'coordination.k8s.io/v1alpha2';
  /** The objects of this page. */
  items: LeaseCandidate[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'LeaseCandidateList';
  /** The resource version at which the list was read, and the token for the next page. */
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
