import { type Violation, violation } from './violation.ts';

/** The frame types of RFC 9113, section 6. */
export const FRAMES = {
  DATA: 0x0,
  HEADERS: 0x1,
  PRIORITY: 0x2,
  RST_STREAM: 0x3,
  SETTINGS: 0x4,
  PUSH_PROMISE: 0x5,
  PING: 0x6,
  GOAWAY: 0x7,
  WINDOW_UPDATE: 0x8,
  CONTINUATION: 0x9,
} as const;

/** The flags of frames; which ones a frame has depends on its type. */
export const FLAGS = {
  ACK: 0x1,
  END_STREAM: 0x1,
  END_HEADERS: 0x4,
  PADDED: 0x8,
  PRIORITY: 0x20,
} as const;

/** The head of every frame: length, type, flags, stream. */
export const HEAD_BYTES = 9;

/** The largest payload unless the receiver allows more. This client does not: TLS records have as much. */
export const MAX_FRAME_BYTES = 16_384;

/** Receives the frames of a connection. What it throws ends the reading. */
export interface FrameReceiver {
  /** A DATA frame begins, with a payload of `length` bytes. */
  onDataStart(streamId: number, length: number): void;
  /** Some of its data, without the padding: `bytes` from `start` to `end`, valid until this returns. */
  onData(bytes: Buffer, start: number, end: number): void;
  /** The DATA frame is over; `padding` bytes of it were not data. */
  onDataEnd(flags: number, padding: number): void;
  /** Any other frame, whole. The payload is valid until this returns. */
  onFrame(type: number, flags: number, streamId: number, payload: Buffer): void;
}

/**
 * Splits the bytes of a connection into frames, wherever the reads divide them. Data is handed on as
 * it arrives; other frames are collected.
 */
export class FrameReader {
  readonly #receiver: FrameReceiver;
  readonly #maxBytes: number;
  /** The head of a frame, as far as it has arrived, if it came in pieces. */
  readonly #head = Buffer.alloc(HEAD_BYTES);
  #headSize = 0;
  #type = 0;
  #flags = 0;
  #streamId = 0;
  /** The bytes of the current payload that are still to come; -1 between frames. */
  #left = -1;
  /** The padding of the current DATA frame, with the byte of its length; -1 until that byte has come. */
  #padding = 0;
  /** The payload of a frame that comes in pieces. */
  #payload: Buffer | undefined;

  /** `maxBytes` is the largest payload that this side has allowed. */
  constructor(receiver: FrameReceiver, maxBytes: number = MAX_FRAME_BYTES) {
    this.#receiver = receiver;
    this.#maxBytes = maxBytes;
  }

  receive(bytes: Buffer, size: number = bytes.length): void {
    let offset = 0;
    while (offset < size) {
      if (this.#left === -1) offset = this.#readHead(bytes, offset, size);
      if (this.#left === -1) return;
      offset =
        this.#type === FRAMES.DATA
          ? this.#readData(bytes, offset, size)
          : this.#readPayload(bytes, offset, size);
    }
  }

  #readHead(bytes: Buffer, offset: number, end: number): number {
    if (this.#headSize === 0 && end - offset >= HEAD_BYTES) {
      this.#begin(bytes, offset);
      return offset + HEAD_BYTES;
    }
    const size = Math.min(HEAD_BYTES - this.#headSize, end - offset);
    bytes.copy(this.#head, this.#headSize, offset, offset + size);
    this.#headSize += size;
    if (this.#headSize === HEAD_BYTES) {
      this.#headSize = 0;
      this.#begin(this.#head, 0);
    }
    return offset + size;
  }

  #begin(head: Buffer, offset: number): void {
    // Not `readUIntBE`, which is more code than all of this.
    const length =
      ((head[offset] as number) << 16) |
      ((head[offset + 1] as number) << 8) |
      (head[offset + 2] as number);
    this.#type = head[offset + 3] as number;
    this.#flags = head[offset + 4] as number;
    this.#streamId = head.readUInt32BE(offset + 5) & 0x7fff_ffff;
    if (length > this.#maxBytes) {
      throw violation('FRAME_SIZE_ERROR', `a frame has ${length} bytes`);
    }
    this.#left = length;
    if (this.#type !== FRAMES.DATA) return;
    this.#padding = (this.#flags & FLAGS.PADDED) === 0 ? 0 : -1;
    if (this.#padding === -1 && length === 0) throw wrongPadding();
    this.#receiver.onDataStart(this.#streamId, length);
  }

  #readData(bytes: Buffer, from: number, end: number): number {
    let offset = from;
    if (this.#padding === -1 && offset < end) {
      this.#padding = (bytes[offset] as number) + 1;
      if (this.#padding > this.#left) throw wrongPadding();
      this.#left -= 1;
      offset += 1;
    }
    const padding = Math.max(this.#padding - 1, 0);
    const size = Math.min(this.#left - padding, end - offset);
    if (size > 0) {
      this.#left -= size;
      this.#receiver.onData(bytes, offset, offset + size);
      offset += size;
    }
    if (this.#padding !== -1 && this.#left <= padding) {
      const skipped = Math.min(this.#left, end - offset);
      this.#left -= skipped;
      offset += skipped;
      if (this.#left === 0) {
        this.#left = -1;
        this.#receiver.onDataEnd(this.#flags, this.#padding);
      }
    }
    return offset;
  }

  #readPayload(bytes: Buffer, offset: number, end: number): number {
    const size = Math.min(this.#left, end - offset);
    if (this.#payload === undefined) {
      if (size === this.#left) {
        this.#end(bytes.subarray(offset, offset + size));
        return offset + size;
      }
      this.#payload = Buffer.allocUnsafe(this.#left);
    }
    bytes.copy(this.#payload, this.#payload.length - this.#left, offset, offset + size);
    this.#left -= size;
    if (this.#left === 0) this.#end(this.#payload);
    return offset + size;
  }

  #end(payload: Buffer): void {
    this.#left = -1;
    this.#payload = undefined;
    this.#receiver.onFrame(this.#type, this.#flags, this.#streamId, payload);
  }
}

/** Returns the violation of a frame that is padded beyond its end. */
export function wrongPadding(): Violation {
  return violation('PROTOCOL_ERROR', 'a frame has more padding than payload');
}
