// Compares meta/types.ts with Kubernetes 1.36.4. Written by `npm run generate`; do not edit.

import type * as meta from '../../meta/types.ts';

/** True if both have the same fields, as optional as in the other, with types that fit both ways. */
type Agrees<Model, Written> = [keyof Model, Model, Written] extends [keyof Written, Written, Model]
  ? [keyof Written] extends [keyof Model]
    ? true
    : { surplus: Exclude<keyof Written, keyof Model> }
  : { missing: Exclude<keyof Model, keyof Written>; differs: Differing<Model, Written> };

type Differing<Model, Written> = {
  [Key in keyof Model & keyof Written]: [Pick<Model, Key>, Pick<Written, Key>] extends [
    Pick<Written, Key>,
    Pick<Model, Key>,
  ]
    ? never
    : Key;
}[keyof Model & keyof Written];

type Check<Result extends true> = Result;

interface APIResource {
  categories?: string[];
  group?: string;
  kind: string;
  name: string;
  namespaced: boolean;
  shortNames?: string[];
  singularName: string;
  storageVersionHash?: string;
  verbs: string[];
  version?: string;
}

interface APIResourceList {
  apiVersion?: string;
  groupVersion: string;
  kind?: string;
  resources: meta.APIResource[];
}

interface Condition {
  lastTransitionTime: meta.Time;
  message: string;
  observedGeneration?: number;
  reason: string;
  status: string;
  type: string;
}

interface DeleteOptions {
  apiVersion?: string;
  dryRun?: string[];
  gracePeriodSeconds?: number;
  ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
  kind?: string;
  orphanDependents?: boolean;
  preconditions?: meta.Preconditions;
  propagationPolicy?: string;
}

interface FieldSelectorRequirement {
  key: string;
  operator: string;
  values?: string[];
}

interface LabelSelector {
  matchExpressions?: meta.LabelSelectorRequirement[];
  matchLabels?: Record<string, string>;
}

interface LabelSelectorRequirement {
  key: string;
  operator: string;
  values?: string[];
}

interface ListMeta {
  continue?: string;
  remainingItemCount?: number;
  resourceVersion?: string;
  selfLink?: string;
  shardInfo?: meta.ShardInfo;
}

interface ManagedFieldsEntry {
  apiVersion?: string;
  fieldsType?: string;
  fieldsV1?: meta.FieldsV1;
  manager?: string;
  operation?: string;
  subresource?: string;
  time?: meta.Time;
}

interface ObjectMeta {
  annotations?: Record<string, string>;
  creationTimestamp?: meta.Time;
  deletionGracePeriodSeconds?: number;
  deletionTimestamp?: meta.Time;
  finalizers?: string[];
  generateName?: string;
  generation?: number;
  labels?: Record<string, string>;
  managedFields?: meta.ManagedFieldsEntry[];
  name?: string;
  namespace?: string;
  ownerReferences?: meta.OwnerReference[];
  resourceVersion?: string;
  selfLink?: string;
  uid?: string;
}

interface OwnerReference {
  apiVersion: string;
  blockOwnerDeletion?: boolean;
  controller?: boolean;
  kind: string;
  name: string;
  uid: string;
}

interface Preconditions {
  resourceVersion?: string;
  uid?: string;
}

interface ShardInfo {
  selector: string;
}

interface Status {
  apiVersion?: string;
  code?: number;
  details?: meta.StatusDetails;
  kind?: string;
  message?: string;
  metadata?: meta.ListMeta;
  reason?: string;
  status?: string;
}

interface StatusCause {
  field?: string;
  message?: string;
  reason?: string;
}

interface StatusDetails {
  causes?: meta.StatusCause[];
  group?: string;
  kind?: string;
  name?: string;
  retryAfterSeconds?: number;
  uid?: string;
}

interface WatchEvent {
  object: meta.RawExtension;
  type: string;
}

export type Checks = [
  meta.Quantity,
  Check<Agrees<APIResource, meta.APIResource>>,
  Check<Agrees<APIResourceList, meta.APIResourceList>>,
  Check<Agrees<Condition, meta.Condition>>,
  Check<Agrees<DeleteOptions, meta.DeleteOptions>>,
  Check<Agrees<FieldSelectorRequirement, meta.FieldSelectorRequirement>>,
  meta.FieldsV1,
  Check<Agrees<LabelSelector, meta.LabelSelector>>,
  Check<Agrees<LabelSelectorRequirement, meta.LabelSelectorRequirement>>,
  Check<Agrees<ListMeta, meta.ListMeta>>,
  Check<Agrees<ManagedFieldsEntry, meta.ManagedFieldsEntry>>,
  Check<Agrees<string, meta.MicroTime>>,
  Check<Agrees<ObjectMeta, meta.ObjectMeta>>,
  Check<Agrees<OwnerReference, meta.OwnerReference>>,
  meta.Patch,
  Check<Agrees<Preconditions, meta.Preconditions>>,
  Check<Agrees<ShardInfo, meta.ShardInfo>>,
  Check<Agrees<Status, meta.Status>>,
  Check<Agrees<StatusCause, meta.StatusCause>>,
  Check<Agrees<StatusDetails, meta.StatusDetails>>,
  Check<Agrees<string, meta.Time>>,
  Check<Agrees<WatchEvent, meta.WatchEvent>>,
  meta.RawExtension,
  meta.IntOrString,
];
