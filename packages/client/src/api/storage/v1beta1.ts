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

export interface VolumeAttributesClass {
  apiVersion?: 'storage.k8s.io/v1beta1';
  driverName: string;
  kind?: 'VolumeAttributesClass';
  metadata?: ObjectMeta;
  parameters?: Record<string, string>;
}

export interface VolumeAttributesClassList {
  apiVersion?: 'storage.k8s.io/v1beta1';
  items: VolumeAttributesClass[];
  kind?: 'VolumeAttributesClassList';
  metadata?: ListMeta;
}
