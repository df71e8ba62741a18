// Custom resources of odd.example.com/v1. Written by `client-ts generate`; do not edit.

import type { ListMeta, ObjectMeta, ResourceDescriptor, Verb } from 'client-ts/meta';

/** `/apis/odd.example.com/v1/record-s` */
export const records: ResourceDescriptor<Record, 'Cluster', Verb, never> = {
  group: 'odd.example.com',
  version: 'v1',
  resource: 'record-s',
  kind: 'Record',
  singular: 'rec',
  scope: 'Cluster',
  verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  subresources: [],
  shortNames: [],
  categories: [],
};

export interface Record {
  apiVersion?: 'odd.example.com/v1';
  kind?: 'Record';
  metadata?: ObjectMeta;
  spec?: RecordSpec;
  [key: string]: unknown;
}

export interface Records {
  apiVersion?: 'odd.example.com/v1';
  kind?: 'Records';
  metadata?: ListMeta;
  items: Record[];
}

export interface RecordSpec {
  meta?: RecordSpecMeta;
  metaData?: RecordSpecMetaData;
  tags?: { [key: string]: string };
}

export interface RecordSpecMeta {
  data?: RecordSpecMetaData2;
}

export interface RecordSpecMetaData {
  b?: string;
}

export interface RecordSpecMetaData2 {
  a?: string;
}
