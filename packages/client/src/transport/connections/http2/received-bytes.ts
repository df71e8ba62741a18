import type { IsEnough } from '../response-body.ts';

/** About as much as a read of a socket brings. */
const SLAB_BYTES = 64 * 1024;

/** As much as a DATA frame brings. */
const OWN_SLAB_BYTES = 16 * 1024;

/** How many slabs are kept for further use: as much as a stream may run ahead of its reader. */
const MOST_SPARE = 16;

/** Memory that is filled once, so that readers keep what they take, unless they say that they do not. */
interface Slab {
  readonly bytes: Buffer;
  used: number;
  /** How many pieces of it have not been returned. */
  pieces: number;
}

function slabOf(size: number): Slab {
  return { bytes: Buffer.allocUnsafeSlow(size), used: 0, pieces: 0 };
}

/**
 * Where the bytes of all streams of a connection go that are read soon after they arrive. It is filled from its start
 * again when nothing in it is needed, and replaced when it is full, by one in which nothing is needed any more.
 */
export class SharedSlab {
  #current = slabOf(0);
  /** V8 may free them at its next collection: a connection does not keep the memory of its busiest moment. */
  readonly #spare: WeakRef<Slab>[] = [];

  get current(): Slab {
    return this.#current;
  }

  /** Returns a slab with room for `size` bytes. */
  reserve(size: number): Slab {
    if (this.#current.used + size > this.#current.bytes.length) {
      const spare = size > SLAB_BYTES ? undefined : this.#takeSpare();
      this.#current = spare ?? slabOf(Math.max(SLAB_BYTES, size));
    }
    return this.#current;
  }

  /** So many pieces of a slab are no longer needed. */
  return(slab: Slab, pieces: number): void {
    slab.pieces -= pieces;
    if (slab.pieces > 0) return;
    slab.used = 0;
    const isSpare = slab !== this.#current && slab.bytes.length === SLAB_BYTES;
    if (isSpare && this.#spare.length < MOST_SPARE) this.#spare.push(new WeakRef(slab));
  }

  #takeSpare(): Slab | undefined {
    for (let last = this.#spare.pop(); last !== undefined; last = this.#spare.pop()) {
      const slab = last.deref();
      if (slab !== undefined) return slab;
    }
    return undefined;
  }
}

interface Piece {
  readonly slab: Slab;
  readonly start: number;
  end: number;
}

/**
 * The bytes of one body that have arrived and have not been read. What arrives without a break lies
 * together, however many frames it came in. A body that is not read gets slabs of its own: it would
 * keep the shared ones with the bytes of all other streams in them.
 */
export class ReceivedBytes {
  readonly #shared: SharedSlab;
  readonly #pieces: Piece[] = [];
  #own: Slab | undefined;
  /** The slab of the last piece that was taken, and how many were taken from it since another one, if they are not returned. */
  #takenOf: Slab | undefined;
  #taken = 0;

  constructor(shared: SharedSlab) {
    this.#shared = shared;
  }

  /** Copies `bytes` from `start` to `end`. */
  append(bytes: Buffer, start: number, end: number): void {
    const last = this.#pieces.at(-1);
    const { current } = this.#shared;
    if (last === undefined || (last.slab === current && last.end === current.used)) {
      this.#add(this.#shared.reserve(end - start), bytes, start, end);
    } else this.#appendOwn(bytes, start, end);
  }

  /** Takes the next piece, or returns null if nothing is left. */
  take(): Buffer | null {
    // Mostly there is one, and `shift` is the slower of the two.
    const piece = this.#pieces.length === 1 ? this.#pieces.pop() : this.#pieces.shift();
    if (this.#pieces.length === 0) this.#own = undefined;
    if (piece === undefined) return null;
    this.#taken = this.#takenOf === piece.slab ? this.#taken + 1 : 1;
    this.#takenOf = piece.slab;
    return piece.slab.bytes.subarray(piece.start, piece.end);
  }

  /** Asks about what has arrived without a break; true if that is not all. */
  holds(isEnough: IsEnough): boolean {
    // Not destructured: that makes an iterator.
    const piece = this.#pieces[0];
    if (piece === undefined || this.#pieces.length > 1) return true;
    return isEnough(piece.slab.bytes, piece.start, piece.end);
  }

  /** What has been taken is no longer needed: its memory may be overwritten. */
  reuse(): void {
    if (this.#takenOf === undefined) return;
    this.#shared.return(this.#takenOf, this.#taken);
    this.#takenOf = undefined;
  }

  #appendOwn(bytes: Buffer, start: number, end: number): void {
    for (let offset = start; offset < end;) {
      if (this.#own === undefined || this.#own.used === OWN_SLAB_BYTES) {
        this.#own = slabOf(OWN_SLAB_BYTES);
      }
      const size = Math.min(OWN_SLAB_BYTES - this.#own.used, end - offset);
      this.#add(this.#own, bytes, offset, offset + size);
      offset += size;
    }
  }

  #add(slab: Slab, bytes: Buffer, from: number, to: number): void {
    const start = slab.used;
    // Not `set`, which needs a view of the bytes: making one costs more than the copy.
    bytes.copy(slab.bytes, start, from, to);
    slab.used += to - from;
    const last = this.#pieces.at(-1);
    if (last?.slab === slab && last.end === start) last.end = slab.used;
    else {
      this.#pieces.push({ slab, start, end: slab.used });
      slab.pieces += 1;
    }
  }
}
