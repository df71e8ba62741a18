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

export interface APIService {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'apiregistration.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'APIService';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  spec?: APIServiceSpec;
  status?: APIServiceStatus;
}

export interface APIServiceCondition {
  lastTransitionTime?: Time;
  message?: string;
  reason?: string;
  status: string;
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

export interface APIServiceSpec {
  caBundle?: Base64;
  group?: string;
  groupPriorityMinimum: number;
  insecureSkipTLSVerify?: boolean;
  service?: ServiceReference;
  version?: string;
  versionPriority: number;
}

export interface APIServiceStatus {
  conditions?: APIServiceCondition[];
}

export interface ServiceReference {
  name?: string;
  namespace?: string;
  port?: number;
}
