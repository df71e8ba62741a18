import type { Socket } from 'node:net';
import { FLAGS, FRAMES, HEAD_BYTES } from './frames.ts';

/** The size of a piece of memory, which is filled once. */
const PIECE_BYTES = 32 * 1024;

/** What a client sends first, before its settings (RFC 9113, section 3.4). */
const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';

/**
 * Writes frames to a socket. All frames of one turn of the event loop go out in one write: a system
 * call and a TLS record each would cost more than most frames do.
 */
export class FrameWriter {
  readonly #socket: Socket;
  #piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
  /** What has been written and not sent: from `#start` to `#end`. */
  #start = 0;
  #end = 0;
  #isScheduled = false;
  readonly #flushLater = (): void => this.flush();

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** The bytes that the server has not taken. */
  get queued(): number {
    return this.#socket.writableLength + this.#end - this.#start;
  }

  preface(): void {
    this.#reserve(PREFACE.length);
    this.#end += this.#piece.write(PREFACE, this.#end, 'latin1');
  }

  settings(settings: readonly (readonly [id: number, value: number])[]): void {
    this.#head(FRAMES.SETTINGS, 0, 0, settings.length * 6);
    for (const [id, value] of settings) {
      this.#end = this.#piece.writeUInt16BE(id, this.#end);
      this.#end = this.#piece.writeUInt32BE(value, this.#end);
    }
  }

  settingsAck(): void {
    this.#head(FRAMES.SETTINGS, FLAGS.ACK, 0, 0);
  }

  /** A header block, in as many frames as the server's limit makes of it. */
  headers(streamId: number, block: Buffer, { endStream, maxFrame }: HeadersOptions): void {
    let flags: number = endStream ? FLAGS.END_STREAM : 0;
    let type: number = FRAMES.HEADERS;
    let offset = 0;
    do {
      const size = Math.min(block.length - offset, maxFrame);
      if (offset + size === block.length) flags |= FLAGS.END_HEADERS;
      this.#frame(type, flags, streamId, block.subarray(offset, offset + size));
      offset += size;
      type = FRAMES.CONTINUATION;
      flags = 0;
    } while (offset < block.length);
  }

  data(streamId: number, payload: Uint8Array, endStream: boolean): void {
    this.#frame(FRAMES.DATA, endStream ? FLAGS.END_STREAM : 0, streamId, payload);
  }

  ping(payload: Uint8Array, isAnswer: boolean): void {
    this.#frame(FRAMES.PING, isAnswer ? FLAGS.ACK : 0, 0, payload);
  }

  windowUpdate(streamId: number, bytes: number): void {
    this.#head(FRAMES.WINDOW_UPDATE, 0, streamId, 4);
    this.#end = this.#piece.writeUInt32BE(bytes, this.#end);
  }

  resetStream(streamId: number, errorCode: number): void {
    this.#head(FRAMES.RST_STREAM, 0, streamId, 4);
    this.#end = this.#piece.writeUInt32BE(errorCode, this.#end);
  }

  /** Servers open no streams here, so the last one that was processed is none. */
  goaway(errorCode: number): void {
    this.#head(FRAMES.GOAWAY, 0, 0, 8);
    this.#end = this.#piece.writeUInt32BE(0, this.#end);
    this.#end = this.#piece.writeUInt32BE(errorCode, this.#end);
  }

  /** Sends what has been written. */
  flush(): void {
    this.#isScheduled = false;
    if (this.#end === this.#start) return;
    const bytes = this.#piece.subarray(this.#start, this.#end);
    this.#start = this.#end;
    if (this.#socket.writable) this.#socket.write(bytes);
  }

  #frame(type: number, flags: number, streamId: number, payload: Uint8Array): void {
    this.#head(type, flags, streamId, payload.length);
    this.#piece.set(payload, this.#end);
    this.#end += payload.length;
  }

  #head(type: number, flags: number, streamId: number, length: number): void {
    this.#reserve(HEAD_BYTES + length);
    const head = this.#piece;
    let end = head.writeUIntBE(length, this.#end, 3);
    head[end++] = type;
    head[end++] = flags;
    end = head.writeUInt32BE(streamId, end);
    this.#end = end;
  }

  /** Makes room behind what is written, which is sent first if a new piece is needed. */
  #reserve(bytes: number): void {
    if (this.#end + bytes > this.#piece.length) {
      this.flush();
      this.#piece = Buffer.allocUnsafeSlow(Math.max(PIECE_BYTES, bytes));
      this.#start = 0;
      this.#end = 0;
    }
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // After the promises of this turn, which send requests too.
    process.nextTick(this.#flushLater);
  }
}

export interface HeadersOptions {
  readonly endStream: boolean;
  /** The largest payload that the server accepts. */
  readonly maxFrame: number;
}
