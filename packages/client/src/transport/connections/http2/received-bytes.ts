/** About as much as a read of a socket brings. */
const SLAB_BYTES = 64 * 1024;

/**
 * Memory for received bytes, shared by the streams of a connection. A slab is filled once and never
 * overwritten, so readers keep what they take. What arrives for one stream without a break lies
 * together, however many frames it came in.
 */
export class Slabs {
  #slab: Buffer | undefined;
  #used = 0;

  /** Copies the bytes to the end of `received`. */
  append(received: ReceivedBytes, bytes: Buffer, start: number, end: number): void {
    const size = end - start;
    if (this.#slab === undefined || this.#used + size > this.#slab.length) {
      this.#slab = Buffer.allocUnsafeSlow(Math.max(SLAB_BYTES, size));
      this.#used = 0;
    }
    bytes.copy(this.#slab, this.#used, start, end);
    received.add(this.#slab, this.#used, this.#used + size);
    this.#used += size;
  }
}

interface Piece {
  readonly slab: Buffer;
  readonly start: number;
  end: number;
}

/** The bytes of one body that have arrived and have not been read. */
export class ReceivedBytes {
  readonly #pieces: Piece[] = [];

  add(slab: Buffer, start: number, end: number): void {
    const last = this.#pieces.at(-1);
    if (last?.slab === slab && last.end === start) last.end = end;
    else this.#pieces.push({ slab, start, end });
  }

  /** Takes the next piece, or returns null if nothing is left. */
  take(): Buffer | null {
    const piece = this.#pieces.shift();
    return piece === undefined ? null : piece.slab.subarray(piece.start, piece.end);
  }

  clear(): void {
    this.#pieces.length = 0;
  }
}
