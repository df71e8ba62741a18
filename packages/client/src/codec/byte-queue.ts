import { asBuffer } from './wire/wire-reader.ts';

/** Chunks of less than this that arrive within a frame are copied together. */
const SMALL_BYTES = 4096;
const BLOCK_BYTES = 16 * 1024;

/**
 * Bytes in the chunks they arrived in. Taking a range that lies within one chunk copies nothing:
 * the result shares memory with the chunk and keeps it alive. Small chunks behind others are copied
 * into blocks, so that a stream of single bytes takes little more memory than its bytes.
 */
export class ByteQueue {
  readonly #chunks: Buffer[] = [];
  /** The first chunk of the queue; those before it are taken. */
  #head = 0;
  /** Where the first byte of the queue is in the first chunk. */
  #start = 0;
  #length = 0;
  /** The chunk that {@link chunkAt} found last, and the offset at which it begins. */
  #cursor = { index: 0, offset: 0 };
  /** The block that the last chunk is at the end of, with room behind it. */
  #block: { readonly bytes: Buffer; end: number } | undefined;

  get length(): number {
    return this.#length;
  }

  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    if (this.#length > 0 && chunk.length < SMALL_BYTES) this.#append(chunk);
    else {
      this.#block = undefined;
      this.#chunks.push(asBuffer(chunk));
    }
    this.#length += chunk.length;
  }

  /** Where a byte is next, if that is in the first chunk; else -1. */
  indexInChunk(byte: number): number {
    const found = this.#chunks[this.#head]?.indexOf(byte, this.#start) ?? -1;
    return found === -1 ? -1 : found - this.#start;
  }

  /** The first byte; undefined if there is none. */
  peek(): number | undefined {
    return this.#chunks[this.#head]?.[this.#start];
  }

  /** Undoes the last {@link take}. */
  putBack(bytes: Uint8Array): void {
    const rest = this.#chunks.slice(this.#head);
    if (rest[0] !== undefined) rest[0] = rest[0].subarray(this.#start);
    this.#chunks.splice(0, Infinity, asBuffer(bytes), ...rest);
    this.#block = undefined;
    this.#head = 0;
    this.#start = 0;
    this.#cursor = { index: 0, offset: 0 };
    this.#length += bytes.length;
  }

  /**
   * The bytes from `offset` to the end of the chunk they are in; empty at the end of the queue. Going
   * on from the last offset takes constant time.
   */
  chunkAt(offset: number): Buffer {
    let { index, offset: begin } = this.#cursor;
    if (offset < begin || index < this.#head) [index, begin] = [this.#head, -this.#start];
    for (; index < this.#chunks.length; index += 1) {
      const chunk = this.#chunks[index] as Buffer;
      if (offset - begin < chunk.length) {
        this.#cursor = { index, offset: begin };
        return chunk.subarray(offset - begin);
      }
      begin += chunk.length;
    }
    return NOTHING;
  }

  /** Removes four bytes, which must be there, and returns the number that they are, big-endian. */
  takeUint32(): number {
    const first = this.#chunks[this.#head] ?? NOTHING;
    if (this.#start + 4 > first.length) return this.take(4).readUInt32BE(0);
    const value = first.readUInt32BE(this.#start);
    this.#drop(4);
    return value;
  }

  /** Removes the first `count` bytes, which must be there, and returns them in one piece. */
  take(count: number): Buffer {
    const first = this.#chunks[this.#head] ?? NOTHING;
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

  #append(chunk: Uint8Array): void {
    let block = this.#block;
    if (block === undefined || block.end + chunk.length > block.bytes.length) {
      block = { bytes: Buffer.allocUnsafeSlow(BLOCK_BYTES), end: 0 };
      this.#block = block;
      this.#chunks.push(NOTHING);
    }
    block.bytes.set(chunk, block.end);
    block.end += chunk.length;
    this.#chunks[this.#chunks.length - 1] = block.bytes.subarray(0, block.end);
  }

  /** Removes up to a whole chunk. */
  #drop(count: number): void {
    this.#start += count;
    this.#length -= count;
    this.#cursor = { index: this.#head, offset: -this.#start };
    if (this.#start < (this.#chunks[this.#head]?.length ?? 0)) return;
    this.#chunks[this.#head] = NOTHING;
    this.#head += 1;
    this.#start = 0;
    if (this.#head === this.#chunks.length) this.#block = undefined;
    // Chunks that are taken are removed half of the array at a time, which is constant time for each.
    if (this.#head * 2 >= this.#chunks.length) {
      this.#chunks.splice(0, this.#head);
      this.#head = 0;
    }
    this.#cursor = { index: this.#head, offset: 0 };
  }
}

const NOTHING = Buffer.alloc(0);
