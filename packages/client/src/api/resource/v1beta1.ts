// Kubernetes 1.36.4, resource.k8s.io/v1beta1. Written by `npm run generate`; do not edit.

import type { ResourceDescriptor, Verb } from '../../meta/resource.ts';
import type {
  Condition,
  ListMeta,
  ObjectMeta,
  Open,
  Quantity,
  RawExtension,
  Time,
} from '../../meta/types.ts';
import type { NodeSelector } from '../core/v1.ts';

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

/** `/apis/resource.k8s.io/v1beta1/deviceclasses` */
export const deviceClasses: ResourceDescriptor<DeviceClass, 'Cluster', Verb, never> = {
  group: 'resource.k8s.io',
  version: 'v1beta1',
  resource: 'deviceclasses',
  kind: 'DeviceClass',
  singular: 'deviceclass',
  scope: 'Cluster',
  verbs: everyVerb,
  subresources: [],
  shortNames: [],
  categories: [],
};

/** `/apis/resource.k8s.io/v1beta1/namespaces/{namespace}/resourceclaims` */
export const resourceClaims: ResourceDescriptor<ResourceClaim, 'Namespaced', Verb, 'status'> = {
  group: 'resource.k8s.io',
  version: 'v1beta1',
  resource: 'resourceclaims',
  kind: 'ResourceClaim',
  singular: 'resourceclaim',
  scope: 'Namespaced',
  verbs: everyVerb,
  subresources: [
    {
      name: 'status',
      kind: { group: 'resource.k8s.io', version: 'v1beta1', kind: 'ResourceClaim' },
      verbs: ['get', 'patch', 'update'],
    },
  ],
  shortNames: [],
  categories: [],
};

/** `/apis/resource.k8s.io/v1beta1/namespaces/{namespace}/resourceclaimtemplates` */
export const resourceClaimTemplates: ResourceDescriptor<
  ResourceClaimTemplate,
  'Namespaced',
  Verb,
  never
> = {
  group: 'resource.k8s.io',
  version: 'v1beta1',
  resource: 'resourceclaimtemplates',
  kind: 'ResourceClaimTemplate',
  singular: 'resourceclaimtemplate',
  scope: 'Namespaced',
  verbs: everyVerb,
  subresources: [],
  shortNames: [],
  categories: [],
};

/** `/apis/resource.k8s.io/v1beta1/resourceslices` */
export const resourceSlices: ResourceDescriptor<ResourceSlice, 'Cluster', Verb, never> = {
  group: 'resource.k8s.io',
  version: 'v1beta1',
  resource: 'resourceslices',
  kind: 'ResourceSlice',
  singular: 'resourceslice',
  scope: 'Cluster',
  verbs: everyVerb,
  subresources: [],
  shortNames: [],
  categories: [],
};

export interface AllocatedDeviceStatus {
  conditions?: Condition[];
  data?: RawExtension;
  device: string;
  driver: string;
  networkData?: NetworkDeviceData;
  pool: string;
  shareID?: string;
}

export interface AllocationResult {
  allocationTimestamp?: Time;
  devices?: DeviceAllocationResult;
  nodeSelector?: NodeSelector;
}

export interface BasicDevice {
  allNodes?: boolean;
  allowMultipleAllocations?: boolean;
  attributes?: Record<string, DeviceAttribute>;
  bindingConditions?: string[];
  bindingFailureConditions?: string[];
  bindsToNode?: boolean;
  capacity?: Record<string, DeviceCapacity>;
  consumesCounters?: DeviceCounterConsumption[];
  nodeAllocatableResourceMappings?: Record<string, NodeAllocatableResourceMapping>;
  nodeName?: string;
  nodeSelector?: NodeSelector;
  taints?: DeviceTaint[];
}

export interface CELDeviceSelector {
  expression: string;
}

export interface CapacityRequestPolicy {
  default?: Quantity;
  validRange?: CapacityRequestPolicyRange;
  validValues?: Quantity[];
}

export interface CapacityRequestPolicyRange {
  max?: Quantity;
  min: Quantity;
  step?: Quantity;
}

export interface CapacityRequirements {
  requests?: Record<string, Quantity>;
}

export interface Counter {
  value: Quantity;
}

export interface CounterSet {
  counters: Record<string, Counter>;
  name: string;
}

export interface Device {
  basic?: BasicDevice;
  name: string;
}

export interface DeviceAllocationConfiguration {
  opaque?: OpaqueDeviceConfiguration;
  requests?: string[];
  source: Open<'FromClaim' | 'FromClass'>;
}

export interface DeviceAllocationResult {
  config?: DeviceAllocationConfiguration[];
  results?: DeviceRequestAllocationResult[];
}

export interface DeviceAttribute {
  bool?: boolean;
  bools?: boolean[];
  int?: number;
  ints?: number[];
  string?: string;
  strings?: string[];
  version?: string;
  versions?: string[];
}

export interface DeviceCapacity {
  requestPolicy?: CapacityRequestPolicy;
  value: Quantity;
}

export interface DeviceClaim {
  config?: DeviceClaimConfiguration[];
  constraints?: DeviceConstraint[];
  requests?: DeviceRequest[];
}

export interface DeviceClaimConfiguration {
  opaque?: OpaqueDeviceConfiguration;
  requests?: string[];
}

export interface DeviceClass {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'resource.k8s.io/v1beta1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'DeviceClass';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  spec: DeviceClassSpec;
}

export interface DeviceClassConfiguration {
  opaque?: OpaqueDeviceConfiguration;
}

/** A list of DeviceClass objects, as a list request returns it. Large lists come in pages. */
export interface DeviceClassList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'resource.k8s.io/v1beta1';
  /** The objects of this page. */
  items: DeviceClass[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'DeviceClassList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

export interface DeviceClassSpec {
  config?: DeviceClassConfiguration[];
  extendedResourceName?: string;
  selectors?: DeviceSelector[];
}

export interface DeviceConstraint {
  distinctAttribute?: string;
  matchAttribute?: string;
  requests?: string[];
}

export interface DeviceCounterConsumption {
  counterSet: string;
  counters: Record<string, Counter>;
}

export interface DeviceRequest {
  adminAccess?: boolean;
  allocationMode?: Open<'All' | 'ExactCount'>;
  capacity?: CapacityRequirements;
  count?: number;
  deviceClassName?: string;
  firstAvailable?: DeviceSubRequest[];
  name: string;
  selectors?: DeviceSelector[];
  tolerations?: DeviceToleration[];
}

export interface DeviceRequestAllocationResult {
  adminAccess?: boolean;
  bindingConditions?: string[];
  bindingFailureConditions?: string[];
  consumedCapacity?: Record<string, Quantity>;
  device: string;
  driver: string;
  pool: string;
  request: string;
  shareID?: string;
  tolerations?: DeviceToleration[];
}

export interface DeviceSelector {
  cel?: CELDeviceSelector;
}

export interface DeviceSubRequest {
  allocationMode?: Open<'All' | 'ExactCount'>;
  capacity?: CapacityRequirements;
  count?: number;
  deviceClassName: string;
  name: string;
  selectors?: DeviceSelector[];
  tolerations?: DeviceToleration[];
}

export interface DeviceTaint {
  effect: Open<'NoExecute' | 'NoSchedule' | 'None'>;
  key: string;
  timeAdded?: Time;
  value?: string;
}

export interface DeviceToleration {
  effect?: Open<'NoExecute' | 'NoSchedule' | 'None'>;
  key?: string;
  /** @default 'Equal' */
  operator?: Open<'Equal' | 'Exists'>;
  tolerationSeconds?: number;
  value?: string;
}

export interface NetworkDeviceData {
  hardwareAddress?: string;
  interfaceName?: string;
  ips?: string[];
}

export interface NodeAllocatableResourceMapping {
  allocationMultiplier?: Quantity;
  capacityKey?: string;
}

export interface OpaqueDeviceConfiguration {
  driver: string;
  parameters: RawExtension;
}

export interface ResourceClaim {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'resource.k8s.io/v1beta1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ResourceClaim';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  spec: ResourceClaimSpec;
  status?: ResourceClaimStatus;
}

export interface ResourceClaimConsumerReference {
  apiGroup?: string;
  name: string;
  resource: string;
  uid: string;
}

/** A list of ResourceClaim objects, as a list request returns it. Large lists come in pages. */
export interface ResourceClaimList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'resource.k8s.io/v1beta1';
  /** The objects of this page. */
  items: ResourceClaim[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ResourceClaimList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

export interface ResourceClaimSpec {
  devices?: DeviceClaim;
}

export interface ResourceClaimStatus {
  allocation?: AllocationResult;
  devices?: AllocatedDeviceStatus[];
  reservedFor?: ResourceClaimConsumerReference[];
}

export interface ResourceClaimTemplate {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'resource.k8s.io/v1beta1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ResourceClaimTemplate';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  spec: ResourceClaimTemplateSpec;
}

/**
 * A list of ResourceClaimTemplate objects, as a list request returns it. Large lists come in
 * pages.
 */
export interface ResourceClaimTemplateList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'resource.k8s.io/v1beta1';
  /** The objects of this page. */
  items: ResourceClaimTemplate[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ResourceClaimTemplateList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

export interface ResourceClaimTemplateSpec {
  metadata?: ObjectMeta;
  spec: ResourceClaimSpec;
}

export interface ResourcePool {
  generation: number;
  name: string;
  resourceSliceCount: number;
}

export interface ResourceSlice {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'resource.k8s.io/v1beta1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ResourceSlice';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  spec: ResourceSliceSpec;
}

/** A list of ResourceSlice objects, as a list request returns it. Large lists come in pages. */
export interface ResourceSliceList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'resource.k8s.io/v1beta1';
  /** The objects of this page. */
  items: ResourceSlice[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ResourceSliceList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

export interface ResourceSliceSpec {
  allNodes?: boolean;
  devices?: Device[];
  driver: string;
  nodeName?: string;
  nodeSelector?: NodeSelector;
  perDeviceNodeSelection?: boolean;
  pool: ResourcePool;
  sharedCounters?: CounterSet[];
}
