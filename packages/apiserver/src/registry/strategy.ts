import type { ValuePath } from '../schema/written-floats.ts';
import type { Clock, Random } from 'client-ts/internal';
import type { DeleteOptions, KubernetesObject } from 'client-ts/meta';
import type { FieldError } from '../validation/field-error.ts';
import type { AdmissionPlugin } from './admission-plugins.ts';
import type { DefaultPropagation } from './deletion.ts';

/** The user of a request, as objects record it. */
export interface RequestUser {
  readonly name: string;
  readonly uid?: string | undefined;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** An action on a cluster-scoped resource that rules ask about, such as approving for a signer. */
export interface AskedAction {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly name: string;
}

/** The environment of a strategy during one request. */
export interface StrategyContext {
  readonly clock: Clock;
  readonly random: Random;
  /** The namespace of the request; empty for cluster-scoped resources. */
  readonly namespace: string;
  /** API group of the request where it differs from the stored one: `events.k8s.io` for Events. */
  readonly requestGroup?: string;
  /** Absent for writes of the server itself. */
  readonly user?: RequestUser;
  /** Returns another stored object, for admission (PriorityClass, Namespace). */
  readonly lookup: (
    group: string,
    resource: string,
    namespace: string,
    name: string,
  ) => KubernetesObject | undefined;
  /** Returns all stored objects of a resource, for admission (default StorageClass). */
  readonly list: (group: string, resource: string, namespace: string) => Iterable<KubernetesObject>;
  /**
   * Returns whether the user of the request may do something that only a rule asks for. Writes of
   * the server itself may do everything.
   */
  readonly isAllowed: (action: AskedAction) => boolean;
  /** False if every request is authorized, so that roles have no effect. */
  readonly enforcesRoles: boolean;
  /** The admission plugins that are on. */
  readonly plugins: ReadonlySet<AdmissionPlugin>;
  /** Adds a `Warning` header to the response. */
  readonly warn: (text: string) => void;
  /** Allocators of cluster IPs and node ports; allocations of a dry run are reverted. */
  readonly allocators: Allocators;
  /** True for a dry run. */
  readonly dryRun: boolean;
  /** Where the request has whole numbers that are written as floats. */
  readonly floats: readonly ValuePath[];
}

/**
 * Allocates values that are unique in the cluster. `clusterIP` and `nodePort` throw an
 * `AllocationError` if the requested value is taken or out of range, or if the range is full.
 */
export interface Allocators {
  /** IP families of the cluster, the default family first. */
  readonly ipFamilies: readonly ('IPv4' | 'IPv6')[];
  /** Allocates the requested address, or a free one of the family. */
  readonly clusterIP: (family: 'IPv4' | 'IPv6', wanted: string | undefined) => string;
  readonly releaseClusterIP: (address: string) => void;
  /** Allocates the requested port, or a free one. */
  readonly nodePort: (wanted: number | undefined) => number;
  readonly releaseNodePort: (port: number) => void;
}

/** The rules of updates through a subresource other than `/status`. */
export interface SubresourceUpdate<T extends KubernetesObject = KubernetesObject> {
  /** Restores everything that this subresource does not write. */
  readonly prepare: (object: T, old: T, context: StrategyContext) => void;
  readonly validate: (object: T, old: T, context: StrategyContext) => FieldError[];
  /** Runs after validation: the admission that refuses. Throws an `ApiError`. */
  readonly check?: (object: T, old: T, context: StrategyContext) => void;
}

/**
 * The rules of one kind. Every hook works in place on an object that belongs to the request, and
 * must not keep a reference to it. A kind without a strategy has the generic behaviour: schema
 * defaults, metadata rules, a separate status.
 *
 * A create decodes, calls `setDefaults` and `admit`, generates the name, sets system fields (uid,
 * times, generation), removes the status, calls `prepareForCreate`, then `validateCreate`. An
 * update decodes, calls `setDefaults`, restores system fields and status, calls `admit` and
 * `prepareForUpdate`, then
 * `validateUpdate`. Both are in `registry/validate.ts` and call the validating hooks of the kind.
 * Those include the metadata rules, because each kind applies them in its own order and number of
 * times, which the causes of a Status show.
 *
 * The `prepareFor…` hooks may throw an `ApiError` to reject the request, as admission does.
 */
export interface Strategy<T extends KubernetesObject = KubernetesObject> {
  /** Sets the defaults of the versioned API. Idempotent; runs after every decoding. */
  readonly setDefaults?: (object: T) => void;
  /**
   * Runs the mutating admission that is built in, before a create (`old` is undefined) or an update
   * through the main endpoint. Idempotent: it runs before and after admission webhooks.
   */
  readonly admit?: (object: T, old: T | undefined, context: StrategyContext) => void;
  /** Runs after defaulting, before a create: admission and clean-up. */
  readonly prepareForCreate?: (object: T, context: StrategyContext) => void;
  /** Runs before an update through the main endpoint; status is already the stored one. */
  readonly prepareForUpdate?: (object: T, old: T, context: StrategyContext) => void;
  readonly validate?: (object: T, context: StrategyContext) => FieldError[];
  readonly validateUpdate?: (object: T, old: T, context: StrategyContext) => FieldError[];
  /** Runs before an update through `/status`: restores what it cannot change. */
  readonly prepareForStatusUpdate?: (object: T, old: T, context: StrategyContext) => void;
  readonly validateStatusUpdate?: (object: T, old: T, context: StrategyContext) => FieldError[];
  /** Runs after validation of an update through `/status`. Throws an `ApiError`. */
  readonly checkStatusUpdate?: (object: T, old: T, context: StrategyContext) => void;
  /**
   * Runs after validation of a create (`old` is undefined) or of an update other than of the status:
   * the admission that is built in and refuses. Throws an `ApiError`.
   */
  readonly check?: (object: T, old: T | undefined, context: StrategyContext) => void;
  /** Subresources that update a part of the object (`finalize`, `ephemeralcontainers`), by name. */
  readonly subresources?: Readonly<Record<string, SubresourceUpdate<T>>>;
  /** Runs after the object is removed from the store: releases addresses and ports. */
  readonly afterDelete?: (object: T, context: StrategyContext) => void;
  /** Returns the `Warning` headers of a create or update. */
  readonly warnings?: (object: T, old: T | undefined) => string[];
  /** Returns the `Warning` headers of an update through `/status`. */
  readonly statusWarnings?: (object: T, old: T) => string[];
  /** Returns what is wrong with a name. `validate` includes it. Default: DNS-1123 subdomain. */
  readonly validateName?: (name: string, isPrefix: boolean) => string[];
  /** Returns the fields for field selectors besides metadata.name and metadata.namespace. */
  readonly selectableFields?: (object: T) => Readonly<Record<string, string>>;
  /**
   * Every label that field selectors accept, metadata included. A kind with this list rejects other
   * labels with `field label not supported: …`, one without it with `"…" is not a known field
   * selector: only "metadata.name", "metadata.namespace"`.
   */
  readonly selectableFieldNames?: readonly string[];
  /**
   * How `metadata.generation` changes. `'none'` (default): the server does not maintain it.
   * `'spec'`: starts at 1, incremented when the spec changes. A function returns whether to
   * increment it.
   */
  readonly generation?: 'none' | 'spec' | ((object: T, old: T) => boolean);
  /** Whether PUT of a missing object creates it. */
  readonly createOnUpdate?: boolean;
  /** False if an update must have a resourceVersion. Default true. */
  readonly unconditionalUpdate?: boolean;
  /** Whether DELETE returns the deleted object instead of a Status. */
  readonly deleteReturnsObject?: boolean;
  /**
   * Returns whether a deleted object can be removed after an update. Default: no finalizers and no
   * grace period. Namespaces also have finalizers in their spec.
   */
  readonly isReadyToRemove?: (object: T) => boolean;
  /** Returns the grace period in seconds, for kinds with graceful deletion. */
  readonly gracePeriodSeconds?: (object: T, wanted: number | undefined) => number;
  /** Admits a deletion before the object is looked up; throws to reject it. */
  readonly admitDeletion?: (name: string, context: StrategyContext) => void;
  /**
   * For kinds whose content is deleted before them (namespaces, CRDs). `mark`: the object was
   * changed and must be stored; `wait`: its content is still being deleted; `go`: it is deleted
   * like any other.
   */
  readonly emptyFirst?: (
    object: T,
    options: DeleteOptions,
    context: StrategyContext,
  ) => 'go' | 'mark' | 'wait';
  /** Propagation policy of a delete without one. Default `Background`. */
  readonly propagation?: DefaultPropagation;
  /**
   * Whether `/status` is separate from the main endpoint. Default: true if the model has `/status`.
   */
  readonly statusSubresource?: boolean;
}
