// Kubernetes 1.36.4, storage.k8s.io/v1. Written by `npm run generate`; do not edit.

import type { ResourceDescriptor, Verb } from '../../meta/resource.ts';
import type {
  LabelSelector,
  ListMeta,
  ObjectMeta,
  Open,
  Quantity,
  Time,
} from '../../meta/types.ts';
import type { PersistentVolumeSpec, TopologySelectorTerm } from '../core/v1.ts';

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

/** `/apis/storage.k8s.io/v1/csidrivers` */
export const csiDrivers: ResourceDescriptor<CSIDriver, 'Cluster', Verb, never> = {
  group: 'storage.k8s.io',
  version: 'v1',
  resource: 'csidrivers',
  kind: 'CSIDriver',
  singular: 'csidriver',
  scope: 'Cluster',
  verbs: everyVerb,
  subresources: [],
  shortNames: [],
  categories: [],
};

/** `/apis/storage.k8s.io/v1/csinodes` */
export const csiNodes: ResourceDescriptor<CSINode, 'Cluster', Verb, never> = {
  group: 'storage.k8s.io',
  version: 'v1',
  resource: 'csinodes',
  kind: 'CSINode',
  singular: 'csinode',
  scope: 'Cluster',
  verbs: everyVerb,
  subresources: [],
  shortNames: [],
  categories: [],
};

/** `/apis/storage.k8s.io/v1/namespaces/{namespace}/csistoragecapacities` */
export const csiStorageCapacities: ResourceDescriptor<
  CSIStorageCapacity,
  'Namespaced',
  Verb,
  never
> = {
  group: 'storage.k8s.io',
  version: 'v1',
  resource: 'csistoragecapacities',
  kind: 'CSIStorageCapacity',
  singular: 'csistoragecapacity',
  scope: 'Namespaced',
  verbs: everyVerb,
  subresources: [],
  shortNames: [],
  categories: [],
};

/** `/apis/storage.k8s.io/v1/storageclasses` */
export const storageClasses: ResourceDescriptor<StorageClass, 'Cluster', Verb, never> = {
  group: 'storage.k8s.io',
  version: 'v1',
  resource: 'storageclasses',
  kind: 'StorageClass',
  singular: 'storageclass',
  scope: 'Cluster',
  verbs: everyVerb,
  subresources: [],
  shortNames: ['sc'],
  categories: [],
};

/** `/apis/storage.k8s.io/v1/volumeattachments` */
export const volumeAttachments: ResourceDescriptor<VolumeAttachment, 'Cluster', Verb, 'status'> = {
  group: 'storage.k8s.io',
  version: 'v1',
  resource: 'volumeattachments',
  kind: 'VolumeAttachment',
  singular: 'volumeattachment',
  scope: 'Cluster',
  verbs: everyVerb,
  subresources: [
    {
      name: 'status',
      kind: { group: 'storage.k8s.io', version: 'v1', kind: 'VolumeAttachment' },
      verbs: ['get', 'patch', 'update'],
    },
  ],
  shortNames: [],
  categories: [],
};

/** `/apis/storage.k8s.io/v1/volumeattributesclasses` */
export const volumeAttributesClasses: ResourceDescriptor<
  VolumeAttributesClass,
  'Cluster',
  Verb,
  never
> = {
  group: 'storage.k8s.io',
  version: 'v1',
  resource: 'volumeattributesclasses',
  kind: 'VolumeAttributesClass',
  singular: 'volumeattributesclass',
  scope: 'Cluster',
  verbs: everyVerb,
  subresources: [],
  shortNames: ['vac'],
  categories: [],
};

/** A CSI driver and what Kubernetes must know about it. Named after the driver. */
export interface CSIDriver {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'storage.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'CSIDriver';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** What the driver needs and supports. */
  spec: CSIDriverSpec;
}

/** A list of CSIDriver objects, as a list request returns it. Large lists come in pages. */
export interface CSIDriverList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'storage.k8s.io/v1';
  /** The objects of this page. */
  items: CSIDriver[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'CSIDriverList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** What a CSI driver needs and supports. */
export interface CSIDriverSpec {
  /**
   * Whether volumes are attached to a node before they are mounted. Default true. Cannot
   * change.
   */
  attachRequired?: boolean;
  /**
   * Whether the kubelet changes ownership of volumes to the pod's `fsGroup`.
   * `ReadWriteOnceWithFSType` (the default) decides by volume, `File` always, `None` never.
   */
  fsGroupPolicy?: string;
  /**
   * Seconds between updates of how many volumes a node can attach. At least 10. Default is no
   * updates.
   */
  nodeAllocatableUpdatePeriodSeconds?: number;
  /**
   * Whether the driver receives name, namespace and service account of the pod on mount.
   * Default false.
   */
  podInfoOnMount?: boolean;
  /** Whether pods that use the driver are kept from nodes that do not report it. Default false. */
  preventPodSchedulingIfMissing?: boolean;
  /**
   * Whether the driver wants mount calls repeatedly, to refresh the content of volumes.
   * Default false.
   */
  requiresRepublish?: boolean;
  /** Whether the driver supports the SELinux context as a mount option. Default false. */
  seLinuxMount?: boolean;
  /**
   * Whether tokens are passed in the secrets of a mount call in place of its volume context.
   * Needs `tokenRequests`. Default false.
   */
  serviceAccountTokenInSecrets?: boolean;
  /** Whether the scheduler considers the capacity that the driver reports. Default false. */
  storageCapacity?: boolean;
  /** Tokens of the pod's service account that the driver receives on mount. Each audience once. */
  tokenRequests?: TokenRequest[];
  /**
   * Kinds of volumes that the driver supports, `Persistent` (the default) and `Ephemeral` for
   * inline volumes. Cannot change.
   */
  volumeLifecycleModes?: string[];
}

/** The CSI drivers on a node. Named after the node; kept up to date by the kubelet. */
export interface CSINode {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'storage.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'CSINode';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The drivers. */
  spec: CSINodeSpec;
}

/** A CSI driver on a node. */
export interface CSINodeDriver {
  /** How many volumes the driver can attach to the node. */
  allocatable?: VolumeNodeResources;
  /** Name of the driver. */
  name: string;
  /** Name of the node at the driver. */
  nodeID: string;
  /** Node labels that describe the topology of the driver's volumes. */
  topologyKeys?: string[] | null;
}

/** A list of CSINode objects, as a list request returns it. Large lists come in pages. */
export interface CSINodeList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'storage.k8s.io/v1';
  /** The objects of this page. */
  items: CSINode[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'CSINodeList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** The CSI drivers on a node. */
export interface CSINodeSpec {
  /** The drivers. May be empty. */
  drivers: CSINodeDriver[] | null;
}

/**
 * How much storage a driver can still provide in one part of the cluster. Made by the
 * driver's provisioner for the scheduler.
 */
export interface CSIStorageCapacity {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'storage.k8s.io/v1';
  /** Storage that is available in total. Absent if unknown. */
  capacity?: Quantity;
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'CSIStorageCapacity';
  /** Largest volume that can be made. Absent if unknown. */
  maximumVolumeSize?: Quantity;
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /**
   * Nodes from which the storage can be reached. Empty means all, missing means none. Cannot
   * change.
   */
  nodeTopology?: LabelSelector;
  /** StorageClass that the capacity is for. Cannot change. */
  storageClassName: string;
}

/**
 * A list of CSIStorageCapacity objects, as a list request returns it. Large lists come in
 * pages.
 */
export interface CSIStorageCapacityList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'storage.k8s.io/v1';
  /** The objects of this page. */
  items: CSIStorageCapacity[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'CSIStorageCapacityList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/**
 * A kind of storage that claims can ask for, and how to provision it. Almost nothing in it
 * can change after creation.
 */
export interface StorageClass {
  /** Whether claims of the class may grow. Can change. */
  allowVolumeExpansion?: boolean;
  /** Where volumes may be provisioned, such as certain zones. The default is everywhere. */
  allowedTopologies?: TopologySelectorTerm[];
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'storage.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'StorageClass';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** Mount options of the volumes. They are not checked; a wrong one fails the mount. */
  mountOptions?: string[];
  /** Parameters for the provisioner. Cannot change. */
  parameters?: Record<string, string>;
  /** The driver that makes the volumes, such as `ebs.csi.aws.com`. Cannot change. */
  provisioner: string;
  /** What happens to a volume after its claim is deleted. Default `Delete`. Cannot change. */
  reclaimPolicy?: Open<'Delete' | 'Recycle' | 'Retain'>;
  /**
   * `Immediate` (the default) provisions when the claim is created; `WaitForFirstConsumer`
   * when a pod uses it, in a place that suits the pod.
   */
  volumeBindingMode?: Open<'Immediate' | 'WaitForFirstConsumer'>;
}

/** A list of StorageClass objects, as a list request returns it. Large lists come in pages. */
export interface StorageClassList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'storage.k8s.io/v1';
  /** The objects of this page. */
  items: StorageClass[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'StorageClassList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** A token that a CSI driver receives. */
export interface TokenRequest {
  /** Recipient that the token is meant for. Empty means the API server. */
  audience: string;
  /** Lifetime of the token. Default is one hour. */
  expirationSeconds?: number;
}

/**
 * Asks a CSI driver to attach a volume to a node, and reports the result. Managed by
 * Kubernetes.
 */
export interface VolumeAttachment {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'storage.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'VolumeAttachment';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The volume and the node. Cannot change. */
  spec: VolumeAttachmentSpec;
  /** The result. Read-only. */
  status?: VolumeAttachmentStatus;
}

/**
 * A list of VolumeAttachment objects, as a list request returns it. Large lists come in
 * pages.
 */
export interface VolumeAttachmentList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'storage.k8s.io/v1';
  /** The objects of this page. */
  items: VolumeAttachment[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'VolumeAttachmentList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** The volume to attach. Exactly one field is set. */
export interface VolumeAttachmentSource {
  /** A volume that was redirected from an in-tree plug-in to a CSI driver. */
  inlineVolumeSpec?: PersistentVolumeSpec;
  /** Name of the PersistentVolume. */
  persistentVolumeName?: string;
}

/** A volume, a node and the driver that attaches the one to the other. */
export interface VolumeAttachmentSpec {
  /** Name of the CSI driver. */
  attacher: string;
  /** Name of the node. */
  nodeName: string;
  /** The volume. */
  source: VolumeAttachmentSource;
}

/** The result of an attach or detach operation. */
export interface VolumeAttachmentStatus {
  /** Last error while attaching. */
  attachError?: VolumeError;
  /** Whether the volume is attached. */
  attached: boolean;
  /** Data from the attach call that later calls receive. */
  attachmentMetadata?: Record<string, string>;
  /** Last error while detaching. */
  detachError?: VolumeError;
}

/**
 * Mutable properties of volumes, such as throughput. A claim can change its class while in
 * use.
 */
export interface VolumeAttributesClass {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'storage.k8s.io/v1';
  /** Name of the CSI driver. Cannot change. */
  driverName: string;
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'VolumeAttributesClass';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** Properties for the driver. At least one; cannot change. */
  parameters?: Record<string, string>;
}

/**
 * A list of VolumeAttributesClass objects, as a list request returns it. Large lists come in
 * pages.
 */
export interface VolumeAttributesClassList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'storage.k8s.io/v1';
  /** The objects of this page. */
  items: VolumeAttributesClass[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'VolumeAttributesClassList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** An error of a volume operation. */
export interface VolumeError {
  /** Code of the error in gRPC. */
  errorCode?: number;
  /** What went wrong, for people. It must not contain confidential data. */
  message?: string;
  /** When the error happened. */
  time?: Time;
}

/** Limits of a driver on a node. */
export interface VolumeNodeResources {
  /** How many volumes can be attached. Absent means no limit. */
  count?: number;
}
