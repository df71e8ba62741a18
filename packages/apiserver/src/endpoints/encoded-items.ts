import type { StoredObject } from '../store/store.ts';

/** How objects are written as items of a list, in one encoding. */
export interface ItemFormat {
  /** What stands before every item but the first. */
  readonly separator: Uint8Array;
  /** Encodes an object and returns its size. */
  encode(object: StoredObject): number;
  /** Writes the object that was encoded last. */
  write(target: Buffer, start: number): void;
}

/** Where the bytes of an object are. The separator stands before them, also at the start of a chunk. */
interface Place {
  readonly chunk: Buffer;
  readonly start: number;
  readonly end: number;
}

/** Objects that are next to each other both in a list and in a chunk. */
interface Run extends Place {
  readonly count: number;
}

/** How much of a list is encoded before others have their turn. */
export const CHUNK_BYTES: number = 512 * 1024;

/**
 * Shorter runs are copied, so that neither many small pieces are sent, nor a few objects keep a chunk
 * alive whose others have changed.
 */
const MIN_RUN_BYTES = 64 * 1024;

/** What is allocated beyond the estimate, because objects differ in size. */
const SPARE = 1.125;

/**
 * The bytes of stored objects in one encoding, made once per version and shared by all lists and watches.
 * Stored objects never change, so they can be the keys of a WeakMap.
 *
 * Objects are written into large chunks, in the order of the list that needs them first. The next list sends
 * these chunks without copying them; it copies only what is not in its order any more.
 */
export class EncodedItems {
  readonly #format: ItemFormat;
  readonly #places = new WeakMap<StoredObject, Place>();

  constructor(format: ItemFormat) {
    this.#format = format;
  }

  /** Returns the bytes of one object, which must not be changed. */
  bytes(object: StoredObject): Buffer {
    const { chunk, start, end } = this.#places.get(object) ?? this.#encodeAlone(object);
    return chunk.subarray(start, end);
  }

  /**
   * Returns the items of a list with their separators, in chunks that must not be changed. Encodes as much as
   * the next chunk needs. Throws if an object cannot be encoded.
   */
  *chunks(objects: readonly StoredObject[]): Generator<Buffer, void, undefined> {
    const gap = this.#format.separator.length;
    let open: Buffer = Buffer.alloc(0);
    let [start, end] = [0, 0];
    for (let index = 0; index < objects.length;) {
      const run = this.#runFrom(objects, index);
      if (run !== undefined && isWorthSending(run, objects)) {
        if (end > start) yield open.subarray(start, end);
        start = end;
        yield run.chunk.subarray(index === 0 ? run.start : run.start - gap, run.end);
        index += run.count;
        continue;
      }
      for (const last = index + (run?.count ?? 1); index < last; index++) {
        const object = objects[index] as StoredObject;
        const known = this.#places.get(object);
        const size = known === undefined ? this.#format.encode(object) : known.end - known.start;
        let full: Buffer | undefined;
        if (end + gap + size > open.length) {
          if (end > start) full = open.subarray(start, end);
          open = allocate(gap + size, objects.length - index);
          [start, end] = [0, 0];
        }
        if (index === 0) start = gap;
        end = this.#put(object, known, { chunk: open, start: end + gap, end: end + gap + size });
        // Only now: while this list waits, others encode their objects with the same format.
        if (full !== undefined) yield full;
      }
    }
    if (end > start) yield open.subarray(start, end);
  }

  /** Puts an object that is known from elsewhere, or was encoded last, in its place. */
  #put(object: StoredObject, known: Place | undefined, place: Place): number {
    const { separator } = this.#format;
    const { chunk, start, end } = place;
    if (separator.length > 0) chunk.set(separator, start - separator.length);
    if (known === undefined) this.#format.write(chunk, start);
    else known.chunk.copy(chunk, start, known.start, known.end);
    this.#places.set(object, place);
    return end;
  }

  #encodeAlone(object: StoredObject): Place {
    const gap = this.#format.separator.length;
    const size = this.#format.encode(object);
    const place = { chunk: Buffer.allocUnsafe(gap + size), start: gap, end: gap + size };
    this.#put(object, undefined, place);
    return place;
  }

  /** Undefined if the object has not been encoded yet. */
  #runFrom(objects: readonly StoredObject[], first: number): Run | undefined {
    const place = this.#places.get(objects[first] as StoredObject);
    if (place === undefined) return undefined;
    const { chunk, start } = place;
    const gap = this.#format.separator.length;
    let { end } = place;
    let index = first + 1;
    for (; index < objects.length; index++) {
      const next = this.#places.get(objects[index] as StoredObject);
      if (next?.chunk !== chunk || next.start !== end + gap) break;
      end = next.end;
    }
    return { chunk, start, end, count: index - first };
  }
}

function isWorthSending({ start, end, count }: Run, objects: readonly StoredObject[]): boolean {
  return end - start >= MIN_RUN_BYTES || count === objects.length;
}

/** Allocates a chunk for up to `count` objects of about this size. */
function allocate(size: number, count: number): Buffer {
  const estimate = count === 1 ? size : Math.ceil(size * count * SPARE);
  return Buffer.allocUnsafeSlow(Math.max(size, Math.min(CHUNK_BYTES, estimate)));
}
