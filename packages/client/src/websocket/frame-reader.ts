import { copyMasked, MASK_BYTES } from './mask.ts';
import { OPCODE } from './opcodes.ts';
import { WebSocketError } from './web-socket-error.ts';

const MAX_CONTROL_BYTES = 125;

/** Options of a {@link WebSocketFrameReader}. */
export interface WebSocketFrameReaderOptions {
  /** True to read the frames of a client, which must be masked; those of a server must not. */
  readonly isMasked: boolean;
  /** The largest message. */
  readonly maxMessageBytes: number;
}

/** Receives what a {@link WebSocketFrameReader} finds. The bytes are those that were pushed. */
export interface FrameReceiver {
  /** A part of a message. Only the last part may be empty. */
  onPart(part: Buffer, isFirst: boolean, isLast: boolean, isText: boolean): void;
  /** A close, ping or pong frame. */
  onControl(opcode: number, payload: Buffer): void;
}

/**
 * Splits bytes into messages, and hands out the parts of a message as they arrive: nothing waits for
 * the end of a message, and no part is copied. Only headers and control frames that arrive in pieces
 * are kept.
 */
export class WebSocketFrameReader {
  readonly #receiver: FrameReceiver;
  readonly #options: WebSocketFrameReaderOptions;
  readonly #key = Buffer.alloc(MASK_BYTES);
  /** The start of a header or control frame whose rest has not arrived. */
  #kept: Buffer = Buffer.alloc(0);
  /** The bytes of the current frame that have arrived, and those that have not. */
  #read = 0;
  #left = 0;
  #isFinalFrame = false;
  #isInMessage = false;
  #isText = false;
  #isFirstPart = false;
  #messageBytes = 0;

  constructor(receiver: FrameReceiver, options: WebSocketFrameReaderOptions) {
    this.#receiver = receiver;
    this.#options = options;
  }

  /**
   * Reads bytes, which it does not keep, and unmasks them in place. Throws a {@link WebSocketError} if they are
   * invalid or a message is too large.
   */
  push(chunk: Buffer): void {
    let bytes = this.#kept.length === 0 ? chunk : Buffer.concat([this.#kept, chunk]);
    while (bytes.length > 0) {
      const used = this.#left > 0 ? this.#payload(bytes) : this.#frame(bytes);
      if (used === 0) break;
      bytes = bytes.subarray(used);
    }
    this.#kept = bytes.length === 0 ? bytes : Buffer.from(bytes);
  }

  #payload(bytes: Buffer): number {
    const part = bytes.subarray(0, this.#left);
    if (this.#options.isMasked) copyMasked(part, part, this.#key, this.#read);
    this.#read += part.length;
    this.#left -= part.length;
    this.#part(part);
    return part.length;
  }

  #part(part: Buffer): void {
    const isLast = this.#left === 0 && this.#isFinalFrame;
    const isFirst = this.#isFirstPart;
    this.#isFirstPart = false;
    if (isLast) this.#isInMessage = false;
    this.#receiver.onPart(part, isFirst, isLast, this.#isText);
  }

  /** Reads a header, and a control frame as a whole. Returns the bytes used, 0 if more are needed. */
  #frame(bytes: Buffer): number {
    if (bytes.length < 2) return 0;
    const first = bytes.readUInt8(0);
    const second = bytes.readUInt8(1);
    const { isMasked } = this.#options;
    if ((first & 0x70) !== 0) throw invalid('reserved bits are set');
    if (((second & 0x80) !== 0) !== isMasked)
      throw invalid(`it is ${isMasked ? 'not ' : ''}masked`);
    const opcode = first & 0x0f;
    const isFinal = (first & 0x80) !== 0;
    const short = second & 0x7f;
    if (opcode >= OPCODE.close) checkControl(opcode, isFinal, short);
    const keyAt = short === 127 ? 10 : short === 126 ? 4 : 2;
    const size = isMasked ? keyAt + MASK_BYTES : keyAt;
    if (bytes.length < size) return 0;
    if (isMasked) this.#key.set(bytes.subarray(keyAt, size));
    if (opcode >= OPCODE.close) return this.#control(bytes, opcode, size, short);
    const length = keyAt === 10 ? longLength(bytes) : keyAt === 4 ? bytes.readUInt16BE(2) : short;
    this.#begin(opcode, isFinal, length);
    return size;
  }

  #control(bytes: Buffer, opcode: number, start: number, length: number): number {
    const end = start + length;
    if (bytes.length < end) return 0;
    const payload = bytes.subarray(start, end);
    if (this.#options.isMasked) copyMasked(payload, payload, this.#key, 0);
    this.#receiver.onControl(opcode, payload);
    return end;
  }

  #begin(opcode: number, isFinal: boolean, length: number): void {
    if (opcode > OPCODE.binary) throw invalid(`the opcode ${opcode} is reserved`);
    if ((opcode === OPCODE.continuation) !== this.#isInMessage) {
      throw invalid(this.#isInMessage ? 'a message is not complete' : 'it continues no message');
    }
    if (!this.#isInMessage) {
      this.#isInMessage = true;
      this.#isText = opcode === OPCODE.text;
      this.#isFirstPart = true;
      this.#messageBytes = 0;
    }
    this.#messageBytes += length;
    const { maxMessageBytes } = this.#options;
    if (this.#messageBytes > maxMessageBytes) {
      const message = `a message has more than ${maxMessageBytes} bytes`;
      throw new WebSocketError('WEBSOCKET_MESSAGE_TOO_LARGE', message);
    }
    this.#read = 0;
    this.#left = length;
    this.#isFinalFrame = isFinal;
    if (length === 0 && isFinal) this.#part(Buffer.alloc(0));
  }
}

function checkControl(opcode: number, isFinal: boolean, length: number): void {
  if (opcode > OPCODE.pong) throw invalid(`the opcode ${opcode} is reserved`);
  if (!isFinal) throw invalid('a control frame is fragmented');
  if (length > MAX_CONTROL_BYTES) throw invalid('a control frame is too long');
}

/** As a number; that it may be inexact does not matter, because such frames are too large. */
function longLength(bytes: Buffer): number {
  return bytes.readUInt32BE(2) * 2 ** 32 + bytes.readUInt32BE(6);
}

function invalid(why: string): WebSocketError {
  return new WebSocketError('WEBSOCKET_PROTOCOL', `a frame is invalid: ${why}`);
}
