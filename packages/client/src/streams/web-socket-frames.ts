import { randomFillSync } from 'node:crypto';
import { StreamsError } from './streams-error.ts';

/** The kinds of frames (RFC 6455, 5.2). */
export const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** Servers send messages of 32 KiB. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

const MAX_CONTROL_BYTES = 125;
const MASK_BYTES = 4;

/** Receives what a {@link FrameReader} finds. */
export interface FrameReceiver {
  /** A part of a binary message. Only the last part may be empty. The bytes are not reused. */
  onPart(part: Buffer, isFirst: boolean, isLast: boolean): void;
  /** A close, ping or pong frame. */
  onControl(opcode: number, payload: Buffer): void;
}

/**
 * Splits the bytes of a server into messages, and hands out the parts of a message as they arrive:
 * nothing is copied, and nothing waits for the end of a message. Only headers and control frames that
 * arrive in pieces are kept.
 */
export class WebSocketFrameReader {
  readonly #receiver: FrameReceiver;
  /** The start of a header or control frame whose rest has not arrived. */
  #kept: Buffer = Buffer.alloc(0);
  /** The bytes of the current frame that have not arrived. */
  #left = 0;
  #isFinalFrame = false;
  #isInMessage = false;
  #isFirstPart = false;
  #messageBytes = 0;

  constructor(receiver: FrameReceiver) {
    this.#receiver = receiver;
  }

  /** Throws a {@link StreamsError} if the bytes are invalid or a message is too large. */
  push(chunk: Buffer): void {
    let bytes = this.#kept.length === 0 ? chunk : Buffer.concat([this.#kept, chunk]);
    while (bytes.length > 0) {
      const used = this.#left > 0 ? this.#payload(bytes) : this.#frame(bytes);
      if (used === 0) break;
      bytes = bytes.subarray(used);
    }
    this.#kept = bytes;
  }

  #payload(bytes: Buffer): number {
    const part = bytes.subarray(0, this.#left);
    this.#left -= part.length;
    this.#part(part);
    return part.length;
  }

  #part(part: Buffer): void {
    const isLast = this.#left === 0 && this.#isFinalFrame;
    const isFirst = this.#isFirstPart;
    this.#isFirstPart = false;
    if (isLast) this.#isInMessage = false;
    this.#receiver.onPart(part, isFirst, isLast);
  }

  /** Reads a header, and a control frame as a whole. Returns the bytes used, 0 if more are needed. */
  #frame(bytes: Buffer): number {
    if (bytes.length < 2) return 0;
    const first = bytes.readUInt8(0);
    const second = bytes.readUInt8(1);
    const opcode = first & 0x0f;
    const isFinal = (first & 0x80) !== 0;
    if ((first & 0x70) !== 0) throw invalid('reserved bits are set');
    if ((second & 0x80) !== 0) throw invalid('it is masked');
    const short = second & 0x7f;
    if (opcode >= OPCODE.close) return this.#control(bytes, opcode, isFinal, short);
    const size = short === 127 ? 10 : short === 126 ? 4 : 2;
    if (bytes.length < size) return 0;
    const length = size === 10 ? longLength(bytes) : size === 4 ? bytes.readUInt16BE(2) : short;
    this.#begin(opcode, isFinal, length);
    return size;
  }

  #control(bytes: Buffer, opcode: number, isFinal: boolean, length: number): number {
    if (opcode > OPCODE.pong) throw invalid(`the opcode ${opcode} is reserved`);
    if (!isFinal) throw invalid('a control frame is fragmented');
    if (length > MAX_CONTROL_BYTES) throw invalid('a control frame is too long');
    const end = 2 + length;
    if (bytes.length < end) return 0;
    this.#receiver.onControl(opcode, bytes.subarray(2, end));
    return end;
  }

  #begin(opcode: number, isFinal: boolean, length: number): void {
    if (opcode === OPCODE.text) {
      throw new StreamsError('STREAMS_PROTOCOL', 'the server sent a text message');
    }
    if (opcode > OPCODE.binary) throw invalid(`the opcode ${opcode} is reserved`);
    if ((opcode === OPCODE.continuation) !== this.#isInMessage) {
      throw invalid(this.#isInMessage ? 'a message is not complete' : 'it continues no message');
    }
    if (!this.#isInMessage) {
      this.#isInMessage = true;
      this.#isFirstPart = true;
      this.#messageBytes = 0;
    }
    this.#messageBytes += length;
    if (this.#messageBytes > MAX_MESSAGE_BYTES) {
      const message = `the server sent a message of more than ${MAX_MESSAGE_BYTES} bytes`;
      throw new StreamsError('STREAMS_FRAME_TOO_LARGE', message);
    }
    this.#left = length;
    this.#isFinalFrame = isFinal;
    if (length === 0 && isFinal) this.#part(Buffer.alloc(0));
  }
}

/** As a number; that it may be inexact does not matter, because such frames are too large. */
function longLength(bytes: Buffer): number {
  return bytes.readUInt32BE(2) * 2 ** 32 + bytes.readUInt32BE(6);
}

function invalid(why: string): StreamsError {
  return new StreamsError('STREAMS_PROTOCOL', `the server sent an invalid frame: ${why}`);
}

/** Returns a frame of a client, masked. Its payload is the prefix and the data. */
export function encodeFrame(
  opcode: number,
  prefix: Uint8Array,
  data: Uint8Array = NO_BYTES,
): Buffer {
  const length = prefix.length + data.length;
  const lengthBytes = length < 126 ? 0 : length <= 0xffff ? 2 : 8;
  const start = 2 + lengthBytes + MASK_BYTES;
  const frame = Buffer.allocUnsafe(start + length);
  frame[0] = 0x80 | opcode;
  frame[1] = 0x80 | (lengthBytes === 0 ? length : lengthBytes === 2 ? 126 : 127);
  if (lengthBytes === 2) frame.writeUInt16BE(length, 2);
  if (lengthBytes === 8) frame.writeBigUInt64BE(BigInt(length), 2);
  frame.set(nextKey(), start - MASK_BYTES);
  frame.set(prefix, start);
  frame.set(data, start + prefix.length);
  mask(frame, start);
  return frame;
}

const NO_BYTES = new Uint8Array();

/** Keys are taken from a supply of random bytes: a call per frame would cost more than the frame. */
const KEYS = Buffer.alloc(4096);
let nextKeyAt = KEYS.length;

function nextKey(): Uint8Array {
  if (nextKeyAt === KEYS.length) {
    randomFillSync(KEYS);
    nextKeyAt = 0;
  }
  nextKeyAt += MASK_BYTES;
  return KEYS.subarray(nextKeyAt - MASK_BYTES, nextKeyAt);
}

/** The key, repeated from the first aligned byte on, as bytes and as a word. */
const KEY_WORD = new Int32Array(1);
const KEY_BYTES = new Uint8Array(KEY_WORD.buffer);

/** Masks a frame from `start` on, with the key that precedes it; four bytes at a time. */
function mask(frame: Buffer, start: number): void {
  const key = frame.subarray(start - MASK_BYTES, start);
  const aligned = Math.min(frame.length, start + ((4 - ((frame.byteOffset + start) % 4)) % 4));
  for (let at = start; at < aligned; at += 1) maskByte(frame, at, key, at - start);
  for (let at = 0; at < 4; at += 1) KEY_BYTES[at] = key[(aligned - start + at) % 4] ?? 0;
  const word = KEY_WORD[0] ?? 0;
  const count = (frame.length - aligned) >> 2;
  if (count > 0) {
    const words = new Int32Array(frame.buffer, frame.byteOffset + aligned, count);
    for (let at = 0; at < count; at += 1) words[at] = (words[at] as number) ^ word;
  }
  for (let at = aligned + count * 4; at < frame.length; at += 1) {
    maskByte(frame, at, key, at - start);
  }
}

function maskByte(frame: Buffer, at: number, key: Buffer, position: number): void {
  frame[at] = (frame[at] as number) ^ (key[position % 4] as number);
}
