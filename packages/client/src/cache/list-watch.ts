import { ReadOnlyCodecs } from '../codec/lazy/read-only-codec.ts';
import { ReadOnlyForm, type ReadOnlyFormOptions } from '../codec/lazy/read-only-form.ts';
import type { Logger } from '../lib/logger.ts';
import { OptionError } from '../lib/option-error.ts';
import { parsePath } from '../meta/field-path.ts';
import { identityOf } from '../meta/object.ts';
import type { ProjectionPath } from '../meta/projection.ts';
import type { ResourceDescriptor } from '../meta/resource.ts';
import type { DeepReadonly, KubernetesObject, ListMeta } from '../meta/types.ts';
import { selectsNothing } from '../rest/select-nothing.ts';
import type { Cached, CachedProjection } from '../rest/object-types.ts';
import type { SelectorOptions } from '../rest/options.ts';

/** Any object of the API, read-only: the least that stores, queues and informers need. */
export type CachedObject = DeepReadonly<KubernetesObject>;

/** A request for a list, or for a page of one. */
export interface ListRequest {
  readonly limit?: number | undefined;
  readonly continue?: string | undefined;
  /** Absent: the newest state. `'0'`: any state that the server has in its cache. */
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan' | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A list, or a page of one, as a server answers it. */
export interface ListAnswer<T> {
  readonly metadata?: Readonly<ListMeta> | undefined;
  readonly items: readonly T[];
}

/** A request for a watch. */
export interface WatchRequest {
  readonly allowWatchBookmarks: true;
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: 'NotOlderThan' | undefined;
  readonly sendInitialEvents?: true | undefined;
  /** After how long the server should end the watch. */
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
}

/** An event of a watch. ERROR events are values here, not exceptions. */
export type ListedEvent<T> =
  | { readonly type: 'ADDED' | 'DELETED' | 'MODIFIED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly object: CachedObject }
  | { readonly type: 'ERROR'; readonly object: object };

/** The events of one watch. Ends, without an error, when the signal of the request aborts. */
export interface ListedEvents<T> {
  [Symbol.asyncIterator](): AsyncIterator<ListedEvent<T>> & {
    /**
     * Returns the next event if it has arrived, else undefined. Optional: it saves a reader of many
     * events one promise for each.
     */
    ready?(): ListedEvent<T> | undefined;
    /**
     * Returns a promise that resolves when `ready` may have an event, or when the signal aborts;
     * undefined if the next step needs `next`. Optional: it saves a promise for each stage between
     * socket and reader.
     *
     * An informer does not yield after an event that it has waited for. A custom source whose promises
     * only ever resolve by microtasks can starve timers, and must let the event loop turn now and then,
     * for example with `setImmediate`.
     */
    arrival?(): Promise<void> | undefined;
  };
}

/** Where a {@link Reflector} reads from. */
export interface ListerWatcher<T> {
  list(request: ListRequest): Promise<ListAnswer<T>>;
  /** Resolves when the server has accepted the watch, and rejects if it refuses. */
  watch(request: WatchRequest): Promise<ListedEvents<T>>;
  /** False if the server does not support `sendInitialEvents`. Default true. */
  readonly supportsWatchList?: boolean | undefined;
  /**
   * True if the selectors match no object. No request is made then, so there is no version of the
   * server to wait for. Default false.
   */
  readonly selectsNothing?: boolean | undefined;
  /** False if a projection has left out the field of a path. Default: all fields are there. */
  hasField?(path: string): boolean;
  /** The logger of the client, and the host and port of its server for messages. */
  readonly logger?: Logger | undefined;
  readonly server?: string | undefined;
}

interface ReadOnlyOption {
  readonly readOnly: ReadOnlyCodecs | boolean;
}

/** The part of a resource client that {@link ListWatch} uses. */
export interface ListableResource<T extends KubernetesObject> {
  /** The type of the objects, for the compiler. Clients of unknown kinds have none. */
  readonly descriptor?: ResourceDescriptor<T> | undefined;
  readonly logger?: Logger | undefined;
  readonly server?: string | undefined;
  list(
    options: ListRequest & ReadOnlyOption & SelectorOptions,
  ): Promise<ListAnswer<Cached<NoInfer<T>>>>;
  watch(
    options: WatchRequest & ReadOnlyOption & SelectorOptions & { readonly errorEvents: true },
  ): ListedEvents<Cached<NoInfer<T>>> & { open(): Promise<void> };
}

/** What the objects of a cache keep, besides what they are read for. */
export interface KeepOptions {
  /**
   * Drop `metadata.managedFields`, which few programs read and which take a fifth of a typical object.
   * Updates leave those of the server as they are. `apply` of a controller's context cannot know without
   * them whether anything changes, and always sends a request. Default false.
   */
  readonly dropManagedFields?: boolean | undefined;
  /**
   * Keep objects compressed, for kinds of which many are cached and few are read: a tenth of the memory
   * where objects resemble each other, for 20 to 50 µs of processor time at every change and the same at
   * the first read of each field. Not for indices by functions, or handlers that read. Default false.
   */
  readonly compress?: boolean | undefined;
}

/** The fields that the objects of a cache have. */
export interface ProjectOptions<Path extends string> {
  /**
   * The fields to keep, by path: `['spec.nodeName', 'status.phase']`. Reading any other does not compile.
   * Kind and metadata are always kept, managed fields only if they are named.
   */
  readonly project?: readonly Path[] | undefined;
}

/** Objects of type `T` in a cache that keeps the fields of `Path`; whole ones if there is none. */
export type CachedFields<T extends KubernetesObject, Path extends string> = [Path] extends [never]
  ? Cached<T>
  : CachedProjection<T, Path>;

/** Options of {@link ListWatch}: the selectors of every request, and how objects are read. */
export interface ListWatchOptions<Path extends string = never>
  extends SelectorOptions, KeepOptions, ProjectOptions<Path> {
  /** False for servers that do not support `sendInitialEvents`. Default true. */
  readonly supportsWatchList?: boolean | undefined;
  /**
   * False for plain objects, which are mutable and take several times the memory; not together with
   * `project`, `dropManagedFields` or `compress`. Default true: see `ReadOnlyCodec` in `client-ts/codec`.
   */
  readonly readOnly?: boolean | undefined;
}

/**
 * Lists and watches through the client of one resource. The compiler infers the type of the objects
 * from a typed client; give it as `new ListWatch<Unstructured>(…)` for a dynamic one.
 *
 * ```ts
 * new ListWatch(client.coreV1.pods(), { labelSelector: 'app=web' }); // of Cached<Pod>
 * new ListWatch(client.coreV1.pods(), { project: ['spec.nodeName'] }); // reading another field does not compile
 * ```
 */
export class ListWatch<
  T extends KubernetesObject,
  Path extends ProjectionPath<T> = never,
> implements ListerWatcher<CachedFields<T, Path>> {
  readonly supportsWatchList: boolean;
  readonly selectsNothing: boolean;
  readonly logger: Logger | undefined;
  readonly server: string | undefined;
  readonly #resource: ListableResource<T>;
  readonly #options: SelectorOptions & { readonly readOnly: ReadOnlyCodecs | false };

  constructor(resource: ListableResource<T>, options: ListWatchOptions<Path> = {}) {
    const {
      supportsWatchList = true,
      readOnly: isReadOnly = true,
      project,
      dropManagedFields,
      compress,
      ...selectors
    } = options;
    const readOnly = codecsOf(isReadOnly, { project, dropManagedFields, compress });
    this.#resource = resource;
    this.logger = resource.logger;
    this.server = resource.server;
    this.#options = { ...selectors, readOnly };
    this.supportsWatchList = supportsWatchList;
    this.selectsNothing = selectsNothing(selectors);
  }

  hasField(path: string): boolean {
    const { readOnly } = this.#options;
    return readOnly === false || readOnly.form?.mask?.keeps(parsePath(path).steps) !== false;
  }

  async list(request: ListRequest): Promise<ListAnswer<CachedFields<T, Path>>> {
    await this.#load();
    const list = await this.#resource.list({ ...this.#options, ...request });
    // The codec has made them of what the projection keeps.
    return list as ListAnswer<unknown> as ListAnswer<CachedFields<T, Path>>;
  }

  async watch(request: WatchRequest): Promise<ListedEvents<CachedFields<T, Path>>> {
    await this.#load();
    const events = this.#resource.watch({ ...this.#options, ...request, errorEvents: true });
    await events.open();
    return events as ListedEvents<unknown> as ListedEvents<CachedFields<T, Path>>;
  }

  async #load(): Promise<void> {
    const { readOnly } = this.#options;
    if (readOnly !== false) await readOnly.form?.load();
  }
}

/** Returns the codecs of a cache; false for plain objects. */
function codecsOf(isReadOnly: boolean, options: ReadOnlyFormOptions): ReadOnlyCodecs | false {
  const { project, dropManagedFields = false, compress = false } = options;
  const isWhole = project === undefined && !dropManagedFields && !compress;
  if (isReadOnly) return new ReadOnlyCodecs(isWhole ? undefined : new ReadOnlyForm(options));
  if (isWhole) return false;
  const option = compress ? 'compress' : project === undefined ? 'dropManagedFields' : 'project';
  throw new OptionError(option, 'needs read-only objects: leave out readOnly');
}

/** The kind that the objects of a watch must have, if they have one. */
export interface ExpectedKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Returns what is wrong with the object of an event; undefined if it is of the expected kind. */
export function unexpectedObject(
  { type, object }: Exclude<ListedEvent<CachedObject>, { readonly type: 'ERROR' }>,
  expected: ExpectedKind | undefined,
): string | undefined {
  const { kind } = object;
  const isExpected =
    hasMetadata(object) &&
    kind !== 'Table' &&
    (expected === undefined ||
      kind === undefined ||
      (kind === expected.kind && object.apiVersion === expected.apiVersion));
  if (isExpected) return undefined;
  const found = `${object.apiVersion ?? '?'} ${kind ?? '?'}`;
  const wanted = expected === undefined ? '' : `, not ${expected.apiVersion} ${expected.kind}`;
  return `the object of a ${type} event is ${found}${wanted}`;
}

/** An object with a name has metadata: lazy objects need not be decoded to know. */
function hasMetadata(object: CachedObject): boolean {
  const { key = '' } = identityOf(object) ?? {};
  return key !== '' || typeof object.metadata === 'object';
}
