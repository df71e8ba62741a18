import type { TokenRequest, TokenRequestSpec } from '../api/authentication/v1.ts';
import type { Scale } from '../api/autoscaling/v1.ts';
import type { JsonPatchOperation } from '../meta/patch.ts';
import type { PROJECTION } from '../meta/projection.ts';
import type { DeepReadonly, KubernetesObject, Status } from '../meta/types.ts';
import type {
  ApplyConfiguration,
  Cached,
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
  PatchType,
  SelectorOptions,
  WatchAllOptions,
  WatchOptions,
  WriteOptions,
} from './options.ts';
import type { PagedList } from './pager.ts';
import type { QueryParameters } from './path.ts';
import type { Request } from './request.ts';
import type { Stream } from './stream.ts';
import type { BookmarkEvent, ErrorEvent, ObjectEvent, WatchAllEvent } from './watch.ts';

/*
 * The methods of a resource client, verb by verb. A client has those of its resource; functions that
 * take a client ask for the verbs they use and no more.
 */

/** Reads objects by name. */
export interface CanGet<T extends KubernetesObject> {
  /** Rejects with an error that `isNotFound` recognises if the object does not exist. */
  get(name: string, options?: GetOptions): Promise<Stored<T>>;
}

/** Lists objects. */
export interface CanList<T extends KubernetesObject> {
  /** Sends one request. With `limit`, `metadata.continue` leads to the next page. */
  list(options: ListOptions & { readonly readOnly: true }): Promise<ResourceList<Cached<T>>>;
  list(options?: ListOptions): Promise<ResourceList<Stored<T>>>;
  /** Reads every object, in as many requests as it takes, one page in memory at a time. */
  listAll(options: ListAllOptions & { readonly readOnly: true }): PagedList<Cached<T>>;
  listAll(options?: ListAllOptions): PagedList<Stored<T>>;
}

/** The events of a watch with these options: bookmarks and errors only if they are requested. */
export type EventsOf<T extends KubernetesObject, O extends WatchOptions> =
  | ObjectEvent<O extends { readonly readOnly: true } ? Cached<T> : Stored<T>>
  | WhenRequested<O, 'allowWatchBookmarks' | 'sendInitialEvents', BookmarkEvent>
  | WhenRequested<O, 'errorEvents', ErrorEvent>;

type WhenRequested<O, Option extends keyof WatchOptions, Event> = Option extends keyof O
  ? true extends O[Option]
    ? Event
    : never
  : never;

/** Watches objects. */
export interface CanWatch<T extends KubernetesObject> {
  /**
   * Watches changes until the server or the connection ends the watch. That is normal and not an
   * error; `retryWatch` resumes. See {@link Stream} for how to stop.
   */
  watch<const O extends WatchOptions = Pick<WatchOptions, 'signal'>>(
    options?: O,
  ): Stream<EventsOf<T, O>>;
}

/** Lists, then watches, without an end. */
export interface CanWatchAll<T extends KubernetesObject> {
  /**
   * Follows all objects without a cache: first `init` with every object, then `applied` and
   * `deleted` for each change. It outlives its connections and resumes without a loss. When the
   * server has compacted the events in between it lists again and sends another `init`: objects that
   * are not in it are gone, so replace the state by it.
   *
   * Ends without an error when the signal aborts, and with errors that a retry cannot fix, such as a
   * refusal or an untrusted certificate. For several readers of one resource, indices and lookups
   * use an informer.
   *
   * ```ts
   * for await (const event of client.coreV1.pods('default').watchAll({ signal })) {
   *   if (event.type === 'init') console.log(event.objects.length, 'pods');
   *   else console.log(event.type, event.object.metadata.name);
   * }
   * ```
   */
  watchAll(options?: WatchAllOptions): Stream<WatchAllEvent<Stored<T>>>;
}

/** Objects to write may come from a cache. Both, so that generic code can pass a `T` too. */
type ReadonlyOr<T> = DeepReadonly<T> | T;

/** Not from a cache that keeps only some of their fields: the others would be lost. */
type WholeObject<T> = ReadonlyOr<T> & { readonly [PROJECTION]?: never };

/** Creates objects. */
export interface CanCreate<T extends KubernetesObject> {
  /** Rejects with an error that `isAlreadyExists` recognises if the name is taken. */
  create(object: WholeObject<T>, options?: WriteOptions): Promise<Stored<T>>;
}

/** Submits objects that no server stores: reviews and bindings. */
export interface CanSubmit<T extends KubernetesObject> {
  /** Returns the verdict, in `status`. */
  create(object: ReadonlyOr<T>, options?: WriteOptions): Promise<T>;
}

/** Replaces objects. */
export interface CanUpdate<T extends KubernetesObject> {
  /**
   * Replaces the object of that name. With a `resourceVersion` it fails with a conflict if the
   * object has changed since; see `retryOnConflict`.
   */
  update(object: WholeObject<T>, options?: WriteOptions): Promise<Stored<T>>;
}

/** The body of a patch of each type. */
export type PatchBody<T extends KubernetesObject, P extends PatchType> = P extends 'json'
  ? readonly JsonPatchOperation[]
  : P extends 'merge'
    ? MergePatch<T>
    : P extends 'strategic'
      ? StrategicPatch<T>
      : ApplyConfiguration<T>;

/** A variable of the resource's own type. Its name is optional there, and checked at run time. */
type Whole<T, O> = [T] extends [O] ? O : never;

/** Changes parts of objects. */
export interface CanPatch<T extends KubernetesObject, Sub extends string = never> {
  /** Patches the object. `strategic` is for built-in kinds only. */
  patch<P extends PatchType>(
    name: string,
    patch: PatchBody<T, P>,
    options: PatchOptions<P, Sub>,
  ): Promise<Stored<T>>;
  /**
   * Server-side apply: creates the object, or sets these fields and owns them. Also takes a whole
   * object of the type, `const deployment: Deployment = …`.
   */
  apply<O extends T>(object: O & Whole<T, O>, options: ApplyOptions): Promise<Stored<T>>;
  apply(object: ReadonlyOr<ApplyConfiguration<T>>, options: ApplyOptions): Promise<Stored<T>>;
}

/** Deletes objects. */
export interface CanDelete<T extends KubernetesObject> {
  /**
   * Deletes the object. Returns a Status if the object is gone, or the object if it waits for
   * finalizers or its grace period. `isStatus` distinguishes them.
   */
  delete(name: string, options?: DeletionOptions): Promise<Status | Stored<T>>;
}

/** Deletes collections. */
export interface CanDeleteCollection<T extends KubernetesObject> {
  /** Deletes the selected objects; without selectors, all. */
  deleteCollection(
    options?: DeletionOptions & SelectorOptions,
  ): Promise<ResourceList<Stored<T>> | Status>;
}

/** Has the subresource `status`. */
export interface HasStatus<T extends KubernetesObject> {
  /** Reads the object through its status, for which a role may grant less than for the object. */
  getStatus(name: string, options?: GetOptions): Promise<Stored<T>>;
  /** Replaces the status and nothing else. */
  updateStatus(object: ReadonlyOr<T>, options?: WriteOptions): Promise<Stored<T>>;
  /** As `patch`, on the status. */
  patchStatus<P extends PatchType>(
    name: string,
    patch: PatchBody<T, P>,
    options: PatchOptions<P, never>,
  ): Promise<Stored<T>>;
  /** Server-side apply to the status. The object must exist. */
  applyStatus<O extends T>(object: O & Whole<T, O>, options: ApplyOptions): Promise<Stored<T>>;
  applyStatus(object: ReadonlyOr<ApplyConfiguration<T>>, options: ApplyOptions): Promise<Stored<T>>;
}

/** Has the subresource `scale`. */
export interface HasScale {
  /** Returns the desired and the current number of replicas. */
  getScale(name: string, options?: CallOptions): Promise<Stored<Scale>>;
  /** Sets the number of replicas. Name and namespace of the scale are filled in. */
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

/** Has the subresource `eviction`. */
export interface HasEviction {
  /**
   * Deletes the pod unless a disruption budget forbids it. Rejects with a 429 (`isTooManyRequests`)
   * while it does.
   */
  evict(name: string, options?: DeletionOptions): Promise<Status>;
}

/** Has the subresource `binding`. */
export interface HasBinding {
  /** Binds the pod to a node, as schedulers do. A pod can be bound once. */
  bind(name: string, nodeName: string, options?: WriteOptions): Promise<Status>;
}

/** Has the subresource `token`. */
export interface HasToken {
  /** Returns a token of the account in `status.token`, valid until `status.expirationTimestamp`. */
  createToken(
    name: string,
    spec?: Partial<TokenRequestSpec>,
    options?: WriteOptions,
  ): Promise<TokenRequest>;
}

/** Has the subresource `ephemeralcontainers`. */
export interface HasEphemeralContainers<T extends KubernetesObject> {
  /** Replaces `spec.ephemeralContainers` and nothing else. */
  updateEphemeralContainers(object: ReadonlyOr<T>, options?: WriteOptions): Promise<Stored<T>>;
}

/** Has the subresource `resize`. */
export interface HasResize<T extends KubernetesObject> {
  /** Replaces the resources of the containers and nothing else. */
  updateResize(object: ReadonlyOr<T>, options?: WriteOptions): Promise<Stored<T>>;
}

/** Has the subresource `finalize`. */
export interface HasFinalize<T extends KubernetesObject> {
  /** Replaces `spec.finalizers` and nothing else. */
  finalize(object: ReadonlyOr<T>, options?: WriteOptions): Promise<Stored<T>>;
}

/** Has the subresource `approval`. */
export interface HasApproval<T extends KubernetesObject> {
  /** Replaces the conditions `Approved` and `Denied` and nothing else. */
  updateApproval(object: ReadonlyOr<T>, options?: WriteOptions): Promise<Stored<T>>;
}

/** The target of a request behind a proxy. */
export interface ProxyOptions {
  /** Default: that of the server, `http`. */
  readonly scheme?: 'http' | 'https' | undefined;
  /** The number or the name of a port. */
  readonly port?: number | string | undefined;
  /** Default `/`. */
  readonly path?: string | undefined;
  readonly params?: QueryParameters | undefined;
  /** The HTTP method. Default `GET`. */
  readonly method?: string | undefined;
}

/** Has the subresource `proxy`. */
export interface HasProxy {
  /** Starts a request through the API server; send it with `raw()`, `stream()` or `do()`. */
  proxy(name: string, options?: ProxyOptions): Request;
}
