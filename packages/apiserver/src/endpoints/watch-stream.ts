import { encodeWatchFrame, watchFrameOf } from 'client-ts/codec';
import { type Clock, onAbort, type Random, type ScheduledCall } from 'client-ts/internal';
import { ApiError, newResourceExpired, type Status } from 'client-ts/meta';

import { loadViews, type ServedResource, viewOf } from '../registry/served-resource.ts';
import { emptyObject } from '../schema/zero.ts';
import {
  CompactedError,
  type Entry,
  type Store,
  type StoredObject,
  type StoreEvent,
} from '../store/store.ts';
import { type EncodedObjects, partialMetadata } from './encoder.ts';
import type { ListOptions, Predicate } from './list-options.ts';
import type { Representation } from './negotiation.ts';
import {
  CHUNK_BYTES,
  chunkOf,
  nextEvents,
  type SharedChunks,
  type WatchChunk,
} from './watch-chunks.ts';

/** Watches without a timeout end after 30 to 60 minutes, to spread load. */
const MIN_TIMEOUT_MS = 30 * 60_000;
const BOOKMARK_INTERVAL_MS = 60_000;
/**
 * The last bookmark is sent this long before the end, so that clients resume from a recent version.
 */
const BOOKMARK_BEFORE_END_MS = 2_000;
export interface WatchSource {
  readonly served: ServedResource;
  readonly store: Store;
  readonly prefix: string;
  readonly predicate: Predicate;
  readonly frames: FrameWriter;
  /** The chunks of all watches that get the same frames; undefined if this one has its own. */
  readonly shared: SharedChunks | undefined;
  readonly options: ListOptions;
  readonly clock: Clock;
  readonly random: Random;
  /** Resolves in the next turn of the event loop. */
  readonly pause: () => Promise<void>;
  readonly signal: AbortSignal;
}

/** Where a watch starts: after a revision, optionally with the state at that revision. */
export interface WatchStart {
  readonly revision: number;
  readonly initial?: readonly Entry[];
  /** Whether a bookmark marks the end of the initial events. */
  readonly marksInitialEnd: boolean;
}

/**
 * Generates the frames of a watch, in chunks. There is no queue per watcher: a watcher is a
 * position in the store's history, and continues from there when its client has taken the last
 * chunk. So a slow client costs nothing and delays no other; if it falls behind the retained
 * history, it gets the 410 of a real server.
 */
export async function* watchFrames(
  source: WatchSource,
  start: WatchStart,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { store, prefix, frames, clock, signal, served, pause } = source;
  /** Everything up to this revision is sent or filtered out. */
  let position = start.revision;
  let isCaughtUp = false;
  using waker = new Waker(clock);
  using _subscription = store.follow(prefix, ({ revision }) => {
    // A watcher that is caught up cannot fall behind through writes to other keys.
    if (isCaughtUp) position = Math.max(position, revision - 1);
    isCaughtUp = false;
    waker.wake();
  });
  using _abort = onAbort(signal, () => waker.wake());
  using _removal = onAbort(served.removed, () => waker.wake());
  const startedAt = clock.monotonic();
  const endsAt = startedAt + timeoutMs(source);
  let bookmarkAt = nextBookmark(source, startedAt, endsAt);
  try {
    if (start.initial !== undefined) {
      await loadViews(
        served,
        start.initial.map(({ value }) => value),
      );
      yield* initialFrames(source, start.initial);
    }
    if (start.marksInitialEnd) yield frames.other('BOOKMARK', bookmark(source, position, true));

    while (!signal.aborted && clock.monotonic() < endsAt) {
      if (served.conversion?.usesWebhook === true) {
        const events = nextEvents({ store, prefix, revision: position });
        await loadViews(served, eventObjects(events));
      }
      const { bytes, upTo } = nextChunk(source, position);
      if (upTo !== undefined) {
        position = upTo;
        if (bytes !== undefined) yield bytes;
        continue;
      }
      // The resource is gone, and its last deletion is sent.
      if (served.removed?.aborted === true) {
        const saved = store.durable();
        if (saved === undefined) return;
        await saved.catch(() => undefined);
        continue;
      }

      // As on a real server, a watch from a future version gets no bookmarks.
      const { durableRevision } = store;
      const isAhead = position > durableRevision;
      position = Math.max(position, durableRevision);
      const now = clock.monotonic();
      if (now >= bookmarkAt) {
        bookmarkAt = nextBookmark(source, now, endsAt);
        if (isAhead) continue;
        yield frames.other('BOOKMARK', bookmark(source, position, false));
        continue;
      }
      isCaughtUp = true;
      await waker.sleepUntil(Math.min(bookmarkAt, endsAt));
      isCaughtUp = false;
      // Writes of one turn reach each watcher in one chunk: sending costs more than the events.
      if (!signal.aborted) await pause();
    }
  } catch (error) {
    // A conversion webhook that fails ends the watch.
    const failure = error instanceof CompactedError ? tooOld(source, error) : error;
    if (!(failure instanceof ApiError)) throw error;
    yield frames.other('ERROR', failure.status);
  }
}

/** Returns all objects that the frames of events may show. */
function eventObjects(events: readonly StoreEvent[]): StoredObject[] {
  return events.flatMap((event) => [
    ...(event.entry === undefined ? [] : [event.entry.value]),
    ...(event.previous === undefined
      ? []
      : [event.previous.value, lastState(event, event.previous.value)]),
  ]);
}

/** Returns the chunk after a position; watches without a selector share it. */
function nextChunk(source: WatchSource, revision: number): WatchChunk {
  const { store, prefix, shared } = source;
  const position = { store, prefix, revision };
  const make = (): WatchChunk => chunkOf(nextEvents(position), (event) => frameOf(source, event));
  return shared === undefined ? make() : shared.next(position, make);
}

/** A stream with a single error, for a watch that cannot start. */
export async function* errorFrames(
  frames: FrameWriter,
  error: ApiError,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield await Promise.resolve(frames.other('ERROR', error.status));
}

function* initialFrames(
  { predicate, frames }: WatchSource,
  entries: readonly Entry[],
): Generator<Uint8Array> {
  let chunk: Uint8Array[] = [];
  let size = 0;
  for (const { value } of entries) {
    if (!predicate(value)) continue;
    const frame = frames.object('ADDED', value);
    chunk.push(frame);
    size += frame.length;
    if (size < CHUNK_BYTES) continue;
    yield Buffer.concat(chunk);
    chunk = [];
    size = 0;
  }
  if (chunk.length > 0) yield Buffer.concat(chunk);
}

/** Returns the frame of a write: a selector turns updates into additions and deletions. */
function frameOf({ predicate, frames }: WatchSource, event: StoreEvent): Uint8Array | undefined {
  const before = event.previous?.value;
  const wasSeen = before !== undefined && predicate(before);
  const after = event.entry?.value;
  if (after !== undefined && predicate(after)) {
    return frames.object(wasSeen ? 'MODIFIED' : 'ADDED', after);
  }
  return wasSeen ? frames.object('DELETED', lastState(event, before)) : undefined;
}

function bookmark({ served }: WatchSource, revision: number, endsInitial: boolean): object {
  const { info } = served;
  const empty = emptyObject(info);
  return {
    ...empty,
    metadata: {
      resourceVersion: String(revision),
      ...(endsInitial && { annotations: { 'k8s.io/initial-events-end': 'true' } }),
    },
  };
}

export function tooOld({ served }: Pick<WatchSource, 'served'>, error: CompactedError): ApiError {
  return newResourceExpired(
    served.uncached
      ? 'The resourceVersion for the provided watch is too old.'
      : `too old resource version: ${error.requested} (${error.compacted})`,
  );
}

function timeoutMs({ options, random }: WatchSource): number {
  const seconds = options.timeoutSeconds ?? 0;
  if (seconds !== 0) return seconds * 1000;
  return MIN_TIMEOUT_MS * (1 + random.next());
}

function nextBookmark({ served, options }: WatchSource, now: number, endsAt: number): number {
  if (!options.allowWatchBookmarks || served.uncached) return Infinity;
  const beforeEnd = endsAt - BOOKMARK_BEFORE_END_MS;
  const regular = now + BOOKMARK_INTERVAL_MS;
  // A watch this short gets no bookmark; the margin allows for clocks with fractions.
  if (beforeEnd - now < 1) return Infinity;
  return Math.min(regular, beforeEnd);
}

/**
 * Lets one consumer wait for an event or a time. The timer stays when an event comes first: the next
 * wait is almost always for the same time.
 */
class Waker implements Disposable {
  readonly #clock: Clock;
  #timer: ScheduledCall | undefined;
  #timerAt: number | undefined;
  #resume: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** No effect unless the consumer waits: it checks before it waits, so it misses nothing. */
  wake(): void {
    this.#resume?.();
    this.#resume = undefined;
  }

  /** Waits until {@link wake} is called, at most until `at` on the monotonic clock. */
  async sleepUntil(at: number): Promise<void> {
    if (this.#timerAt !== at) {
      this.#timer?.cancel();
      this.#timerAt = at;
      this.#timer = this.#clock.schedule(at - this.#clock.monotonic(), () => {
        this.#timerAt = undefined;
        this.wake();
      });
    }
    await new Promise<void>((resolve) => {
      this.#resume = resolve;
    });
  }

  [Symbol.dispose](): void {
    this.#timer?.cancel();
    this.wake();
  }
}

export type WatchType = 'ADDED' | 'BOOKMARK' | 'DELETED' | 'ERROR' | 'MODIFIED';

/** Converts objects to Table rows. */
export type TableFrame = (object: StoredObject, first: boolean) => object;

/**
 * Writes the frames of one watch. All watches of a resource share the bytes of an object, so a
 * thousand watchers cost one encoding and a thousand copies.
 */
export class FrameWriter {
  readonly #served: ServedResource;
  readonly #representation: Representation;
  readonly #encoded: EncodedObjects;
  readonly #table: TableFrame | undefined;
  #isFirst = true;

  constructor(
    served: ServedResource,
    representation: Representation,
    encoded: EncodedObjects,
    table?: TableFrame,
  ) {
    this.#served = served;
    this.#representation = representation;
    this.#encoded = encoded;
    this.#table = table;
  }

  /** Writes the frame of an added, modified or deleted object. */
  object(type: WatchType, stored: StoredObject): Uint8Array {
    const view = viewOf(this.#served, stored) as StoredObject;
    const { projection, projectionVersion = 'v1', encoding } = this.#representation;
    if (projection === 'Table' && this.#table !== undefined) {
      const first = this.#isFirst;
      this.#isFirst = false;
      return this.#plain(type, this.#table(view, first));
    }
    if (projection === 'PartialObjectMetadata') {
      return this.#plain(type, partialMetadata(view, projectionVersion));
    }
    if (encoding === 'protobuf') return watchFrameOf(type, this.#encoded.protobuf(view));
    const parts = this.#encoded.parts(view).map(toBuffer);
    return Buffer.concat([HEADS[type], ...parts, TAIL]);
  }

  /** Writes the frame of something else: a Status or a bookmark. */
  other(type: WatchType, object: object | Status): Uint8Array {
    const { projection, projectionVersion = 'v1' } = this.#representation;
    if (type === 'BOOKMARK' && projection === 'PartialObjectMetadata') {
      return this.#plain(type, partialMetadata(object, projectionVersion));
    }
    if (type === 'BOOKMARK' && projection === 'Table' && this.#table !== undefined) {
      const first = this.#isFirst;
      this.#isFirst = false;
      return this.#plain(type, this.#table(object, first));
    }
    return this.#plain(type, object);
  }

  #plain(type: WatchType, object: object): Uint8Array {
    return this.#representation.encoding === 'protobuf'
      ? encodeWatchFrame({ type, object })
      : Buffer.concat([HEADS[type], Buffer.from(JSON.stringify(object)), TAIL]);
  }
}

const head = (type: WatchType): Buffer => Buffer.from(`{"type":"${type}","object":`);
const HEADS: Readonly<Record<WatchType, Buffer>> = {
  ADDED: head('ADDED'),
  BOOKMARK: head('BOOKMARK'),
  DELETED: head('DELETED'),
  ERROR: head('ERROR'),
  MODIFIED: head('MODIFIED'),
};
const TAIL = Buffer.from('}\n');

function toBuffer(part: Buffer | string): Buffer {
  return typeof part === 'string' ? Buffer.from(part) : part;
}

const lastSeen = new WeakMap<StoreEvent, StoredObject>();

/**
 * Returns the last state of an object that was deleted or no longer matches the selector: the old
 * content with the version of the change.
 */
function lastState(event: StoreEvent, previous: StoredObject): StoredObject {
  let object = lastSeen.get(event);
  if (object === undefined) {
    object = {
      ...previous,
      metadata: { ...previous.metadata, resourceVersion: String(event.revision) },
    };
    lastSeen.set(event, object);
  }
  return object;
}
