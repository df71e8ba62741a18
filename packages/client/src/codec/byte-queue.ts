import { asBuffer } from './wire/wire-reader.ts';

/**
 * Bytes in the chunks they arrived in. Taking a range that lies within one chunk copies nothing:
 * the result shares memory with the chunk and keeps it alive.
 */
export class ByteQueue {
  readonly #chunks: Buffer[] = [];
  /** Where the first byte of the queue is in the first chunk. */
  #start = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.#chunks.push(asBuffer(chunk));
    this.#length += chunk.length;
  }

  /** Where a byte is next, if that is in the first chunk; else -1. */
  indexInChunk(byte: number): number {
    const found = this.#chunks[0]?.indexOf(byte, this.#start) ?? -1;
    return found === -1 ? -1 : found - this.#start;
  }

  /** The first byte; undefined if there is none. */
  peek(): number | undefined {
    return this.#chunks[0]?.[this.#start];
  }

  /** Undoes the last {@link take}. */
  putBack(bytes: Uint8Array): void {
    if (this.#start > 0) this.#chunks[0] = this.chunkAt(0);
    this.#chunks.unshift(asBuffer(bytes));
    this.#start = 0;
    this.#length += bytes.length;
  }

  /** The bytes from `offset` to the end of the chunk they are in; empty at the end of the queue. */
  chunkAt(offset: number): Buffer {
    let position = this.#start + offset;
    for (const chunk of this.#chunks) {
      if (position < chunk.length) return chunk.subarray(position);
      position -= chunk.length;
    }
    return NOTHING;
  }

  /** Removes four bytes, which must be there, and returns the number that they are, big-endian. */
  takeUint32(): number {
    const first = this.#chunks[0] ?? NOTHING;
    if (this.#start + 4 > first.length) return this.take(4).readUInt32BE(0);
    const value = first.readUInt32BE(this.#start);
    this.#drop(4);
    return value;
  }

  /** Removes the first `count` bytes, which must be there, and returns them in one piece. */
  take(count: number): Buffer {
    const first = this.#chunks[0] ?? NOTHING;
    if (this.#start + count <= first.length) {
      const bytes = first.subarray(this.#start, this.#start + count);
      this.#drop(count);
      return bytes;
    }
    const bytes = Buffer.allocUnsafeSlow(count);
    for (let filled = 0; filled < count;) {
      const chunk = this.chunkAt(0);
      const size = Math.min(chunk.length, count - filled);
      chunk.copy(bytes, filled, 0, size);
      this.#drop(size);
      filled += size;
    }
    return bytes;
  }

  /** Removes up to a whole chunk. */
  #drop(count: number): void {
    this.#start += count;
    this.#length -= count;
    if (this.#start < (this.#chunks[0]?.length ?? 0)) return;
    this.#chunks.shift();
    this.#start = 0;
  }
}

const NOTHING = Buffer.alloc(0);
