import type { Store, StoreEvent } from '../store/store.ts';

/** The approximate size of a chunk, small enough to notice a slow reader early. */
export const CHUNK_BYTES: number = 64 * 1024;
/** How many events are examined for one chunk. */
const MAX_EVENTS = 128;

/** The next frames of a watch. */
export interface WatchChunk {
  /** Undefined if no event is for this watch. */
  readonly bytes: Uint8Array | undefined;
  /** The revision of the last event that was examined; undefined without events. */
  readonly upTo: number | undefined;
}

/** Where a watch is, and what it is made from. */
export interface WatchPosition {
  readonly store: Store;
  readonly prefix: string;
  /** Everything up to this revision is sent or filtered out. */
  readonly revision: number;
}

/** Returns the events after a position, as many as are examined for one chunk. */
export function nextEvents({ store, prefix, revision }: WatchPosition): readonly StoreEvent[] {
  return store.history(prefix, revision, MAX_EVENTS);
}

/** Returns as many frames of events as fit into a chunk. */
export function chunkOf(
  events: readonly StoreEvent[],
  frameOf: (event: StoreEvent) => Uint8Array | undefined,
): WatchChunk {
  const frames: Uint8Array[] = [];
  let upTo: number | undefined;
  let size = 0;
  for (const event of events) {
    if (size >= CHUNK_BYTES) break;
    upTo = event.revision;
    const frame = frameOf(event);
    if (frame === undefined) continue;
    frames.push(frame);
    size += frame.length;
  }
  const [first] = frames;
  return { bytes: frames.length > 1 ? Buffer.concat(frames, size) : first, upTo };
}

/**
 * The newest chunk of all watches that get the same frames: of one resource, in one encoding, without a selector. Watches that keep up
 * are at the same position, so a thousand of them share one chunk: it is made once, and the transport can recognize it.
 */
export class SharedChunks {
  #store: Store | undefined;
  #prefix = '';
  #revision = 0;
  #durableRevision = 0;
  #compactedRevision = 0;
  #chunk: WatchChunk = { bytes: undefined, upTo: undefined };

  /** Returns the chunk after a position; `make` makes it, unless it is the newest. */
  next(position: WatchPosition, make: () => WatchChunk): WatchChunk {
    const { store, prefix, revision } = position;
    const { durableRevision } = store;
    const compactedRevision = store.compactedRevision(prefix);
    if (
      revision !== this.#revision ||
      durableRevision !== this.#durableRevision ||
      compactedRevision !== this.#compactedRevision ||
      prefix !== this.#prefix ||
      store !== this.#store
    ) {
      const chunk = make();
      // Nothing to send is found fast, and must not displace what other watches still have to send.
      if (chunk.upTo === undefined) return chunk;
      this.#chunk = chunk;
      this.#store = store;
      this.#prefix = prefix;
      this.#revision = revision;
      this.#durableRevision = durableRevision;
      this.#compactedRevision = compactedRevision;
    }
    return this.#chunk;
  }
}
