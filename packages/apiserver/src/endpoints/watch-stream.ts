import { type Clock, onAbort, type Random, type ScheduledCall } from 'client-ts/internal';
import { type ApiError, newResourceExpired } from 'client-ts/meta';
import { emptyObject } from '../schema/empty-object.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import { CompactedError, type Entry, type Store, type StoreEvent } from '../store/store.ts';
import type { ListOptions } from './list-options.ts';
import type { Predicate } from './predicate.ts';
import { type FrameWriter, lastState } from './watch-frames.ts';

/** Watches that name no time-out end after 30 to 60 minutes, so that load moves around. */
const SHORTEST_TIMEOUT_MS = 30 * 60_000;
const BOOKMARK_INTERVAL_MS = 60_000;
/** The last bookmark comes this long before the end, so that a client resumes from a fresh version. */
const BOOKMARK_BEFORE_END_MS = 2_000;
/** A chunk carries about this many bytes, so that a slow reader is noticed early. */
const CHUNK_BYTES = 64 * 1024;
/** So many events are looked at for one chunk. */
const MOST_EVENTS = 128;

export interface WatchSource {
  readonly served: ServedResource;
  readonly store: Store;
  readonly prefix: string;
  readonly predicate: Predicate;
  readonly frames: FrameWriter;
  readonly options: ListOptions;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
}

/** Where a watch starts: after a revision, maybe with the state of that revision first. */
export interface WatchStart {
  readonly revision: number;
  readonly initial?: readonly Entry[];
  /** The initial events end with a bookmark that says so. */
  readonly marksInitialEnd: boolean;
}

/**
 * The frames of a watch, in chunks. Nothing is queued per watcher: a watcher is a position in the
 * store's history, and reads on from there when its client has taken the last chunk. So a slow
 * client costs nothing and holds nobody up; if it falls behind what is retained, it gets the 410
 * that a real server would send.
 */
export async function* watchFrames(
  source: WatchSource,
  start: WatchStart,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { store, prefix, frames, clock, signal, served } = source;
  /** Everything up to here has been sent, or was not for this watcher. */
  let position = start.revision;
  let isCaughtUp = false;
  using waker = new Waker(clock);
  using _subscription = store.subscribe(prefix, ({ revision }) => {
    // Who has missed nothing cannot fall behind, whatever happened to other keys meanwhile.
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
    if (start.initial !== undefined) yield* initialFrames(source, start.initial);
    if (start.marksInitialEnd) yield frames.other('BOOKMARK', bookmark(source, position, true));

    while (!signal.aborted && clock.monotonic() < endsAt) {
      const { chunk, upTo } = nextChunk(source, store.history(prefix, position, MOST_EVENTS));
      if (upTo !== undefined) {
        position = upTo;
        if (chunk.length > 0) yield Buffer.concat(chunk);
        continue;
      }
      // The resource is gone, and its last deletion has been sent.
      if (served.removed?.aborted === true) return;

      // As on a real server, a watch from a version that has not happened yet gets no bookmarks.
      const isAhead = position > store.revision;
      position = Math.max(position, store.revision);
      const now = clock.monotonic();
      if (now >= bookmarkAt) {
        bookmarkAt = nextBookmark(source, now, endsAt);
        if (isAhead) continue;
        yield frames.other('BOOKMARK', bookmark(source, position, false));
        continue;
      }
      isCaughtUp = true;
      await waker.sleep(Math.min(bookmarkAt, endsAt) - now);
      isCaughtUp = false;
    }
  } catch (error) {
    if (!(error instanceof CompactedError)) throw error;
    yield frames.other('ERROR', tooOld(source, error).status);
  }
}

/** As many frames as fit into a chunk, and how far they go; nowhere if there are no events. */
function nextChunk(
  source: WatchSource,
  events: readonly StoreEvent[],
): { readonly chunk: Uint8Array[]; readonly upTo: number | undefined } {
  const chunk: Uint8Array[] = [];
  let upTo: number | undefined;
  let size = 0;
  for (const event of events) {
    if (size >= CHUNK_BYTES) break;
    upTo = event.revision;
    const frame = frameOf(source, event);
    if (frame === undefined) continue;
    chunk.push(frame);
    size += frame.length;
  }
  return { chunk, upTo };
}

/** A stream of a single error: how a watch answers when it cannot start. */
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

/** What the watcher sees of a write: a selector turns changes into additions and deletions. */
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
  return SHORTEST_TIMEOUT_MS * (1 + random.next());
}

function nextBookmark({ served, options }: WatchSource, now: number, endsAt: number): number {
  if (!options.allowWatchBookmarks || served.uncached) return Infinity;
  const beforeEnd = endsAt - BOOKMARK_BEFORE_END_MS;
  const regular = now + BOOKMARK_INTERVAL_MS;
  // A watch this short gets none; the margin is for clocks that count in fractions.
  if (beforeEnd - now < 1) return Infinity;
  return Math.min(regular, beforeEnd);
}

/** Lets one consumer sleep until something happens or the time is up. */
class Waker implements Disposable {
  readonly #clock: Clock;
  #timer: ScheduledCall | undefined;
  #resume: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Does nothing to one who does not sleep: who looks before it sleeps misses nothing. */
  wake(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#resume?.();
    this.#resume = undefined;
  }

  async sleep(delayMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#resume = resolve;
      this.#timer = this.#clock.schedule(delayMs, () => this.wake());
    });
  }

  [Symbol.dispose](): void {
    this.wake();
  }
}
