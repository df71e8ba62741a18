// Kubernetes 1.36.4, resource.k8s.io/v1beta2. Written by `npm run generate`; do not edit.

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

/** `/apis/resource.k8s.io/v1beta2/deviceclasses` */
export const deviceClasses: ResourceDescriptor<DeviceClass, 'Cluster', Verb, never> = {
  group: 'resource.k8s.io',
  version: 'v1beta2',
  resource: 'deviceclasses',
  kind: 'DeviceClass',
  singular: 'deviceclass',
  scope: 'Cluster',
  verbs: everyVerb,
  subresources: [],
  shortNames: [],
  categories: [],
};

/** `/apis/resource.k8s.io/v1beta2/devicetaintrules` */
export const deviceTaintRules: ResourceDescriptor<DeviceTaintRule, 'Cluster', Verb, 'status'> = {
  group: 'resource.k8s.io',
  version: 'v1beta2',
  resource: 'devicetaintrules',
  kind: 'DeviceTaintRule',
  singular: 'devicetaintrule',
  scope: 'Cluster',
  verbs: everyVerb,
  subresources: [
    {
      name: 'status',
      kind: { group: 'resource.k8s.io', version: 'v1beta2', kind: 'DeviceTaintRule' },
      verbs: ['get', 'patch', 'update'],
    },
  ],
  shortNames: [],
  categories: [],
};

/** `/apis/resource.k8s.io/v1beta2/namespaces/{namespace}/resourceclaims` */
export const resourceClaims: ResourceDescriptor<ResourceClaim, 'Namespaced', Verb, 'status'> = {
  group: 'resource.k8s.io',
  version: 'v1beta2',
  resource: 'resourceclaims',
  kind: 'ResourceClaim',
  singular: 'resourceclaim',
  scope: 'Namespaced',
  verbs: everyVerb,
  subresources: [
    {
      name: 'status',
      kind: { group: 'resource.k8s.io', version: 'v1beta2', kind: 'ResourceClaim' },
      verbs: ['get', 'patch', 'update'],
    },
  ],
  shortNames: [],
  categories: [],
};

/** `/apis/resource.k8s.io/v1beta2/namespaces/{namespace}/resourceclaimtemplates` */
export const resourceClaimTemplates: ResourceDescriptor<
  ResourceClaimTemplate,
  'Namespaced',
  Verb,
  never
> = {
  group: 'resource.k8s.io',
  version: 'v1beta2',
  resource: 'resourceclaimtemplates',
  kind: 'ResourceClaimTemplate',
  singular: 'resourceclaimtemplate',
  scope: 'Namespaced',
  verbs: everyVerb,
  subresources: [],
  shortNames: [],
  categories: [],
};

/** `/apis/resource.k8s.io/v1beta2/resourceslices` */
export const resourceSlices: ResourceDescriptor<ResourceSlice, 'Cluster', Verb, never> = {
  group: 'resource.k8s.io',
  version: 'v1beta2',
  resource: 'resourceslices',
  kind: 'ResourceSlice',
  singular: 'resourceslice',
  scope: 'Cluster',
  verbs: everyVerb,
  subresources: [],
  shortNames: [],
  categories: [],
};

/** State of an allocated device, as its driver reports it. */
export interface AllocatedDeviceStatus {
  /** Aspects of the state, at most one of each type. */
  conditions?: Condition[] | null;
  /** Further data of the driver. At most 10 KiB. */
  data?: RawExtension;
  /** Name of the device in its pool. */
  device: string;
  /** Name of the driver. */
  driver: string;
  /** Network addresses of the device. */
  networkData?: NetworkDeviceData;
  /** Name of the pool. */
  pool: string;
  /** ID of the share, if the device can be allocated more than once. */
  shareID?: string;
}

/** The devices that were allocated for a claim. */
export interface AllocationResult {
  /** When the devices were allocated. */
  allocationTimestamp?: Time;
  /** The devices and their configuration. */
  devices?: DeviceAllocationResult;
  /** Nodes from which the devices can be used. Without it they can be used everywhere. */
  nodeSelector?: NodeSelector;
}

/** Selects devices by a CEL expression. */
export interface CELDeviceSelector {
  /**
   * CEL expression that returns a boolean. `device.driver`, `device.attributes` and
   * `device.capacity` describe the device. At most 10 KiB.
   */
  expression: string;
}

/**
 * Which amounts of a device's capacity may be requested. At most one of the two restrictions
 * is set.
 */
export interface CapacityRequestPolicy {
  /** Amount for requests that name none. */
  default?: Quantity;
  /** Amounts in a range. */
  validRange?: CapacityRequestPolicyRange;
  /** Amounts by list, in increasing order. A request is rounded up to the next one. */
  validValues?: Quantity[];
}

/** A range of amounts. */
export interface CapacityRequestPolicyRange {
  /** Largest amount. Default is the whole capacity. */
  max?: Quantity;
  /** Smallest amount. Smaller requests are rounded up to it. */
  min: Quantity;
  /** Distance between amounts, counted from the smallest. Requests are rounded up. */
  step?: Quantity;
}

/** Amounts of capacity that a request needs. */
export interface CapacityRequirements {
  /** Amounts by name of the capacity. Devices that cannot provide them are not used. */
  requests?: Record<string, Quantity>;
}

/** An amount that devices share. */
export interface Counter {
  /** The amount. */
  value: Quantity;
}

/**
 * A named set of amounts that devices of a pool share, such as the memory of a card that can
 * be partitioned.
 */
export interface CounterSet {
  /** Amounts by name. */
  counters: Record<string, Counter>;
  /** Name of the set, unique in the pool. */
  name: string;
}

/** One device of a pool. */
export interface Device {
  /** Whether all nodes can use the device. Only with `perDeviceNodeSelection`. */
  allNodes?: boolean;
  /** Whether the device can be allocated more than once, until its capacity is used up. */
  allowMultipleAllocations?: boolean;
  /** Properties of the device by name, for selection. At most 32 with the capacities. */
  attributes?: Record<string, DeviceAttribute>;
  /** Conditions that must be true in the claim's status before a pod is bound. At most 4. */
  bindingConditions?: string[];
  /** Conditions that tell that the binding failed; one is enough. At most 4. */
  bindingFailureConditions?: string[];
  /** Whether the device can only be used on the node that was chosen for it, from then on. */
  bindsToNode?: boolean;
  /** Amounts that the device provides, by name. */
  capacity?: Record<string, DeviceCapacity>;
  /** Shared amounts that the device uses up. */
  consumesCounters?: DeviceCounterConsumption[];
  /** Name of the device, a DNS label that is unique in the pool. */
  name: string;
  /** Node resources, such as CPU, that the device takes when it is allocated. */
  nodeAllocatableResourceMappings?: Record<string, NodeAllocatableResourceMapping>;
  /** Node of the device. Only with `perDeviceNodeSelection`. */
  nodeName?: string;
  /** Nodes that can use the device. Only with `perDeviceNodeSelection`. */
  nodeSelector?: NodeSelector;
  /** Taints of the device. Claims must tolerate them to use it. */
  taints?: DeviceTaint[];
}

/** Configuration for allocated devices. */
export interface DeviceAllocationConfiguration {
  /** Parameters for a driver. */
  opaque?: OpaqueDeviceConfiguration;
  /** Requests that the configuration is for. Empty means all. */
  requests?: string[];
  /** Whether it comes from the class (`FromClass`) or from the claim (`FromClaim`). */
  source: Open<'FromClaim' | 'FromClass'>;
}

/** Allocated devices and their configuration. */
export interface DeviceAllocationResult {
  /** Configuration from classes and the claim, in this order. */
  config?: DeviceAllocationConfiguration[];
  /** The devices. */
  results?: DeviceRequestAllocationResult[];
}

/** A property of a device. Exactly one field is set. */
export interface DeviceAttribute {
  /** A boolean. */
  bool?: boolean;
  /** A list of booleans. */
  bools?: boolean[];
  /** An integer. */
  int?: number;
  /** A list of integers. */
  ints?: number[];
  /** A string of at most 64 characters. */
  string?: string;
  /** A list of strings. */
  strings?: string[];
  /** A semantic version. */
  version?: string;
  /** A list of semantic versions. */
  versions?: string[];
}

/** An amount that a device provides. */
export interface DeviceCapacity {
  /**
   * Which parts of the amount may be requested. Only for devices that can be allocated more
   * than once.
   */
  requestPolicy?: CapacityRequestPolicy;
  /** The amount. */
  value: Quantity;
}

/** Devices that a claim asks for. */
export interface DeviceClaim {
  /** Configuration for the devices. */
  config?: DeviceClaimConfiguration[];
  /** Conditions that several devices must meet together. */
  constraints?: DeviceConstraint[];
  /** The devices. All requests must be met. At most 32. */
  requests?: DeviceRequest[] | null;
}

/** Configuration for devices of a claim. */
export interface DeviceClaimConfiguration {
  /** Parameters for a driver. */
  opaque?: OpaqueDeviceConfiguration;
  /** Requests that the configuration is for. Empty means all. */
  requests?: string[];
}

/** A kind of device that claims can ask for, with selection and configuration. */
export interface DeviceClass {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'resource.k8s.io/v1beta2';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'DeviceClass';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** Selection and configuration. */
  spec: DeviceClassSpec;
}

/** Configuration for devices of a class. */
export interface DeviceClassConfiguration {
  /** Parameters for a driver. */
  opaque?: OpaqueDeviceConfiguration;
}

/** A list of DeviceClass objects, as a list request returns it. Large lists come in pages. */
export interface DeviceClassList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'resource.k8s.io/v1beta2';
  /** The objects of this page. */
  items: DeviceClass[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'DeviceClassList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** Selection and configuration of a kind of device. */
export interface DeviceClassSpec {
  /** Configuration for each device that is allocated through the class. */
  config?: DeviceClassConfiguration[];
  /** Extended resource by which pods can ask for devices of the class without a claim. */
  extendedResourceName?: string;
  /** Conditions that each device must meet. */
  selectors?: DeviceSelector[];
}

/** A condition that several devices must meet together. */
export interface DeviceConstraint {
  /** Attribute that must differ for all of them. */
  distinctAttribute?: string;
  /** Attribute that must be the same for all of them, such as a NUMA node. */
  matchAttribute?: string;
  /** Requests that the condition is for. Empty means all. */
  requests?: string[];
}

/** Shared amounts that a device uses up. */
export interface DeviceCounterConsumption {
  /** Name of the set. */
  counterSet: string;
  /** Amounts by name. */
  counters: Record<string, Counter>;
}

/** A request for devices. Exactly one of the two forms is set. */
export interface DeviceRequest {
  /** Devices that meet one description. */
  exactly?: ExactDeviceRequest;
  /** Alternatives in order of preference. The first that can be met is used. */
  firstAvailable?: DeviceSubRequest[];
  /** Name of the request, a DNS label that is unique in the claim. */
  name: string;
}

/** A device that was allocated for a request. */
export interface DeviceRequestAllocationResult {
  /** Whether the access is administrative, beside other users of the device. */
  adminAccess?: boolean;
  /** Conditions that must be true before the pod is bound. */
  bindingConditions?: string[];
  /** Conditions that tell that the binding failed. */
  bindingFailureConditions?: string[];
  /** Amounts that were allocated, by name. */
  consumedCapacity?: Record<string, Quantity>;
  /** Name of the device in its pool. */
  device: string;
  /** Name of the driver. */
  driver: string;
  /** Name of the pool. */
  pool: string;
  /** Name of the request. With alternatives it is `request/alternative`. */
  request: string;
  /** ID of the share, if the device can be allocated more than once. */
  shareID?: string;
  /** Tolerations of the request at the time of the allocation. */
  tolerations?: DeviceToleration[];
}

/** Selects devices. */
export interface DeviceSelector {
  /** Selects by a CEL expression. */
  cel?: CELDeviceSelector;
}

/** One alternative of a request. */
export interface DeviceSubRequest {
  /** `ExactCount` (the default) allocates `count` devices, `All` every device that matches. */
  allocationMode?: Open<'All' | 'ExactCount'>;
  /** Amounts of capacity that are needed. */
  capacity?: CapacityRequirements;
  /** Number of devices. Default 1. Only with mode `ExactCount`. */
  count?: number;
  /** DeviceClass of the devices. */
  deviceClassName: string;
  /** Name of the alternative, unique in the request. */
  name: string;
  /** Conditions that each device must meet, besides those of the class. */
  selectors?: DeviceSelector[];
  /** Taints of devices that are accepted. */
  tolerations?: DeviceToleration[];
}

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
  apiVersion?: 'resource.k8s.io/v1beta2';
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
  apiVersion?: 'resource.k8s.io/v1beta2';
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

/** Lets a claim use devices with a matching taint. */
export interface DeviceToleration {
  /** Effect of the taint to tolerate. Empty tolerates all effects. */
  effect?: Open<'NoExecute' | 'NoSchedule' | 'None'>;
  /** Key of the taint to tolerate. Empty, with operator `Exists`, tolerates every taint. */
  key?: string;
  /**
   * How the value is compared. `Equal` is the default; `Exists` ignores the value.
   *
   * @default 'Equal'
   */
  operator?: Open<'Equal' | 'Exists'>;
  /**
   * Seconds that the pod stays after a `NoExecute` taint appeared. Without it the pod stays;
   * zero or less evicts it immediately.
   */
  tolerationSeconds?: number;
  /** Value of the taint to tolerate. Must be empty with operator `Exists`. */
  value?: string;
}

/** A request for devices that meet one description. */
export interface ExactDeviceRequest {
  /**
   * Asks for administrative access, beside other users of the device. Only in namespaces with
   * the label `resource.kubernetes.io/admin-access`.
   */
  adminAccess?: boolean;
  /** `ExactCount` (the default) allocates `count` devices, `All` every device that matches. */
  allocationMode?: Open<'All' | 'ExactCount'>;
  /** Amounts of capacity that are needed. */
  capacity?: CapacityRequirements;
  /** Number of devices. Default 1. Only with mode `ExactCount`. */
  count?: number;
  /** DeviceClass of the devices. */
  deviceClassName: string;
  /** Conditions that each device must meet, besides those of the class. */
  selectors?: DeviceSelector[];
  /** Taints of devices that are accepted. */
  tolerations?: DeviceToleration[];
}

/** Network addresses of a device. */
export interface NetworkDeviceData {
  /** Hardware address, such as a MAC address. */
  hardwareAddress?: string;
  /** Name of the network interface in the pod. */
  interfaceName?: string;
  /** IP addresses with prefix lengths, such as `192.0.2.5/24`. */
  ips?: string[];
}

/** How much of a node resource a device takes. */
export interface NodeAllocatableResourceMapping {
  /** Factor for the amount. Default 1. */
  allocationMultiplier?: Quantity;
  /** Capacity of the device whose consumed amount counts. Without it each device counts as one. */
  capacityKey?: string;
}

/** Parameters that only a driver understands. */
export interface OpaqueDeviceConfiguration {
  /** Name of the driver. */
  driver: string;
  /** The parameters, an object with `apiVersion` and `kind`. At most 10 KiB. */
  parameters: RawExtension;
}

/** A request for devices, and the devices that were allocated. Pods refer to it. */
export interface ResourceClaim {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'resource.k8s.io/v1beta2';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ResourceClaim';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The devices that are asked for. Cannot change. */
  spec: ResourceClaimSpec;
  /** The allocation and its users. Read-only for users. */
  status?: ResourceClaimStatus;
}

/** A user of a claim, usually a pod. */
export interface ResourceClaimConsumerReference {
  /** API group of the user. Empty for the core group. */
  apiGroup?: string;
  /** Name of the user. */
  name: string;
  /** Plural name of the user's resource, such as `pods`. */
  resource: string;
  /** UID of the user. */
  uid: string;
}

/** A list of ResourceClaim objects, as a list request returns it. Large lists come in pages. */
export interface ResourceClaimList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'resource.k8s.io/v1beta2';
  /** The objects of this page. */
  items: ResourceClaim[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ResourceClaimList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** What a claim asks for. */
export interface ResourceClaimSpec {
  /** The devices. */
  devices?: DeviceClaim;
}

/** The allocation of a claim and its users. */
export interface ResourceClaimStatus {
  /** The allocated devices. Absent until they are allocated. */
  allocation?: AllocationResult;
  /** State of the devices, as their drivers report it. */
  devices?: AllocatedDeviceStatus[];
  /**
   * Users that may use the claim now, at most 256. The claim is not deallocated while there is
   * one.
   */
  reservedFor?: ResourceClaimConsumerReference[];
}

/** A template from which a claim is made for each pod. */
export interface ResourceClaimTemplate {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'resource.k8s.io/v1beta2';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ResourceClaimTemplate';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The claim to make. Cannot change. */
  spec: ResourceClaimTemplateSpec;
}

/**
 * A list of ResourceClaimTemplate objects, as a list request returns it. Large lists come in
 * pages.
 */
export interface ResourceClaimTemplateList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'resource.k8s.io/v1beta2';
  /** The objects of this page. */
  items: ResourceClaimTemplate[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ResourceClaimTemplateList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** The claim to make for a pod. */
export interface ResourceClaimTemplateSpec {
  /** Labels and annotations of the claim. Other fields are rejected. */
  metadata?: ObjectMeta;
  /** What the claim asks for. */
  spec: ResourceClaimSpec;
}

/** The pool that the devices of a slice belong to. */
export interface ResourcePool {
  /** Increases with every change of the pool. Slices of an older generation are ignored. */
  generation: number;
  /** Name of the pool, often that of the node. Unique for the driver. */
  name: string;
  /**
   * Number of slices of the pool in this generation. While some are missing, the pool is
   * incomplete.
   */
  resourceSliceCount: number;
}

/** A part of the devices of a pool. Published by the driver for the scheduler. */
export interface ResourceSlice {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'resource.k8s.io/v1beta2';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ResourceSlice';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The devices and the nodes that can use them. */
  spec: ResourceSliceSpec;
}

/** A list of ResourceSlice objects, as a list request returns it. Large lists come in pages. */
export interface ResourceSliceList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'resource.k8s.io/v1beta2';
  /** The objects of this page. */
  items: ResourceSlice[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ResourceSliceList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/**
 * Devices and the nodes that can use them. Exactly one of `nodeName`, `nodeSelector`,
 * `allNodes` and `perDeviceNodeSelection` is set.
 */
export interface ResourceSliceSpec {
  /** Whether all nodes can use the devices. */
  allNodes?: boolean;
  /** The devices. At most 128. */
  devices?: Device[];
  /** Name of the driver. Cannot change. */
  driver: string;
  /** Node of the devices. Cannot change. */
  nodeName?: string;
  /** Nodes that can use the devices. */
  nodeSelector?: NodeSelector;
  /** Whether each device says which nodes can use it. */
  perDeviceNodeSelection?: boolean;
  /** The pool that the devices belong to. */
  pool: ResourcePool;
  /** Amounts that devices of the pool share. At most 8 sets. */
  sharedCounters?: CounterSet[];
}
