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

/** The versions in which one API server reads and writes a resource. */
export interface ServerStorageVersion {
  /** ID of the server. */
  apiServerID: string;
  /** Versions that the server can read. */
  decodableVersions: string[];
  /** Version that the server writes. */
  encodingVersion: string;
  /** Versions that the server serves. */
  servedVersions?: string[];
}

/**
 * The versions in which the API servers of a cluster store a resource. Named
 * `<group>.<resource>`.
 */
export interface StorageVersion {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'internal.apiserver.k8s.io/v1alpha1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'StorageVersion';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata: ObjectMeta;
  /** Always empty. */
  spec?: StorageVersionSpec;
  /** The versions by server. */
  status?: StorageVersionStatus;
}

/**
 * One aspect of a StorageVersion's state. `AllEncodingVersionsEqual` shows whether all
 * servers agree.
 */
export interface StorageVersionCondition {
  /**
   * When `status` last changed from one value to another. A new message or reason alone does
   * not move it.
   */
  lastTransitionTime?: Time;
  /** Details for people. May be empty; not meant to be parsed. */
  message: string;
  /**
   * The `metadata.generation` that the condition was computed from. If it is lower than the
   * current generation, the condition is out of date.
   */
  observedGeneration?: number;
  /** The cause of the last transition as one CamelCase word, for programs. */
  reason: string;
  /** Whether the condition holds. `Unknown` means that the controller cannot tell. */
  status: string;
  /**
   * Name of the condition in CamelCase, such as `Ready`; other projects prefix it with their
   * domain.
   */
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

/** An empty object. */
export type StorageVersionSpec = Record<string, never>;

/** The versions of a resource by server. */
export interface StorageVersionStatus {
  /** Version that all servers write. Empty if they differ. */
  commonEncodingVersion?: string;
  /** Aspects of the state, at most one of each type. */
  conditions?: StorageVersionCondition[];
  /** Versions by server. */
  storageVersions?: ServerStorageVersion[];
}
