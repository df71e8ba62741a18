import type { Logger } from '../lib/logger.ts';
import type { DeepReadonly, KubernetesObject, ListMeta } from '../meta/types.ts';
import { selectsNothing } from '../rest/nothing.ts';

/** What the machinery can hold: objects of the API, which it never changes. */
export type CachedObject = DeepReadonly<KubernetesObject>;

/** A request for a list, or for a page of one. */
export interface ListRequest {
  readonly limit?: number;
  readonly continue?: string;
  /** Left out: the newest. `'0'`: what the server has at hand. */
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
  readonly signal?: AbortSignal;
}

/** A list, or a page of one, as a server answers it. */
export interface ListAnswer<T> {
  readonly metadata?: Readonly<ListMeta>;
  readonly items: readonly T[];
}

/** A request for a watch. */
export interface WatchRequest {
  readonly allowWatchBookmarks: true;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'NotOlderThan';
  readonly sendInitialEvents?: true;
  /** When the server shall end the watch. */
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
}

/** What comes in a watch. ERROR events are handed out, not thrown. */
export type ListedEvent<T> =
  | { readonly type: 'ADDED' | 'DELETED' | 'MODIFIED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly object: CachedObject }
  | { readonly type: 'ERROR'; readonly object: object };

/** The events of one watch. Ends, without an error, when the signal of the request aborts. */
export type ListedEvents<T> = AsyncIterable<ListedEvent<T>>;

/** Where a {@link Reflector} gets its objects from. */
export interface ListerWatcher<T> {
  list(request: ListRequest): Promise<ListAnswer<T>>;
  /** Resolves when the server has accepted the watch, and rejects if it refuses it. */
  watch(request: WatchRequest): Promise<ListedEvents<T>>;
  /** False if the other side does not know `sendInitialEvents`; taken to be true if not said. */
  readonly supportsWatchList?: boolean;
  /**
   * True if no object can ever be selected. Nothing is requested then, so that there is no version
   * of the server to wait for. Default false.
   */
  readonly selectsNothing?: boolean;
  /** Where the client behind it logs, and the host and port of its server, for messages. */
  readonly logger?: Logger | undefined;
  readonly server?: string | undefined;
}

/** How objects are wanted that are to be kept. */
interface Reading {
  /** Objects that keep their bytes, are read when they are touched, and cannot be written to. */
  readonly readOnly: boolean;
}

/** The part of a client of one resource that {@link ListWatch} uses. */
export interface ListableResource<T, Selection> {
  /** Where the client logs, and the host and port of its server, for messages. */
  readonly logger?: Logger;
  readonly server?: string;
  list(options: ListRequest & Reading & Selection): Promise<ListAnswer<T>>;
  watch(
    options: WatchRequest & Reading & Selection & { readonly errorEvents: true },
  ): ListedEvents<T> & { open(): Promise<void> };
}

/** How a {@link ListWatch} asks. */
export interface ListWatchOptions<Selection> {
  /** What is added to every request: selectors, mostly. */
  readonly selection?: Selection;
  /** False for servers that do not know `sendInitialEvents`. Default true. */
  readonly supportsWatchList?: boolean;
  /**
   * False for plain objects, which anybody could change and which take several times the memory.
   * Default true: see `ReadOnlyCodec` in `client-ts/codec`.
   */
  readonly readOnly?: boolean;
}

/**
 * Lists and watches through a client of one resource. Say what the objects are: the compiler cannot
 * tell from the client, which gives them in several ways.
 *
 * ```ts
 * new ListWatch<Cached<Pod>>(client.coreV1.pods(), { selection: { labelSelector: 'app=web' } });
 * ```
 */
export class ListWatch<T, Selection extends object = object> implements ListerWatcher<T> {
  readonly supportsWatchList: boolean;
  readonly selectsNothing: boolean;
  readonly logger: Logger | undefined;
  readonly server: string | undefined;
  readonly #resource: ListableResource<T, Selection>;
  readonly #selection: Reading & Selection;

  constructor(
    resource: ListableResource<T, Selection>,
    { selection, supportsWatchList = true, readOnly = true }: ListWatchOptions<Selection> = {},
  ) {
    this.#resource = resource;
    this.logger = resource.logger;
    this.server = resource.server;
    // Without a selection there is nothing in its type that could be missing.
    this.#selection = { ...(selection ?? ({} as Selection)), readOnly };
    this.supportsWatchList = supportsWatchList;
    this.selectsNothing = selectsNothing(selection ?? {});
  }

  list(request: ListRequest): Promise<ListAnswer<T>> {
    return this.#resource.list({ ...this.#selection, ...request });
  }

  async watch(request: WatchRequest): Promise<ListedEvents<T>> {
    const events = this.#resource.watch({ ...this.#selection, ...request, errorEvents: true });
    await events.open();
    return events;
  }
}
