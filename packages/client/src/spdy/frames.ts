import { SpdyError } from './spdy-error.ts';

/** The types of control frames that are used here. */
export const CONTROL = {
  synStream: 1,
  synReply: 2,
  rstStream: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  headers: 8,
  windowUpdate: 9,
} as const;

/** The flag of the last frame of a stream. */
export const FLAG_FIN = 1;

const VERSION = 3;
const HEADER_BYTES = 8;
/** Larger control frames are refused; those of real peers are far smaller. */
const MAX_CONTROL_BYTES = 64 * 1024;
const STREAM_MASK = 0x7fffffff;
const MAX_DATA = 0xffffff;

/** A part of what a connection receives. The data of one frame may come in several parts. */
export type Received =
  | {
      readonly kind: 'control';
      readonly type: number;
      readonly flags: number;
      readonly payload: Buffer;
    }
  | {
      readonly kind: 'data';
      readonly stream: number;
      readonly data: Buffer;
      /** True for the last part of the last frame of the stream. */
      readonly isLast: boolean;
    };

interface OpenFrame {
  readonly stream: number;
  readonly flags: number;
  left: number;
}

/** Splits bytes into frames. Keeps at most one control frame in memory. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);
  /** A data frame whose end has not come yet. */
  #open: OpenFrame | undefined;

  /** Adds bytes, which are not kept once {@link next} has returned undefined. */
  push(chunk: Buffer): void {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
  }

  /** Returns the next part; undefined if more bytes are needed. Throws {@link SpdyError}. */
  next(): Received | undefined {
    const part = this.#next();
    if (part === undefined && this.#rest.length > 0) this.#rest = Buffer.from(this.#rest);
    return part;
  }

  #next(): Received | undefined {
    if (this.#open !== undefined) return this.#data(this.#open);
    const bytes = this.#rest;
    if (bytes.length < HEADER_BYTES) return undefined;
    const word = bytes.readUInt32BE(0);
    const flags = bytes.readUInt8(4);
    const length = bytes.readUIntBE(5, 3);
    if (word >>> 31 === 0) {
      this.#rest = bytes.subarray(HEADER_BYTES);
      this.#open = { stream: word, flags, left: length };
      return this.#data(this.#open);
    }
    const version = (word >>> 16) & 0x7fff;
    if (version !== VERSION) throw new SpdyError(`a frame has version ${version}`);
    if (length > MAX_CONTROL_BYTES) throw new SpdyError(`a control frame has ${length} bytes`);
    const end = HEADER_BYTES + length;
    if (bytes.length < end) return undefined;
    this.#rest = bytes.subarray(end);
    return {
      kind: 'control',
      type: word & 0xffff,
      flags,
      payload: bytes.subarray(HEADER_BYTES, end),
    };
  }

  #data(open: OpenFrame): Received | undefined {
    const data = this.#rest.subarray(0, open.left);
    if (data.length === 0 && open.left > 0) return undefined;
    this.#rest = this.#rest.subarray(data.length);
    open.left -= data.length;
    const isWhole = open.left === 0;
    if (isWhole) this.#open = undefined;
    const isLast = isWhole && (open.flags & FLAG_FIN) !== 0;
    return { kind: 'data', stream: open.stream, data, isLast };
  }
}

/** Returns a control frame. */
export function controlFrame(type: number, flags: number, ...payload: readonly Buffer[]): Buffer {
  const length = payload.reduce((sum, part) => sum + part.length, 0);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(0x8000 | VERSION, 0);
  header.writeUInt16BE(type, 2);
  header.writeUInt8(flags, 4);
  header.writeUIntBE(length, 5, 3);
  return Buffer.concat([header, ...payload]);
}

/** Returns the header of a data frame. */
export function dataHeader(stream: number, length: number, isLast: boolean): Buffer {
  if (length > MAX_DATA) throw new SpdyError(`a data frame cannot have ${length} bytes`);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(stream & STREAM_MASK, 0);
  header.writeUInt8(isLast ? FLAG_FIN : 0, 4);
  header.writeUIntBE(length, 5, 3);
  return header;
}

/** Returns numbers as bytes, four each. */
export function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, index * 4);
  return bytes;
}

/** Reads a stream id, or another number of 31 bits. Throws {@link SpdyError} if it is missing. */
export function readId(payload: Buffer, position = 0): number {
  if (payload.length < position + 4) throw new SpdyError('a control frame is too short');
  return payload.readUInt32BE(position) & STREAM_MASK;
}
