/**
 * Buffers of one size that are used again. Allocating memory for every read and write costs more than
 * copying: pages must be mapped, and the garbage collector runs for the memory behind small objects.
 */
export class BufferPool {
  /** The size of its buffers. */
  readonly bytes: number;
  readonly #maxFree: number;
  readonly #free: Buffer[] = [];

  /** `maxFree` limits the buffers that are kept while they are unused. */
  constructor(bytes: number, maxFree: number) {
    this.bytes = bytes;
    this.#maxFree = maxFree;
  }

  /** Returns a buffer with arbitrary content. A buffer that is not released belongs to its user. */
  take(): Buffer {
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(this.bytes);
  }

  /** Takes a buffer back, which must not be used any more: neither read nor released again. */
  release(buffer: Buffer): void {
    if (this.#free.length < this.#maxFree) this.#free.push(buffer);
  }
}
