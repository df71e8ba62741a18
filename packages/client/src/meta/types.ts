/**
 * The types of `meta/v1`, written by hand because every other room needs them and `meta/` may not
 * import from `api/`. `client-ts/api/meta/v1` re-exports them; a test in `packages/codegen` holds
 * them against the API model.
 */
import type { JsonValue } from '../lib/json.ts';

/** An RFC 3339 time in whole seconds, exactly as the server sent it: `2026-01-31T09:00:00Z`. */
export type Time = string;

/** An RFC 3339 time with exactly six fractional digits, as Leases and Events use. */
export type MicroTime = string;

/** A fixed-point number with a unit: `100m`, `1.5Gi`, `2`. See `parseQuantity`. */
export type Quantity = string | number;

/** A number, or a name or percentage: `8080`, `'http'`, `'25%'`. */
export type IntOrString = number | string;

/** Bytes in base64 with padding: `Buffer.from(text, 'base64')` reads it. */
export type Base64 = string;

/** A set of fields in the notation of managed fields: `{ 'f:spec': { 'f:replicas': {} } }`. */
export interface FieldsV1 {
  [key: string]: FieldsV1;
}

/** An object of a kind that the API does not describe. */
export interface RawExtension {
  [key: string]: unknown;
}

/** Known values complete in the editor, and any other string is accepted: servers add values. */
export type Open<Known extends string> = Known | (string & Record<never, never>);

/** Every field of `T`, at every depth, as read-only. What a cache hands out has this type. */
export type DeepReadonly<T> = T extends bigint | boolean | number | string | symbol
  ? // First, because the open side of `Open` is a string that also counts as an object.
    T
  : T extends object
    ? ReadonlyFields<T>
    : T;

/** Apart from `DeepReadonly` so that editors show a short name; arrays become read-only arrays. */
type ReadonlyFields<T> = { readonly [Key in keyof T]: ReadonlyField<T[Key]> };

/** JSON goes by its name: the compiler would follow its recursion without end. */
type ReadonlyField<T> = unknown extends T
  ? T
  : JsonValue extends T
    ? ReadonlyJsonValue | Extract<T, undefined>
    : DeepReadonly<T>;

/** A JSON value as a cache hands it out. */
export type ReadonlyJsonValue =
  | string
  | number
  | boolean
  | null
  | readonly ReadonlyJsonValue[]
  | { readonly [key: string]: ReadonlyJsonValue | undefined };

export interface OwnerReference {
  apiVersion: string;
  blockOwnerDeletion?: boolean;
  controller?: boolean;
  kind: string;
  name: string;
  uid: string;
}

export interface ManagedFieldsEntry {
  apiVersion?: string;
  fieldsType?: string;
  fieldsV1?: FieldsV1;
  manager?: string;
  operation?: Open<'Apply' | 'Update'>;
  subresource?: string;
  time?: Time;
}

export interface ObjectMeta {
  annotations?: Record<string, string>;
  creationTimestamp?: Time;
  deletionGracePeriodSeconds?: number;
  deletionTimestamp?: Time;
  finalizers?: string[];
  generateName?: string;
  generation?: number;
  labels?: Record<string, string>;
  managedFields?: ManagedFieldsEntry[];
  name?: string;
  namespace?: string;
  ownerReferences?: OwnerReference[];
  resourceVersion?: string;
  selfLink?: string;
  uid?: string;
}

export interface ShardInfo {
  selector: string;
}

export interface ListMeta {
  continue?: string;
  remainingItemCount?: number;
  resourceVersion?: string;
  selfLink?: string;
  shardInfo?: ShardInfo;
}

export interface TypeMeta {
  apiVersion?: string;
  kind?: string;
}

/** What every Kubernetes object has. */
export interface KubernetesObject extends TypeMeta {
  metadata?: ObjectMeta;
}

/** What every list has. */
export interface KubernetesList<T> extends TypeMeta {
  metadata?: ListMeta;
  items: T[];
}

export interface LabelSelectorRequirement {
  key: string;
  operator: Open<'DoesNotExist' | 'Exists' | 'In' | 'NotIn'>;
  values?: string[];
}

export interface LabelSelector {
  matchExpressions?: LabelSelectorRequirement[];
  matchLabels?: Record<string, string>;
}

export interface FieldSelectorRequirement {
  key: string;
  operator: string;
  values?: string[];
}

export interface Condition {
  lastTransitionTime: Time;
  message: string;
  observedGeneration?: number;
  reason: string;
  status: Open<'False' | 'True' | 'Unknown'>;
  type: string;
}

export interface Preconditions {
  resourceVersion?: string;
  uid?: string;
}

export type DeletionPropagation = Open<'Background' | 'Foreground' | 'Orphan'>;

export interface DeleteOptions extends TypeMeta {
  dryRun?: string[];
  gracePeriodSeconds?: number;
  ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
  orphanDependents?: boolean;
  preconditions?: Preconditions;
  propagationPolicy?: DeletionPropagation;
}

export interface StatusCause {
  field?: string;
  message?: string;
  reason?: string;
}

export interface StatusDetails {
  causes?: StatusCause[];
  group?: string;
  kind?: string;
  name?: string;
  retryAfterSeconds?: number;
  uid?: string;
}

/** The server's answer where there is no object to give: every error, and most deletions. */
export interface Status extends TypeMeta {
  code?: number;
  details?: StatusDetails;
  message?: string;
  metadata?: ListMeta;
  reason?: string;
  status?: Open<'Failure' | 'Success'>;
}

export interface WatchEvent<T = RawExtension> {
  object: T;
  type: Open<'ADDED' | 'BOOKMARK' | 'DELETED' | 'ERROR' | 'MODIFIED'>;
}

export interface APIResource {
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

export interface APIResourceList extends TypeMeta {
  groupVersion: string;
  resources: APIResource[];
}

/** The body of a patch; its shape depends on the patch type. */
export type Patch = object;
