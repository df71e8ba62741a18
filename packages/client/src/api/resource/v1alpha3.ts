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

/** A mark on a device that keeps away claims which do not tolerate it. */
export interface DeviceTaint {
  /**
   * `NoSchedule` keeps new pods away, `NoExecute` evicts running ones as well, `None` only
   * informs.
   */
  effect: Open<'NoExecute' | 'NoSchedule' | 'None'>;
  /** Name of the taint. */
  key: string;
  /** When the taint was added. Set by the server. */
  timeAdded?: Time;
  /** Value that tolerations are compared with. */
  value?: string;
}

/** Adds a taint to certain devices. */
export interface DeviceTaintRule {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'resource.k8s.io/v1alpha3';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'DeviceTaintRule';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The devices and the taint. */
  spec: DeviceTaintRuleSpec;
  /** The observed state. Read-only. */
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

/** Devices and the taint for them. */
export interface DeviceTaintRuleSpec {
  /** The devices. An empty selector means all, a missing one none. */
  deviceSelector?: DeviceTaintSelector;
  /** The taint. */
  taint: DeviceTaint;
}

/** The observed state of a taint rule. */
export interface DeviceTaintRuleStatus {
  /** Aspects of the state. `EvictionInProgress` shows whether pods are still being evicted. */
  conditions?: Condition[];
}

/** Selects devices. All fields that are set must match. */
export interface DeviceTaintSelector {
  /** Name of the device. Usually together with driver and pool. */
  device?: string;
  /** Name of the driver. */
  driver?: string;
  /** Name of the pool. */
  pool?: string;
}

/** State of a pool of devices. */
export interface PoolStatus {
  /** Devices that are allocated. */
  allocatedDevices?: number;
  /** Devices that can be allocated. */
  availableDevices?: number;
  /** Name of the driver. */
  driver: string;
  /** Generation of the pool that was looked at. */
  generation: number;
  /** Node of the devices, if there is a single one. */
  nodeName?: string;
  /** Name of the pool. */
  poolName: string;
  /** Number of slices of the pool. */
  resourceSliceCount?: number;
  /** Devices in total. */
  totalDevices?: number;
  /** Devices that cannot be allocated, for example because of taints. */
  unavailableDevices?: number;
  /** Why the pool is incomplete or invalid. The counts are then absent. */
  validationError?: string;
}

/** Asks for the state of pools of devices. It is answered once. */
export interface ResourcePoolStatusRequest {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'resource.k8s.io/v1alpha3';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ResourcePoolStatusRequest';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata: ObjectMeta;
  /** The pools to look at. Cannot change. */
  spec: ResourcePoolStatusRequestSpec;
  /** The answer, filled in by a controller. */
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

/** Pools to look at. */
export interface ResourcePoolStatusRequestSpec {
  /** Driver whose pools are looked at. */
  driver: string;
  /**
   * Most pools in the answer.
   *
   * @default 100
   */
  limit?: number;
  /** A single pool. Default is all pools of the driver. */
  poolName?: string;
}

/** State of the pools that were asked for. */
export interface ResourcePoolStatusRequestStatus {
  /** Aspects of the state. `Complete` tells that the answer is there. */
  conditions?: Condition[];
  /** Number of pools that match, also those beyond the limit. */
  poolCount: number;
  /** State of each pool, sorted by driver and pool. */
  pools?: PoolStatus[];
}
