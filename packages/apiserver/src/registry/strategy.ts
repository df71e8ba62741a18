import type { Clock, Random } from 'client-ts/internal';
import type { DeleteOptions, KubernetesObject } from 'client-ts/meta';
import type { FieldError } from '../validation/field-error.ts';
import type { DefaultPropagation } from './deletion.ts';

/** Who makes a request, as far as objects record it. */
export interface RequestUser {
  readonly name: string;
  readonly uid?: string | undefined;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** What a strategy may use of the world while it works on one request. */
export interface StrategyContext {
  readonly clock: Clock;
  readonly random: Random;
  /** The namespace of the request; empty for cluster-scoped resources. */
  readonly namespace: string;
  /** The API group of the request, where it is not the stored one: `events.k8s.io` for Events. */
  readonly requestGroup?: string;
  /** Absent if the server writes for itself. */
  readonly user?: RequestUser;
  /** Reads another stored object, for admission that looks around (PriorityClass, Namespace). */
  readonly lookup: (
    group: string,
    resource: string,
    namespace: string,
    name: string,
  ) => KubernetesObject | undefined;
  /** All stored objects of a resource, for admission that must choose (default StorageClass). */
  readonly list: (group: string, resource: string, namespace: string) => Iterable<KubernetesObject>;
  /** Adds a `Warning` header to the answer. */
  readonly warn: (text: string) => void;
  /** Cluster IPs and node ports; allocations of a dry run are given back. */
  readonly allocators: Allocators;
  /** True while the request is a dry run. */
  readonly dryRun: boolean;
}

/**
 * Hands out what must be unique in the cluster. Both `clusterIP` and `nodePort` throw an
 * `AllocationError` when the wanted value is taken or out of range, or when nothing is left.
 */
export interface Allocators {
  /** The families that cluster IPs can have here, the default one first. */
  readonly ipFamilies: readonly ('IPv4' | 'IPv6')[];
  /** Takes a given address, or the next free one of the family. */
  readonly clusterIP: (family: 'IPv4' | 'IPv6', wanted: string | undefined) => string;
  readonly releaseClusterIP: (address: string) => void;
  /** Takes a given port, or the next free one. */
  readonly nodePort: (wanted: number | undefined) => number;
  readonly releaseNodePort: (port: number) => void;
}

/** What is particular to updates through an endpoint below the object, other than `/status`. */
export interface SubresourceUpdate<T extends KubernetesObject = KubernetesObject> {
  /** Leaves of the new object only what this endpoint is for. */
  readonly prepare: (object: T, old: T, context: StrategyContext) => void;
  readonly validate: (object: T, old: T, context: StrategyContext) => FieldError[];
}

/**
 * What is particular to one kind. Every hook works in place on an object that belongs to the
 * request; nothing here may keep a reference to it. A kind without a strategy gets the generic
 * behaviour: schema defaults, metadata rules, status kept apart from the rest.
 *
 * The order of a create: decode, `setDefaults`, name generated, system fields set (uid, times,
 * generation), status removed, `prepareForCreate`, then the findings of `findingsOnCreate`. The order
 * of an update: decode, `setDefaults`, system fields and status taken over from the old object,
 * `prepareForUpdate`, then the findings of `findingsOnUpdate`. Both functions are in
 * `registry/findings.ts`; they call the validating hooks, which include the metadata rules, because
 * each kind applies them in its own order and number of times, and causes show it. The
 * `prepareFor…` hooks may throw an `ApiError` to refuse the request, as admission does.
 */
export interface Strategy<T extends KubernetesObject = KubernetesObject> {
  /** Fills in what the versioned API fills in. Idempotent; runs after every decoding. */
  readonly setDefaults?: (object: T) => void;
  /** Admission and clean-up before a create, after defaulting. */
  readonly prepareForCreate?: (object: T, context: StrategyContext) => void;
  /** The same for an update through the main endpoint; status is already the old one. */
  readonly prepareForUpdate?: (object: T, old: T, context: StrategyContext) => void;
  readonly validate?: (object: T, context: StrategyContext) => FieldError[];
  readonly validateUpdate?: (object: T, old: T, context: StrategyContext) => FieldError[];
  /** For updates through `/status`: takes over from the old object what a status cannot change. */
  readonly prepareForStatusUpdate?: (object: T, old: T, context: StrategyContext) => void;
  readonly validateStatusUpdate?: (object: T, old: T, context: StrategyContext) => FieldError[];
  /** Endpoints that update a part of the object (`finalize`, `ephemeralcontainers`), by name. */
  readonly subresources?: Readonly<Record<string, SubresourceUpdate<T>>>;
  /** After the object is gone from the store: give back addresses, ports. */
  readonly afterDelete?: (object: T, context: StrategyContext) => void;
  /** Texts for `Warning` headers, on create and on update. */
  readonly warnings?: (object: T, old: T | undefined) => string[];
  /** The same for updates through `/status`. */
  readonly statusWarnings?: (object: T, old: T) => string[];
  /**
   * Returns the messages of what is wrong with a name, as `metadata.name` errors; `validate` already
   * asks it. Default: DNS-1123 subdomain.
   */
  readonly validateName?: (name: string, isPrefix: boolean) => string[];
  /** Extra fields for field selectors, besides metadata.name and metadata.namespace. */
  readonly selectableFields?: (object: T) => Readonly<Record<string, string>>;
  /**
   * Every label that field selectors on this kind accept, metadata included. A kind that has this
   * answers other labels with `field label not supported: …`, one that has not with
   * `"…" is not a known field selector: only "metadata.name", "metadata.namespace"`.
   */
  readonly selectableFieldNames?: readonly string[];
  /**
   * How `metadata.generation` moves. `'none'`: the server leaves it alone, so it is what the creator
   * wrote (the default). `'spec'`: it starts at 1 and grows when the spec changes. A function decides
   * for itself whether it grows.
   */
  readonly generation?: 'none' | 'spec' | ((object: T, old: T) => boolean);
  /** PUT of a missing object creates it (Lease, and a few others). */
  readonly createOnUpdate?: boolean;
  /** False if an update must carry a resourceVersion. Default true. */
  readonly unconditionalUpdate?: boolean;
  /** DELETE answers the deleted object instead of a Status. */
  readonly deleteReturnsObject?: boolean;
  /**
   * Whether a deleted object can go, after an update. Default: no finalizers and no grace left.
   * (Namespaces have finalizers in their spec as well.)
   */
  readonly isReadyToRemove?: (object: T) => boolean;
  /** The grace period in seconds, for kinds that are deleted gracefully. */
  readonly gracePeriodSeconds?: (object: T, wanted: number | undefined) => number;
  /** Admission of a deletion, before the object is even looked for; throws to refuse it. */
  readonly admitDeletion?: (name: string, context: StrategyContext) => void;
  /**
   * For kinds with content that goes before them (namespaces, definitions). `mark`: the object was
   * changed to say so, and is stored; `wait`: it is still being emptied; `go`: it is deleted like
   * any other.
   */
  readonly emptyFirst?: (
    object: T,
    options: DeleteOptions,
    context: StrategyContext,
  ) => 'go' | 'mark' | 'wait';
  /** What becomes of dependents if a deletion does not say. Default `Background`. */
  readonly propagation?: DefaultPropagation;
  /** Defaults to true if the model has a `/status` endpoint: the two ends ignore each other. */
  readonly statusSubresource?: boolean;
}
