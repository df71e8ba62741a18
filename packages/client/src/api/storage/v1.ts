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
  apiVersion?: 'storage.k8s.io/v1';
  kind?: 'CSIDriver';
  metadata?: ObjectMeta;
  spec: CSIDriverSpec;
}

export interface CSIDriverList {
  apiVersion?: 'storage.k8s.io/v1';
  items: CSIDriver[];
  kind?: 'CSIDriverList';
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
  apiVersion?: 'storage.k8s.io/v1';
  kind?: 'CSINode';
  metadata?: ObjectMeta;
  spec: CSINodeSpec;
}

export interface CSINodeDriver {
  allocatable?: VolumeNodeResources;
  name: string;
  nodeID: string;
  topologyKeys?: string[];
}

export interface CSINodeList {
  apiVersion?: 'storage.k8s.io/v1';
  items: CSINode[];
  kind?: 'CSINodeList';
  metadata?: ListMeta;
}

export interface CSINodeSpec {
  drivers: CSINodeDriver[];
}

export interface CSIStorageCapacity {
  apiVersion?: 'storage.k8s.io/v1';
  capacity?: Quantity;
  kind?: 'CSIStorageCapacity';
  maximumVolumeSize?: Quantity;
  metadata?: ObjectMeta;
  nodeTopology?: LabelSelector;
  storageClassName: string;
}

export interface CSIStorageCapacityList {
  apiVersion?: 'storage.k8s.io/v1';
  items: CSIStorageCapacity[];
  kind?: 'CSIStorageCapacityList';
  metadata?: ListMeta;
}

export interface StorageClass {
  allowVolumeExpansion?: boolean;
  allowedTopologies?: TopologySelectorTerm[];
  apiVersion?: 'storage.k8s.io/v1';
  kind?: 'StorageClass';
  metadata?: ObjectMeta;
  mountOptions?: string[];
  parameters?: Record<string, string>;
  provisioner: string;
  reclaimPolicy?: Open<'Delete' | 'Recycle' | 'Retain'>;
  volumeBindingMode?: Open<'Immediate' | 'WaitForFirstConsumer'>;
}

export interface StorageClassList {
  apiVersion?: 'storage.k8s.io/v1';
  items: StorageClass[];
  kind?: 'StorageClassList';
  metadata?: ListMeta;
}

export interface TokenRequest {
  audience: string;
  expirationSeconds?: number;
}

export interface VolumeAttachment {
  apiVersion?: 'storage.k8s.io/v1';
  kind?: 'VolumeAttachment';
  metadata?: ObjectMeta;
  spec: VolumeAttachmentSpec;
  status?: VolumeAttachmentStatus;
}

export interface VolumeAttachmentList {
  apiVersion?: 'storage.k8s.io/v1';
  items: VolumeAttachment[];
  kind?: 'VolumeAttachmentList';
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
  apiVersion?: 'storage.k8s.io/v1';
  driverName: string;
  kind?: 'VolumeAttributesClass';
  metadata?: ObjectMeta;
  parameters?: Record<string, string>;
}

export interface VolumeAttributesClassList {
  apiVersion?: 'storage.k8s.io/v1';
  items: VolumeAttributesClass[];
  kind?: 'VolumeAttributesClassList';
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
