import { encodeWatchFrame, watchFrameOf } from 'client-ts/codec';
import { type Clock, onAbort, type Random, type ScheduledCall } from 'client-ts/internal';
import { ApiError, newResourceExpired, type Status } from 'client-ts/meta';

import type { PollableStream } from '../http.ts';
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
import type { GroupMember, Membership, WatchGroups } from './watch-groups.ts';

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
  readonly groups: WatchGroups;
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
 * Returns the frames of a watch, in chunks. There is no queue per watcher: a watcher is a position in
 * the store's history, and continues from there when its client has taken the last chunk. So a slow
 * client costs nothing and delays no other; if it falls behind the retained history, it gets the 410
 * of a real server.
 */
export function watchFrames(source: WatchSource, start: WatchStart): PollableStream {
  return new WatchFrames(source, start);
}

const END: IteratorResult<Uint8Array, undefined> = { done: true, value: undefined };

/**
 * Not a generator: between two events a generator waits for a promise, and resuming a thousand of
 * them costs more than sending the event. It starts with the first {@link poll}.
 */
class WatchFrames implements GroupMember, PollableStream {
  readonly #source: WatchSource;
  /** Undefined after the start: it refers to the initial state. */
  #start: WatchStart | undefined;
  /** Everything up to this revision is sent or filtered out. */
  #position: number;
  #state: 'ended' | 'new' | 'open' = 'new';
  /** What precedes the events; undefined before the start, and afterwards. */
  #initial: Iterator<Uint8Array> | undefined;
  /** The events whose views a conversion webhook has made. */
  #converted: readonly StoreEvent[] | undefined;
  #isBusy = false;
  #failure: { readonly error: unknown } | undefined;
  #endsAt = Infinity;
  #bookmarkAt = Infinity;
  /** Until the next bookmark or the end. */
  #timer: ScheduledCall | undefined;
  #isDue = false;
  #membership: Membership | undefined;
  #ties: readonly Disposable[] = [];
  /** Set while the consumer waits. */
  #wake: (() => void) | undefined;
  #promised: AsyncGenerator<Uint8Array, undefined> | undefined;
  #onEnd: (() => void) | undefined;

  constructor(source: WatchSource, start: WatchStart) {
    this.#source = source;
    this.#start = start;
    this.#position = start.revision;
  }

  poll(wake: () => void): IteratorResult<Uint8Array> | undefined {
    if (this.#state === 'ended') return END;
    let next: Uint8Array | 'end' | undefined;
    try {
      if (this.#state === 'new') this.#open();
      next = this.#next();
    } catch (error) {
      this.#end();
      return { done: false, value: this.#errorFrame(error) };
    }
    if (next === undefined) {
      this.#wake = wake;
      return undefined;
    }
    if (next !== 'end') return { done: false, value: next };
    this.#end();
    return END;
  }

  next(): Promise<IteratorResult<Uint8Array>> {
    this.#promised ??= promised(this);
    return this.#promised.next();
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    this.#end();
    return (await this.#promised?.return(undefined)) ?? END;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  onEnd(listener: () => void): void {
    this.#onEnd = listener;
  }

  resume(revision: number): void {
    this.#resumeAfter(revision - 1);
  }

  /** Called when something else than an event is due. */
  readonly #interrupt = (): void => this.#resumeAfter(this.#membership?.resumedUpTo ?? 0);

  /** Resumes a watcher that waits. It cannot fall behind through writes to other keys, so it skips these first. */
  #resumeAfter(revision: number): void {
    if (this.#wake === undefined) return;
    if (!this.#isBusy) this.#position = Math.max(this.#position, revision);
    this.#resume();
  }

  #resume(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }

  #open(): void {
    const { prefix, clock, signal, served, groups } = this.#source;
    const start = this.#start;
    this.#start = undefined;
    this.#state = 'open';
    const startedAt = clock.monotonic();
    this.#endsAt = startedAt + timeoutMs(this.#source);
    this.#bookmarkAt = nextBookmark(this.#source, startedAt, this.#endsAt);
    this.#setTimer(startedAt);
    this.#membership = groups.join(prefix, this);
    this.#ties = [
      this.#membership,
      onAbort(signal, this.#interrupt),
      onAbort(served.removed, this.#interrupt),
    ];
    if (start?.initial === undefined && start?.marksInitialEnd !== true) return;
    this.#initial = initialFrames(this.#source, start);
    if (start.initial !== undefined) this.#await(loadViews(served, start.initial.map(valueOf)));
  }

  /** Returns what is sent next; undefined if nothing is ready, and then something will resume the watch. */
  #next(): Uint8Array | 'end' | undefined {
    const { signal, served, store } = this.#source;
    if (this.#failure !== undefined) throw this.#failure.error;
    if (this.#isBusy) return undefined;
    if (this.#initial !== undefined) {
      const { done, value } = this.#initial.next();
      if (done !== true) return value;
      this.#initial = undefined;
    }
    while (!signal.aborted && !this.#isOver()) {
      if (served.conversion?.usesWebhook === true && this.#convertNext()) return undefined;
      const { bytes, upTo } = this.#nextChunk();
      if (upTo !== undefined) {
        this.#position = upTo;
        if (bytes !== undefined) return bytes;
        continue;
      }
      // The resource is gone, and its last deletion is sent.
      if (served.removed?.aborted === true) {
        const saved = store.durable();
        if (saved === undefined) return 'end';
        this.#await(saved.catch(() => undefined));
        return undefined;
      }
      const { durableRevision } = store;
      const isAhead = this.#position > durableRevision;
      if (!isAhead) this.#position = durableRevision;
      if (!this.#isBookmarkDue()) return undefined;
      // As on a real server, a watch from a future version gets no bookmarks.
      if (!isAhead) return bookmarkFrame(this.#source, this.#position, false);
    }
    return 'end';
  }

  #setTimer(now: number): void {
    this.#isDue = false;
    this.#timer = this.#source.clock.schedule(
      Math.min(this.#bookmarkAt, this.#endsAt) - now,
      () => {
        this.#isDue = true;
        this.#interrupt();
      },
    );
  }

  #isOver(): boolean {
    return this.#isDue && this.#source.clock.monotonic() >= this.#endsAt;
  }

  /** True once for each bookmark. */
  #isBookmarkDue(): boolean {
    if (!this.#isDue) return false;
    const now = this.#source.clock.monotonic();
    const isDue = now >= this.#bookmarkAt;
    if (isDue) this.#bookmarkAt = nextBookmark(this.#source, now, this.#endsAt);
    this.#setTimer(now);
    return isDue;
  }

  /** Has the next events converted; false if there are none, or they are. */
  #convertNext(): boolean {
    if (this.#converted !== undefined) return false;
    const { store, prefix, served } = this.#source;
    const events = nextEvents({ store, prefix, revision: this.#position });
    if (events.length === 0) return false;
    this.#converted = events;
    return this.#await(loadViews(served, eventObjects(events)));
  }

  /** Returns the chunk after the position; watches without a selector share it. */
  #nextChunk(): WatchChunk {
    const { store, prefix, shared } = this.#source;
    const converted = this.#converted;
    if (converted !== undefined) {
      this.#converted = undefined;
      return this.#chunkOf(converted);
    }
    if (this.#position >= store.durableRevision) return NO_EVENTS;
    const position = { store, prefix, revision: this.#position };
    const make = (): WatchChunk => this.#chunkOf(nextEvents(position));
    return shared === undefined ? make() : shared.next(position, make);
  }

  #chunkOf(events: readonly StoreEvent[]): WatchChunk {
    return chunkOf(events, (event) => frameOf(this.#source, event));
  }

  /** Suspends the watch while `work` is pending; false if there is nothing to wait for. */
  #await(work: Promise<void> | undefined): boolean {
    if (work === undefined) return false;
    this.#isBusy = true;
    const ready = (): void => {
      this.#isBusy = false;
      this.#resume();
    };
    work.then(ready, (error: unknown) => {
      this.#failure = { error };
      ready();
    });
    return true;
  }

  /** A conversion webhook that fails ends the watch. */
  #errorFrame(error: unknown): Uint8Array {
    const failure = error instanceof CompactedError ? tooOld(this.#source, error) : error;
    if (!(failure instanceof ApiError)) throw error;
    return this.#source.frames.other('ERROR', failure.status);
  }

  #end(): void {
    this.#state = 'ended';
    this.#start = undefined;
    this.#initial = undefined;
    this.#timer?.cancel();
    for (const tie of this.#ties) tie[Symbol.dispose]();
    this.#ties = [];
    this.#membership = undefined;
    this.#onEnd?.();
    this.#onEnd = undefined;
    this.#resume();
  }
}

const NO_EVENTS: WatchChunk = { bytes: undefined, upTo: undefined };

/** Polls a stream for consumers that wait for promises. */
async function* promised(stream: PollableStream): AsyncGenerator<Uint8Array, undefined> {
  for (;;) {
    let next: IteratorResult<Uint8Array> | undefined;
    await new Promise<void>((wake) => {
      next = stream.poll(wake);
      if (next !== undefined) wake();
    });
    if (next?.done === true) return;
    if (next !== undefined) yield next.value;
  }
}

function valueOf({ value }: Entry): StoredObject {
  return value;
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

/** A stream with a single error, for a watch that cannot start. */
export async function* errorFrames(
  frames: FrameWriter,
  error: ApiError,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield await Promise.resolve(frames.other('ERROR', error.status));
}

/** Generates the state that a watch begins with, and the bookmark after it. */
function* initialFrames(
  source: WatchSource,
  { initial = [], marksInitialEnd, revision }: WatchStart,
): Generator<Uint8Array> {
  const { predicate, frames } = source;
  let chunk: Uint8Array[] = [];
  let size = 0;
  for (const { value } of initial) {
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
  if (marksInitialEnd) yield bookmarkFrame(source, revision, true);
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

function bookmarkFrame(
  { served, frames }: WatchSource,
  revision: number,
  endsInitial: boolean,
): Uint8Array {
  return frames.other('BOOKMARK', {
    ...emptyObject(served.info),
    metadata: {
      resourceVersion: String(revision),
      ...(endsInitial && { annotations: { 'k8s.io/initial-events-end': 'true' } }),
    },
  });
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
