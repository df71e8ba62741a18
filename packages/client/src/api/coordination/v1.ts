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

/** A lock with an expiry, for leader election and heartbeats. */
export interface Lease {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'coordination.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'Lease';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** Who holds the lock and until when. */
  spec?: LeaseSpec;
}

/** A list of Lease objects, as a list request returns it. Large lists come in pages. */
export interface LeaseList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'coordination.k8s.io/v1';
  /** The objects of this page. */
  items: Lease[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'LeaseList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** Who holds a lock and until when. */
export interface LeaseSpec {
  /** When the current holder took the lock. */
  acquireTime?: MicroTime;
  /** The holder. Empty if the lock is free. */
  holderIdentity?: string;
  /** Seconds after `renewTime` at which others may take the lock. */
  leaseDurationSeconds?: number;
  /** How often the lock has changed hands. */
  leaseTransitions?: number;
  /**
   * Candidate that should become the next holder. The current one should release the lock.
   * Needs `strategy`.
   */
  preferredHolder?: string;
  /** When the holder last renewed the lock. */
  renewTime?: MicroTime;
  /**
   * How the next holder is chosen by the coordinated leader election, such as
   * `OldestEmulationVersion`. Empty without it.
   */
  strategy?: string;
}
