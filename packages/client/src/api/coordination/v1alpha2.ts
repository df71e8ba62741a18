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

/** A candidate for the coordinated election of a leader. */
export interface LeaseCandidate {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'coordination.k8s.io/v1alpha2';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'LeaseCandidate';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** Version and availability of the candidate. */
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

/** Version and availability of a candidate. */
export interface LeaseCandidateSpec {
  /** Version of the candidate's program, as a semantic version. */
  binaryVersion: string;
  /** Version that the candidate behaves like. Required for strategy `OldestEmulationVersion`. */
  emulationVersion?: string;
  /** Lease that the candidate competes for. Cannot change. */
  leaseName: string;
  /**
   * When the server last asked the candidate to renew. A candidate that does not answer is
   * left out.
   */
  pingTime?: MicroTime;
  /** When the candidate last renewed. */
  renewTime?: MicroTime;
  /** Strategy that the candidate asks for. The highest-versioned candidates decide. */
  strategy: string;
}
