import type { ResourceDescriptor } from '../meta/resource.ts';
import type { DeepReadonly, KubernetesObject } from '../meta/types.ts';
import type { Cached } from '../rest/object-types.ts';
import type { RateLimiter } from '../workqueue/rate-limiters.ts';
import type { ReconcileContext, ReconcileError, ReconcileResult } from '../workqueue/reconcile.ts';
import { cached, type CachedResource, type CacheOptions } from './cached-resource.ts';
import type { ControllerCache } from './controller-cache.ts';
import type { ControllerContext } from './controller-context.ts';
import type { ControllerError } from './controller-error.ts';
import type { LoopGuardOptions } from './loop-guard/loop-guard.ts';
import type { ObjectChange, Predicate } from './predicates.ts';
import type { ReconcileRequest } from './reconcile-request.ts';
import type { Source } from './sources.ts';

/** A resource that a controller watches, with options of its cache. */
export interface WatchedResource<T extends KubernetesObject> extends CacheOptions<Cached<T>> {
  readonly resource: ResourceDescriptor<T>;
  /** Reconciles only for changes that all of them pass. Default: every change. */
  readonly predicates?: readonly Predicate<Cached<T>>[] | undefined;
  /** Returns the priority of a change; higher first. Default `changePriority`. */
  readonly priority?: ((change: ObjectChange<Cached<T>>) => number) | undefined;
  /** The resource need not exist; see {@link optional}. */
  readonly optional?: boolean | undefined;
}

/** A descriptor, or a descriptor with options. */
export type ResourceInput<T extends KubernetesObject> = ResourceDescriptor<T> | WatchedResource<T>;

/**
 * Returns a resource that need not exist: its watch is inactive until the server has the resource,
 * becomes active when it appears, and inactive again when it is removed. It does not delay the start
 * of the controllers.
 */
export function optional<T extends KubernetesObject>(input: ResourceInput<T>): WatchedResource<T> {
  return { ...watchedResource(input), optional: true };
}

/** Returns the long form of a resource. */
export function watchedResource<T extends KubernetesObject>(
  input: ResourceInput<T>,
): WatchedResource<T> {
  return 'resource' in input && typeof input.resource === 'object'
    ? (input as WatchedResource<T>)
    : { resource: input as ResourceDescriptor<T> };
}

/**
 * Returns the descriptor of a watched resource with the options of its cache: also if it has none, so
 * that reads with it mean this cache even if the resource is cached with other options too.
 */
export function cachedResource(watched: WatchedResource<KubernetesObject>): CachedResource {
  const { resource, optional: _, predicates: __, priority: ___, ...options } = watched;
  const { mapTo: ____, ...cacheOptions } = options as Partial<MappedResource<KubernetesObject>>;
  return cached(resource, cacheOptions);
}

/** The second argument of {@link MapTo}. */
export interface MapContext {
  readonly cache: ControllerCache;
}

/**
 * Returns the objects to reconcile when an object of another resource changes: objects, or their
 * names. It is called with the old and the new object, and both results are reconciled.
 */
export type MapTo<T extends KubernetesObject> = (
  object: Cached<T>,
  context: MapContext,
) => Iterable<DeepReadonly<KubernetesObject> | ReconcileRequest>;

/** A resource whose changes cause reconciles of other objects. */
export interface MappedResource<T extends KubernetesObject> extends WatchedResource<T> {
  readonly mapTo: MapTo<T>;
}

/**
 * What a controller is for and what it does. `T` is the type of the objects it is for; `Owned` and `Watched` are
 * those of `owns` and `watches`, one by one.
 */
export interface ControllerDefinition<
  T extends KubernetesObject,
  Owned extends readonly KubernetesObject[] = readonly KubernetesObject[],
  Watched extends readonly KubernetesObject[] = readonly KubernetesObject[],
> {
  /** The resource whose objects are reconciled. */
  readonly for: ResourceInput<T>;
  /** Resources whose objects are made for those of `for`: a change reconciles the controlling owner. */
  readonly owns?: { readonly [Index in keyof Owned]: ResourceInput<Owned[Index]> } | undefined;
  /** Other resources whose changes cause reconciles. */
  readonly watches?:
    | { readonly [Index in keyof Watched]: MappedResource<Watched[Index]> }
    | undefined;
  /** What else causes reconciles: timers, and anything outside the cluster. */
  readonly sources?: readonly Source[] | undefined;
  /** The number of objects reconciled at the same time. Default 1. */
  readonly concurrency?: number | undefined;
  /** The delays of retries. Default: that of `RateLimitingQueue`. */
  readonly rateLimiter?: RateLimiter<string> | undefined;
  /** The time after which the signal of a reconcile aborts. Default: no limit. */
  readonly timeoutMs?: number | undefined;
  /**
   * A finalizer that is set before the first `reconcile` of an object and removed after `finalize`
   * has succeeded; servers require a domain: `example.com/disks`.
   */
  readonly finalizer?: string | undefined;
  /**
   * What happens to changes that this controller has made itself: `reconcile` treats them as any
   * other; `skip` ignores those that cannot hide a change of another writer, because the write was a
   * creation or carried the version that the cache had. An event that arrives before the answer to
   * its write is reconciled. Default `reconcile`.
   */
  readonly ownEvents?: 'reconcile' | 'skip' | undefined;
  /** When reconciles that keep writing are slowed down; false for never. Default: that of the manager. */
  readonly loopGuard?: LoopGuardOptions | false | undefined;
  /** The field manager of writes of this controller. Default: the name of the controller. */
  readonly fieldManager?: string | undefined;
  /**
   * Brings the cluster to the state that the object asks for. Throw to retry with back-off, throw
   * `terminal(error)` to wait for the next change, return `requeueAfter(ms)` to run again later.
   * With a `finalizer` it is not called for objects that are being deleted.
   */
  readonly reconcile: (
    object: Cached<T>,
    context: ControllerContext<T>,
  ) => Promise<ReconcileResult> | ReconcileResult;
  /**
   * Undoes what `reconcile` did outside the cluster. It runs until it succeeds, before the object
   * disappears, and has not succeeded if it throws or returns `requeueAfter(ms)`.
   */
  readonly finalize?:
    | ((
        object: Cached<T>,
        context: ControllerContext<T>,
      ) => Promise<ReconcileResult> | ReconcileResult)
    | undefined;
  /**
   * Called for a name without an object: it was deleted, or a source named it. Throw to retry. After
   * a restart it is not called for objects that were deleted meanwhile: use a `finalizer` for that.
   */
  readonly onDeleted?:
    | ((
        request: Required<ReconcileRequest>,
        context: ReconcileContext,
      ) => Promise<ReconcileResult> | ReconcileResult)
    | undefined;
  /**
   * Called after each failed reconcile, and when a predicate, a `mapTo` or a source fails. Default:
   * logs a warning.
   */
  readonly onError?: ((error: ControllerError | ReconcileError) => void) | undefined;
}

/** The definition of any controller: its types are checked where it is declared. */
export type AnyDefinition = ControllerDefinition<KubernetesObject>;
