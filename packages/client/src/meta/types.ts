/**
 * The types of `meta/v1`, written by hand because all other modules need them and `meta/` may not
 * import from `api/`. `client-ts/api/meta/v1` re-exports them; a test in `packages/codegen` compares
 * them with the API model.
 */
import type { JsonValue } from '../lib/json.ts';

/** An RFC 3339 time in whole seconds and UTC, such as `2026-01-31T09:00:00Z`. */
export type Time = string;

/** An RFC 3339 time with exactly six fractional digits, as Leases and Events use. */
export type MicroTime = string;

/**
 * A fixed-point number with an optional unit, such as `500m`, `1.5Gi` or `2`. `m` is a thousandth;
 * `Ki`, `Mi`, `Gi` are powers of 1024, `k`, `M`, `G` powers of 1000. See `parseQuantity`.
 */
export type Quantity = string | number;

/** A number, or a string with a name or percentage, such as `8080`, `http` or `25%`. */
export type IntOrString = number | string;

/** Bytes in base64 with padding: `Buffer.from(text, 'base64')` reads it. */
export type Base64 = string;

/**
 * A set of fields as a tree. Keys are `f:name` for a field, `k:{…}` for a list item by its keys,
 * `v:…` by its value, and `.` for the item itself.
 */
export interface FieldsV1 {
  [key: string]: FieldsV1;
}

/** An object of a kind that the API does not describe. */
export interface RawExtension {
  [key: string]: unknown;
}

/** A string with known values, which editors complete. Others are accepted: servers add values. */
export type Open<Known extends string> = Known | (string & Record<never, never>);

/** `T` with all fields read-only, at every depth: the type of cached objects. */
export type DeepReadonly<T> = T extends bigint | boolean | number | string | symbol
  ? // First, because the open side of `Open` is a string that also counts as an object.
    T
  : T extends object
    ? ReadonlyFields<T>
    : T;

/** Apart from `DeepReadonly` so that editors show a short name; arrays become read-only arrays. */
type ReadonlyFields<T> = { readonly [Key in keyof T]: ReadonlyField<T[Key]> };

/** JSON types are mapped by name, because the compiler would expand their recursion endlessly. */
type ReadonlyField<T> = unknown extends T
  ? T
  : JsonValue extends T
    ? ReadonlyJsonValue | Extract<T, undefined>
    : DeepReadonly<T>;

/** A JSON value in a cached object. */
export type ReadonlyJsonValue =
  | string
  | number
  | boolean
  | null
  | readonly ReadonlyJsonValue[]
  | { readonly [key: string]: ReadonlyJsonValue | undefined };

/** Points to an owner of the object, in the same namespace or cluster-wide. */
export interface OwnerReference {
  /** Group and version of the owner, such as `apps/v1`. */
  apiVersion: string;
  /** With true, a foreground deletion of the owner waits until this object is gone. */
  blockOwnerDeletion?: boolean;
  /** True for the one owner that manages this object. At most one reference may have it. */
  controller?: boolean;
  /** Kind of the owner. */
  kind: string;
  /** Name of the owner. */
  name: string;
  /**
   * UID of the owner. It must match, so that a new object of the same name does not become the
   * owner.
   */
  uid: string;
}

/**
 * The fields that one manager owns, as of its last write in one version. Server-side apply uses
 * these entries to find conflicts.
 */
export interface ManagedFieldsEntry {
  /** The version that the field names belong to. */
  apiVersion?: string;
  /** Format of the field set. Always `FieldsV1`. */
  fieldsType?: string;
  /** The fields that the manager owns. */
  fieldsV1?: FieldsV1;
  /**
   * Name of the program that wrote the fields, from its `fieldManager` option or its user agent.
   */
  manager?: string;
  /** `Apply` for server-side apply, `Update` for every other write. */
  operation?: Open<'Apply' | 'Update'>;
  /**
   * The subresource through which the fields were written, such as `status`. Empty for the object
   * itself.
   */
  subresource?: string;
  /** When the set of owned fields last changed. */
  time?: Time;
}

/**
 * Metadata that all persisted objects have. Users set names, labels and annotations; the server
 * fills in the rest.
 */
export interface ObjectMeta {
  /**
   * Free-form data for tools and people, up to 256 KiB in total. Unlike labels, annotations cannot
   * be selected by.
   */
  annotations?: Record<string, string>;
  /** When the server created the object. Read-only. */
  creationTimestamp?: Time;
  /**
   * Seconds that the object may take to shut down after its deletion was requested. Read-only; it
   * can only be shortened.
   */
  deletionGracePeriodSeconds?: number;
  /**
   * Set when the deletion was requested while finalizers or a grace period still hold the object.
   * It cannot be taken back. Read-only.
   */
  deletionTimestamp?: Time;
  /**
   * Names of tasks that must finish before the object is removed. Each responsible controller
   * removes its own entry; while one remains, the object stays.
   */
  finalizers?: string[];
  /**
   * Prefix for a name that the server makes unique with five random characters. Used only if `name`
   * is empty. On a collision the server tries again, then answers 409.
   */
  generateName?: string;
  /**
   * Increases with every change of the desired state (`spec`). Status updates leave it unchanged.
   * Read-only.
   */
  generation?: number;
  /**
   * Key-value pairs to organize and select objects. Controllers, services and list requests match
   * them with selectors.
   */
  labels?: Record<string, string>;
  /**
   * Which manager owns which field, for server-side apply. Maintained by the server; rarely of
   * interest to users.
   */
  managedFields?: ManagedFieldsEntry[];
  /**
   * Name of the object, unique for its resource within the namespace. Required unless
   * `generateName` is set. Cannot change.
   */
  name?: string;
  /** Namespace that the object lives in. Empty for cluster-wide objects. Cannot change. */
  namespace?: string;
  /**
   * Objects that this one depends on. When the last owner is gone, the garbage collector deletes
   * this object. At most one owner is the controller.
   */
  ownerReferences?: OwnerReference[];
  /**
   * Changes with every write. Send it back in an update to detect concurrent changes. Compare it
   * only for equality, unless both values come from the same resource.
   */
  resourceVersion?: string;
  /** No longer set by servers. It held the URL of the object. */
  selfLink?: string;
  /**
   * Unique across time and space; an object that is created again under the same name has another
   * one. Read-only.
   */
  uid?: string;
}

/** The part of a collection that a list covers. */
export interface ShardInfo {
  /** The shard selector of the request, as the server applied it. */
  selector: string;
}

/** Metadata of a list. It describes the read as a whole, not a single object. */
export interface ListMeta {
  /**
   * Token for the next page; empty on the last page. It expires after a few minutes, and the list
   * must then start over.
   */
  continue?: string;
  /**
   * About how many objects follow this page. Absent on the last page and if the list uses
   * selectors.
   */
  remainingItemCount?: number;
  /**
   * The version at which the list was read. A watch from here misses nothing. Compare it only for
   * equality.
   */
  resourceVersion?: string;
  /** No longer set by servers. It held the URL of the list. */
  selfLink?: string;
  /** The part of the collection that the list covers, if the request asked for one part only. */
  shardInfo?: ShardInfo;
}

/** Says what an object is. */
export interface TypeMeta {
  /** Group and version of the object's schema, such as `apps/v1`. */
  apiVersion?: string;
  /** Name of the object's schema, such as `Deployment`. */
  kind?: string;
}

/** What every Kubernetes object has. */
export interface KubernetesObject extends TypeMeta {
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
}

/** What every list has. */
export interface KubernetesList<T> extends TypeMeta {
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
  /** The objects of this page. */
  items: T[];
}

/** One condition on a label. */
export interface LabelSelectorRequirement {
  /** The label that the condition is about. */
  key: string;
  /** How the label is compared. `NotIn` also matches objects without the label. */
  operator: Open<'DoesNotExist' | 'Exists' | 'In' | 'NotIn'>;
  /**
   * The values for `In` and `NotIn`, at least one. Must be empty for `Exists` and `DoesNotExist`.
   */
  values?: string[];
}

/**
 * Selects objects by their labels. All conditions must hold. An empty selector matches every
 * object, a missing one matches none.
 */
export interface LabelSelector {
  /** Conditions with operators. They apply in addition to `matchLabels`. */
  matchExpressions?: LabelSelectorRequirement[];
  /** Labels that an object must have with exactly these values. */
  matchLabels?: Record<string, string>;
}

/**
 * One condition on a field of an object, as authorizers receive it from list and watch requests.
 */
export interface FieldSelectorRequirement {
  /** Path of the field, such as `spec.nodeName`. */
  key: string;
  /**
   * How the values are compared. `In` and `NotIn` need values, `Exists` and `DoesNotExist` must
   * have none.
   */
  operator: string;
  /** The values to compare with. Empty for `Exists` and `DoesNotExist`. */
  values?: string[];
}

/**
 * One aspect of an object's state, reported by a controller. A list holds at most one condition of
 * each type.
 */
export interface Condition {
  /**
   * When `status` last changed from one value to another. A new message or reason alone does not
   * move it.
   */
  lastTransitionTime: Time;
  /** Details for people. May be empty; not meant to be parsed. */
  message: string;
  /**
   * The `metadata.generation` that the condition was computed from. If it is lower than the current
   * generation, the condition is out of date.
   */
  observedGeneration?: number;
  /** The cause of the last transition as one CamelCase word, for programs. */
  reason: string;
  /** Whether the condition holds. `Unknown` means that the controller cannot tell. */
  status: Open<'False' | 'True' | 'Unknown'>;
  /**
   * Name of the condition in CamelCase, such as `Ready`; other projects prefix it with their
   * domain.
   */
  type: string;
}

/** What must be true of an object for a deletion to go ahead. */
export interface Preconditions {
  /** The object must still be at this version. */
  resourceVersion?: string;
  /**
   * The object must have this UID, which guards against an object that was created again under the
   * same name.
   */
  uid?: string;
}

/** What a deletion does to the objects that the deleted one owns. */
export type DeletionPropagation = Open<'Background' | 'Foreground' | 'Orphan'>;

/** How to delete an object or a collection. Sent as the body of a DELETE request. */
export interface DeleteOptions extends TypeMeta {
  /** With `All`, the request is validated and answered but nothing is stored. */
  dryRun?: string[];
  /**
   * Seconds that the object may take to shut down. Zero deletes immediately; the default depends on
   * the kind, 30 for pods.
   */
  gracePeriodSeconds?: number;
  /**
   * Deletes an object that the server cannot read from storage any more, without finalizers or
   * validation. A last resort for corrupt data; it can break workloads.
   */
  ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
  /**
   * Old form of `propagationPolicy`. True keeps dependents, false deletes them in the background.
   * Not both may be set.
   */
  orphanDependents?: boolean;
  /** The deletion fails with a conflict unless the object matches these. */
  preconditions?: Preconditions;
  /**
   * What happens to dependents. `Foreground` deletes them first, `Background` afterwards, `Orphan`
   * keeps them and removes their owner reference.
   */
  propagationPolicy?: DeletionPropagation;
}

/** One of possibly several causes of a failure. */
export interface StatusCause {
  /** Path of the field that caused the failure, such as `spec.containers[0].image`. */
  field?: string;
  /** What is wrong, for people. */
  message?: string;
  /** Kind of the cause as one word for programs, such as `FieldValueRequired`. */
  reason?: string;
}

/** Details of a failed request. Which of them are set depends on the reason. */
export interface StatusDetails {
  /** The individual causes, usually one for each invalid field. */
  causes?: StatusCause[];
  /** API group of the object concerned. */
  group?: string;
  /** Kind of the object concerned; for some failures its resource name. */
  kind?: string;
  /** Name of the object concerned. */
  name?: string;
  /**
   * Seconds to wait before the request is sent again. The server sets it if a retry makes sense.
   */
  retryAfterSeconds?: number;
  /** UID of the object concerned, if there is a single one. */
  uid?: string;
}

/**
 * The answer of a request that returns no object. Every error is one, and so are many deletions.
 */
export interface Status extends TypeMeta {
  /** HTTP status code of the answer. */
  code?: number;
  /** More about the reason, such as the object concerned and the fields that are invalid. */
  details?: StatusDetails;
  /** What happened, for people. */
  message?: string;
  /** Metadata of a list. Usually empty. */
  metadata?: ListMeta;
  /**
   * Why the request failed, as one word for programs, such as `NotFound` or `Conflict`. It is more
   * precise than `code`.
   */
  reason?: string;
  /** `Success` or `Failure`. */
  status?: Open<'Failure' | 'Success'>;
}

/** One event of a watch stream. */
export interface WatchEvent<T = RawExtension> {
  /**
   * The object after the change; before it, for `DELETED`. A `BOOKMARK` has only a resource
   * version, an `ERROR` is a Status.
   */
  object: T;
  /** What happened to the object. `BOOKMARK` marks progress, `ERROR` ends the stream. */
  type: Open<'ADDED' | 'BOOKMARK' | 'DELETED' | 'ERROR' | 'MODIFIED'>;
}

/**
 * One resource of a group-version, as discovery lists it. Subresources are entries of their own,
 * named `pods/log`.
 */
export interface APIResource {
  /** Groups of resources that include this one, such as `all` for `kubectl get all`. */
  categories?: string[];
  /**
   * API group of the kind, if it differs from the group of the list. Used by subresources such as
   * `scale`.
   */
  group?: string;
  /** Kind of the objects that the resource serves. */
  kind: string;
  /** Plural name, as it appears in URLs. */
  name: string;
  /** True if the objects live in namespaces, false if they are cluster-wide. */
  namespaced: boolean;
  /** Abbreviations that command-line tools accept, such as `po` for pods. */
  shortNames?: string[];
  /** Name for a single object, in lower case. Command-line tools accept it as well. */
  singularName: string;
  /**
   * Changes when the server starts to store the resource in another version. Meant for migration
   * tools only.
   */
  storageVersionHash?: string;
  /** The operations that the server supports on the resource, such as `get`, `list` and `watch`. */
  verbs: string[];
  /** Version of the kind, if it differs from the version of the list. */
  version?: string;
}

/** The resources of one group-version, as `/api/v1` or `/apis/apps/v1` returns them. */
export interface APIResourceList extends TypeMeta {
  /** The group and version that the resources belong to, such as `apps/v1`. */
  groupVersion: string;
  /** The resources and their subresources. */
  resources: APIResource[];
}

/** The body of a PATCH request. Its format follows from the content type of the request. */
export type Patch = object;
