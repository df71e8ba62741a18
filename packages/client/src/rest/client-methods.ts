import type { TokenRequest, TokenRequestSpec } from '../api/authentication/v1.ts';
import type { Scale } from '../api/autoscaling/v1.ts';
import type { JsonPatchOperation } from '../meta/patch.ts';
import type { DeepReadonly, KubernetesObject, Status } from '../meta/types.ts';
import type {
  ApplyConfiguration,
  MergePatch,
  ResourceList,
  Stored,
  StrategicPatch,
} from './object-types.ts';
import type {
  ApplyOptions,
  CallOptions,
  DeletionOptions,
  GetOptions,
  ListAllOptions,
  ListOptions,
  PatchOptions,
  SelectorOptions,
  WatchOptions,
  WriteOptions,
} from './options.ts';
import type { PagedList } from './pager.ts';
import type { PatchType } from './patch-type.ts';
import type { QueryParameters } from './path.ts';
import type { Request } from './request.ts';
import type { Stream } from './stream.ts';
import type { BookmarkEvent, ErrorEvent, ObjectEvent } from './watch.ts';

/*
 * What a client of one resource can do, verb by verb. A client is the sum of those that its resource
 * has; functions that need a client ask for the verbs they use and no more.
 */

/** Reads objects by name. */
export interface CanGet<T extends KubernetesObject> {
  /** Rejects with an error that `isNotFound` knows if there is no such object. */
  get(name: string, options?: GetOptions): Promise<Stored<T>>;
}

/** Reads many objects. */
export interface CanList<T extends KubernetesObject> {
  /** One request. With `limit`, `metadata.continue` says whether there is more. */
  list(
    options: ListOptions & { readonly readOnly: true },
  ): Promise<ResourceList<DeepReadonly<Stored<T>>>>;
  list(options?: ListOptions): Promise<ResourceList<Stored<T>>>;
  /** Every object, in as many requests as it takes, one page in memory at a time. */
  listAll(
    options: ListAllOptions & { readonly readOnly: true },
  ): PagedList<DeepReadonly<Stored<T>>>;
  listAll(options?: ListAllOptions): PagedList<Stored<T>>;
}

/** The events that a watch with these options can give: what was not asked for does not come. */
export type EventsOf<T extends KubernetesObject, O extends WatchOptions> =
  | ObjectEvent<ReadOnlyWhenAsked<O, Stored<T>>>
  | WhenAsked<O, 'allowWatchBookmarks' | 'sendInitialEvents', BookmarkEvent>
  | WhenAsked<O, 'errorEvents', ErrorEvent>;

type ReadOnlyWhenAsked<O, T> = O extends { readonly readOnly: true } ? DeepReadonly<T> : T;

type WhenAsked<O, Option extends keyof WatchOptions, Event> = Option extends keyof O
  ? true extends O[Option]
    ? Event
    : never
  : never;

/** Is told of changes. */
export interface CanWatch<T extends KubernetesObject> {
  /**
   * Changes as they happen, for as long as the server and the connection please. An end is normal
   * and no error; `retryWatch` goes on from there. See {@link Stream} for how to stop.
   */
  watch<const O extends WatchOptions = Pick<WatchOptions, 'signal'>>(
    options?: O,
  ): Stream<EventsOf<T, O>>;
}

/** What is written may come from a cache. Apart from it, so that generic code can pass a `T` too. */
type ReadonlyOr<T> = DeepReadonly<T> | T;

/** Creates objects. */
export interface CanCreate<T extends KubernetesObject> {
  /** Rejects with an error that `isAlreadyExists` knows if the name is taken. */
  create(object: ReadonlyOr<T>, options?: WriteOptions): Promise<Stored<T>>;
}

/** Asks for a verdict that nobody stores: reviews and bindings. */
export interface CanSubmit<T extends KubernetesObject> {
  /** What comes back is the verdict, in `status`. */
  create(object: ReadonlyOr<T>, options?: WriteOptions): Promise<T>;
}

/** Replaces objects. */
export interface CanUpdate<T extends KubernetesObject> {
  /**
   * Replaces the object of that name by this one. With its `resourceVersion`, only if nobody has
   * changed it since: `retryOnConflict` is there for when somebody has.
   */
  update(object: ReadonlyOr<T>, options?: WriteOptions): Promise<Stored<T>>;
}

/** What the patch itself must look like. */
export type PatchBody<T extends KubernetesObject, P extends PatchType> = P extends 'json'
  ? readonly JsonPatchOperation[]
  : P extends 'merge'
    ? MergePatch<T>
    : P extends 'strategic'
      ? StrategicPatch<T>
      : ApplyConfiguration<T>;

/** Changes parts of objects. */
export interface CanPatch<T extends KubernetesObject, Sub extends string = never> {
  /** The content type follows from `type`. `strategic` is for built-in kinds only. */
  patch<P extends PatchType>(
    name: string,
    patch: PatchBody<T, P>,
    options: PatchOptions<P, Sub>,
  ): Promise<Stored<T>>;
  /** Server-side apply: creates the object, or gives it these fields. */
  apply(object: ReadonlyOr<ApplyConfiguration<T>>, options: ApplyOptions): Promise<Stored<T>>;
}

/** Deletes objects. */
export interface CanDelete<T extends KubernetesObject> {
  /**
   * Asks for the deletion. A Status means that the object is gone; the object means that it waits
   * for finalizers or for its grace period. `isStatus` tells them apart.
   */
  delete(name: string, options?: DeletionOptions): Promise<Status | Stored<T>>;
}

/** Deletes many objects. */
export interface CanDeleteCollection<T extends KubernetesObject> {
  /** Deletes what the selectors select: everything, if there are none. */
  deleteCollection(
    options?: DeletionOptions & SelectorOptions,
  ): Promise<ResourceList<Stored<T>> | Status>;
}

/** Has a status beside its spec. */
export interface HasStatus<T extends KubernetesObject> {
  /** Replaces the status and nothing else. */
  updateStatus(object: ReadonlyOr<T>, options?: WriteOptions): Promise<Stored<T>>;
  /** Server-side apply to the status; the object must exist. */
  applyStatus(object: ReadonlyOr<ApplyConfiguration<T>>, options: ApplyOptions): Promise<Stored<T>>;
}

/** Can be scaled without knowing what it is. */
export interface HasScale {
  /** How many replicas there shall be, and how many there are. */
  getScale(name: string, options?: CallOptions): Promise<Stored<Scale>>;
  /** Sets the number of replicas; name and namespace of the scale are filled in. */
  updateScale(
    name: string,
    scale: ReadonlyOr<Scale>,
    options?: WriteOptions,
  ): Promise<Stored<Scale>>;
  /** As `patch`, on the scale. */
  patchScale<P extends PatchType>(
    name: string,
    patch: PatchBody<Scale, P>,
    options: PatchOptions<P, never>,
  ): Promise<Stored<Scale>>;
}

/** Can be evicted: deleted, unless a disruption budget forbids it. */
export interface HasEviction {
  /** Rejects with a 429 (`isTooManyRequests`) while a budget does not allow it. */
  evict(name: string, options?: DeletionOptions): Promise<Status>;
}

/** Can be bound to a node. */
export interface HasBinding {
  /** What schedulers do. A pod is bound once and for all. */
  bind(name: string, nodeName: string, options?: WriteOptions): Promise<Status>;
}

/** Issues tokens. */
export interface HasToken {
  /** A token for the account, in `status.token`, with its end in `status.expirationTimestamp`. */
  createToken(
    name: string,
    spec?: Partial<TokenRequestSpec>,
    options?: WriteOptions,
  ): Promise<TokenRequest>;
}

/** Takes containers for debugging. */
export interface HasEphemeralContainers<T extends KubernetesObject> {
  /** Replaces `spec.ephemeralContainers` and nothing else. */
  updateEphemeralContainers(object: ReadonlyOr<T>, options?: WriteOptions): Promise<Stored<T>>;
}

/** Changes its size while it runs. */
export interface HasResize<T extends KubernetesObject> {
  /** Replaces the resources of the containers and nothing else. */
  updateResize(object: ReadonlyOr<T>, options?: WriteOptions): Promise<Stored<T>>;
}

/** Can be released from `spec.finalizers`. */
export interface HasFinalize<T extends KubernetesObject> {
  /** Replaces `spec.finalizers` and nothing else. */
  finalize(object: ReadonlyOr<T>, options?: WriteOptions): Promise<Stored<T>>;
}

/** Can be approved or denied. */
export interface HasApproval<T extends KubernetesObject> {
  /** Replaces the conditions `Approved` and `Denied` and nothing else. */
  updateApproval(object: ReadonlyOr<T>, options?: WriteOptions): Promise<Stored<T>>;
}

/** Where to go behind a proxy. */
export interface ProxyOptions {
  /** Default: what the server takes for granted, `http`. */
  readonly scheme?: 'http' | 'https' | undefined;
  /** A number, or the name of a port. */
  readonly port?: number | string | undefined;
  /** Default `/`. */
  readonly path?: string | undefined;
  readonly params?: QueryParameters | undefined;
  /** The HTTP method. Default `GET`. */
  readonly method?: string | undefined;
}

/** Is reached through the API server. */
export interface HasProxy {
  /** A request to what runs there; send it with `raw()`, `stream()` or `do()`. */
  proxy(name: string, options?: ProxyOptions): Request;
}
