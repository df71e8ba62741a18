/** About as much as a read of a socket brings. */
const SLAB_BYTES = 64 * 1024;

/** As much as a DATA frame brings. */
const OWN_SLAB_BYTES = 16 * 1024;

/** Memory that is filled once, so that readers keep what they take, unless they say that they do not. */
interface Slab {
  readonly bytes: Buffer;
  used: number;
}

function slabOf(size: number): Slab {
  return { bytes: Buffer.allocUnsafeSlow(size), used: 0 };
}

/**
 * Where the bytes of all streams of a connection go that are read soon after they arrive. It is filled from its start
 * again when nothing in it is needed, and replaced when it is full.
 */
export class SharedSlab {
  #current = slabOf(0);
  /** The number of the current slab. */
  #number = 0;
  /** How many pieces of the current slab have not been returned. */
  #pieces = 0;

  get current(): Slab {
    return this.#current;
  }

  get number(): number {
    return this.#number;
  }

  /** Returns a slab with room for `size` bytes. */
  reserve(size: number): Slab {
    if (this.#current.used + size > this.#current.bytes.length) {
      this.#current = slabOf(Math.max(SLAB_BYTES, size));
      this.#number += 1;
      this.#pieces = 0;
    }
    return this.#current;
  }

  /** A piece of the current slab is in use. */
  lend(): void {
    this.#pieces += 1;
  }

  /** So many pieces of a slab are no longer needed. */
  return(number: number, pieces: number): void {
    if (number !== this.#number) return;
    this.#pieces -= pieces;
    if (this.#pieces === 0) this.#current.used = 0;
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
  /** How many pieces of the shared slab with this number were taken and not returned. */
  #taken = 0;
  #takenOf = 0;

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
    if (piece.slab === this.#shared.current) {
      const { number } = this.#shared;
      this.#taken = this.#takenOf === number ? this.#taken + 1 : 1;
      this.#takenOf = number;
    }
    return piece.slab.bytes.subarray(piece.start, piece.end);
  }

  /** What has been taken is no longer needed: its memory may be overwritten. */
  reuse(): void {
    if (this.#taken > 0) this.#shared.return(this.#takenOf, this.#taken);
    this.#taken = 0;
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
      if (slab === this.#shared.current) this.#shared.lend();
    }
  }
}
