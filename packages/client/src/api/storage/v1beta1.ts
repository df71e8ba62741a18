// Kubernetes 1.36.4, storage.k8s.io/v1beta1. Written by `npm run generate`; do not edit.

import type { ResourceDescriptor, Verb } from '../../meta/resource.ts';
import type { ListMeta, ObjectMeta } from '../../meta/types.ts';

/** `/apis/storage.k8s.io/v1beta1/volumeattributesclasses` */
export const volumeAttributesClasses: ResourceDescriptor<
  VolumeAttributesClass,
  'Cluster',
  Verb,
  never
> = {
  group: 'storage.k8s.io',
  version: 'v1beta1',
  resource: 'volumeattributesclasses',
  kind: 'VolumeAttributesClass',
  singular: 'volumeattributesclass',
  scope: 'Cluster',
  verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  subresources: [],
  shortNames: ['vac'],
  categories: [],
};

/**
 * Mutable properties of volumes, such as throughput. A claim can change its class while in
 * use.
 */
export interface VolumeAttributesClass {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'storage.k8s.io/v1beta1';
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
  apiVersion?: 'storage.k8s.io/v1beta1';
  /** The objects of this page. */
  items: VolumeAttributesClass[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'VolumeAttributesClassList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}
