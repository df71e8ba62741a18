import {
  type ListAnswer,
  type ListerWatcher,
  ListWatch,
  Reflector,
  type ReflectorFailure,
} from 'client-ts/cache';
import type { ListedEvents, ListRequest, ReflectorStore, WatchRequest } from 'client-ts/cache';
import type { Clientset } from 'client-ts/kubernetes';
import type { Clock, Random } from 'client-ts/internal';
import { isForbidden, isNotFound } from 'client-ts/meta';
import type { ServerEvent } from './collected-event.ts';

/** What hears of events, in the order of the server. */
export interface EventFeed {
  /** An event came up or changed. `resourceVersion` is undefined while events are listed. */
  event(event: ServerEvent, resourceVersion: string | undefined): void;
  /** Everything up to this version has been told. */
  reached(resourceVersion: string): void;
  /** The server could not go on from where we were: events are listed anew, and some may be missing. */
  interrupted(): void;
  /** A promise if nothing more can be taken now. */
  room(): Promise<void> | undefined;
}

/** What is followed, and from where. */
export interface FollowOptions {
  readonly events: ListerWatcher<ServerEvent>;
  readonly feed: EventFeed;
  /** Where to go on; without it everything is listed first. */
  readonly resourceVersion?: string | undefined;
  readonly onWatchError?: ((failure: ReflectorFailure) => void) | undefined;
  readonly clock?: Clock;
  readonly random?: Random;
}

const PAGE_SIZE = 500;

/**
 * Follows the events of a server until the signal aborts. It is the reflector of every informer, with
 * two differences: nothing is kept in memory (a page of a list is handed on before the next is asked
 * for), and it can begin where another process has stopped, with a watch instead of a list.
 */
export async function followEvents(options: FollowOptions, signal: AbortSignal): Promise<void> {
  const { events, feed, resourceVersion, onWatchError, clock, random } = options;
  const reflector = new Reflector<ServerEvent>({
    listerWatcher: new ResumableEvents(events, feed, resourceVersion),
    store: new Passing(feed, resourceVersion),
    useWatchList: false,
    pageSize: PAGE_SIZE,
    waitForRoom: () => feed.room(),
    ...(onWatchError !== undefined && { onWatchError }),
    ...(clock !== undefined && { clock }),
    ...(random !== undefined && { random }),
  });
  await reflector.run({ signal });
}

/** Lists nothing if there is a version to go on from, and page by page otherwise. */
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
    // Servers do not page what they answer from memory, which is what a version asks for.
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

/** A store that keeps nothing. */
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

  /** Servers delete events after an hour. That is what we are here for. */
  delete(event: Parameters<ReflectorStore<ServerEvent>['delete']>[0]): void {
    const version = 'metadata' in event ? event.metadata?.resourceVersion : undefined;
    if (version !== undefined) this.#feed.reached(version);
  }

  replace(_: readonly ServerEvent[], resourceVersion: string): void {
    // No server has answered yet: this version was reached when the other process stopped, and a gap
    // would have to begin then.
    const isOwnWord = resourceVersion === this.#resumedFrom;
    this.#resumedFrom = undefined;
    if (!isOwnWord) this.#feed.reached(resourceVersion);
  }

  resync(): void {
    // Nothing is known that could be told again.
  }

  bookmark(resourceVersion: string): void {
    this.#feed.reached(resourceVersion);
  }
}

/**
 * The events of a server, through the API that it allows: core/v1, or events.k8s.io/v1 where that is
 * forbidden or missing. Both show the same objects, so one is enough.
 */
export async function eventsOf(
  client: Pick<Clientset, 'coreV1' | 'eventsV1'>,
  { namespace, signal }: { readonly namespace?: string | undefined; readonly signal: AbortSignal },
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
