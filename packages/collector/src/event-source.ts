import {
  type ListAnswer,
  type ListedEvents,
  type ListerWatcher,
  type ListRequest,
  ListWatch,
  Reflector,
  type ReflectorFailure,
  type ReflectorStore,
  type WatchRequest,
} from 'client-ts/cache';
import type { Clock, Random } from 'client-ts/internal';
import type { Clientset } from 'client-ts/kubernetes';
import { isForbidden, isNotFound } from 'client-ts/meta';
import type { ServerEvent } from './collected-event.ts';

/** Receives events in the order of the server. */
export interface EventFeed {
  /** An event was created or changed. `resourceVersion` is undefined while events are listed. */
  event(event: ServerEvent, resourceVersion: string | undefined): void;
  /** Everything up to this version was delivered. */
  reached(resourceVersion: string): void;
  /** The watch could not be resumed: events are listed again, and some may be missing. */
  interrupted(): void;
  /** Returns a promise while no more events can be accepted. */
  room(): Promise<void> | undefined;
}

/** Options of {@link followEvents}. */
export interface FollowOptions {
  readonly events: ListerWatcher<ServerEvent>;
  readonly feed: EventFeed;
  /** The version to resume from. Default: list first. */
  readonly resourceVersion?: string | undefined;
  readonly onWatchError?: ((failure: ReflectorFailure) => void) | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
}

const PAGE_SIZE = 500;

/**
 * Delivers the events of a server until the signal aborts. It is the reflector of every informer,
 * with two differences: it stores nothing (each page of a list is delivered before the next is
 * requested), and it can resume where another process stopped, with a watch instead of a list.
 */
export async function followEvents(options: FollowOptions, signal: AbortSignal): Promise<void> {
  const { events, feed, resourceVersion, onWatchError, clock, random } = options;
  const reflector = new Reflector<ServerEvent>({
    listerWatcher: new ResumableEvents(events, feed, resourceVersion),
    store: new Passing(feed, resourceVersion),
    useWatchList: false,
    pageSize: PAGE_SIZE,
    afterWrite: () => feed.room(),
    ...(onWatchError !== undefined && { onWatchError }),
    ...(clock !== undefined && { clock }),
    ...(random !== undefined && { random }),
  });
  await reflector.run({ signal });
}

/** Skips the list if there is a version to resume from, and lists page by page otherwise. */
class ResumableEvents implements ListerWatcher<ServerEvent> {
  readonly #inner: ListerWatcher<ServerEvent>;
  readonly #feed: EventFeed;
  #resumeFrom: string | undefined;
  #hasPosition: boolean;

  constructor(inner: ListerWatcher<ServerEvent>, feed: EventFeed, resumeFrom: string | undefined) {
    this.#inner = inner;
    this.#feed = feed;
    this.#resumeFrom = resumeFrom;
    this.#hasPosition = resumeFrom !== undefined;
  }

  async list(request: ListRequest): Promise<ListAnswer<ServerEvent>> {
    const resourceVersion = this.#resumeFrom;
    if (resourceVersion !== undefined) {
      this.#resumeFrom = undefined;
      return { metadata: { resourceVersion }, items: [] };
    }
    // Servers do not page lists from their watch cache, which a resource version selects.
    const { resourceVersion: _, resourceVersionMatch: __, ...paged } = request;
    const page = await this.#inner.list(paged);
    if (request.continue === undefined && this.#hasPosition) this.#feed.interrupted();
    for (const item of page.items) this.#feed.event(item, undefined);
    await this.#feed.room();
    if ((page.metadata?.continue ?? '') === '') this.#hasPosition = true;
    return { ...page, items: [] };
  }

  watch(request: WatchRequest): Promise<ListedEvents<ServerEvent>> {
    return this.#inner.watch(request);
  }
}

/** A store that forwards events and stores nothing. */
class Passing implements ReflectorStore<ServerEvent> {
  readonly #feed: EventFeed;
  #resumedFrom: string | undefined;

  constructor(feed: EventFeed, resumedFrom: string | undefined) {
    this.#feed = feed;
    this.#resumedFrom = resumedFrom;
  }

  add(event: ServerEvent): void {
    this.#feed.event(event, event.metadata?.resourceVersion);
  }

  update(event: ServerEvent): void {
    this.add(event);
  }

  /** Ignored: servers delete events after an hour, and collecting is meant to keep them. */
  delete(event: Parameters<ReflectorStore<ServerEvent>['delete']>[0]): void {
    const version = 'metadata' in event ? event.metadata?.resourceVersion : undefined;
    if (version !== undefined) this.#feed.reached(version);
  }

  replace(_: readonly ServerEvent[], resourceVersion: string): void {
    // No response yet: this version was reached when the other process stopped, and a gap would
    // have to begin there.
    const isOwnWord = resourceVersion === this.#resumedFrom;
    this.#resumedFrom = undefined;
    if (!isOwnWord) this.#feed.reached(resourceVersion);
  }

  resync(): void {
    // There is no state to resync.
  }

  bookmark(resourceVersion: string): void {
    this.#feed.reached(resourceVersion);
  }
}

/** The events of a server, and where they are from. */
export interface EventSource {
  readonly events: ListerWatcher<ServerEvent>;
  /** Identifies the cluster and the namespace: resource versions of one mean nothing to another. */
  readonly id: string;
}

/** Options of {@link eventSource}. */
export interface EventSourceOptions {
  /** The URL of the server: the id of the source where the cluster cannot be identified. */
  readonly server: string;
  /** Default: all namespaces. */
  readonly namespace?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the events of a server as a source for a collector. Uses core/v1, or events.k8s.io/v1 where
 * core/v1 is forbidden or missing: both serve the same objects. Rejects if the server allows neither.
 */
export async function eventSource(
  client: Pick<Clientset, 'coreV1' | 'eventsV1'>,
  options: EventSourceOptions,
): Promise<EventSource> {
  return { events: await eventsOf(client, options), id: await sourceId(client, options) };
}

async function eventsOf(
  client: Pick<Clientset, 'coreV1' | 'eventsV1'>,
  { namespace, signal }: EventSourceOptions,
): Promise<ListerWatcher<ServerEvent>> {
  const core = namespace === undefined ? client.coreV1.events() : client.coreV1.events(namespace);
  try {
    await core.list({ limit: 1, signal });
    return new ListWatch(core);
  } catch (error) {
    if (!isForbidden(error) && !isNotFound(error)) throw error;
    const other =
      namespace === undefined ? client.eventsV1.events() : client.eventsV1.events(namespace);
    try {
      await other.list({ limit: 1, signal });
    } catch {
      throw error;
    }
    return new ListWatch(other);
  }
}

/**
 * A cluster is identified by the uid of its `kube-system` namespace, because another cluster may get
 * the same address; by the address where that namespace cannot be read.
 */
export async function sourceId(
  client: Pick<Clientset, 'coreV1'>,
  { server, namespace, signal }: EventSourceOptions,
): Promise<string> {
  const cluster = await clusterId(client, { server, signal });
  return namespace === undefined ? cluster : `${cluster}/${namespace}`;
}

async function clusterId(
  client: Pick<Clientset, 'coreV1'>,
  { server, signal }: EventSourceOptions,
): Promise<string> {
  try {
    const namespace = await client.coreV1.namespaces().get('kube-system', { signal });
    // Servers that are not Kubernetes may answer without a uid.
    const uid: string | undefined = namespace.metadata?.uid;
    return uid ?? server;
  } catch (error) {
    if (!isForbidden(error) && !isNotFound(error)) throw error;
    return server;
  }
}
