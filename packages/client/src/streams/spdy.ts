import { StreamsError } from './streams-error.ts';

/*
 * The part of SPDY/3.1 that port-forwarding uses: streams with headers, data, half-close and reset.
 * Kubernetes tunnels it through WebSocket. Its servers have no flow control, and neither has this.
 */

const SYN_STREAM = 1;
const SYN_REPLY = 2;
const RST_STREAM = 3;
const PING = 6;
const GO_AWAY = 7;

const FLAG_FIN = 1;
const CONTROL = 0x8003;
const HEADER_BYTES = 8;

/** The reason of a reset by this side. */
const CANCEL = 5;

/** Control frames of servers have a few dozen bytes. */
const MAX_CONTROL_BYTES = 64 * 1024;

/** Receives the frames of a {@link SpdyParser}. */
export interface SpdyReceiver {
  /** Data of a stream, as it arrives: a frame may be delivered in parts. */
  onData(stream: number, data: Buffer): void;
  /** The other side sends nothing more on the stream. */
  onEnd(stream: number): void;
  onReset(stream: number, status: number): void;
  /** To be sent back unchanged. */
  onPing(frame: Buffer): void;
  onGoAway(): void;
}

/** A data frame of which a part is still to come. */
interface PartialData {
  readonly stream: number;
  readonly isLast: boolean;
  left: number;
}

/** Splits bytes into frames. Bytes may arrive in any portions. Throws `STREAMS_PROTOCOL`. */
export class SpdyParser {
  readonly #receiver: SpdyReceiver;
  #pending: Buffer = Buffer.alloc(0);
  /** The data frame that is being delivered. */
  #data: PartialData | undefined;

  constructor(receiver: SpdyReceiver) {
    this.#receiver = receiver;
  }

  push(bytes: Buffer): void {
    let rest = this.#pending.length === 0 ? bytes : Buffer.concat([this.#pending, bytes]);
    for (;;) {
      const taken = this.#data === undefined ? this.#header(rest) : this.#body(rest, this.#data);
      if (taken === 0) break;
      rest = rest.subarray(taken);
    }
    this.#pending = rest;
  }

  /** Returns the number of bytes that were used; 0 if more are needed. */
  #header(bytes: Buffer): number {
    if (bytes.length < HEADER_BYTES) return 0;
    const first = bytes.readUInt32BE(0);
    const flags = bytes.readUInt8(4);
    const length = bytes.readUIntBE(5, 3);
    if (first < 0x8000_0000) {
      this.#data = { stream: first, isLast: (flags & FLAG_FIN) !== 0, left: length };
      if (length === 0) this.#ended(this.#data);
      return HEADER_BYTES;
    }
    if (first >>> 16 !== CONTROL) throw invalid('a frame of another version of SPDY');
    if (length > MAX_CONTROL_BYTES) throw invalid(`a control frame of ${length} bytes`);
    const size = HEADER_BYTES + length;
    if (bytes.length < size) return 0;
    this.#control(first & 0xffff, flags, bytes.subarray(0, size));
    return size;
  }

  #body(bytes: Buffer, data: PartialData): number {
    const part = bytes.subarray(0, data.left);
    if (part.length === 0) return 0;
    data.left -= part.length;
    this.#receiver.onData(data.stream, part);
    if (data.left === 0) this.#ended(data);
    return part.length;
  }

  #ended({ stream, isLast }: PartialData): void {
    this.#data = undefined;
    if (isLast) this.#receiver.onEnd(stream);
  }

  /** Compressed headers of replies are not read: nothing in them matters here. */
  #control(type: number, flags: number, frame: Buffer): void {
    if (type === PING) return this.#receiver.onPing(frame);
    if (type === GO_AWAY) return this.#receiver.onGoAway();
    if (type !== SYN_REPLY && type !== RST_STREAM) return;
    if (frame.length < HEADER_BYTES + (type === RST_STREAM ? 8 : 4)) {
      throw invalid('a control frame that is too short');
    }
    const stream = frame.readUInt32BE(HEADER_BYTES) & 0x7fff_ffff;
    if (type === RST_STREAM) this.#receiver.onReset(stream, frame.readUInt32BE(HEADER_BYTES + 4));
    else if ((flags & FLAG_FIN) !== 0) this.#receiver.onEnd(stream);
  }
}

/** Returns the frame that opens a stream. `isFirst` is true for the first of a connection. */
export function openStream(
  stream: number,
  headers: Readonly<Record<string, string>>,
  isFirst: boolean,
): Buffer {
  const block = headerBlock(headers, isFirst);
  const body = Buffer.alloc(10 + block.length);
  body.writeUInt32BE(stream, 0);
  block.copy(body, 10);
  return control(SYN_STREAM, body);
}

/** Returns a data frame. The last one of a stream may be empty. */
export function dataFrame(stream: number, data: Uint8Array, isLast: boolean): Buffer {
  const frame = Buffer.allocUnsafe(HEADER_BYTES + data.length);
  frame.writeUInt32BE(stream, 0);
  frame.writeUInt8(isLast ? FLAG_FIN : 0, 4);
  frame.writeUIntBE(data.length, 5, 3);
  frame.set(data, HEADER_BYTES);
  return frame;
}

/** Returns the frame that cancels a stream. */
export function resetStream(stream: number): Buffer {
  const body = Buffer.alloc(8);
  body.writeUInt32BE(stream, 0);
  body.writeUInt32BE(CANCEL, 4);
  return control(RST_STREAM, body);
}

function control(type: number, body: Buffer): Buffer {
  const frame = Buffer.alloc(HEADER_BYTES + body.length);
  frame.writeUInt16BE(CONTROL, 0);
  frame.writeUInt16BE(type, 2);
  frame.writeUIntBE(body.length, 5, 3);
  body.copy(frame, HEADER_BYTES);
  return frame;
}

/**
 * Headers are one zlib stream per connection. These go into stored blocks, which are not compressed
 * and need neither the dictionary of SPDY nor a state.
 */
function headerBlock(headers: Readonly<Record<string, string>>, isFirst: boolean): Buffer {
  const entries = Object.entries(headers);
  const plain = Buffer.concat([
    uint32(entries.length),
    ...entries.flatMap(([name, value]) => [sized(name), sized(value)]),
  ]);
  const stored = Buffer.alloc(5);
  stored.writeUInt16LE(plain.length, 1);
  stored.writeUInt16LE(~plain.length & 0xffff, 3);
  const zlibHeader = Buffer.of(0x78, 0x01);
  return Buffer.concat([...(isFirst ? [zlibHeader] : []), stored, plain]);
}

function sized(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([uint32(bytes.length), bytes]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function invalid(what: string): StreamsError {
  return new StreamsError('STREAMS_PROTOCOL', `the server sent ${what}`);
}
