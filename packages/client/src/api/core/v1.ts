// Kubernetes 1.36.4, v1. Written by `npm run generate`; do not edit.

import type { ResourceDescriptor, Verb } from '../../meta/resource.ts';
import type {
  Base64,
  Condition,
  IntOrString,
  LabelSelector,
  ListMeta,
  MicroTime,
  ObjectMeta,
  Open,
  Quantity,
  Time,
} from '../../meta/types.ts';

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

/** `/api/v1/namespaces/{namespace}/bindings` */
export const bindings: ResourceDescriptor<Binding, 'Namespaced', 'create', never> = {
  group: '',
  version: 'v1',
  resource: 'bindings',
  kind: 'Binding',
  singular: 'binding',
  scope: 'Namespaced',
  verbs: ['create'],
  subresources: [],
  shortNames: [],
  categories: [],
};

/** `/api/v1/componentstatuses` */
export const componentStatuses: ResourceDescriptor<
  ComponentStatus,
  'Cluster',
  'get' | 'list',
  never
> = {
  group: '',
  version: 'v1',
  resource: 'componentstatuses',
  kind: 'ComponentStatus',
  singular: 'componentstatus',
  scope: 'Cluster',
  verbs: ['get', 'list'],
  subresources: [],
  shortNames: ['cs'],
  categories: [],
};

/** `/api/v1/namespaces/{namespace}/configmaps` */
export const configMaps: ResourceDescriptor<ConfigMap, 'Namespaced', Verb, never> = {
  group: '',
  version: 'v1',
  resource: 'configmaps',
  kind: 'ConfigMap',
  singular: 'configmap',
  scope: 'Namespaced',
  verbs: everyVerb,
  subresources: [],
  shortNames: ['cm'],
  categories: [],
};

/** `/api/v1/namespaces/{namespace}/endpoints` */
export const endpoints: ResourceDescriptor<Endpoints, 'Namespaced', Verb, never> = {
  group: '',
  version: 'v1',
  resource: 'endpoints',
  kind: 'Endpoints',
  singular: 'endpoints',
  scope: 'Namespaced',
  verbs: everyVerb,
  subresources: [],
  shortNames: ['ep'],
  categories: [],
};

/** `/api/v1/namespaces/{namespace}/events` */
export const events: ResourceDescriptor<Event, 'Namespaced', Verb, never> = {
  group: '',
  version: 'v1',
  resource: 'events',
  kind: 'Event',
  singular: 'event',
  scope: 'Namespaced',
  verbs: everyVerb,
  subresources: [],
  shortNames: ['ev'],
  categories: [],
};

/** `/api/v1/namespaces/{namespace}/limitranges` */
export const limitRanges: ResourceDescriptor<LimitRange, 'Namespaced', Verb, never> = {
  group: '',
  version: 'v1',
  resource: 'limitranges',
  kind: 'LimitRange',
  singular: 'limitrange',
  scope: 'Namespaced',
  verbs: everyVerb,
  subresources: [],
  shortNames: ['limits'],
  categories: [],
};

/** `/api/v1/namespaces` */
export const namespaces: ResourceDescriptor<
  Namespace,
  'Cluster',
  'create' | 'delete' | 'get' | 'list' | 'patch' | 'update' | 'watch',
  'finalize' | 'status'
> = {
  group: '',
  version: 'v1',
  resource: 'namespaces',
  kind: 'Namespace',
  singular: 'namespace',
  scope: 'Cluster',
  verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
  subresources: [
    { name: 'finalize', kind: { group: '', version: 'v1', kind: 'Namespace' }, verbs: ['update'] },
    {
      name: 'status',
      kind: { group: '', version: 'v1', kind: 'Namespace' },
      verbs: ['get', 'patch', 'update'],
    },
  ],
  shortNames: ['ns'],
  categories: [],
};

/** `/api/v1/nodes` */
export const nodes: ResourceDescriptor<Node, 'Cluster', Verb, 'proxy' | 'status'> = {
  group: '',
  version: 'v1',
  resource: 'nodes',
  kind: 'Node',
  singular: 'node',
  scope: 'Cluster',
  verbs: everyVerb,
  subresources: [
    {
      name: 'proxy',
      kind: { group: '', version: 'v1', kind: 'NodeProxyOptions' },
      verbs: ['create', 'delete', 'get', 'patch', 'update'],
    },
    {
      name: 'status',
      kind: { group: '', version: 'v1', kind: 'Node' },
      verbs: ['get', 'patch', 'update'],
    },
  ],
  shortNames: ['no'],
  categories: [],
};

/** `/api/v1/namespaces/{namespace}/persistentvolumeclaims` */
export const persistentVolumeClaims: ResourceDescriptor<
  PersistentVolumeClaim,
  'Namespaced',
  Verb,
  'status'
> = {
  group: '',
  version: 'v1',
  resource: 'persistentvolumeclaims',
  kind: 'PersistentVolumeClaim',
  singular: 'persistentvolumeclaim',
  scope: 'Namespaced',
  verbs: everyVerb,
  subresources: [
    {
      name: 'status',
      kind: { group: '', version: 'v1', kind: 'PersistentVolumeClaim' },
      verbs: ['get', 'patch', 'update'],
    },
  ],
  shortNames: ['pvc'],
  categories: [],
};

/** `/api/v1/persistentvolumes` */
export const persistentVolumes: ResourceDescriptor<PersistentVolume, 'Cluster', Verb, 'status'> = {
  group: '',
  version: 'v1',
  resource: 'persistentvolumes',
  kind: 'PersistentVolume',
  singular: 'persistentvolume',
  scope: 'Cluster',
  verbs: everyVerb,
  subresources: [
    {
      name: 'status',
      kind: { group: '', version: 'v1', kind: 'PersistentVolume' },
      verbs: ['get', 'patch', 'update'],
    },
  ],
  shortNames: ['pv'],
  categories: [],
};

/** `/api/v1/namespaces/{namespace}/pods` */
export const pods: ResourceDescriptor<
  Pod,
  'Namespaced',
  Verb,
  | 'attach'
  | 'binding'
  | 'ephemeralcontainers'
  | 'eviction'
  | 'exec'
  | 'log'
  | 'portforward'
  | 'proxy'
  | 'resize'
  | 'status'
> = {
  group: '',
  version: 'v1',
  resource: 'pods',
  kind: 'Pod',
  singular: 'pod',
  scope: 'Namespaced',
  verbs: everyVerb,
  subresources: [
    {
      name: 'attach',
      kind: { group: '', version: 'v1', kind: 'PodAttachOptions' },
      verbs: ['create', 'get'],
    },
    { name: 'binding', kind: { group: '', version: 'v1', kind: 'Binding' }, verbs: ['create'] },
    {
      name: 'ephemeralcontainers',
      kind: { group: '', version: 'v1', kind: 'Pod' },
      verbs: ['get', 'patch', 'update'],
    },
    {
      name: 'eviction',
      kind: { group: 'policy', version: 'v1', kind: 'Eviction' },
      verbs: ['create'],
    },
    {
      name: 'exec',
      kind: { group: '', version: 'v1', kind: 'PodExecOptions' },
      verbs: ['create', 'get'],
    },
    { name: 'log', kind: { group: '', version: 'v1', kind: 'Pod' }, verbs: ['get'] },
    {
      name: 'portforward',
      kind: { group: '', version: 'v1', kind: 'PodPortForwardOptions' },
      verbs: ['create', 'get'],
    },
    {
      name: 'proxy',
      kind: { group: '', version: 'v1', kind: 'PodProxyOptions' },
      verbs: ['create', 'delete', 'get', 'patch', 'update'],
    },
    {
      name: 'resize',
      kind: { group: '', version: 'v1', kind: 'Pod' },
      verbs: ['get', 'patch', 'update'],
    },
    {
      name: 'status',
      kind: { group: '', version: 'v1', kind: 'Pod' },
      verbs: ['get', 'patch', 'update'],
    },
  ],
  shortNames: ['po'],
  categories: ['all'],
};

/** `/api/v1/namespaces/{namespace}/podtemplates` */
export const podTemplates: ResourceDescriptor<PodTemplate, 'Namespaced', Verb, never> = {
  group: '',
  version: 'v1',
  resource: 'podtemplates',
  kind: 'PodTemplate',
  singular: 'podtemplate',
  scope: 'Namespaced',
  verbs: everyVerb,
  subresources: [],
  shortNames: [],
  categories: [],
};

/** `/api/v1/namespaces/{namespace}/replicationcontrollers` */
export const replicationControllers: ResourceDescriptor<
  ReplicationController,
  'Namespaced',
  Verb,
  'scale' | 'status'
> = {
  group: '',
  version: 'v1',
  resource: 'replicationcontrollers',
  kind: 'ReplicationController',
  singular: 'replicationcontroller',
  scope: 'Namespaced',
  verbs: everyVerb,
  subresources: [
    {
      name: 'scale',
      kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
      verbs: ['get', 'patch', 'update'],
    },
    {
      name: 'status',
      kind: { group: '', version: 'v1', kind: 'ReplicationController' },
      verbs: ['get', 'patch', 'update'],
    },
  ],
  shortNames: ['rc'],
  categories: ['all'],
};

/** `/api/v1/namespaces/{namespace}/resourcequotas` */
export const resourceQuotas: ResourceDescriptor<ResourceQuota, 'Namespaced', Verb, 'status'> = {
  group: '',
  version: 'v1',
  resource: 'resourcequotas',
  kind: 'ResourceQuota',
  singular: 'resourcequota',
  scope: 'Namespaced',
  verbs: everyVerb,
  subresources: [
    {
      name: 'status',
      kind: { group: '', version: 'v1', kind: 'ResourceQuota' },
      verbs: ['get', 'patch', 'update'],
    },
  ],
  shortNames: ['quota'],
  categories: [],
};

/** `/api/v1/namespaces/{namespace}/secrets` */
export const secrets: ResourceDescriptor<Secret, 'Namespaced', Verb, never> = {
  group: '',
  version: 'v1',
  resource: 'secrets',
  kind: 'Secret',
  singular: 'secret',
  scope: 'Namespaced',
  verbs: everyVerb,
  subresources: [],
  shortNames: [],
  categories: [],
};

/** `/api/v1/namespaces/{namespace}/serviceaccounts` */
export const serviceAccounts: ResourceDescriptor<ServiceAccount, 'Namespaced', Verb, 'token'> = {
  group: '',
  version: 'v1',
  resource: 'serviceaccounts',
  kind: 'ServiceAccount',
  singular: 'serviceaccount',
  scope: 'Namespaced',
  verbs: everyVerb,
  subresources: [
    {
      name: 'token',
      kind: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' },
      verbs: ['create'],
    },
  ],
  shortNames: ['sa'],
  categories: [],
};

/** `/api/v1/namespaces/{namespace}/services` */
export const services: ResourceDescriptor<Service, 'Namespaced', Verb, 'proxy' | 'status'> = {
  group: '',
  version: 'v1',
  resource: 'services',
  kind: 'Service',
  singular: 'service',
  scope: 'Namespaced',
  verbs: everyVerb,
  subresources: [
    {
      name: 'proxy',
      kind: { group: '', version: 'v1', kind: 'ServiceProxyOptions' },
      verbs: ['create', 'delete', 'get', 'patch', 'update'],
    },
    {
      name: 'status',
      kind: { group: '', version: 'v1', kind: 'Service' },
      verbs: ['get', 'patch', 'update'],
    },
  ],
  shortNames: ['svc'],
  categories: ['all'],
};

/**
 * An AWS EBS volume. The plug-in was removed; clusters redirect it to the CSI driver
 * `ebs.csi.aws.com`.
 */
export interface AWSElasticBlockStoreVolumeSource {
  /** File system of the volume, such as `ext4`. Default `ext4`. */
  fsType?: string;
  /** Partition to mount. Empty or 0 mounts the whole volume. */
  partition?: number;
  /** Mounts the volume read-only. Default false. */
  readOnly?: boolean;
  /** ID of the EBS volume, in the zone of the node. */
  volumeID: string;
}

/** Rules about where a pod may or should run, relative to nodes and to other pods. */
export interface Affinity {
  /** Rules about the labels of nodes. More expressive than `nodeSelector`. */
  nodeAffinity?: NodeAffinity;
  /** Rules to run near certain other pods, for example in the same zone. */
  podAffinity?: PodAffinity;
  /** Rules to run away from certain other pods, for example on another node. */
  podAntiAffinity?: PodAntiAffinity;
}

/** The AppArmor profile that confines the processes of a container. Linux only. */
export interface AppArmorProfile {
  /**
   * Name of a profile that is loaded on the node. Required with type `Localhost` and not
   * allowed otherwise.
   */
  localhostProfile?: string;
  /**
   * `RuntimeDefault` is the profile of the container runtime, `Localhost` one from the node,
   * `Unconfined` none.
   */
  type: Open<'Localhost' | 'RuntimeDefault' | 'Unconfined'>;
}

/** A volume that is attached to a node. */
export interface AttachedVolume {
  /** Path of the device on the node. */
  devicePath: string;
  /** Name of the volume, as the attaching controller knows it. */
  name: string;
}

/**
 * An Azure data disk. The plug-in was removed; clusters redirect it to the CSI driver
 * `disk.csi.azure.com`.
 */
export interface AzureDiskVolumeSource {
  /**
   * Caching of the disk on the host.
   *
   * @default 'ReadWrite'
   */
  cachingMode?: Open<'None' | 'ReadOnly' | 'ReadWrite'>;
  /** Name of the disk. */
  diskName: string;
  /** URI of the disk, a blob URL or the ID of a managed disk. */
  diskURI: string;
  /**
   * File system of the disk.
   *
   * @default 'ext4'
   */
  fsType?: string;
  /**
   * Whether the disk is a blob in a shared or dedicated storage account, or a managed disk.
   *
   * @default 'Shared'
   */
  kind?: Open<'Dedicated' | 'Managed' | 'Shared'>;
  /** Mounts the disk read-only. */
  readOnly?: boolean;
}

/**
 * An Azure file share, as a PersistentVolume. The plug-in was removed; clusters redirect it
 * to the CSI driver `file.csi.azure.com`.
 */
export interface AzureFilePersistentVolumeSource {
  /** Mounts the share read-only. Default false. */
  readOnly?: boolean;
  /** Secret with the name and key of the Azure storage account. */
  secretName: string;
  /** Namespace of the Secret. The default is that of the claim. */
  secretNamespace?: string;
  /** Name of the share. */
  shareName: string;
}

/**
 * An Azure file share. The plug-in was removed; clusters redirect it to the CSI driver
 * `file.csi.azure.com`.
 */
export interface AzureFileVolumeSource {
  /** Mounts the share read-only. Default false. */
  readOnly?: boolean;
  /** Secret with the name and key of the Azure storage account, in the pod's namespace. */
  secretName: string;
  /** Name of the share. */
  shareName: string;
}

/** Assigns a pod to a node. Schedulers send it to the `binding` subresource of the pod. */
export interface Binding {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'Binding';
  /** Name and namespace of the pod. */
  metadata?: ObjectMeta;
  /** The node. */
  target: ObjectReference;
}

/** A volume of a CSI driver, as a PersistentVolume. */
export interface CSIPersistentVolumeSource {
  /** Secret for the driver's calls that expand the volume. */
  controllerExpandSecretRef?: SecretReference;
  /** Secret for the driver's calls that attach and detach the volume. */
  controllerPublishSecretRef?: SecretReference;
  /** Name of the CSI driver, such as `ebs.csi.aws.com`. */
  driver: string;
  /** File system of the volume. The default is up to the driver. */
  fsType?: string;
  /** Secret for the driver's calls that expand the volume on the node. */
  nodeExpandSecretRef?: SecretReference;
  /** Secret for the driver's calls that mount the volume into a pod. */
  nodePublishSecretRef?: SecretReference;
  /** Secret for the driver's calls that prepare the volume on the node. */
  nodeStageSecretRef?: SecretReference;
  /** Passes the volume to the driver as read-only. Default false. */
  readOnly?: boolean;
  /** Properties of the volume that the driver set when it created it. */
  volumeAttributes?: Record<string, string>;
  /** ID of the volume at the driver. Cannot change. */
  volumeHandle: string;
}

/** A volume that a CSI driver makes for this pod alone and that lives as long as the pod. */
export interface CSIVolumeSource {
  /** Name of the CSI driver. It must support inline volumes. */
  driver: string;
  /** File system of the volume. The default is up to the driver. */
  fsType?: string;
  /** Secret for the driver's calls that mount and unmount the volume, in the pod's namespace. */
  nodePublishSecretRef?: LocalObjectReference;
  /** Mounts the volume read-only. Default false. */
  readOnly?: boolean;
  /** Properties to pass to the driver. See its documentation. */
  volumeAttributes?: Record<string, string>;
}

/** Linux capabilities to add to or drop from what the container runtime grants by default. */
export interface Capabilities {
  /** Capabilities to add, without the `CAP_` prefix, such as `NET_ADMIN`. */
  add?: string[];
  /** Capabilities to drop. `ALL` drops every one; those in `add` are then granted alone. */
  drop?: string[];
}

/** A CephFS file system, as a PersistentVolume. The plug-in was removed; use a CSI driver. */
export interface CephFSPersistentVolumeSource {
  /** Addresses of the Ceph monitors. */
  monitors: string[];
  /** Directory of the file system to mount. Default `/`. */
  path?: string;
  /** Mounts the volume read-only. Default false. */
  readOnly?: boolean;
  /** File on the node with the key of the user. Default `/etc/ceph/user.secret`. */
  secretFile?: string;
  /** Secret with the key of the user. It wins over `secretFile`. */
  secretRef?: SecretReference;
  /** Ceph user. Default `admin`. */
  user?: string;
}

/** A CephFS file system. The plug-in was removed; use a CSI driver. */
export interface CephFSVolumeSource {
  /** Addresses of the Ceph monitors. */
  monitors: string[];
  /** Directory of the file system to mount. Default `/`. */
  path?: string;
  /** Mounts the volume read-only. Default false. */
  readOnly?: boolean;
  /** File on the node with the key of the user. Default `/etc/ceph/user.secret`. */
  secretFile?: string;
  /** Secret with the key of the user, in the pod's namespace. It wins over `secretFile`. */
  secretRef?: LocalObjectReference;
  /** Ceph user. Default `admin`. */
  user?: string;
}

/**
 * An OpenStack Cinder volume, as a PersistentVolume. The plug-in was removed; clusters
 * redirect it to the CSI driver `cinder.csi.openstack.org`.
 */
export interface CinderPersistentVolumeSource {
  /** File system of the volume. Default `ext4`. */
  fsType?: string;
  /** Mounts the volume read-only. Default false. */
  readOnly?: boolean;
  /** Secret with the credentials for OpenStack. */
  secretRef?: SecretReference;
  /** ID of the Cinder volume. */
  volumeID: string;
}

/**
 * An OpenStack Cinder volume. The plug-in was removed; clusters redirect it to the CSI
 * driver `cinder.csi.openstack.org`.
 */
export interface CinderVolumeSource {
  /** File system of the volume. Default `ext4`. */
  fsType?: string;
  /** Mounts the volume read-only. Default false. */
  readOnly?: boolean;
  /** Secret with the credentials for OpenStack, in the pod's namespace. */
  secretRef?: LocalObjectReference;
  /** ID of the Cinder volume. */
  volumeID: string;
}

/** Settings of session affinity by client address. */
export interface ClientIPConfig {
  /**
   * Seconds without traffic after which a client may be sent to another pod. From 1 to 86400.
   * Default 10800, three hours.
   */
  timeoutSeconds?: number;
}

/**
 * A file with the certificates of ClusterTrustBundles, as part of a projected volume. The
 * kubelet keeps it up to date.
 */
export interface ClusterTrustBundleProjection {
  /**
   * Selects bundles of the signer by label. Missing selects none, empty selects all. Only with
   * `signerName`.
   */
  labelSelector?: LabelSelector;
  /** Name of a single bundle. Not together with `signerName`. */
  name?: string;
  /** With true, the pod starts even if no bundle is found. The file is then empty. */
  optional?: boolean;
  /** Path of the file in the volume. Relative, without `..`. */
  path: string;
  /** Signer whose bundles are joined into the file. Not together with `name`. */
  signerName?: string;
}

/** Health of a component. */
export interface ComponentCondition {
  /** Error code of the component. */
  error?: string;
  /** Message of the component. */
  message?: string;
  /** Whether the condition holds. */
  status: string;
  /** Type of the condition. Always `Healthy`. */
  type: string;
}

/** Health of a control plane component. Deprecated since Kubernetes 1.19 and unreliable. */
export interface ComponentStatus {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'v1';
  /** Conditions of the component. */
  conditions?: ComponentCondition[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ComponentStatus';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
}

/**
 * A list of ComponentStatus objects, as a list request returns it. Large lists come in
 * pages.
 */
export interface ComponentStatusList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'v1';
  /** The objects of this page. */
  items: ComponentStatus[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ComponentStatusList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/**
 * Configuration data that pods read as files or environment variables. At most 1 MiB. For
 * confidential data use a Secret.
 */
export interface ConfigMap {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'v1';
  /** Binary values by key, in base64. A key must not be in `data` too. */
  binaryData?: Record<string, Base64>;
  /** Text values by key. Keys consist of letters, digits, `-`, `_` and `.`. */
  data?: Record<string, string>;
  /**
   * With true, the data cannot change and the field cannot be taken back, which spares the
   * kubelet its watch. Default false.
   */
  immutable?: boolean;
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ConfigMap';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
}

/** A ConfigMap whose keys become environment variables. */
export interface ConfigMapEnvSource {
  /** Name of the ConfigMap, in the pod's namespace. */
  name?: string;
  /**
   * With true, a missing ConfigMap is ignored. Otherwise the container does not start without
   * it.
   */
  optional?: boolean;
}

/** A key of a ConfigMap. */
export interface ConfigMapKeySelector {
  /** The key. */
  key: string;
  /** Name of the ConfigMap, in the pod's namespace. */
  name?: string;
  /**
   * With true, a missing ConfigMap or key is ignored. Otherwise the container does not start
   * without it.
   */
  optional?: boolean;
}

/** A list of ConfigMap objects, as a list request returns it. Large lists come in pages. */
export interface ConfigMapList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'v1';
  /** The objects of this page. */
  items: ConfigMap[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ConfigMapList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/**
 * A ConfigMap with the configuration of a kubelet. Dynamic kubelet configuration no longer
 * exists.
 */
export interface ConfigMapNodeConfigSource {
  /** Key of the ConfigMap that holds the configuration. */
  kubeletConfigKey: string;
  /** Name of the ConfigMap. */
  name: string;
  /** Namespace of the ConfigMap. */
  namespace: string;
  /** Resource version of the ConfigMap. Only in the status. */
  resourceVersion?: string;
  /** UID of the ConfigMap. Only in the status. */
  uid?: string;
}

/** Files from a ConfigMap, as part of a projected volume. */
export interface ConfigMapProjection {
  /** Keys to write and their paths. The default is all keys, each as a file of its name. */
  items?: KeyToPath[];
  /** Name of the ConfigMap, in the pod's namespace. */
  name?: string;
  /**
   * With true, a missing ConfigMap or key is ignored. Otherwise the pod does not start without
   * it.
   */
  optional?: boolean;
}

/**
 * A volume of files from a ConfigMap. The kubelet updates them when the ConfigMap changes,
 * except for mounts with `subPath`.
 */
export interface ConfigMapVolumeSource {
  /** Permissions of the files that have no `mode`. Default 0644; JSON needs the decimal 420. */
  defaultMode?: number;
  /** Keys to write and their paths. The default is all keys, each as a file of its name. */
  items?: KeyToPath[];
  /** Name of the ConfigMap, in the pod's namespace. */
  name?: string;
  /**
   * With true, a missing ConfigMap or key is ignored. Otherwise the pod does not start without
   * it.
   */
  optional?: boolean;
}

/**
 * One container of a pod. Most fields cannot change while the pod exists; the image and,
 * with a resize, the resources can.
 */
export interface Container {
  /**
   * Arguments of the command, in place of the image's CMD. `$(NAME)` is replaced by the
   * environment variable; `$$` escapes. Cannot change.
   */
  args?: string[];
  /**
   * Program to run, in place of the image's ENTRYPOINT and not through a shell. `$(NAME)` is
   * replaced by the environment variable; `$$` escapes. Cannot change.
   */
  command?: string[];
  /** Environment variables, in order. They win over those of `envFrom`. Cannot change. */
  env?: EnvVar[];
  /**
   * ConfigMaps and Secrets whose keys all become environment variables. Of equal names the
   * last source wins. Cannot change.
   */
  envFrom?: EnvFromSource[];
  /**
   * Image to run, such as `registry.example.com/app:1.2` or with a digest. May only be left
   * out in templates that another tool completes.
   */
  image?: string;
  /**
   * When the node pulls the image. The default is `Always` for the tag `latest` or no tag,
   * otherwise `IfNotPresent`. Cannot change.
   */
  imagePullPolicy?: Open<'Always' | 'IfNotPresent' | 'Never'>;
  /**
   * Actions to run right after the start and right before the stop of the container. Cannot
   * change.
   */
  lifecycle?: Lifecycle;
  /**
   * Restarts the container when it fails repeatedly. It starts after the startup probe has
   * succeeded. Cannot change.
   */
  livenessProbe?: Probe;
  /** Name of the container, a DNS label that is unique in the pod. Cannot change. */
  name: string;
  /**
   * Ports that the container listens on. Mostly documentation; a port that is not listed is
   * reachable too. Cannot change.
   */
  ports?: ContainerPort[];
  /**
   * Takes the pod out of Services while it fails. The container is not restarted. Cannot
   * change.
   */
  readinessProbe?: Probe;
  /** Whether the container must restart when a resource is resized. Cannot change. */
  resizePolicy?: ContainerResizePolicy[];
  /**
   * CPU, memory and other resources that the container requests, and the limits that it must
   * not exceed.
   */
  resources?: ResourceRequirements;
  /**
   * Overrides the restart policy of the pod for this container. `Always` on an init container
   * makes it a sidecar, which runs beside the containers and ends after them.
   */
  restartPolicy?: string;
  /**
   * Rules for the exit code of the container, tried in order, that come before its
   * `restartPolicy`. Needs `restartPolicy`.
   */
  restartPolicyRules?: ContainerRestartRule[];
  /** User, privileges and confinement of the container. Its values win over those of the pod. */
  securityContext?: SecurityContext;
  /**
   * Delays the other probes until it has succeeded once, for containers that start slowly. If
   * it keeps failing, the container is restarted. Cannot change.
   */
  startupProbe?: Probe;
  /**
   * Keeps standard input open, so that a client can attach to it. Default false, where reads
   * return end of file.
   */
  stdin?: boolean;
  /**
   * Closes standard input after the first attached client disconnects. Only with `stdin`.
   * Default false.
   */
  stdinOnce?: boolean;
  /**
   * File in which the container may leave its last message, which then appears in its status.
   * At most 4096 bytes. Default `/dev/termination-log`. Cannot change.
   */
  terminationMessagePath?: string;
  /**
   * `File` (the default) takes the last message from the file only; `FallbackToLogsOnError`
   * takes the end of the log if the file is empty and the container failed. Cannot change.
   */
  terminationMessagePolicy?: Open<'FallbackToLogsOnError' | 'File'>;
  /** Allocates a terminal for the container. Needs `stdin`. Default false. */
  tty?: boolean;
  /** Raw block devices to make available in the container, for claims with volume mode `Block`. */
  volumeDevices?: VolumeDevice[];
  /** Volumes to mount into the file system of the container. Cannot change. */
  volumeMounts?: VolumeMount[];
  /** Directory in which the command starts. The default is that of the image. Cannot change. */
  workingDir?: string;
}

/**
 * Maps an extended resource that a container requests to a request of the ResourceClaim that
 * was created for it.
 */
export interface ContainerExtendedResourceRequest {
  /** Name of the container. */
  containerName: string;
  /** Name of the request in the claim. */
  requestName: string;
  /** Name of the extended resource, such as `example.com/gpu`. */
  resourceName: string;
}

/** An image that a node has stored. */
export interface ContainerImage {
  /** Names and digests by which the image is known. */
  names?: string[] | null;
  /** Size of the image in bytes. */
  sizeBytes?: number;
}

/** A port of a container. */
export interface ContainerPort {
  /** Port that the process listens on, from 1 to 65535. */
  containerPort: number;
  /** Address of the node to bind `hostPort` to. The default is all addresses. */
  hostIP?: string;
  /**
   * Port of the node that forwards to the container. Only one pod per node can have it, which
   * limits scheduling. Prefer a Service.
   */
  hostPort?: number;
  /** Name that Services and probes can refer to. At most 15 characters, unique in the pod. */
  name?: string;
  /**
   * Protocol of the port.
   *
   * @default 'TCP'
   */
  protocol?: Open<'SCTP' | 'TCP' | 'UDP'>;
}

/** What happens to a container when one of its resources is resized. */
export interface ContainerResizePolicy {
  /** The resource, `cpu` or `memory`. */
  resourceName: string;
  /** `NotRequired` (the default) resizes the running container; `RestartContainer` restarts it. */
  restartPolicy: string;
}

/** Decides about the restart of a container that has exited. */
export interface ContainerRestartRule {
  /** What to do on a match, `Restart` for the container or `RestartAllContainers` for the pod. */
  action: string;
  /** The exit codes that the rule applies to. */
  exitCodes?: ContainerRestartRuleOnExitCodes;
}

/** A condition on the exit code of a container. */
export interface ContainerRestartRuleOnExitCodes {
  /** `In` matches the listed codes, `NotIn` all others. */
  operator: string;
  /** The exit codes, at most 255 of them. */
  values?: number[];
}

/** The state of a container. Exactly one field is set; if none is, the container is waiting. */
export interface ContainerState {
  /** Set while the container runs. */
  running?: ContainerStateRunning;
  /** Set after the container has exited. */
  terminated?: ContainerStateTerminated;
  /** Set while the container cannot run yet, for example because its image is being pulled. */
  waiting?: ContainerStateWaiting;
}

/** Details of a running container. */
export interface ContainerStateRunning {
  /** When the container was last started. */
  startedAt?: Time;
}

/** Details of a container that has exited. */
export interface ContainerStateTerminated {
  /** ID of the container in the runtime, such as `containerd://…`. */
  containerID?: string;
  /** Exit code of the process. By convention 128 plus the signal if a signal ended it. */
  exitCode: number;
  /** When the container exited. */
  finishedAt?: Time;
  /** Details for people. It holds the termination message, if the container left one. */
  message?: string;
  /** Why the container exited as one word, such as `Completed`, `Error` or `OOMKilled`. */
  reason?: string;
  /** Number of the signal that ended the process. Rarely set; look at `exitCode`. */
  signal?: number;
  /** When this run of the container started. */
  startedAt?: Time;
}

/** Details of a container that is not running yet. */
export interface ContainerStateWaiting {
  /** Details for people. */
  message?: string;
  /**
   * Why the container waits as one word, such as `ContainerCreating`, `ImagePullBackOff` or
   * `CrashLoopBackOff`.
   */
  reason?: string;
}

/** The observed state of one container. */
export interface ContainerStatus {
  /**
   * Resources that the node has set aside for the container. During a resize they may differ
   * from the spec.
   */
  allocatedResources?: Record<string, Quantity>;
  /** Health of the devices and other resources that were allocated to the container. */
  allocatedResourcesStatus?: ResourceStatus[];
  /** ID of the container in the runtime, such as `containerd://…`. */
  containerID?: string;
  /**
   * Image that the container runs. The runtime may report another name for it than the spec
   * has.
   */
  image: string;
  /** ID or digest of the image that the container runs. */
  imageID: string;
  /** How the previous run of the container ended. Empty if it has not been restarted. */
  lastState?: ContainerState;
  /** Name of the container in the spec. */
  name: string;
  /** True if the container has started and its readiness probe succeeds. */
  ready: boolean;
  /** Requests and limits that are in effect now. During a resize they may differ from the spec. */
  resources?: ResourceRequirements;
  /**
   * How often the container was restarted. Old containers that the node removes may be missing
   * from the count.
   */
  restartCount: number;
  /**
   * True once the startup probe has succeeded, or from the start if there is none. Reset by a
   * restart.
   */
  started?: boolean;
  /** The current state. */
  state?: ContainerState;
  /** Signal that asks the container to stop, from the spec, the image or the runtime. */
  stopSignal?: Open<
    | 'SIGABRT'
    | 'SIGALRM'
    | 'SIGBUS'
    | 'SIGCHLD'
    | 'SIGCLD'
    | 'SIGCONT'
    | 'SIGFPE'
    | 'SIGHUP'
    | 'SIGILL'
    | 'SIGINT'
    | 'SIGIO'
    | 'SIGIOT'
    | 'SIGKILL'
    | 'SIGPIPE'
    | 'SIGPOLL'
    | 'SIGPROF'
    | 'SIGPWR'
    | 'SIGQUIT'
    | 'SIGRTMAX'
    | 'SIGRTMAX-1'
    | 'SIGRTMAX-10'
    | 'SIGRTMAX-11'
    | 'SIGRTMAX-12'
    | 'SIGRTMAX-13'
    | 'SIGRTMAX-14'
    | 'SIGRTMAX-2'
    | 'SIGRTMAX-3'
    | 'SIGRTMAX-4'
    | 'SIGRTMAX-5'
    | 'SIGRTMAX-6'
    | 'SIGRTMAX-7'
    | 'SIGRTMAX-8'
    | 'SIGRTMAX-9'
    | 'SIGRTMIN'
    | 'SIGRTMIN+1'
    | 'SIGRTMIN+10'
    | 'SIGRTMIN+11'
    | 'SIGRTMIN+12'
    | 'SIGRTMIN+13'
    | 'SIGRTMIN+14'
    | 'SIGRTMIN+15'
    | 'SIGRTMIN+2'
    | 'SIGRTMIN+3'
    | 'SIGRTMIN+4'
    | 'SIGRTMIN+5'
    | 'SIGRTMIN+6'
    | 'SIGRTMIN+7'
    | 'SIGRTMIN+8'
    | 'SIGRTMIN+9'
    | 'SIGSEGV'
    | 'SIGSTKFLT'
    | 'SIGSTOP'
    | 'SIGSYS'
    | 'SIGTERM'
    | 'SIGTRAP'
    | 'SIGTSTP'
    | 'SIGTTIN'
    | 'SIGTTOU'
    | 'SIGURG'
    | 'SIGUSR1'
    | 'SIGUSR2'
    | 'SIGVTALRM'
    | 'SIGWINCH'
    | 'SIGXCPU'
    | 'SIGXFSZ'
  >;
  /** User and groups that the first process of the container runs with. */
  user?: ContainerUser;
  /** State of the volumes that are mounted into the container. */
  volumeMounts?: VolumeMountStatus[];
}

/** The identity that the first process of a container runs with. */
export interface ContainerUser {
  /** User and groups on Linux. */
  linux?: LinuxContainerUser;
}

/** The port of a daemon on a node. */
export interface DaemonEndpoint {
  /** Port that the daemon listens on. */
  Port: number;
}

/** Files with fields of the pod, as part of a projected volume. */
export interface DownwardAPIProjection {
  /** The files to write. */
  items?: DownwardAPIVolumeFile[];
}

/** A file with the value of a field of the pod. */
export interface DownwardAPIVolumeFile {
  /** Field of the pod, such as `metadata.labels`. The file follows changes. */
  fieldRef?: ObjectFieldSelector;
  /**
   * Permissions of the file, in octal notation in YAML (`0644`) or as a decimal number in
   * JSON. The default is that of the volume.
   */
  mode?: number;
  /** Path of the file in the volume. Relative, without `..`. */
  path: string;
  /** Resource request or limit of a container. */
  resourceFieldRef?: ResourceFieldSelector;
}

/** A volume of files with fields of the pod. */
export interface DownwardAPIVolumeSource {
  /** Permissions of the files that have no `mode`. Default 0644; JSON needs the decimal 420. */
  defaultMode?: number;
  /** The files to write. */
  items?: DownwardAPIVolumeFile[];
}

/**
 * An empty directory that lives as long as the pod and is deleted with it. It survives
 * restarts of containers.
 */
export interface EmptyDirVolumeSource {
  /**
   * Where the data is kept. Empty (the default) means the node's disk, `Memory` a tmpfs that
   * counts as memory of the containers, `HugePages` huge pages.
   */
  medium?: string;
  /**
   * Most that the directory may hold. A pod that exceeds it is evicted. The default is no
   * limit.
   */
  sizeLimit?: Quantity;
}

/** An address of an Endpoints object. */
export interface EndpointAddress {
  /** Host name of the endpoint, for its DNS name. */
  hostname?: string;
  /** The IP address. */
  ip: string;
  /** Node that the endpoint is on. */
  nodeName?: string;
  /** Object behind the address, usually the pod. */
  targetRef?: ObjectReference;
}

/** A port of an Endpoints object. */
export interface EndpointPort {
  /** Protocol on top of the transport, such as `kubernetes.io/h2c`. A hint for implementations. */
  appProtocol?: string;
  /** Name of the port in the Service. Required if there are several ports. */
  name?: string;
  /** Number of the port. */
  port: number;
  /** Transport protocol. Default `TCP`. */
  protocol?: Open<'SCTP' | 'TCP' | 'UDP'>;
}

/** Addresses that have the same ports. */
export interface EndpointSubset {
  /** Addresses that are ready. */
  addresses?: EndpointAddress[];
  /** Addresses that are not ready. */
  notReadyAddresses?: EndpointAddress[];
  /** Ports of each address. */
  ports?: EndpointPort[];
}

/**
 * Addresses of a Service. Deprecated since Kubernetes 1.33; EndpointSlices replace it, and
 * it holds at most 1000 addresses.
 */
export interface Endpoints {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'Endpoints';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** Addresses in groups with the same ports. */
  subsets?: EndpointSubset[];
}

/** A list of Endpoints objects, as a list request returns it. Large lists come in pages. */
export interface EndpointsList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'v1';
  /** The objects of this page. */
  items: Endpoints[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'EndpointsList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** A ConfigMap or Secret whose keys become environment variables. */
export interface EnvFromSource {
  /** The ConfigMap to take the variables from. */
  configMapRef?: ConfigMapEnvSource;
  /** Text to put before each key. */
  prefix?: string;
  /** The Secret to take the variables from. */
  secretRef?: SecretEnvSource;
}

/** One environment variable. */
export interface EnvVar {
  /** Name of the variable. */
  name: string;
  /**
   * Value of the variable. `$(NAME)` is replaced by a variable defined earlier; `$$` escapes.
   * Default is the empty string.
   */
  value?: string;
  /** Where to take the value from. Not together with `value`. */
  valueFrom?: EnvVarSource;
}

/**
 * Source of the value of an environment variable. Exactly one field is set. Later changes of
 * the source do not reach a running container.
 */
export interface EnvVarSource {
  /** A key of a ConfigMap in the pod's namespace. */
  configMapKeyRef?: ConfigMapKeySelector;
  /** A field of the pod, such as `metadata.name`, `status.podIP` or `metadata.labels['app']`. */
  fieldRef?: ObjectFieldSelector;
  /** A key of an environment file in an emptyDir volume, written by an init container. */
  fileKeyRef?: FileKeySelector;
  /** A resource request or limit of a container. */
  resourceFieldRef?: ResourceFieldSelector;
  /** A key of a Secret in the pod's namespace. */
  secretKeyRef?: SecretKeySelector;
}

/**
 * A container that is added to a running pod for debugging, through the
 * `ephemeralcontainers` subresource. It is never restarted and cannot be removed or changed.
 */
export interface EphemeralContainer {
  /**
   * Arguments of the command, in place of the image's CMD. `$(NAME)` is replaced by the
   * environment variable; `$$` escapes. Cannot change.
   */
  args?: string[];
  /**
   * Program to run, in place of the image's ENTRYPOINT and not through a shell. `$(NAME)` is
   * replaced by the environment variable; `$$` escapes. Cannot change.
   */
  command?: string[];
  /** Environment variables, in order. They win over those of `envFrom`. Cannot change. */
  env?: EnvVar[];
  /**
   * ConfigMaps and Secrets whose keys all become environment variables. Of equal names the
   * last source wins. Cannot change.
   */
  envFrom?: EnvFromSource[];
  /**
   * Image to run, such as `registry.example.com/app:1.2` or with a digest. May only be left
   * out in templates that another tool completes.
   */
  image?: string;
  /**
   * When the node pulls the image. The default is `Always` for the tag `latest` or no tag,
   * otherwise `IfNotPresent`. Cannot change.
   */
  imagePullPolicy?: Open<'Always' | 'IfNotPresent' | 'Never'>;
  /** Not allowed for ephemeral containers. */
  lifecycle?: Lifecycle;
  /** Not allowed for ephemeral containers. */
  livenessProbe?: Probe;
  /** Name of the container, a DNS label that is unique among all containers of the pod. */
  name: string;
  /** Not allowed for ephemeral containers. */
  ports?: ContainerPort[];
  /** Not allowed for ephemeral containers. */
  readinessProbe?: Probe;
  /** Not allowed for ephemeral containers. */
  resizePolicy?: ContainerResizePolicy[];
  /** Not allowed for ephemeral containers. They use what the pod leaves unused. */
  resources?: ResourceRequirements;
  /** Not allowed for ephemeral containers. */
  restartPolicy?: string;
  /** Not allowed for ephemeral containers. */
  restartPolicyRules?: ContainerRestartRule[];
  /** User, privileges and confinement of the container. Its values win over those of the pod. */
  securityContext?: SecurityContext;
  /** Not allowed for ephemeral containers. */
  startupProbe?: Probe;
  /**
   * Keeps standard input open, so that a client can attach to it. Default false, where reads
   * return end of file.
   */
  stdin?: boolean;
  /**
   * Closes standard input after the first attached client disconnects. Only with `stdin`.
   * Default false.
   */
  stdinOnce?: boolean;
  /**
   * Container whose process namespace this one joins, so that its processes can be inspected.
   * Without it the pod's setting applies.
   */
  targetContainerName?: string;
  /**
   * File in which the container may leave its last message, which then appears in its status.
   * At most 4096 bytes. Default `/dev/termination-log`. Cannot change.
   */
  terminationMessagePath?: string;
  /**
   * `File` (the default) takes the last message from the file only; `FallbackToLogsOnError`
   * takes the end of the log if the file is empty and the container failed. Cannot change.
   */
  terminationMessagePolicy?: Open<'FallbackToLogsOnError' | 'File'>;
  /** Allocates a terminal for the container. Needs `stdin`. Default false. */
  tty?: boolean;
  /** Raw block devices to make available in the container, for claims with volume mode `Block`. */
  volumeDevices?: VolumeDevice[];
  /** Volumes of the pod to mount. `subPath` is not allowed. */
  volumeMounts?: VolumeMount[];
  /** Directory in which the command starts. The default is that of the image. Cannot change. */
  workingDir?: string;
}

/** A volume with its own PersistentVolumeClaim, which is created and deleted with the pod. */
export interface EphemeralVolumeSource {
  /** The claim to create. Its name is the pod's and the volume's, joined by a hyphen. */
  volumeClaimTemplate?: PersistentVolumeClaimTemplate;
}

/**
 * A note about something that happened to an object. Events are kept for about an hour and
 * may be lost; do not build logic on them.
 */
export interface Event {
  /** What was done or failed, as one word. */
  action?: string;
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'v1';
  /** How often the event has happened, if repetitions are merged into one object. */
  count?: number;
  /**
   * When the event first happened, in microseconds. Empty for events that use
   * `firstTimestamp`.
   */
  eventTime?: MicroTime;
  /** When the event first happened. */
  firstTimestamp?: Time;
  /** The object that the event is about. */
  involvedObject: ObjectReference;
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'Event';
  /** When the event last happened. */
  lastTimestamp?: Time;
  /** What happened, for people. */
  message?: string;
  /**
   * Name, namespace and other standard metadata. The namespace must be that of the involved
   * object.
   */
  metadata: ObjectMeta;
  /** Why the event was sent as one CamelCase word, such as `FailedScheduling`. */
  reason?: string;
  /** A second object that the event is about, if there is one. */
  related?: ObjectReference;
  /** Name of the controller that sent the event, such as `kubernetes.io/kubelet`. */
  reportingComponent?: string;
  /** ID of the controller instance that sent the event. */
  reportingInstance?: string;
  /** Count and time of repetitions, if the event is part of a series. */
  series?: EventSeries;
  /**
   * Component and node that sent the event. Replaced by `reportingComponent` and
   * `reportingInstance`.
   */
  source?: EventSource;
  /** `Normal` or `Warning`. */
  type?: string;
}

/** A list of Event objects, as a list request returns it. Large lists come in pages. */
export interface EventList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'v1';
  /** The objects of this page. */
  items: Event[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'EventList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** Repetitions of an event. */
export interface EventSeries {
  /** How often the event has happened so far. */
  count?: number;
  /** When the event last happened. */
  lastObservedTime?: MicroTime;
}

/** The sender of an event. */
export interface EventSource {
  /** Name of the component, such as `kubelet`. */
  component?: string;
  /** Node on which the component runs. */
  host?: string;
}

/** Runs a program in the container. Exit code 0 means success. */
export interface ExecAction {
  /** Program and arguments. There is no shell, so pipes and variables need one, as in `sh -c`. */
  command?: string[];
}

/** A Fibre Channel volume. Set either `targetWWNs` and `lun`, or `wwids`. */
export interface FCVolumeSource {
  /** File system of the volume. Default `ext4`. */
  fsType?: string;
  /** Number of the unit at the targets. */
  lun?: number;
  /** Mounts the volume read-only. Default false. */
  readOnly?: boolean;
  /** World wide names of the targets. */
  targetWWNs?: string[];
  /** World wide identifiers of the volume. */
  wwids?: string[];
}

/** A key of an environment file in a volume of the pod. */
export interface FileKeySelector {
  /** Name of the variable in the file. */
  key: string;
  /**
   * With true, the variable is left out if the file or key is missing. With false the
   * container then does not start.
   */
  optional?: boolean;
  /** Path of the file in the volume. Relative, without `..`. */
  path: string;
  /** Name of the emptyDir volume that holds the file. */
  volumeName: string;
}

/** A volume of a FlexVolume driver, as a PersistentVolume. FlexVolume is deprecated; use CSI. */
export interface FlexPersistentVolumeSource {
  /** Name of the driver. */
  driver: string;
  /** File system of the volume. The default is up to the driver. */
  fsType?: string;
  /** Options to pass to the driver. */
  options?: Record<string, string>;
  /** Mounts the volume read-only. Default false. */
  readOnly?: boolean;
  /** Secret with sensitive options for the driver. */
  secretRef?: SecretReference;
}

/** A volume of a FlexVolume driver, a program on the node. FlexVolume is deprecated; use CSI. */
export interface FlexVolumeSource {
  /** Name of the driver. */
  driver: string;
  /** File system of the volume. The default is up to the driver. */
  fsType?: string;
  /** Options to pass to the driver. */
  options?: Record<string, string>;
  /** Mounts the volume read-only. Default false. */
  readOnly?: boolean;
  /** Secret with sensitive options for the driver, in the pod's namespace. */
  secretRef?: LocalObjectReference;
}

/** A Flocker dataset. The plug-in was removed. Set one of the two fields. */
export interface FlockerVolumeSource {
  /** Name of the dataset, from its metadata. */
  datasetName?: string;
  /** UUID of the dataset. */
  datasetUUID?: string;
}

/**
 * A Google Compute Engine disk. The plug-in was removed; clusters redirect it to the CSI
 * driver `pd.csi.storage.gke.io`.
 */
export interface GCEPersistentDiskVolumeSource {
  /** File system of the disk. Default `ext4`. */
  fsType?: string;
  /** Partition to mount. Empty or 0 mounts the whole disk. */
  partition?: number;
  /** Name of the disk, in the zone of the node. */
  pdName: string;
  /** Mounts the disk read-only. Default false. */
  readOnly?: boolean;
}

/**
 * A call to the service `grpc.health.v1.Health`. The status `SERVING` means success; TLS is
 * not supported.
 */
export interface GRPCAction {
  /** Port of the gRPC server. */
  port: number;
  /**
   * Service name to send in the health request. Default is the empty name, which stands for
   * the whole server.
   */
  service?: string;
}

/**
 * A directory with a clone of a git repository. Disabled by default because it is insecure;
 * clone in an init container instead.
 */
export interface GitRepoVolumeSource {
  /** Directory in the volume to clone into. `.` clones into its root. */
  directory?: string;
  /** URL of the repository. */
  repository: string;
  /** Commit to check out. */
  revision?: string;
}

/** A GlusterFS volume, as a PersistentVolume. The plug-in was removed. */
export interface GlusterfsPersistentVolumeSource {
  /** Name of the Endpoints object with the addresses of the Gluster servers. */
  endpoints: string;
  /** Namespace of the Endpoints. The default is that of the claim. */
  endpointsNamespace?: string;
  /** Name of the Gluster volume. */
  path: string;
  /** Mounts the volume read-only. Default false. */
  readOnly?: boolean;
}

/** A GlusterFS volume. The plug-in was removed. */
export interface GlusterfsVolumeSource {
  /** Name of the Endpoints object with the addresses of the Gluster servers. */
  endpoints: string;
  /** Name of the Gluster volume. */
  path: string;
  /** Mounts the volume read-only. Default false. */
  readOnly?: boolean;
}

/** Sends an HTTP GET request. Status codes from 200 to 399 mean success. */
export interface HTTPGetAction {
  /**
   * Host to connect to. The default is the address of the pod; set a `Host` header for virtual
   * hosts rather than this.
   */
  host?: string;
  /** Headers to send. A header may appear more than once. */
  httpHeaders?: HTTPHeader[];
  /** Path to request. Default `/`. */
  path?: string;
  /** Number or name of the container's port. */
  port: IntOrString;
  /** `HTTP` (the default) or `HTTPS`, whose certificate is not verified. */
  scheme?: Open<'HTTP' | 'HTTPS'>;
}

/** A header of a request. */
export interface HTTPHeader {
  /** Name of the header. Case does not matter. */
  name: string;
  /** Value of the header. */
  value: string;
}

/** A line of the pod's hosts file. */
export interface HostAlias {
  /** Names that resolve to the address. */
  hostnames?: string[];
  /** The IP address. */
  ip: string;
}

/** An IP address of a node. */
export interface HostIP {
  /** The IP address. */
  ip: string;
}

/** A file or directory of the node. It exposes the node to the pod; prefer other volumes. */
export interface HostPathVolumeSource {
  /** Path on the node. Symbolic links are followed. */
  path: string;
  /** What must exist at the path, or what to create there. Empty (the default) checks nothing. */
  type?: Open<
    | ''
    | 'BlockDevice'
    | 'CharDevice'
    | 'Directory'
    | 'DirectoryOrCreate'
    | 'File'
    | 'FileOrCreate'
    | 'Socket'
  >;
}

/** An iSCSI disk, as a PersistentVolume. */
export interface ISCSIPersistentVolumeSource {
  /** Uses CHAP authentication for discovery. */
  chapAuthDiscovery?: boolean;
  /** Uses CHAP authentication for the session. */
  chapAuthSession?: boolean;
  /** File system of the disk. Default `ext4`. */
  fsType?: string;
  /** Name of the initiator. If set, a new interface is made for it. */
  initiatorName?: string;
  /** Qualified name of the target. */
  iqn: string;
  /**
   * Interface to use, which selects the transport.
   *
   * @default 'default'
   */
  iscsiInterface?: string;
  /** Number of the unit at the target. */
  lun: number;
  /** Further portals, for multipath. */
  portals?: string[];
  /** Mounts the disk read-only. Default false. */
  readOnly?: boolean;
  /** Secret with the CHAP credentials. */
  secretRef?: SecretReference;
  /** Address of the portal, with a port if it is not 3260. */
  targetPortal: string;
}

/** An iSCSI disk. It can be written by one pod, or read by many. */
export interface ISCSIVolumeSource {
  /** Uses CHAP authentication for discovery. */
  chapAuthDiscovery?: boolean;
  /** Uses CHAP authentication for the session. */
  chapAuthSession?: boolean;
  /** File system of the disk. Default `ext4`. */
  fsType?: string;
  /** Name of the initiator. If set, a new interface is made for it. */
  initiatorName?: string;
  /** Qualified name of the target. */
  iqn: string;
  /**
   * Interface to use, which selects the transport.
   *
   * @default 'default'
   */
  iscsiInterface?: string;
  /** Number of the unit at the target. */
  lun: number;
  /** Further portals, for multipath. */
  portals?: string[];
  /** Mounts the disk read-only. Default false. */
  readOnly?: boolean;
  /** Secret with the CHAP credentials, in the pod's namespace. */
  secretRef?: LocalObjectReference;
  /** Address of the portal, with a port if it is not 3260. */
  targetPortal: string;
}

/** The files of an OCI image or artifact, mounted read-only. */
export interface ImageVolumeSource {
  /**
   * When the node pulls the image. The default is `Always` for the tag `latest` or no tag,
   * otherwise `IfNotPresent`.
   */
  pullPolicy?: Open<'Always' | 'IfNotPresent' | 'Never'>;
  /** The image or artifact, in the same notation as the image of a container. */
  reference?: string;
}

/** State of a mounted image volume. */
export interface ImageVolumeStatus {
  /** Digest of the image that is mounted. */
  imageRef: string;
}

/** Writes one key of a ConfigMap or Secret to a file. */
export interface KeyToPath {
  /** The key. */
  key: string;
  /**
   * Permissions of the file, in octal notation in YAML (`0644`) or as a decimal number in
   * JSON. The default is that of the volume.
   */
  mode?: number;
  /** Path of the file in the volume. Relative, without `..`. */
  path: string;
}

/** Actions at the start and at the stop of a container. */
export interface Lifecycle {
  /**
   * Runs right after the container was created, beside its process. If it fails, the container
   * is stopped and the restart policy applies.
   */
  postStart?: LifecycleHandler;
  /**
   * Runs before the container is asked to stop, except when it exits by itself. The pod's
   * grace period includes the time it takes.
   */
  preStop?: LifecycleHandler;
  /** Signal that asks the container to stop, in place of the image's. Needs `spec.os.name`. */
  stopSignal?: Open<
    | 'SIGABRT'
    | 'SIGALRM'
    | 'SIGBUS'
    | 'SIGCHLD'
    | 'SIGCLD'
    | 'SIGCONT'
    | 'SIGFPE'
    | 'SIGHUP'
    | 'SIGILL'
    | 'SIGINT'
    | 'SIGIO'
    | 'SIGIOT'
    | 'SIGKILL'
    | 'SIGPIPE'
    | 'SIGPOLL'
    | 'SIGPROF'
    | 'SIGPWR'
    | 'SIGQUIT'
    | 'SIGRTMAX'
    | 'SIGRTMAX-1'
    | 'SIGRTMAX-10'
    | 'SIGRTMAX-11'
    | 'SIGRTMAX-12'
    | 'SIGRTMAX-13'
    | 'SIGRTMAX-14'
    | 'SIGRTMAX-2'
    | 'SIGRTMAX-3'
    | 'SIGRTMAX-4'
    | 'SIGRTMAX-5'
    | 'SIGRTMAX-6'
    | 'SIGRTMAX-7'
    | 'SIGRTMAX-8'
    | 'SIGRTMAX-9'
    | 'SIGRTMIN'
    | 'SIGRTMIN+1'
    | 'SIGRTMIN+10'
    | 'SIGRTMIN+11'
    | 'SIGRTMIN+12'
    | 'SIGRTMIN+13'
    | 'SIGRTMIN+14'
    | 'SIGRTMIN+15'
    | 'SIGRTMIN+2'
    | 'SIGRTMIN+3'
    | 'SIGRTMIN+4'
    | 'SIGRTMIN+5'
    | 'SIGRTMIN+6'
    | 'SIGRTMIN+7'
    | 'SIGRTMIN+8'
    | 'SIGRTMIN+9'
    | 'SIGSEGV'
    | 'SIGSTKFLT'
    | 'SIGSTOP'
    | 'SIGSYS'
    | 'SIGTERM'
    | 'SIGTRAP'
    | 'SIGTSTP'
    | 'SIGTTIN'
    | 'SIGTTOU'
    | 'SIGURG'
    | 'SIGUSR1'
    | 'SIGUSR2'
    | 'SIGVTALRM'
    | 'SIGWINCH'
    | 'SIGXCPU'
    | 'SIGXFSZ'
  >;
}

/** One action at the start or stop of a container. Exactly one field is set. */
export interface LifecycleHandler {
  /** Runs a program in the container. */
  exec?: ExecAction;
  /** Sends an HTTP request to the container. */
  httpGet?: HTTPGetAction;
  /** Waits for some seconds. */
  sleep?: SleepAction;
  /** Kept for compatibility; it does nothing in a lifecycle handler. */
  tcpSocket?: TCPSocketAction;
}

/**
 * Default and extreme values of resources in a namespace. Applied when pods and claims are
 * created.
 */
export interface LimitRange {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'LimitRange';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The limits. */
  spec?: LimitRangeSpec;
}

/** Limits for one kind of object. */
export interface LimitRangeItem {
  /** Limits for containers that have none. */
  default?: Record<string, Quantity>;
  /** Requests for containers that have none. */
  defaultRequest?: Record<string, Quantity>;
  /** Largest values that are allowed. */
  max?: Record<string, Quantity>;
  /** Largest allowed ratio of limit to request. */
  maxLimitRequestRatio?: Record<string, Quantity>;
  /** Smallest values that are allowed. */
  min?: Record<string, Quantity>;
  /** Kind of object, `Container`, `Pod` or `PersistentVolumeClaim`. */
  type: string;
}

/** A list of LimitRange objects, as a list request returns it. Large lists come in pages. */
export interface LimitRangeList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'v1';
  /** The objects of this page. */
  items: LimitRange[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'LimitRangeList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** The limits of a namespace. */
export interface LimitRangeSpec {
  /** Limits by kind of object. */
  limits: LimitRangeItem[] | null;
}

/** User and groups of a process on Linux. */
export interface LinuxContainerUser {
  /** Primary group of the process. */
  gid: number;
  /** Further groups of the process. */
  supplementalGroups?: number[];
  /** User of the process. */
  uid: number;
}

/** One address of a load balancer. */
export interface LoadBalancerIngress {
  /** Host name of the load balancer, as AWS assigns it. */
  hostname?: string;
  /** IP address of the load balancer. */
  ip?: string;
  /**
   * `VIP` if traffic arrives with this address as its destination, `Proxy` if it arrives with
   * the address of a node or pod. Only with `ip`.
   */
  ipMode?: string;
  /** State of each port. If an entry has an error, the port does not work. */
  ports?: PortStatus[];
}

/** The addresses of a load balancer. */
export interface LoadBalancerStatus {
  /** Addresses at which traffic enters. Empty until the load balancer is ready. */
  ingress?: LoadBalancerIngress[];
}

/** An object in the same namespace. Its kind follows from the field. */
export interface LocalObjectReference {
  /** Name of the object. */
  name?: string;
}

/**
 * A disk, partition or directory of a certain node, as a PersistentVolume. It needs a node
 * affinity.
 */
export interface LocalVolumeSource {
  /** File system to make on a block device that has none. Only if the path is a block device. */
  fsType?: string;
  /** Path of the directory or device on the node. */
  path: string;
}

/** State of a change to another VolumeAttributesClass. */
export interface ModifyVolumeStatus {
  /**
   * `Pending` waits for the class to exist, `InProgress` is being applied, `Infeasible` was
   * rejected by the driver.
   */
  status: Open<'InProgress' | 'Infeasible' | 'Pending'>;
  /** Name of the class that is being applied. */
  targetVolumeAttributesClassName?: string;
}

/** An NFS export. The server must allow all nodes that may run the pod. */
export interface NFSVolumeSource {
  /** Directory that the server exports. */
  path: string;
  /** Mounts the directory read-only. Default false. */
  readOnly?: boolean;
  /** Host name or address of the server. */
  server: string;
}

/** A scope for names. Deleting it deletes every object in it. */
export interface Namespace {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'Namespace';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** Finalizers of the namespace. */
  spec?: NamespaceSpec;
  /** The observed state. Read-only. */
  status?: NamespaceStatus;
}

/** One aspect of a namespace's deletion, such as what could not be deleted. */
export interface NamespaceCondition {
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

/** A list of Namespace objects, as a list request returns it. Large lists come in pages. */
export interface NamespaceList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'v1';
  /** The objects of this page. */
  items: Namespace[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'NamespaceList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** The desired state of a namespace. */
export interface NamespaceSpec {
  /**
   * Names of tasks that must finish before the namespace is removed. Changed only through the
   * `finalize` subresource.
   */
  finalizers?: string[];
}

/** The observed state of a namespace. */
export interface NamespaceStatus {
  /** Aspects of the deletion, at most one of each type. */
  conditions?: NamespaceCondition[];
  /**
   * `Active`, or `Terminating` while its content is being deleted. New objects are then
   * rejected.
   */
  phase?: Open<'Active' | 'Terminating'>;
}

/**
 * A machine that runs pods. The kubelet on it creates the object and keeps its status up to
 * date.
 */
export interface Node {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'Node';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** Settings of the node, such as taints. */
  spec?: NodeSpec;
  /** The state that the kubelet last reported. Read-only. */
  status?: NodeStatus;
}

/** An address of a node. */
export interface NodeAddress {
  /** The address or name. */
  address: string;
  /** Kind of the address, such as `InternalIP`, `ExternalIP`, `Hostname` or `InternalDNS`. */
  type: string;
}

/**
 * Rules about the labels of the node that a pod runs on. They count at scheduling only; a
 * running pod stays when labels change.
 */
export interface NodeAffinity {
  /**
   * Preferences. For each node the scheduler adds up the weights of the terms that match, and
   * favors high sums.
   */
  preferredDuringSchedulingIgnoredDuringExecution?: PreferredSchedulingTerm[];
  /** Requirements. The pod is not scheduled to a node that does not meet them. */
  requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector;
}

/**
 * Node resources, such as CPU and memory, that a ResourceClaim of the pod takes from the
 * node's allocatable resources.
 */
export interface NodeAllocatableResourceClaimStatus {
  /** Containers of the pod that use the claim. */
  containers?: string[];
  /** Name of the ResourceClaim. */
  resourceClaimName: string;
  /** Amounts that the claim takes, by resource. */
  resources: Record<string, Quantity> | null;
}

/**
 * One aspect of a node's state, such as `Ready`, `MemoryPressure`, `DiskPressure`,
 * `PIDPressure` and `NetworkUnavailable`.
 */
export interface NodeCondition {
  /**
   * When the kubelet last reported the condition. Heartbeats are mostly Leases; this can be
   * minutes old.
   */
  lastHeartbeatTime?: Time;
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

/** Source of a kubelet configuration. Dynamic kubelet configuration no longer exists. */
export interface NodeConfigSource {
  /** The ConfigMap with the configuration. */
  configMap?: ConfigMapNodeConfigSource;
}

/** State of a kubelet's configuration. Dynamic kubelet configuration no longer exists. */
export interface NodeConfigStatus {
  /** Configuration that the kubelet uses. */
  active?: NodeConfigSource;
  /** Configuration that the kubelet tries to use. */
  assigned?: NodeConfigSource;
  /** Problem with the assigned configuration. */
  error?: string;
  /** Configuration to fall back to if the assigned one does not work. */
  lastKnownGood?: NodeConfigSource;
}

/** Ports of the daemons on a node. */
export interface NodeDaemonEndpoints {
  /** Port of the kubelet. */
  kubeletEndpoint?: DaemonEndpoint;
}

/** Features that the container runtime of a node supports, whatever the runtime handler. */
export interface NodeFeatures {
  /** Whether `supplementalGroupsPolicy` and the user in the container status are supported. */
  supplementalGroupsPolicy?: boolean;
}

/** A list of Node objects, as a list request returns it. Large lists come in pages. */
export interface NodeList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'v1';
  /** The objects of this page. */
  items: Node[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'NodeList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** A runtime handler that a node offers to runtime classes. */
export interface NodeRuntimeHandler {
  /** Features that the handler supports. */
  features?: NodeRuntimeHandlerFeatures;
  /** Name of the handler. Empty for the default one. */
  name?: string;
}

/** Features of a runtime handler. */
export interface NodeRuntimeHandlerFeatures {
  /** Whether `recursiveReadOnly` mounts are supported. */
  recursiveReadOnlyMounts?: boolean;
  /** Whether user namespaces are supported. */
  userNamespaces?: boolean;
}

/** Selects nodes. A node matches if at least one term matches. */
export interface NodeSelector {
  /** Alternatives, at least one. */
  nodeSelectorTerms: NodeSelectorTerm[];
}

/** One condition on a label or field of a node. */
export interface NodeSelectorRequirement {
  /** The label or field that the condition is about. */
  key: string;
  /** How the values are compared. `Gt` and `Lt` compare integers. */
  operator: Open<'DoesNotExist' | 'Exists' | 'Gt' | 'In' | 'Lt' | 'NotIn'>;
  /**
   * The values to compare with. `In` and `NotIn` need at least one, `Gt` and `Lt` exactly one
   * integer, the others none.
   */
  values?: string[];
}

/** A combination of conditions that must all hold. An empty term matches no node. */
export interface NodeSelectorTerm {
  /** Conditions on labels of the node. */
  matchExpressions?: NodeSelectorRequirement[];
  /** Conditions on fields of the node. Only `metadata.name` is supported. */
  matchFields?: NodeSelectorRequirement[];
}

/** Settings of a node. */
export interface NodeSpec {
  /** Source of the kubelet's configuration. No longer used. */
  configSource?: NodeConfigSource;
  /** ID of the machine at the cloud provider. No longer used. */
  externalID?: string;
  /** Address range of the pods on the node. Cannot change once set. */
  podCIDR?: string;
  /** Address ranges of the pods, at most one IPv4 and one IPv6. The first is `podCIDR`. */
  podCIDRs?: string[];
  /** ID of the machine at the cloud provider, as `provider://id`. Cannot change once set. */
  providerID?: string;
  /** Marks that keep away pods that do not tolerate them. */
  taints?: Taint[];
  /**
   * With true, no new pods are scheduled to the node; `kubectl cordon` sets it. Running pods
   * stay.
   */
  unschedulable?: boolean;
}

/** The observed state of a node. */
export interface NodeStatus {
  /** Addresses and names of the node. Merged by type and address. */
  addresses?: NodeAddress[];
  /**
   * Resources that pods can use, which is the capacity without what is reserved for the
   * system.
   */
  allocatable?: Record<string, Quantity>;
  /** Resources that the node has in total. */
  capacity?: Record<string, Quantity>;
  /**
   * Aspects of the state, at most one of each type. A node without a true `Ready` condition
   * receives no pods.
   */
  conditions?: NodeCondition[];
  /** State of the kubelet's configuration. No longer used. */
  config?: NodeConfigStatus;
  /** Ports of the daemons on the node. */
  daemonEndpoints?: NodeDaemonEndpoints;
  /** Features that the node supports and that the scheduler takes into account. */
  declaredFeatures?: string[];
  /** Features of the container runtime. */
  features?: NodeFeatures;
  /** Images that the node has stored. The list may be cut to the largest fifty. */
  images?: ContainerImage[];
  /** Versions and IDs of the node's system. */
  nodeInfo?: NodeSystemInfo;
  /** No longer set. See the conditions. */
  phase?: Open<'Pending' | 'Running' | 'Terminated'>;
  /** Runtime handlers that the node offers. */
  runtimeHandlers?: NodeRuntimeHandler[];
  /** Volumes that are attached to the node. */
  volumesAttached?: AttachedVolume[];
  /** Volumes that pods of the node have mounted. They are not detached while they are listed. */
  volumesInUse?: string[];
}

/** Swap memory of a node. */
export interface NodeSwapStatus {
  /** Size of the swap in bytes. */
  capacity?: number;
}

/** Versions and IDs of a node's system. */
export interface NodeSystemInfo {
  /** CPU architecture, such as `amd64` or `arm64`. */
  architecture: string;
  /** Changes with every boot of the machine. */
  bootID: string;
  /** Container runtime and its version, such as `containerd://2.1.0`. */
  containerRuntimeVersion: string;
  /** Version of the kernel, as `uname -r` prints it. */
  kernelVersion: string;
  /** No longer reliable. It held the version of the kubelet, not of kube-proxy. */
  kubeProxyVersion: string;
  /** Version of the kubelet. */
  kubeletVersion: string;
  /** ID of the machine, from `/etc/machine-id` on Linux. */
  machineID: string;
  /** `linux` or `windows`. */
  operatingSystem: string;
  /** Name and version of the system, such as `Debian GNU/Linux 13`. */
  osImage: string;
  /** Swap memory of the node. */
  swap?: NodeSwapStatus;
  /** ID of the hardware, from its firmware. */
  systemUUID: string;
}

/** A field of the pod. */
export interface ObjectFieldSelector {
  /** Version of the schema that the path is written for. Default `v1`. */
  apiVersion?: string;
  /** Path of the field, such as `metadata.namespace` or `metadata.annotations['key']`. */
  fieldPath: string;
}

/** Points to another object. What is filled in depends on the field; most use a subset. */
export interface ObjectReference {
  /** Group and version of the object. */
  apiVersion?: string;
  /** Part of the object that is meant, such as `spec.containers{web}`. */
  fieldPath?: string;
  /** Kind of the object. */
  kind?: string;
  /** Name of the object. */
  name?: string;
  /** Namespace of the object. Empty for cluster-wide objects. */
  namespace?: string;
  /** Version of the object that is meant. */
  resourceVersion?: string;
  /** UID of the object. */
  uid?: string;
}

/**
 * A piece of storage in the cluster, made by an administrator or a provisioner. A
 * PersistentVolumeClaim binds to it.
 */
export interface PersistentVolume {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'PersistentVolume';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The storage and how it may be used. */
  spec?: PersistentVolumeSpec;
  /** The observed state. Read-only. */
  status?: PersistentVolumeStatus;
}

/**
 * A request for storage. The cluster binds it to a fitting PersistentVolume or provisions
 * one; pods use the claim as a volume.
 */
export interface PersistentVolumeClaim {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'PersistentVolumeClaim';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /**
   * The storage that is asked for. Most of it cannot change after creation; the requested size
   * can grow.
   */
  spec?: PersistentVolumeClaimSpec;
  /** The observed state. Read-only. */
  status?: PersistentVolumeClaimStatus;
}

/** One aspect of a claim's state, such as `FileSystemResizePending`. */
export interface PersistentVolumeClaimCondition {
  /** When the condition was last checked. */
  lastProbeTime?: Time;
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

/**
 * A list of PersistentVolumeClaim objects, as a list request returns it. Large lists come in
 * pages.
 */
export interface PersistentVolumeClaimList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'v1';
  /** The objects of this page. */
  items: PersistentVolumeClaim[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'PersistentVolumeClaimList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** The storage that a claim asks for. */
export interface PersistentVolumeClaimSpec {
  /**
   * Ways in which the volume must be mountable. At least one. They do not protect against
   * writes once it is mounted.
   */
  accessModes?: Open<'ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOnce' | 'ReadWriteOncePod'>[];
  /**
   * Snapshot or claim that the new volume is filled from, in the same namespace. Kept equal to
   * `dataSourceRef` where possible.
   */
  dataSource?: TypedLocalObjectReference;
  /**
   * Object that the new volume is filled from. Unlike `dataSource`, it accepts any kind that a
   * populator handles.
   */
  dataSourceRef?: TypedObjectReference;
  /**
   * Size of the volume. The request can grow later if the storage class allows it, and shrink
   * only to undo an expansion that has not succeeded.
   */
  resources?: VolumeResourceRequirements;
  /** Selects the volume by label. A claim with a selector is not provisioned dynamically. */
  selector?: LabelSelector;
  /**
   * StorageClass to take the volume from. Without it the default class applies; the empty
   * string asks for a volume without a class.
   */
  storageClassName?: string;
  /**
   * VolumeAttributesClass with mutable properties of the volume, such as its throughput. Can
   * change.
   */
  volumeAttributesClassName?: string;
  /** `Filesystem` (the default) mounts a file system, `Block` attaches a raw device. */
  volumeMode?: Open<'Block' | 'Filesystem'>;
  /**
   * PersistentVolume that the claim is bound to. Set by the binding, or on creation to ask for
   * a certain one.
   */
  volumeName?: string;
}

/** The observed state of a claim. */
export interface PersistentVolumeClaimStatus {
  /** Ways in which the bound volume can be mounted. */
  accessModes?: Open<'ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOnce' | 'ReadWriteOncePod'>[];
  /** State of a resize, by resource. Absent if none is under way. */
  allocatedResourceStatuses?: Record<
    string,
    Open<
      | 'ControllerResizeInProgress'
      | 'ControllerResizeInfeasible'
      | 'NodeResizeInProgress'
      | 'NodeResizeInfeasible'
      | 'NodeResizePending'
    >
  >;
  /**
   * Size that is being allocated, by resource. During an expansion it may exceed `capacity`;
   * quota counts the larger one.
   */
  allocatedResources?: Record<string, Quantity>;
  /** Actual size of the bound volume. */
  capacity?: Record<string, Quantity>;
  /** Aspects of the state, at most one of each type. */
  conditions?: PersistentVolumeClaimCondition[];
  /** VolumeAttributesClass that is in effect. */
  currentVolumeAttributesClassName?: string;
  /** State of a change to another VolumeAttributesClass. Absent if none is under way. */
  modifyVolumeStatus?: ModifyVolumeStatus;
  /** `Pending` is not bound yet, `Bound` is, `Lost` has lost its volume and its data. */
  phase?: Open<'Bound' | 'Lost' | 'Pending'>;
}

/** The claim that is created for an ephemeral volume. */
export interface PersistentVolumeClaimTemplate {
  /** Labels and annotations of the claim. Other fields are rejected. */
  metadata?: ObjectMeta;
  /** The storage that the claim asks for. */
  spec: PersistentVolumeClaimSpec;
}

/** Refers to a PersistentVolumeClaim. The pod waits until the claim is bound. */
export interface PersistentVolumeClaimVolumeSource {
  /** Name of the claim, in the pod's namespace. */
  claimName: string;
  /** Mounts the volume read-only in all containers. Default false. */
  readOnly?: boolean;
}

/**
 * A list of PersistentVolume objects, as a list request returns it. Large lists come in
 * pages.
 */
export interface PersistentVolumeList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'v1';
  /** The objects of this page. */
  items: PersistentVolume[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'PersistentVolumeList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/**
 * The storage behind a PersistentVolume and how it may be used. Exactly one kind of storage
 * is set, and it cannot change.
 */
export interface PersistentVolumeSpec {
  /** Ways in which the volume can be mounted. */
  accessModes?: Open<'ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOnce' | 'ReadWriteOncePod'>[];
  /** An AWS EBS volume. Redirected to its CSI driver. */
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  /** An Azure data disk. Redirected to its CSI driver. */
  azureDisk?: AzureDiskVolumeSource;
  /** An Azure file share. Redirected to its CSI driver. */
  azureFile?: AzureFilePersistentVolumeSource;
  /** Size of the volume. */
  capacity?: Record<string, Quantity>;
  /** A CephFS file system. No longer supported. */
  cephfs?: CephFSPersistentVolumeSource;
  /** An OpenStack Cinder volume. Redirected to its CSI driver. */
  cinder?: CinderPersistentVolumeSource;
  /**
   * Claim that the volume is bound to or reserved for. The binding holds once the claim's
   * `volumeName` agrees.
   */
  claimRef?: ObjectReference;
  /** A volume of a CSI driver. */
  csi?: CSIPersistentVolumeSource;
  /** A Fibre Channel volume. */
  fc?: FCVolumeSource;
  /** A volume of a FlexVolume driver. Deprecated; use `csi`. */
  flexVolume?: FlexPersistentVolumeSource;
  /** A Flocker dataset. No longer supported. */
  flocker?: FlockerVolumeSource;
  /** A Google Compute Engine disk. Redirected to its CSI driver. */
  gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  /** A GlusterFS volume. No longer supported. */
  glusterfs?: GlusterfsPersistentVolumeSource;
  /** A directory of the node, for tests on a single node only. */
  hostPath?: HostPathVolumeSource;
  /** An iSCSI disk. */
  iscsi?: ISCSIPersistentVolumeSource;
  /** A disk or directory of a certain node. */
  local?: LocalVolumeSource;
  /**
   * Options for the mount, such as `ro` or `nfsvers=4.1`. They are not checked; a wrong one
   * fails the mount.
   */
  mountOptions?: string[];
  /** A directory of an NFS server. */
  nfs?: NFSVolumeSource;
  /** Nodes from which the volume can be reached. It limits where pods that use the volume run. */
  nodeAffinity?: VolumeNodeAffinity;
  /**
   * What happens after the claim is deleted. `Retain` keeps the volume for an administrator,
   * `Delete` deletes the storage; `Recycle` is deprecated.
   */
  persistentVolumeReclaimPolicy?: Open<'Delete' | 'Recycle' | 'Retain'>;
  /** A Photon disk. No longer supported. */
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  /** A Portworx volume. Redirected to its CSI driver. */
  portworxVolume?: PortworxVolumeSource;
  /** A Quobyte volume. No longer supported. */
  quobyte?: QuobyteVolumeSource;
  /** A Ceph block device. No longer supported. */
  rbd?: RBDPersistentVolumeSource;
  /** A ScaleIO volume. No longer supported. */
  scaleIO?: ScaleIOPersistentVolumeSource;
  /**
   * StorageClass that the volume belongs to. Only claims of the same class bind to it; empty
   * means no class.
   */
  storageClassName?: string;
  /** A StorageOS volume. No longer supported. */
  storageos?: StorageOSPersistentVolumeSource;
  /**
   * VolumeAttributesClass of the volume. Set by the driver's controller; must equal that of
   * the claim.
   */
  volumeAttributesClassName?: string;
  /** `Filesystem` (the default) or `Block`. Only claims with the same mode bind to it. */
  volumeMode?: Open<'Block' | 'Filesystem'>;
  /** A vSphere disk. Redirected to its CSI driver. */
  vsphereVolume?: VsphereVirtualDiskVolumeSource;
}

/** The observed state of a PersistentVolume. */
export interface PersistentVolumeStatus {
  /** When `phase` last changed. */
  lastPhaseTransitionTime?: Time;
  /** Details for people about why the volume is in this state. */
  message?: string;
  /**
   * `Available` is free, `Bound` has a claim, `Released` has lost its claim but still holds
   * its data, `Failed` could not be reclaimed.
   */
  phase?: Open<'Available' | 'Bound' | 'Failed' | 'Pending' | 'Released'>;
  /** Why the volume is in a failed state as one word. */
  reason?: string;
}

/** A Photon Controller disk. The plug-in was removed. */
export interface PhotonPersistentDiskVolumeSource {
  /** File system of the disk. Default `ext4`. */
  fsType?: string;
  /** ID of the disk. */
  pdID: string;
}

/**
 * One or more containers that run together on a node, with shared network and volumes.
 * Usually created by a controller such as a Deployment.
 */
export interface Pod {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'Pod';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The desired state. Most of it cannot change after creation. */
  spec?: PodSpec;
  /**
   * The state that the kubelet and other components last observed. Read-only; it may lag
   * behind.
   */
  status?: PodStatus;
}

/**
 * Rules to run in the same place as other pods, where a place is a node, a zone or another
 * topology domain.
 */
export interface PodAffinity {
  /**
   * Preferences. For each node the scheduler adds up the weights of the terms that match, and
   * favors high sums.
   */
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[];
  /**
   * Requirements, all of which must hold. The pod is not scheduled to a node that does not
   * meet them.
   */
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[];
}

/** A set of other pods, and what counts as the same place as theirs. */
export interface PodAffinityTerm {
  /** Selects the pods by label. Without it the term matches no pod. */
  labelSelector?: LabelSelector;
  /**
   * Label keys whose values are taken from the new pod, and added to `labelSelector` as `key
   * in (value)`. Useful with `pod-template-hash` to separate rollouts.
   */
  matchLabelKeys?: string[];
  /**
   * Label keys whose values are taken from the new pod, and added to `labelSelector` as `key
   * notin (value)`.
   */
  mismatchLabelKeys?: string[];
  /**
   * Selects the namespaces of the pods by label, in addition to `namespaces`. The empty
   * selector means all namespaces.
   */
  namespaceSelector?: LabelSelector;
  /**
   * Namespaces of the pods. Without this and `namespaceSelector` it is the namespace of the
   * new pod.
   */
  namespaces?: string[];
  /**
   * Node label whose value names the place, such as `kubernetes.io/hostname` or
   * `topology.kubernetes.io/zone`.
   */
  topologyKey: string;
}

/**
 * Rules to run in another place than other pods, where a place is a node, a zone or another
 * topology domain.
 */
export interface PodAntiAffinity {
  /**
   * Preferences. For each node the scheduler adds up the weights of the terms that match, and
   * avoids high sums.
   */
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[];
  /**
   * Requirements, all of which must hold. The pod is not scheduled to a node where one of the
   * terms matches.
   */
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[];
}

/**
 * A private key and a certificate for the pod, as part of a projected volume. The kubelet
 * requests the certificate and renews it.
 */
export interface PodCertificateProjection {
  /**
   * Path of a file for the certificate chain alone. Prefer `credentialBundlePath`, which is
   * replaced as a whole.
   */
  certificateChainPath?: string;
  /** Path of a file for the private key followed by the certificate chain, in PEM. */
  credentialBundlePath?: string;
  /**
   * Path of a file for the private key alone. Prefer `credentialBundlePath`, which is replaced
   * as a whole.
   */
  keyPath?: string;
  /** Kind of the key, such as `ECDSAP256`, `ED25519` or `RSA3072`. */
  keyType: string;
  /** Longest lifetime to ask for. The signer may shorten it. Default 86400, at least 3600. */
  maxExpirationSeconds?: number;
  /** Signer that issues the certificate. */
  signerName: string;
  /** Additional information for the signer, which decides about its meaning. */
  userAnnotations?: Record<string, string>;
}

/**
 * One aspect of a pod's state, such as `PodScheduled`, `Initialized`, `ContainersReady` and
 * `Ready`.
 */
export interface PodCondition {
  /** When the condition was last checked. Kubernetes itself leaves it empty. */
  lastProbeTime?: Time;
  /**
   * When `status` last changed from one value to another. A new message or reason alone does
   * not move it.
   */
  lastTransitionTime?: Time;
  /** Details for people. May be empty; not meant to be parsed. */
  message?: string;
  /**
   * The `metadata.generation` that the condition was computed from. If it is lower than the
   * current generation, the condition is out of date.
   */
  observedGeneration?: number;
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

/** DNS settings of a pod. They are merged with those that `dnsPolicy` makes. */
export interface PodDNSConfig {
  /**
   * Addresses of DNS servers, before those of the policy. At most 3; at least one with policy
   * `None`.
   */
  nameservers?: string[];
  /** Options of the resolver. They replace options of the policy that have the same name. */
  options?: PodDNSConfigOption[];
  /** Search domains, after those of the policy. At most 32 in total. */
  searches?: string[];
}

/** An option of the DNS resolver, as in `resolv.conf`. */
export interface PodDNSConfigOption {
  /** Name of the option, such as `ndots`. */
  name?: string;
  /** Value of the option, if it has one. */
  value?: string;
}

/** The ResourceClaim that was created for the extended resources of a pod. */
export interface PodExtendedResourceClaimStatus {
  /** Which extended resource of which container is served by which request of the claim. */
  requestMappings: ContainerExtendedResourceRequest[] | null;
  /** Name of the ResourceClaim, in the pod's namespace. */
  resourceClaimName: string;
}

/** An IP address of a pod. */
export interface PodIP {
  /** The IP address. */
  ip: string;
}

/** A list of Pod objects, as a list request returns it. Large lists come in pages. */
export interface PodList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'v1';
  /** The objects of this page. */
  items: Pod[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'PodList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** The operating system that a pod is made for. */
export interface PodOS {
  /** `linux` or `windows`. */
  name: string;
}

/** A condition that must be true before the pod counts as ready. */
export interface PodReadinessGate {
  /** Type of a condition in the pod's status, maintained by another controller. */
  conditionType: string;
}

/** A ResourceClaim that containers of the pod can use. Exactly one of the two sources is set. */
export interface PodResourceClaim {
  /** Name by which containers refer to the claim. Unique in the pod. */
  name: string;
  /** Name of an existing ResourceClaim in the pod's namespace. Several pods may share it. */
  resourceClaimName?: string;
  /**
   * Name of a ResourceClaimTemplate. A claim is made from it for this pod alone, and deleted
   * with it.
   */
  resourceClaimTemplateName?: string;
}

/** The ResourceClaim behind an entry of `spec.resourceClaims`. */
export interface PodResourceClaimStatus {
  /** Name of the entry in the spec. */
  name: string;
  /** Name of the claim that was created. Absent if no claim was needed. */
  resourceClaimName?: string;
}

/** Holds the scheduling of a pod back until it is removed. */
export interface PodSchedulingGate {
  /** Name of the gate. The controller that removes it looks for this name. */
  name: string;
}

/** The group of pods that a pod is scheduled together with. */
export interface PodSchedulingGroup {
  /** Name of the PodGroup, in the pod's namespace. */
  podGroupName?: string;
}

/**
 * Security settings of all containers of a pod. A container's own settings win where both
 * have a field.
 */
export interface PodSecurityContext {
  /** AppArmor profile of all containers. Linux only. */
  appArmorProfile?: AppArmorProfile;
  /**
   * Group that owns the volumes of the pod and that its processes belong to. The kubelet
   * changes the ownership of files on mount, which can be slow. Linux only.
   */
  fsGroup?: number;
  /**
   * `Always` (the default) changes ownership on each mount; `OnRootMismatch` only if the top
   * directory differs. Linux only.
   */
  fsGroupChangePolicy?: Open<'Always' | 'OnRootMismatch'>;
  /** Primary group of the processes. The default is that of the runtime. Linux only. */
  runAsGroup?: number;
  /**
   * With true, containers that would run as user 0 are not started. It is checked on the node,
   * not by the server.
   */
  runAsNonRoot?: boolean;
  /** User of the processes. The default is that of the image. Linux only. */
  runAsUser?: number;
  /**
   * How volumes receive their SELinux label, by relabeling every file (`Recursive`) or by a
   * mount option (`MountOption`, the default where possible). Linux only.
   */
  seLinuxChangePolicy?: string;
  /**
   * SELinux context of all containers. The default is a random one for each container. Linux
   * only.
   */
  seLinuxOptions?: SELinuxOptions;
  /** Seccomp profile of all containers. Linux only. */
  seccompProfile?: SeccompProfile;
  /** Further groups of the processes. Linux only. */
  supplementalGroups?: number[];
  /**
   * `Merge` (the default) also adds the groups that the image has for the user; `Strict` adds
   * only those of this object. Linux only.
   */
  supplementalGroupsPolicy?: Open<'Merge' | 'Strict'>;
  /**
   * Kernel parameters of the pod. Those that the node does not allow keep the pod from
   * starting. Linux only.
   */
  sysctls?: Sysctl[];
  /** Settings for Windows containers. Windows only. */
  windowsOptions?: WindowsSecurityContextOptions;
}

/** What a pod runs, where, and under which conditions. */
export interface PodSpec {
  /**
   * Seconds after its start at which the pod is stopped and marked as failed. Can be set or
   * lowered later, not raised.
   */
  activeDeadlineSeconds?: number;
  /** Rules about where the pod may or should run. */
  affinity?: Affinity;
  /**
   * Whether to mount a token of the service account into the containers. The default is that
   * of the account, else true.
   */
  automountServiceAccountToken?: boolean;
  /** Containers of the pod, at least one. None can be added or removed later. */
  containers: Container[];
  /** DNS settings on top of those that `dnsPolicy` makes. */
  dnsConfig?: PodDNSConfig;
  /**
   * `ClusterFirst` (the default) uses the cluster's DNS, `ClusterFirstWithHostNet` does so
   * with the host network as well, `Default` uses the node's, `None` only `dnsConfig`.
   */
  dnsPolicy?: Open<'ClusterFirst' | 'ClusterFirstWithHostNet' | 'Default' | 'None'>;
  /**
   * Whether to set environment variables for every Service of the namespace. Default true;
   * turn it off in namespaces with many Services.
   */
  enableServiceLinks?: boolean;
  /**
   * Containers that were added for debugging. Changed only through the `ephemeralcontainers`
   * subresource.
   */
  ephemeralContainers?: EphemeralContainer[];
  /** Lines to add to the hosts file of the containers. */
  hostAliases?: HostAlias[];
  /** Uses the IPC namespace of the node. Default false. */
  hostIPC?: boolean;
  /**
   * Uses the network of the node, so ports of the containers are ports of the node. Default
   * false.
   */
  hostNetwork?: boolean;
  /**
   * Uses the process namespace of the node. Default false. Not together with
   * `shareProcessNamespace`.
   */
  hostPID?: boolean;
  /**
   * With false, the pod runs in its own user namespace, where root is not root of the node.
   * Default true.
   */
  hostUsers?: boolean;
  /** Host name of the pod. The default is the name of the pod. */
  hostname?: string;
  /**
   * Host name that the pod sees, exactly as written and without effect on DNS. Not together
   * with `hostNetwork` or `setHostnameAsFQDN`.
   */
  hostnameOverride?: string;
  /**
   * Secrets with registry credentials, in the pod's namespace. The service account adds its
   * own if this is empty.
   */
  imagePullSecrets?: LocalObjectReference[];
  /**
   * Containers that run one after the other, each to its end, before the others start. With
   * restart policy `Always` one is a sidecar and keeps running.
   */
  initContainers?: Container[];
  /**
   * Node that the pod runs on. Set by the scheduler. Setting it on creation skips the
   * scheduler.
   */
  nodeName?: string;
  /** Labels that a node must carry. The pod is not scheduled to other nodes. */
  nodeSelector?: Record<string, string>;
  /** Operating system of the containers. If set, fields for the other system are not allowed. */
  os?: PodOS;
  /**
   * Resources that running the pod takes besides its containers. Filled in from the runtime
   * class; do not set it.
   */
  overhead?: Record<string, Quantity>;
  /**
   * `PreemptLowerPriority` (the default) may evict pods of lower priority to make room;
   * `Never` waits for room.
   */
  preemptionPolicy?: Open<'Never' | 'PreemptLowerPriority'>;
  /**
   * Priority number of the pod; higher is more important. Filled in from the priority class;
   * do not set it.
   */
  priority?: number;
  /**
   * PriorityClass of the pod. The default is the class that is marked as default, else
   * priority 0.
   */
  priorityClassName?: string;
  /** Conditions that must be true for the pod to be ready, besides its containers. */
  readinessGates?: PodReadinessGate[];
  /** ResourceClaims that containers can use, for devices and the like. Cannot change. */
  resourceClaims?: PodResourceClaim[];
  /** CPU, memory and huge pages for the pod as a whole, shared by its containers. */
  resources?: ResourceRequirements;
  /**
   * Whether containers that exit are restarted. Default `Always`; Jobs need `OnFailure` or
   * `Never`. Restarts back off exponentially.
   */
  restartPolicy?: Open<'Always' | 'Never' | 'OnFailure'>;
  /**
   * RuntimeClass that decides which container runtime runs the pod. The default is that of the
   * node.
   */
  runtimeClassName?: string;
  /** Scheduler that places the pod. Default `default-scheduler`. */
  schedulerName?: string;
  /**
   * While there is an entry, the pod is not scheduled. Entries can be set on creation only and
   * removed later.
   */
  schedulingGates?: PodSchedulingGate[];
  /** Group of pods that is scheduled together with this one. */
  schedulingGroup?: PodSchedulingGroup;
  /** Security settings of all containers. */
  securityContext?: PodSecurityContext;
  /** Old name of `serviceAccountName`. Use that one. */
  serviceAccount?: string;
  /** ServiceAccount that the pod runs as, in its namespace. Default `default`. */
  serviceAccountName?: string;
  /** With true, the host name is the fully qualified domain name of the pod. Default false. */
  setHostnameAsFQDN?: boolean;
  /**
   * With true, the containers see and can signal each other's processes. Default false. Not
   * together with `hostPID`.
   */
  shareProcessNamespace?: boolean;
  /**
   * With it, the pod has the DNS name `hostname.subdomain.namespace.svc`, if a headless
   * Service of that name exists.
   */
  subdomain?: string;
  /**
   * Seconds between the request to stop and the forced end of the containers. Default 30; 0
   * ends them immediately.
   */
  terminationGracePeriodSeconds?: number;
  /** Taints of nodes that do not keep the pod away. */
  tolerations?: Toleration[];
  /**
   * How pods of one kind are spread over zones, nodes and other domains. All constraints must
   * hold.
   */
  topologySpreadConstraints?: TopologySpreadConstraint[];
  /** Volumes that containers can mount. */
  volumes?: Volume[];
}

/** The observed state of a pod. It is as current as the last report of the kubelet. */
export interface PodStatus {
  /** Resources that the node has set aside for the pod as a whole. */
  allocatedResources?: Record<string, Quantity>;
  /** Aspects of the state, at most one of each type. */
  conditions?: PodCondition[];
  /** States of the containers. */
  containerStatuses?: ContainerStatus[];
  /** States of the ephemeral containers. */
  ephemeralContainerStatuses?: ContainerStatus[];
  /** The ResourceClaim that was created for extended resources of the pod. */
  extendedResourceClaimStatus?: PodExtendedResourceClaimStatus;
  /** Address of the node that the pod runs on. */
  hostIP?: string;
  /** Addresses of the node, at most one IPv4 and one IPv6. The first is `hostIP`. */
  hostIPs?: HostIP[];
  /** States of the init containers, in their order. Sidecars are among them. */
  initContainerStatuses?: ContainerStatus[];
  /** Details for people about why the pod is in this state. */
  message?: string;
  /** Node resources that claims of the pod take. */
  nodeAllocatableResourceClaimStatuses?: NodeAllocatableResourceClaimStatus[];
  /** Node where the scheduler is making room for the pod. The pod may end up on another one. */
  nominatedNodeName?: string;
  /** The generation that the kubelet last acted on. */
  observedGeneration?: number;
  /**
   * Where the pod is in its life. `Pending` includes image pulls; `Running` does not mean
   * ready; `Succeeded` and `Failed` are final.
   */
  phase?: Open<'Failed' | 'Pending' | 'Running' | 'Succeeded' | 'Unknown'>;
  /** Address of the pod. Empty until it has one. */
  podIP?: string;
  /** Addresses of the pod, at most one IPv4 and one IPv6. The first is `podIP`. */
  podIPs?: PodIP[];
  /**
   * Class that follows from requests and limits. Under pressure, `BestEffort` pods are evicted
   * first and `Guaranteed` ones last. Cannot change.
   */
  qosClass?: Open<'BestEffort' | 'Burstable' | 'Guaranteed'>;
  /** Why the pod is in this state as one word, such as `Evicted`. */
  reason?: string;
  /**
   * State of a resize. Replaced by the conditions `PodResizePending` and
   * `PodResizeInProgress`.
   */
  resize?: string;
  /** The ResourceClaims behind the entries of `spec.resourceClaims`. */
  resourceClaimStatuses?: PodResourceClaimStatus[];
  /** Requests and limits of the pod as a whole that are in effect now. */
  resources?: ResourceRequirements;
  /** When the kubelet accepted the pod, before images are pulled. */
  startTime?: Time;
}

/**
 * A stored pod template. Kubernetes itself does not use these objects; controllers embed the
 * template.
 */
export interface PodTemplate {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'PodTemplate';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The pod to create. */
  template?: PodTemplateSpec;
}

/** A list of PodTemplate objects, as a list request returns it. Large lists come in pages. */
export interface PodTemplateList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'v1';
  /** The objects of this page. */
  items: PodTemplate[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'PodTemplateList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** The pod that a controller creates. */
export interface PodTemplateSpec {
  /** Labels, annotations and finalizers of the pod. The name is made by the controller. */
  metadata?: ObjectMeta;
  /** What the pod runs. */
  spec?: PodSpec;
}

/** State of one port of a load balancer. */
export interface PortStatus {
  /**
   * Problem with the port as one CamelCase word; other projects prefix it with their domain.
   * Empty if the port works.
   */
  error?: string;
  /** Number of the port. */
  port: number;
  /** Protocol of the port. */
  protocol: Open<'SCTP' | 'TCP' | 'UDP'>;
}

/**
 * A Portworx volume. The plug-in was removed; clusters redirect it to the CSI driver
 * `pxd.portworx.com`.
 */
export interface PortworxVolumeSource {
  /** File system of the volume. Default `ext4`. */
  fsType?: string;
  /** Mounts the volume read-only. Default false. */
  readOnly?: boolean;
  /** ID of the volume. */
  volumeID: string;
}

/** A preference for certain nodes. */
export interface PreferredSchedulingTerm {
  /** The nodes that are preferred. An empty term matches none. */
  preference: NodeSelectorTerm;
  /** Points for a node that matches, from 1 to 100. */
  weight: number;
}

/**
 * A check that the kubelet repeats on a container. Exactly one of `exec`, `httpGet`,
 * `tcpSocket` and `grpc` is set.
 */
export interface Probe {
  /** Runs a program in the container. */
  exec?: ExecAction;
  /** Failures in a row after which the probe counts as failed. Default 3. */
  failureThreshold?: number;
  /** Calls the gRPC health service of the container. */
  grpc?: GRPCAction;
  /** Sends an HTTP request to the container. */
  httpGet?: HTTPGetAction;
  /** Seconds after the start of the container before the first check. Default 0. */
  initialDelaySeconds?: number;
  /** Seconds between checks. Default 10, at least 1. */
  periodSeconds?: number;
  /**
   * Successes in a row after which a failed probe counts as successful again. Default 1; must
   * be 1 for liveness and startup.
   */
  successThreshold?: number;
  /** Opens a TCP connection to the container. */
  tcpSocket?: TCPSocketAction;
  /**
   * Seconds to stop for a container that this probe has failed, in place of the pod's. Not
   * allowed for readiness probes.
   */
  terminationGracePeriodSeconds?: number;
  /** Seconds after which a check counts as a failure. Default 1. */
  timeoutSeconds?: number;
}

/** A volume that joins files from several sources in one directory. */
export interface ProjectedVolumeSource {
  /**
   * Permissions of the files that have no mode of their own. Default 0644; JSON needs the
   * decimal 420.
   */
  defaultMode?: number;
  /** The sources. Their paths must not collide. */
  sources?: VolumeProjection[] | null;
}

/** A Quobyte volume. The plug-in was removed. */
export interface QuobyteVolumeSource {
  /** Group to access the volume as. Default none. */
  group?: string;
  /** Mounts the volume read-only. Default false. */
  readOnly?: boolean;
  /** Addresses of the registry services, as `host:port`, separated by commas. */
  registry: string;
  /** Tenant that owns the volume. */
  tenant?: string;
  /** User to access the volume as. The default is the owner of the volume. */
  user?: string;
  /** Name of the volume. */
  volume: string;
}

/** A Ceph block device, as a PersistentVolume. The plug-in was removed; use a CSI driver. */
export interface RBDPersistentVolumeSource {
  /** File system of the device. Default `ext4`. */
  fsType?: string;
  /** Name of the image. */
  image: string;
  /**
   * File on the node with the key of the user.
   *
   * @default '/etc/ceph/keyring'
   */
  keyring?: string;
  /** Addresses of the Ceph monitors. */
  monitors: string[];
  /**
   * Pool of the image.
   *
   * @default 'rbd'
   */
  pool?: string;
  /** Mounts the device read-only. Default false. */
  readOnly?: boolean;
  /** Secret with the key of the user. It wins over `keyring`. */
  secretRef?: SecretReference;
  /**
   * Ceph user.
   *
   * @default 'admin'
   */
  user?: string;
}

/** A Ceph block device. The plug-in was removed; use a CSI driver. */
export interface RBDVolumeSource {
  /** File system of the device. Default `ext4`. */
  fsType?: string;
  /** Name of the image. */
  image: string;
  /**
   * File on the node with the key of the user.
   *
   * @default '/etc/ceph/keyring'
   */
  keyring?: string;
  /** Addresses of the Ceph monitors. */
  monitors: string[];
  /**
   * Pool of the image.
   *
   * @default 'rbd'
   */
  pool?: string;
  /** Mounts the device read-only. Default false. */
  readOnly?: boolean;
  /** Secret with the key of the user, in the pod's namespace. It wins over `keyring`. */
  secretRef?: LocalObjectReference;
  /**
   * Ceph user.
   *
   * @default 'admin'
   */
  user?: string;
}

/** Keeps a number of identical pods running. Superseded by ReplicaSet and Deployment. */
export interface ReplicationController {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ReplicationController';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The desired state. */
  spec?: ReplicationControllerSpec;
  /** The state that the controller last observed. Read-only; it may lag behind. */
  status?: ReplicationControllerStatus;
}

/**
 * One aspect of a ReplicationController's state. The controller sets `ReplicaFailure` when
 * pods cannot be created or deleted.
 */
export interface ReplicationControllerCondition {
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

/**
 * A list of ReplicationController objects, as a list request returns it. Large lists come in
 * pages.
 */
export interface ReplicationControllerList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'v1';
  /** The objects of this page. */
  items: ReplicationController[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ReplicationControllerList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** The desired state of a ReplicationController. */
export interface ReplicationControllerSpec {
  /**
   * Seconds that a new pod must be ready without a container crash before it counts as
   * available. Default 0.
   */
  minReadySeconds?: number;
  /**
   * Number of pods to run. Default 1.
   *
   * @default 1
   */
  replicas?: number;
  /**
   * Labels of the pods that belong to this controller. The default is the labels of the
   * template.
   */
  selector?: Record<string, string>;
  /** The pod to create when one is missing. */
  template?: PodTemplateSpec;
}

/** The observed state of a ReplicationController. */
export interface ReplicationControllerStatus {
  /** Pods that have been ready for at least `minReadySeconds`. */
  availableReplicas?: number;
  /** Aspects of the state, at most one of each type. */
  conditions?: ReplicationControllerCondition[];
  /** Pods that have all labels of the template, not only those of the selector. */
  fullyLabeledReplicas?: number;
  /** The generation that this status was computed from. */
  observedGeneration?: number;
  /** Pods whose `Ready` condition is true. */
  readyReplicas?: number;
  /** Pods that match the selector and are not terminating. */
  replicas: number;
}

/** A ResourceClaim of the pod that a container uses. */
export interface ResourceClaim {
  /** Name of an entry in `spec.resourceClaims`. */
  name: string;
  /** Request in the claim that the container uses. The default is everything in the claim. */
  request?: string;
}

/** Refers to a request or limit in the `resources` of a container, converted to a unit. */
export interface ResourceFieldSelector {
  /**
   * The container. Required in volumes; in environment variables the default is the container
   * itself.
   */
  containerName?: string;
  /** Unit of the result, such as `1Mi`. The value is divided by it and rounded up. Default 1. */
  divisor?: Quantity;
  /** The resource, such as `limits.cpu` or `requests.memory`. */
  resource: string;
}

/** Health of one allocated resource, such as a device. */
export interface ResourceHealth {
  /**
   * `Healthy`, `Unhealthy` or `Unknown`. A container with an unhealthy device is not restarted
   * for it.
   */
  health?: string;
  /** Details for people. */
  message?: string;
  /** ID of the resource, unique on the node. */
  resourceID: string;
}

/**
 * Limits the resources that a namespace may use in total. Requests that would exceed it are
 * rejected.
 */
export interface ResourceQuota {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ResourceQuota';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The limits. */
  spec?: ResourceQuotaSpec;
  /** Limits and current use. Read-only. */
  status?: ResourceQuotaStatus;
}

/** A list of ResourceQuota objects, as a list request returns it. Large lists come in pages. */
export interface ResourceQuotaList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'v1';
  /** The objects of this page. */
  items: ResourceQuota[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ResourceQuotaList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** The limits of a quota. */
export interface ResourceQuotaSpec {
  /** Limits by resource, such as `requests.cpu`, `pods` or `count/deployments.apps`. */
  hard?: Record<string, Quantity>;
  /** Which objects count, with operators. Together with `scopes`, all must match. */
  scopeSelector?: ScopeSelector;
  /** Which objects count; all scopes must match. Default is all objects. */
  scopes?: Open<
    | 'BestEffort'
    | 'CrossNamespacePodAffinity'
    | 'NotBestEffort'
    | 'NotTerminating'
    | 'PriorityClass'
    | 'Terminating'
    | 'VolumeAttributesClass'
  >[];
}

/** Limits and current use of a quota. */
export interface ResourceQuotaStatus {
  /** Limits that are enforced, by resource. */
  hard?: Record<string, Quantity>;
  /** Current use, by resource. */
  used?: Record<string, Quantity>;
}

/** How much of each resource a container or pod requests and may use. */
export interface ResourceRequirements {
  /** ResourceClaims of the pod that the container uses. Cannot change. */
  claims?: ResourceClaim[];
  /**
   * Upper bounds by resource. CPU is throttled at its limit; a container above its memory
   * limit is killed.
   */
  limits?: Record<string, Quantity>;
  /**
   * Amounts that are reserved for the container by resource. The scheduler only uses nodes
   * that have them. The default is the limit.
   */
  requests?: Record<string, Quantity>;
}

/** State of a resource that was allocated to a container. */
export interface ResourceStatus {
  /** Name of the resource. For claims it is `claim:name/request`. */
  name: string;
  /** Health of each unit of the resource. */
  resources?: ResourceHealth[];
}

/** An SELinux context. */
export interface SELinuxOptions {
  /** Level of the context, such as `s0:c123,c456`. */
  level?: string;
  /** Role of the context. */
  role?: string;
  /** Type of the context. */
  type?: string;
  /** User of the context. */
  user?: string;
}

/** A ScaleIO volume, as a PersistentVolume. The plug-in was removed. */
export interface ScaleIOPersistentVolumeSource {
  /**
   * File system of the volume.
   *
   * @default 'xfs'
   */
  fsType?: string;
  /** Address of the API gateway. */
  gateway: string;
  /** Protection domain of the storage. */
  protectionDomain?: string;
  /** Mounts the volume read-only. Default false. */
  readOnly?: boolean;
  /** Secret with the user name and password. */
  secretRef: SecretReference;
  /** Uses TLS to talk to the gateway. Default false. */
  sslEnabled?: boolean;
  /**
   * Provisioning of the volume, `ThickProvisioned` or `ThinProvisioned`.
   *
   * @default 'ThinProvisioned'
   */
  storageMode?: string;
  /** Pool of the protection domain. */
  storagePool?: string;
  /** Name of the storage system. */
  system: string;
  /** Name of an existing volume. */
  volumeName?: string;
}

/** A ScaleIO volume. The plug-in was removed. */
export interface ScaleIOVolumeSource {
  /**
   * File system of the volume.
   *
   * @default 'xfs'
   */
  fsType?: string;
  /** Address of the API gateway. */
  gateway: string;
  /** Protection domain of the storage. */
  protectionDomain?: string;
  /** Mounts the volume read-only. Default false. */
  readOnly?: boolean;
  /** Secret with the user name and password, in the pod's namespace. */
  secretRef: LocalObjectReference;
  /** Uses TLS to talk to the gateway. Default false. */
  sslEnabled?: boolean;
  /**
   * Provisioning of the volume, `ThickProvisioned` or `ThinProvisioned`.
   *
   * @default 'ThinProvisioned'
   */
  storageMode?: string;
  /** Pool of the protection domain. */
  storagePool?: string;
  /** Name of the storage system. */
  system: string;
  /** Name of an existing volume. */
  volumeName?: string;
}

/** Selects the objects that a quota counts. */
export interface ScopeSelector {
  /** Conditions, which must all hold. */
  matchExpressions?: ScopedResourceSelectorRequirement[];
}

/** A condition on a scope. */
export interface ScopedResourceSelectorRequirement {
  /** How the scope is compared. Scopes without values need `Exists`. */
  operator: Open<'DoesNotExist' | 'Exists' | 'In' | 'NotIn'>;
  /** The scope. */
  scopeName: Open<
    | 'BestEffort'
    | 'CrossNamespacePodAffinity'
    | 'NotBestEffort'
    | 'NotTerminating'
    | 'PriorityClass'
    | 'Terminating'
    | 'VolumeAttributesClass'
  >;
  /** The values for `In` and `NotIn`, such as names of priority classes. */
  values?: string[];
}

/** The seccomp profile that limits the system calls of a container. Linux only. */
export interface SeccompProfile {
  /**
   * File of a profile on the node, below the kubelet's seccomp directory. Required with type
   * `Localhost` and not allowed otherwise.
   */
  localhostProfile?: string;
  /**
   * `RuntimeDefault` is the profile of the container runtime, `Localhost` a file on the node,
   * `Unconfined` none.
   */
  type: Open<'Localhost' | 'RuntimeDefault' | 'Unconfined'>;
}

/**
 * Confidential data such as passwords, tokens and keys. At most 1 MiB. Stored unencrypted
 * unless the cluster is set up otherwise.
 */
export interface Secret {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'v1';
  /** Values by key, in base64. Keys consist of letters, digits, `-`, `_` and `.`. */
  data?: Record<string, Base64>;
  /**
   * With true, the data cannot change and the field cannot be taken back, which spares the
   * kubelet its watch. Default false.
   */
  immutable?: boolean;
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'Secret';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /**
   * Values by key as plain text. Write-only; the server merges them into `data`, where they
   * win.
   */
  stringData?: Record<string, string>;
  /**
   * Purpose of the Secret, such as `kubernetes.io/tls`. Some types require certain keys.
   * Default `Opaque`. Cannot change.
   */
  type?: string;
}

/** A Secret whose keys become environment variables. */
export interface SecretEnvSource {
  /** Name of the Secret, in the pod's namespace. */
  name?: string;
  /** With true, a missing Secret is ignored. Otherwise the container does not start without it. */
  optional?: boolean;
}

/** A key of a Secret. */
export interface SecretKeySelector {
  /** The key. */
  key: string;
  /** Name of the Secret, in the pod's namespace. */
  name?: string;
  /**
   * With true, a missing Secret or key is ignored. Otherwise the container does not start
   * without it.
   */
  optional?: boolean;
}

/** A list of Secret objects, as a list request returns it. Large lists come in pages. */
export interface SecretList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'v1';
  /** The objects of this page. */
  items: Secret[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'SecretList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** Files from a Secret, as part of a projected volume. */
export interface SecretProjection {
  /** Keys to write and their paths. The default is all keys, each as a file of its name. */
  items?: KeyToPath[];
  /** Name of the Secret, in the pod's namespace. */
  name?: string;
  /**
   * With true, a missing Secret or key is ignored. Otherwise the pod does not start without
   * it.
   */
  optional?: boolean;
}

/** A Secret in any namespace. */
export interface SecretReference {
  /** Name of the Secret. */
  name?: string;
  /** Namespace of the Secret. */
  namespace?: string;
}

/**
 * A volume of files from a Secret, kept in memory on the node. The kubelet updates them when
 * the Secret changes, except for mounts with `subPath`.
 */
export interface SecretVolumeSource {
  /** Permissions of the files that have no `mode`. Default 0644; JSON needs the decimal 420. */
  defaultMode?: number;
  /** Keys to write and their paths. The default is all keys, each as a file of its name. */
  items?: KeyToPath[];
  /**
   * With true, a missing Secret or key is ignored. Otherwise the pod does not start without
   * it.
   */
  optional?: boolean;
  /** Name of the Secret, in the pod's namespace. */
  secretName?: string;
}

/** Security settings of one container. They win over those of the pod. */
export interface SecurityContext {
  /**
   * Whether a process can gain more privileges than its parent, for example through setuid
   * programs. Always true for privileged containers. Linux only.
   */
  allowPrivilegeEscalation?: boolean;
  /** AppArmor profile of the container. Linux only. */
  appArmorProfile?: AppArmorProfile;
  /** Linux capabilities to add or drop. */
  capabilities?: Capabilities;
  /**
   * Runs the container with practically all rights of root on the node. Default false. Linux
   * only.
   */
  privileged?: boolean;
  /**
   * How `/proc` is mounted. `Default` hides sensitive paths, `Unmasked` shows them and needs
   * `hostUsers` to be false. Linux only.
   */
  procMount?: Open<'Default' | 'Unmasked'>;
  /** Mounts the container's root file system read-only. Default false. Linux only. */
  readOnlyRootFilesystem?: boolean;
  /** Primary group of the process. Linux only. */
  runAsGroup?: number;
  /**
   * With true, a container that would run as user 0 is not started. It is checked on the node,
   * not by the server.
   */
  runAsNonRoot?: boolean;
  /** User of the process. The default is that of the image. Linux only. */
  runAsUser?: number;
  /** SELinux context of the container. Linux only. */
  seLinuxOptions?: SELinuxOptions;
  /** Seccomp profile of the container. Linux only. */
  seccompProfile?: SeccompProfile;
  /** Settings for Windows containers. Windows only. */
  windowsOptions?: WindowsSecurityContextOptions;
}

/**
 * A stable name and address for a set of pods, with load balancing over those that are
 * ready.
 */
export interface Service {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'Service';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The pods, ports and kind of address. */
  spec?: ServiceSpec;
  /** The observed state, with the addresses of a load balancer. Read-only. */
  status?: ServiceStatus;
}

/**
 * An identity for programs in pods. Pods get short-lived tokens for it; RBAC grants rights
 * to it.
 */
export interface ServiceAccount {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'v1';
  /** Whether pods mount a token of this account unless they say otherwise. Default true. */
  automountServiceAccountToken?: boolean;
  /** Secrets with registry credentials for pods of this account that have none of their own. */
  imagePullSecrets?: LocalObjectReference[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ServiceAccount';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /**
   * Secrets that pods of this account may use, if the account has the annotation
   * `kubernetes.io/enforce-mountable-secrets`. Deprecated.
   */
  secrets?: ObjectReference[];
}

/** A list of ServiceAccount objects, as a list request returns it. Large lists come in pages. */
export interface ServiceAccountList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'v1';
  /** The objects of this page. */
  items: ServiceAccount[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ServiceAccountList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/**
 * A file with a token of the pod's service account, as part of a projected volume. The
 * kubelet renews it before it expires.
 */
export interface ServiceAccountTokenProjection {
  /**
   * Audience of the token. A recipient must check that it is meant. The default is the API
   * server.
   */
  audience?: string;
  /**
   * Lifetime of the token. Renewal starts after 80 % of it or 24 hours. Default 3600, at least
   * 600.
   */
  expirationSeconds?: number;
  /** Path of the file in the volume. Relative, without `..`. */
  path: string;
}

/** A list of Service objects, as a list request returns it. Large lists come in pages. */
export interface ServiceList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'v1';
  /** The objects of this page. */
  items: Service[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ServiceList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** A port of a Service. */
export interface ServicePort {
  /**
   * Protocol on top of the transport, such as `kubernetes.io/h2c` or `https`. A hint for
   * implementations.
   */
  appProtocol?: string;
  /** Name of the port, unique in the Service. Required if there are several ports. */
  name?: string;
  /**
   * Port on every node, for types `NodePort` and `LoadBalancer`. Allocated from a range (30000
   * to 32767) if left out.
   */
  nodePort?: number;
  /** Port that clients connect to. */
  port: number;
  /**
   * Transport protocol.
   *
   * @default 'TCP'
   */
  protocol?: Open<'SCTP' | 'TCP' | 'UDP'>;
  /**
   * Number or name of the port of the pods. The default is `port`. With a name, pods may use
   * different numbers.
   */
  targetPort?: IntOrString;
}

/** What a Service offers and how. */
export interface ServiceSpec {
  /**
   * With false, no node ports are allocated for a load balancer. Default true. Only with type
   * `LoadBalancer`.
   */
  allocateLoadBalancerNodePorts?: boolean;
  /**
   * Virtual address inside the cluster. Allocated if left out; `None` makes a headless
   * Service, whose DNS name resolves to the pods. Cannot change once set.
   */
  clusterIP?: string;
  /**
   * Virtual addresses, at most one for each IP family. The first is `clusterIP`. Cannot change
   * once set.
   */
  clusterIPs?: string[];
  /**
   * Addresses outside of Kubernetes' control at which nodes also accept traffic for the
   * Service. A security risk if users may set it.
   */
  externalIPs?: string[];
  /**
   * DNS name that the Service is an alias for. Required with type `ExternalName` and only used
   * there; nothing is proxied.
   */
  externalName?: string;
  /**
   * `Cluster` (the default) spreads external traffic over all pods, `Local` only over those of
   * the node that it reached and keeps the client's address.
   */
  externalTrafficPolicy?: Open<'Cluster' | 'Local'>;
  /**
   * Port on which nodes tell load balancers whether they have pods of the Service. Only with
   * type `LoadBalancer` and external policy `Local`.
   */
  healthCheckNodePort?: number;
  /**
   * `Cluster` (the default) spreads internal traffic over all pods, `Local` only over those of
   * the same node; without one the traffic is dropped.
   */
  internalTrafficPolicy?: Open<'Cluster' | 'Local'>;
  /**
   * IP families of the addresses. The default follows from the cluster and `ipFamilyPolicy`.
   * The second can be added or removed later.
   */
  ipFamilies?: Open<'' | 'IPv4' | 'IPv6'>[];
  /**
   * `SingleStack` (the default) has one IP family, `PreferDualStack` two if the cluster has
   * them, `RequireDualStack` fails without two.
   */
  ipFamilyPolicy?: Open<'PreferDualStack' | 'RequireDualStack' | 'SingleStack'>;
  /**
   * Implementation of the load balancer, such as `example.com/internal`. The default is that
   * of the cloud provider. Cannot change while the type is `LoadBalancer`.
   */
  loadBalancerClass?: string;
  /** Address to ask the cloud provider for. Deprecated; providers use annotations instead. */
  loadBalancerIP?: string;
  /**
   * Client address ranges that the load balancer accepts, if the provider supports it. The
   * default is all.
   */
  loadBalancerSourceRanges?: string[];
  /** Ports of the Service. Required unless it is headless or an external name. */
  ports?: ServicePort[];
  /**
   * With true, pods count as ready for the Service whatever their state. Used for peer
   * discovery in StatefulSets. Default false.
   */
  publishNotReadyAddresses?: boolean;
  /**
   * Labels of the pods that receive the traffic. Without it, EndpointSlices are managed by
   * hand.
   */
  selector?: Record<string, string>;
  /** `ClientIP` sends a client to the same pod each time; `None` (the default) does not. */
  sessionAffinity?: Open<'ClientIP' | 'None'>;
  /** Settings of session affinity. */
  sessionAffinityConfig?: SessionAffinityConfig;
  /**
   * Which pods are preferred for traffic, `PreferSameZone` or `PreferSameNode`. Others are
   * used if there are none.
   */
  trafficDistribution?: string;
  /**
   * `ClusterIP` (the default) is reachable inside the cluster, `NodePort` also on a port of
   * every node, `LoadBalancer` also from outside; `ExternalName` is a DNS alias.
   */
  type?: Open<'ClusterIP' | 'ExternalName' | 'LoadBalancer' | 'NodePort'>;
}

/** The observed state of a Service. */
export interface ServiceStatus {
  /** Aspects of the state, at most one of each type. */
  conditions?: Condition[];
  /** Addresses of the load balancer. Empty until it is ready. */
  loadBalancer?: LoadBalancerStatus;
}

/** How long clients stay with the same pod. */
export interface SessionAffinityConfig {
  /** Settings of affinity by client address. */
  clientIP?: ClientIPConfig;
}

/** Waits before the container is stopped, for example until load balancers have taken notice. */
export interface SleepAction {
  /** Seconds to wait. */
  seconds: number;
}

/** A StorageOS volume, as a PersistentVolume. The plug-in was removed. */
export interface StorageOSPersistentVolumeSource {
  /** File system of the volume. Default `ext4`. */
  fsType?: string;
  /** Mounts the volume read-only. Default false. */
  readOnly?: boolean;
  /** Secret with the credentials for the StorageOS API. */
  secretRef?: ObjectReference;
  /** Name of the volume, unique in its StorageOS namespace. */
  volumeName?: string;
  /** StorageOS namespace of the volume. The default is the pod's namespace. */
  volumeNamespace?: string;
}

/** A StorageOS volume. The plug-in was removed. */
export interface StorageOSVolumeSource {
  /** File system of the volume. Default `ext4`. */
  fsType?: string;
  /** Mounts the volume read-only. Default false. */
  readOnly?: boolean;
  /** Secret with the credentials for the StorageOS API, in the pod's namespace. */
  secretRef?: LocalObjectReference;
  /** Name of the volume, unique in its StorageOS namespace. */
  volumeName?: string;
  /** StorageOS namespace of the volume. The default is the pod's namespace. */
  volumeNamespace?: string;
}

/** A kernel parameter. */
export interface Sysctl {
  /** Name of the parameter, such as `net.core.somaxconn`. */
  name: string;
  /** Value of the parameter. */
  value: string;
}

/** Opens a TCP connection. That it opens means success. */
export interface TCPSocketAction {
  /** Host to connect to. The default is the address of the pod. */
  host?: string;
  /** Number or name of the container's port. */
  port: IntOrString;
}

/** A mark on a node that keeps pods away which do not tolerate it. */
export interface Taint {
  /**
   * `NoSchedule` keeps new pods away, `PreferNoSchedule` does so if possible, `NoExecute`
   * evicts running pods as well.
   */
  effect: Open<'NoExecute' | 'NoSchedule' | 'PreferNoSchedule'>;
  /** Name of the taint. */
  key: string;
  /**
   * When the taint was added. Set for `NoExecute` by the server; it starts the clock of
   * `tolerationSeconds`.
   */
  timeAdded?: Time;
  /** Value that tolerations are compared with. */
  value?: string;
}

/** Lets a pod run on nodes with a matching taint. It does not attract the pod to them. */
export interface Toleration {
  /** Effect of the taint to tolerate. Empty tolerates all effects. */
  effect?: Open<'NoExecute' | 'NoSchedule' | 'PreferNoSchedule'>;
  /** Key of the taint to tolerate. Empty, with operator `Exists`, tolerates every taint. */
  key?: string;
  /**
   * How the value is compared. `Equal` is the default; `Exists` ignores the value; `Gt` and
   * `Lt` compare integers.
   */
  operator?: Open<'Equal' | 'Exists' | 'Gt' | 'Lt'>;
  /**
   * Seconds that the pod stays after a `NoExecute` taint appeared. Without it the pod stays;
   * zero or less evicts it immediately.
   */
  tolerationSeconds?: number;
  /** Value of the taint to tolerate. Must be empty with operator `Exists`. */
  value?: string;
}

/** A label that a topology domain must have. */
export interface TopologySelectorLabelRequirement {
  /** The label, such as `topology.kubernetes.io/zone`. */
  key: string;
  /** Accepted values of the label, at least one. */
  values: string[];
}

/** Topology domains in which volumes may be provisioned. All labels must match. */
export interface TopologySelectorTerm {
  /** Labels of the domain. */
  matchLabelExpressions?: TopologySelectorLabelRequirement[];
}

/** Limits how unevenly matching pods are spread over topology domains. */
export interface TopologySpreadConstraint {
  /** Selects the pods to count, in the namespace of the pod. */
  labelSelector?: LabelSelector;
  /**
   * Label keys whose values are taken from the new pod to narrow the pods that are counted.
   * Useful with `pod-template-hash`.
   */
  matchLabelKeys?: string[];
  /**
   * Largest allowed difference between the pods in a domain and the fewest pods in any domain.
   * At least 1.
   */
  maxSkew: number;
  /**
   * While there are fewer domains than this, the fewest pods count as zero. Only with
   * `DoNotSchedule`. Default 1.
   */
  minDomains?: number;
  /**
   * Whether only nodes that fit the pod's node selector and affinity count (`Honor`, the
   * default) or all (`Ignore`).
   */
  nodeAffinityPolicy?: Open<'Honor' | 'Ignore'>;
  /**
   * Whether nodes with taints that the pod does not tolerate are left out (`Honor`) or counted
   * (`Ignore`, the default).
   */
  nodeTaintsPolicy?: Open<'Honor' | 'Ignore'>;
  /**
   * Node label whose values are the domains, such as `topology.kubernetes.io/zone`. Nodes
   * without it are not used.
   */
  topologyKey: string;
  /**
   * `DoNotSchedule` keeps the pod waiting, `ScheduleAnyway` prefers nodes that reduce the
   * skew.
   */
  whenUnsatisfiable: Open<'DoNotSchedule' | 'ScheduleAnyway'>;
}

/** An object of any kind in the same namespace. */
export interface TypedLocalObjectReference {
  /** API group of the object. Empty for the core group. */
  apiGroup?: string;
  /** Kind of the object. */
  kind: string;
  /** Name of the object. */
  name: string;
}

/** An object of any kind, possibly in another namespace. */
export interface TypedObjectReference {
  /** API group of the object. Empty for the core group. */
  apiGroup?: string;
  /** Kind of the object. */
  kind: string;
  /** Name of the object. */
  name: string;
  /**
   * Namespace of the object. A ReferenceGrant there must allow the use. Alpha; the default is
   * the same namespace.
   */
  namespace?: string;
}

/** A named volume of a pod. Exactly one source is set besides the name. */
export interface Volume {
  /** An AWS EBS volume. Redirected to its CSI driver. */
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  /** An Azure data disk. Redirected to its CSI driver. */
  azureDisk?: AzureDiskVolumeSource;
  /** An Azure file share. Redirected to its CSI driver. */
  azureFile?: AzureFileVolumeSource;
  /** A CephFS file system. No longer supported. */
  cephfs?: CephFSVolumeSource;
  /** An OpenStack Cinder volume. Redirected to its CSI driver. */
  cinder?: CinderVolumeSource;
  /** Files from a ConfigMap. */
  configMap?: ConfigMapVolumeSource;
  /** A volume that a CSI driver makes for this pod. */
  csi?: CSIVolumeSource;
  /** Files with fields of the pod. */
  downwardAPI?: DownwardAPIVolumeSource;
  /** An empty directory that is deleted with the pod. */
  emptyDir?: EmptyDirVolumeSource;
  /** A volume whose claim is created and deleted with the pod. */
  ephemeral?: EphemeralVolumeSource;
  /** A Fibre Channel volume. */
  fc?: FCVolumeSource;
  /** A volume of a FlexVolume driver. Deprecated; use `csi`. */
  flexVolume?: FlexVolumeSource;
  /** A Flocker dataset. No longer supported. */
  flocker?: FlockerVolumeSource;
  /** A Google Compute Engine disk. Redirected to its CSI driver. */
  gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  /** A clone of a git repository. Disabled by default; clone in an init container instead. */
  gitRepo?: GitRepoVolumeSource;
  /** A GlusterFS volume. No longer supported. */
  glusterfs?: GlusterfsVolumeSource;
  /** A file or directory of the node. A risk for the node's security. */
  hostPath?: HostPathVolumeSource;
  /** The files of an OCI image or artifact, read-only. */
  image?: ImageVolumeSource;
  /** An iSCSI disk. */
  iscsi?: ISCSIVolumeSource;
  /** Name of the volume, a DNS label that is unique in the pod. */
  name: string;
  /** A directory of an NFS server. */
  nfs?: NFSVolumeSource;
  /** The volume that is bound to a PersistentVolumeClaim. */
  persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
  /** A Photon disk. No longer supported. */
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  /** A Portworx volume. Redirected to its CSI driver. */
  portworxVolume?: PortworxVolumeSource;
  /** Files from several sources in one directory. */
  projected?: ProjectedVolumeSource;
  /** A Quobyte volume. No longer supported. */
  quobyte?: QuobyteVolumeSource;
  /** A Ceph block device. No longer supported. */
  rbd?: RBDVolumeSource;
  /** A ScaleIO volume. No longer supported. */
  scaleIO?: ScaleIOVolumeSource;
  /** Files from a Secret. */
  secret?: SecretVolumeSource;
  /** A StorageOS volume. No longer supported. */
  storageos?: StorageOSVolumeSource;
  /** A vSphere disk. Redirected to its CSI driver. */
  vsphereVolume?: VsphereVirtualDiskVolumeSource;
}

/** A raw block device in a container. */
export interface VolumeDevice {
  /** Path of the device in the container. */
  devicePath: string;
  /** Name of a volume of the pod whose claim has volume mode `Block`. */
  name: string;
}

/** A volume, or a part of one, in the file system of a container. */
export interface VolumeMount {
  /** Path in the container. Must not contain a colon. */
  mountPath: string;
  /**
   * Whether mounts made later are passed on. `None` (the default), `HostToContainer`, or
   * `Bidirectional`, which only privileged containers may use.
   */
  mountPropagation?: Open<'Bidirectional' | 'HostToContainer' | 'None'>;
  /** Name of a volume of the pod. */
  name: string;
  /** Mounts the volume read-only. Default false. */
  readOnly?: boolean;
  /**
   * Whether mounts below a read-only mount are read-only too. `Disabled` (the default),
   * `IfPossible` or `Enabled`. Needs `readOnly`.
   */
  recursiveReadOnly?: string;
  /**
   * Directory or file in the volume to mount in place of its root. Later updates of ConfigMaps
   * and Secrets do not reach such a mount.
   */
  subPath?: string;
  /**
   * Like `subPath`, with `$(NAME)` replaced by environment variables of the container. Not
   * both.
   */
  subPathExpr?: string;
}

/** State of a volume that is mounted into a container. */
export interface VolumeMountStatus {
  /** Path in the container. */
  mountPath: string;
  /** Name of the volume. */
  name: string;
  /** Whether the mount is read-only. */
  readOnly?: boolean;
  /** Whether mounts below it are read-only, `Disabled` or `Enabled`. */
  recursiveReadOnly?: string;
  /** Details that depend on the kind of the volume. */
  volumeStatus?: VolumeStatus;
}

/** Nodes from which a volume can be reached. */
export interface VolumeNodeAffinity {
  /** What a node must match. */
  required?: NodeSelector;
}

/** One source of a projected volume. Exactly one field is set. */
export interface VolumeProjection {
  /** A file with the certificates of ClusterTrustBundles. */
  clusterTrustBundle?: ClusterTrustBundleProjection;
  /** Files from a ConfigMap. */
  configMap?: ConfigMapProjection;
  /** Files with fields of the pod. */
  downwardAPI?: DownwardAPIProjection;
  /** A private key and a certificate for the pod. */
  podCertificate?: PodCertificateProjection;
  /** Files from a Secret. */
  secret?: SecretProjection;
  /** A file with a token of the pod's service account. */
  serviceAccountToken?: ServiceAccountTokenProjection;
}

/** Size of a volume. */
export interface VolumeResourceRequirements {
  /** Largest size that is accepted. Rarely used. */
  limits?: Record<string, Quantity>;
  /** Smallest size that is accepted, under the key `storage`. */
  requests?: Record<string, Quantity>;
}

/** Details of a mounted volume. */
export interface VolumeStatus {
  /** Set for image volumes. */
  image?: ImageVolumeStatus;
}

/**
 * A vSphere disk. The plug-in was removed; clusters redirect it to the CSI driver
 * `csi.vsphere.vmware.com`.
 */
export interface VsphereVirtualDiskVolumeSource {
  /** File system of the disk. Default `ext4`. */
  fsType?: string;
  /** ID of the storage policy. */
  storagePolicyID?: string;
  /** Name of the storage policy. */
  storagePolicyName?: string;
  /** Path of the disk in the datastore. */
  volumePath: string;
}

/** A preference about other pods. */
export interface WeightedPodAffinityTerm {
  /** The other pods and the place. */
  podAffinityTerm: PodAffinityTerm;
  /** Points for a node that matches, from 1 to 100. */
  weight: number;
}

/** Security settings of Windows containers. */
export interface WindowsSecurityContextOptions {
  /**
   * Content of the group managed service account's credential spec. Filled in by a webhook
   * from `gmsaCredentialSpecName`.
   */
  gmsaCredentialSpec?: string;
  /** Name of the credential spec of a group managed service account. */
  gmsaCredentialSpecName?: string;
  /**
   * Runs the container as a process of the node. All containers of a pod must agree, and
   * `hostNetwork` must be true.
   */
  hostProcess?: boolean;
  /** User of the process, such as `ContainerUser`. The default is that of the image. */
  runAsUserName?: string;
}
