// Kubernetes 1.36.4, resource.k8s.io/v1alpha3. Written by `npm run generate`; do not edit.

import type { ResourceDescriptor, Verb } from '../../meta/resource.ts';
import type { Condition, ListMeta, ObjectMeta, Open, Time } from '../../meta/types.ts';

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

/** `/apis/resource.k8s.io/v1alpha3/devicetaintrules` */
export const deviceTaintRules: ResourceDescriptor<DeviceTaintRule, 'Cluster', Verb, 'status'> = {
  group: 'resource.k8s.io',
  version: 'v1alpha3',
  resource: 'devicetaintrules',
  kind: 'DeviceTaintRule',
  singular: 'devicetaintrule',
  scope: 'Cluster',
  verbs: everyVerb,
  subresources: [
    {
      name: 'status',
      kind: { group: 'resource.k8s.io', version: 'v1alpha3', kind: 'DeviceTaintRule' },
      verbs: ['get', 'patch', 'update'],
    },
  ],
  shortNames: [],
  categories: [],
};

/** `/apis/resource.k8s.io/v1alpha3/resourcepoolstatusrequests` */
export const resourcePoolStatusRequests: ResourceDescriptor<
  ResourcePoolStatusRequest,
  'Cluster',
  Verb,
  'status'
> = {
  group: 'resource.k8s.io',
  version: 'v1alpha3',
  resource: 'resourcepoolstatusrequests',
  kind: 'ResourcePoolStatusRequest',
  singular: 'resourcepoolstatusrequest',
  scope: 'Cluster',
  verbs: everyVerb,
  subresources: [
    {
      name: 'status',
      kind: { group: 'resource.k8s.io', version: 'v1alpha3', kind: 'ResourcePoolStatusRequest' },
      verbs: ['get', 'patch', 'update'],
    },
  ],
  shortNames: [],
  categories: [],
};

export interface DeviceTaint {
  effect: Open<'NoExecute' | 'NoSchedule' | 'None'>;
  key: string;
  timeAdded?: Time;
  value?: string;
}

export interface DeviceTaintRule {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'resource.k8s.io/v1alpha3';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'DeviceTaintRule';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  spec: DeviceTaintRuleSpec;
  status?: DeviceTaintRuleStatus;
}

/**
 * A list of DeviceTaintRule objects, as a list request returns it. Large lists come in
 * pages.
 */
export interface DeviceTaintRuleList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'resource.k8s.io/v1alpha3';
  /** The objects of this page. */
  items: DeviceTaintRule[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'DeviceTaintRuleList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

export interface DeviceTaintRuleSpec {
  deviceSelector?: DeviceTaintSelector;
  taint: DeviceTaint;
}

export interface DeviceTaintRuleStatus {
  conditions?: Condition[];
}

export interface DeviceTaintSelector {
  device?: string;
  driver?: string;
  pool?: string;
}

export interface PoolStatus {
  allocatedDevices?: number;
  availableDevices?: number;
  driver: string;
  generation: number;
  nodeName?: string;
  poolName: string;
  resourceSliceCount?: number;
  totalDevices?: number;
  unavailableDevices?: number;
  validationError?: string;
}

export interface ResourcePoolStatusRequest {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'resource.k8s.io/v1alpha3';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ResourcePoolStatusRequest';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata: ObjectMeta;
  spec: ResourcePoolStatusRequestSpec;
  status?: ResourcePoolStatusRequestStatus;
}

/**
 * A list of ResourcePoolStatusRequest objects, as a list request returns it. Large lists
 * come in pages.
 */
export interface ResourcePoolStatusRequestList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'resource.k8s.io/v1alpha3';
  /** The objects of this page. */
  items: ResourcePoolStatusRequest[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ResourcePoolStatusRequestList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

export interface ResourcePoolStatusRequestSpec {
  driver: string;
  /** @default 100 */
  limit?: number;
  poolName?: string;
}

export interface ResourcePoolStatusRequestStatus {
  conditions?: Condition[];
  poolCount: number;
  pools?: PoolStatus[];
}
