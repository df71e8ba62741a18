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
  apiVersion?: 'resource.k8s.io/v1alpha3';
  kind?: 'DeviceTaintRule';
  metadata?: ObjectMeta;
  spec: DeviceTaintRuleSpec;
  status?: DeviceTaintRuleStatus;
}

export interface DeviceTaintRuleList {
  apiVersion?: 'resource.k8s.io/v1alpha3';
  items: DeviceTaintRule[];
  kind?: 'DeviceTaintRuleList';
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
  apiVersion?: 'resource.k8s.io/v1alpha3';
  kind?: 'ResourcePoolStatusRequest';
  metadata: ObjectMeta;
  spec: ResourcePoolStatusRequestSpec;
  status?: ResourcePoolStatusRequestStatus;
}

export interface ResourcePoolStatusRequestList {
  apiVersion?: 'resource.k8s.io/v1alpha3';
  items: ResourcePoolStatusRequest[];
  kind?: 'ResourcePoolStatusRequestList';
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
