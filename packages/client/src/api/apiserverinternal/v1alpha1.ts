// Kubernetes 1.36.4, internal.apiserver.k8s.io/v1alpha1. Written by `npm run generate`; do not edit.

import type { ResourceDescriptor, Verb } from '../../meta/resource.ts';
import type { ListMeta, ObjectMeta, Time } from '../../meta/types.ts';

/** `/apis/internal.apiserver.k8s.io/v1alpha1/storageversions` */
export const storageVersions: ResourceDescriptor<StorageVersion, 'Cluster', Verb, 'status'> = {
  group: 'internal.apiserver.k8s.io',
  version: 'v1alpha1',
  resource: 'storageversions',
  kind: 'StorageVersion',
  singular: 'storageversion',
  scope: 'Cluster',
  verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  subresources: [
    {
      name: 'status',
      kind: { group: 'internal.apiserver.k8s.io', version: 'v1alpha1', kind: 'StorageVersion' },
      verbs: ['get', 'patch', 'update'],
    },
  ],
  shortNames: [],
  categories: [],
};

export interface ServerStorageVersion {
  apiServerID: string;
  decodableVersions: string[];
  encodingVersion: string;
  servedVersions?: string[];
}

export interface StorageVersion {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'internal.apiserver.k8s.io/v1alpha1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'StorageVersion';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata: ObjectMeta;
  spec?: StorageVersionSpec;
  status?: StorageVersionStatus;
}

export interface StorageVersionCondition {
  lastTransitionTime?: Time;
  message: string;
  observedGeneration?: number;
  reason: string;
  status: string;
  type: string;
}

/** A list of StorageVersion objects, as a list request returns it. Large lists come in pages. */
export interface StorageVersionList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'internal.apiserver.k8s.io/v1alpha1';
  /** The objects of this page. */
  items: StorageVersion[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'StorageVersionList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

export type StorageVersionSpec = Record<string, never>;

export interface StorageVersionStatus {
  commonEncodingVersion?: string;
  conditions?: StorageVersionCondition[];
  storageVersions?: ServerStorageVersion[];
}
