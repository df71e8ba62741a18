import { ByteQueue } from './byte-queue.ts';
import {
  DEFAULT_MAX_FRAME_BYTES,
  frameCutOff,
  type FrameOptions,
  type Frames,
  frameTooLarge,
} from './frames.ts';

const PREFIX_BYTES = 4;

/** Frames of a protobuf watch: four bytes of length, big-endian, then the payload. */
export class LengthDelimitedFrames implements Frames {
  readonly #queue = new ByteQueue();
  readonly #maxFrameBytes: number;
  /** Length of the payload that comes next, once its prefix is taken. */
  #expected: number | undefined;

  constructor({ maxFrameBytes = DEFAULT_MAX_FRAME_BYTES }: FrameOptions = {}) {
    this.#maxFrameBytes = maxFrameBytes;
  }

  push(chunk: Uint8Array): void {
    this.#queue.push(chunk);
  }

  /** The next payload, without the length before it. */
  next(): Uint8Array | undefined {
    if (this.#expected === undefined) {
      if (this.#queue.length < PREFIX_BYTES) return undefined;
      this.#expected = this.#queue.takeUint32();
      if (this.#expected > this.#maxFrameBytes) throw frameTooLarge(this.#maxFrameBytes);
    }
    if (this.#queue.length < this.#expected) return undefined;
    const payload = this.#queue.take(this.#expected);
    this.#expected = undefined;
    return payload;
  }

  end(): void {
    if (this.#expected !== undefined || this.#queue.length > 0) {
      throw frameCutOff(this.#queue.length + (this.#expected === undefined ? 0 : PREFIX_BYTES));
    }
  }
}
