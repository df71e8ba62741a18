import { BufferPool } from '../lib/buffer-pool.ts';

/** A batch of this size is delivered without waiting for the end of the turn. */
const BATCH_BYTES = 64 * 1024;

/** Memory for the batches of all streams. */
const blocks = new BufferPool(BATCH_BYTES, 32);

/** Takes a batch, and calls `release` when the bytes have been used. */
export type BatchReceiver = (batch: Buffer, release: () => void) => void;

/**
 * Copies the bytes that arrive in one turn of the event loop together: TLS hands out 16 KiB at a
 * time, and a write or an event for each would cost more than the decryption.
 */
export class TurnBatch {
  readonly #deliver: BatchReceiver;
  #block: Buffer | undefined;
  #used = 0;
  #turn: NodeJS.Immediate | undefined;

  constructor(deliver: BatchReceiver) {
    this.#deliver = deliver;
  }

  /** Adds bytes, which it does not keep. */
  add(part: Buffer): void {
    for (let start = 0; start < part.length;) {
      this.#block ??= blocks.take();
      const copied = part.copy(this.#block, this.#used, start);
      this.#used += copied;
      start += copied;
      if (this.#used === BATCH_BYTES) this.flush();
    }
    if (this.#used > 0) this.#turn ??= setImmediate(() => this.flush());
  }

  /** Delivers what has been added. */
  flush(): void {
    const block = this.#block;
    const used = this.#used;
    this.#forget();
    if (block === undefined) return;
    this.#deliver(block.subarray(0, used), () => blocks.release(block));
  }

  /** Drops what has been added. */
  clear(): void {
    if (this.#block !== undefined) blocks.release(this.#block);
    this.#forget();
  }

  #forget(): void {
    clearImmediate(this.#turn);
    this.#turn = undefined;
    this.#block = undefined;
    this.#used = 0;
  }
}

/** Returns the bytes of a batch for a reader that may keep them. */
export function ownBytes(batch: Buffer, release: () => void): Buffer {
  // The block itself may be half empty, and its memory counts as a whole.
  const copy = Buffer.allocUnsafeSlow(batch.length);
  batch.copy(copy);
  release();
  return copy;
}
