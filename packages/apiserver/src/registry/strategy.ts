import type { Clock, Random } from 'client-ts/lib';
import type { KubernetesObject } from 'client-ts/meta';
import type { FieldError } from '../validation/field-error.ts';

/** What a strategy may use of the world while it works on one request. */
export interface StrategyContext {
  readonly clock: Clock;
  readonly random: Random;
  /** The namespace of the request; empty for cluster-scoped resources. */
  readonly namespace: string;
  /** Reads another stored object, for admission that looks around (PriorityClass, Namespace). */
  readonly lookup: (
    group: string,
    resource: string,
    namespace: string,
    name: string,
  ) => KubernetesObject | undefined;
  /** Adds a `Warning` header to the answer. */
  readonly warn: (text: string) => void;
  /** Cluster IPs and node ports; allocations of a dry run are given back. */
  readonly allocators: Allocators;
  /** True while the request is a dry run. */
  readonly dryRun: boolean;
}

/** Hands out what must be unique in the cluster. Throws a FieldError-like finding when taken. */
export interface Allocators {
  /** Takes a given address, or the next free one. Undefined if the given one is not free. */
  readonly clusterIP: (wanted: string | undefined) => string | undefined;
  readonly releaseClusterIP: (address: string) => void;
  readonly nodePort: (wanted: number | undefined) => number | undefined;
  readonly releaseNodePort: (port: number) => void;
}

/**
 * What is particular to one kind. Every hook works in place on an object that belongs to the
 * request; nothing here may keep a reference to it. A kind without a strategy gets the generic
 * behaviour: schema defaults, metadata rules, status kept apart from the rest.
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
  /** For updates through `/status`; metadata rules are already checked. */
  readonly prepareForStatusUpdate?: (object: T, old: T, context: StrategyContext) => void;
  readonly validateStatusUpdate?: (object: T, old: T, context: StrategyContext) => FieldError[];
  /** After the object is gone from the store: give back addresses, ports. */
  readonly afterDelete?: (object: T, context: StrategyContext) => void;
  /** Texts for `Warning` headers, on create and on update. */
  readonly warnings?: (object: T, old: T | undefined) => string[];
  /**
   * Returns the messages of what is wrong with a name, as `metadata.name` errors.
   * Default: DNS-1123 subdomain.
   */
  readonly validateName?: (name: string, isPrefix: boolean) => string[];
  /** Extra fields for field selectors, besides metadata.name and metadata.namespace. */
  readonly selectableFields?: (object: T) => Readonly<Record<string, string>>;
  /**
   * How `metadata.generation` moves. `'none'`: the kind has no generation. `'spec'` (default for
   * kinds with a spec): it grows when the spec changes. A function decides for itself.
   */
  readonly generation?: 'none' | 'spec' | ((object: T, old: T) => boolean);
  /** PUT of a missing object creates it (Lease, and a few others). */
  readonly createOnUpdate?: boolean;
  /** False if an update must carry a resourceVersion. Default true. */
  readonly unconditionalUpdate?: boolean;
  /** DELETE answers the deleted object instead of a Status. */
  readonly deleteReturnsObject?: boolean;
  /** The grace period in seconds, for kinds that are deleted gracefully. */
  readonly gracePeriodSeconds?: (object: T, wanted: number | undefined) => number;
  /** Defaults to true if the model has a `/status` endpoint: the two ends ignore each other. */
  readonly statusSubresource?: boolean;
}
