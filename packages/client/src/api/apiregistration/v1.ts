// Kubernetes 1.36.4, apiregistration.k8s.io/v1. Written by `npm run generate`; do not edit.

import type { ResourceDescriptor, Verb } from '../../meta/resource.ts';
import type { Base64, ListMeta, ObjectMeta, Time } from '../../meta/types.ts';

/** `/apis/apiregistration.k8s.io/v1/apiservices` */
export const apiServices: ResourceDescriptor<APIService, 'Cluster', Verb, 'status'> = {
  group: 'apiregistration.k8s.io',
  version: 'v1',
  resource: 'apiservices',
  kind: 'APIService',
  singular: 'apiservice',
  scope: 'Cluster',
  verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  subresources: [
    {
      name: 'status',
      kind: { group: 'apiregistration.k8s.io', version: 'v1', kind: 'APIService' },
      verbs: ['get', 'patch', 'update'],
    },
  ],
  shortNames: [],
  categories: ['api-extensions'],
};

/**
 * A group-version that the API server serves itself or forwards to another server. Its name
 * must be `<version>.<group>`.
 */
export interface APIService {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'apiregistration.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'APIService';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The group-version and its server. */
  spec?: APIServiceSpec;
  /** The observed state. Read-only. */
  status?: APIServiceStatus;
}

/** One aspect of an APIService's state. `Available` shows whether its server can be reached. */
export interface APIServiceCondition {
  /**
   * When `status` last changed from one value to another. A new message or reason alone does
   * not move it.
   */
  lastTransitionTime?: Time;
  /** Details for people. May be empty; not meant to be parsed. */
  message?: string;
  /** The cause of the last transition as one CamelCase word, for programs. */
  reason?: string;
  /** Whether the condition holds. `Unknown` means that the controller cannot tell. */
  status: string;
  /**
   * Name of the condition in CamelCase, such as `Ready`; other projects prefix it with their
   * domain.
   */
  type: string;
}

/** A list of APIService objects, as a list request returns it. Large lists come in pages. */
export interface APIServiceList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'apiregistration.k8s.io/v1';
  /** The objects of this page. */
  items: APIService[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'APIServiceList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** A group-version and its server. */
export interface APIServiceSpec {
  /** Certificates in PEM that the server's certificate is checked against. */
  caBundle?: Base64;
  /** The API group. */
  group?: string;
  /**
   * Priority of the group in discovery; the highest of its versions counts. Higher comes
   * first.
   */
  groupPriorityMinimum: number;
  /** Accepts any certificate of the server. Insecure. */
  insecureSkipTLSVerify?: boolean;
  /** Service of the server. Absent if the API server serves the group-version itself. */
  service?: ServiceReference;
  /** The version. */
  version?: string;
  /**
   * Priority of the version in its group. Higher comes first; equal ones are sorted by
   * version.
   */
  versionPriority: number;
}

/** The observed state of an APIService. */
export interface APIServiceStatus {
  /** Aspects of the state, at most one of each type. */
  conditions?: APIServiceCondition[];
}

/** Refers to a Service by name and port. */
export interface ServiceReference {
  /** Name of the Service. */
  name?: string;
  /** Namespace of the Service. */
  namespace?: string;
  /** Port of the Service. Default 443. */
  port?: number;
}
