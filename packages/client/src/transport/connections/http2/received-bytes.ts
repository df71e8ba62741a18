/** About as much as a read of a socket brings. */
const SLAB_BYTES = 64 * 1024;

/** As much as a DATA frame brings. */
const OWN_SLAB_BYTES = 16 * 1024;

/** Memory that is filled once and never overwritten, so that readers keep what they take. */
interface Slab {
  readonly bytes: Buffer;
  used: number;
}

function slabOf(size: number): Slab {
  return { bytes: Buffer.allocUnsafeSlow(size), used: 0 };
}

/** Where the bytes of all streams of a connection go that are read soon after they arrive. */
export class SharedSlab {
  #current = slabOf(0);

  get current(): Slab {
    return this.#current;
  }

  /** Returns a slab with room for `size` bytes. */
  reserve(size: number): Slab {
    if (this.#current.used + size > this.#current.bytes.length) {
      this.#current = slabOf(Math.max(SLAB_BYTES, size));
    }
    return this.#current;
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
    return piece === undefined ? null : piece.slab.bytes.subarray(piece.start, piece.end);
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
    else this.#pieces.push({ slab, start, end: slab.used });
  }
}
