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

export interface CSIDriver {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'storage.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'CSIDriver';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
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

export interface CSIDriverSpec {
  attachRequired?: boolean;
  fsGroupPolicy?: string;
  nodeAllocatableUpdatePeriodSeconds?: number;
  podInfoOnMount?: boolean;
  preventPodSchedulingIfMissing?: boolean;
  requiresRepublish?: boolean;
  seLinuxMount?: boolean;
  serviceAccountTokenInSecrets?: boolean;
  storageCapacity?: boolean;
  tokenRequests?: TokenRequest[];
  volumeLifecycleModes?: string[];
}

export interface CSINode {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'storage.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'CSINode';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  spec: CSINodeSpec;
}

export interface CSINodeDriver {
  allocatable?: VolumeNodeResources;
  name: string;
  nodeID: string;
  topologyKeys?: string[];
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

export interface CSINodeSpec {
  drivers: CSINodeDriver[];
}

export interface CSIStorageCapacity {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'storage.k8s.io/v1';
  capacity?: Quantity;
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'CSIStorageCapacity';
  maximumVolumeSize?: Quantity;
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  nodeTopology?: LabelSelector;
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

export interface TokenRequest {
  audience: string;
  expirationSeconds?: number;
}

export interface VolumeAttachment {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'storage.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'VolumeAttachment';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  spec: VolumeAttachmentSpec;
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

export interface VolumeAttachmentSource {
  inlineVolumeSpec?: PersistentVolumeSpec;
  persistentVolumeName?: string;
}

export interface VolumeAttachmentSpec {
  attacher: string;
  nodeName: string;
  source: VolumeAttachmentSource;
}

export interface VolumeAttachmentStatus {
  attachError?: VolumeError;
  attached: boolean;
  attachmentMetadata?: Record<string, string>;
  detachError?: VolumeError;
}

export interface VolumeAttributesClass {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'storage.k8s.io/v1';
  driverName: string;
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'VolumeAttributesClass';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
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

export interface VolumeError {
  errorCode?: number;
  message?: string;
  time?: Time;
}

export interface VolumeNodeResources {
  count?: number;
}
