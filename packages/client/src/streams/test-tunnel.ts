import { constants, inflateRawSync, inflateSync } from 'node:zlib';
import type { WebSocket } from 'ws';
import { DICTIONARY } from '../spdy/headers.ts';

/** A stream as the server has it. */
export interface TestStream {
  readonly id: number;
  readonly headers: ReadonlyMap<string, string>;
}

/** The server's side of a tunnel, as a test directs. */
export class TestTunnel {
  readonly #socket: WebSocket;
  readonly #handlers: TestTunnelHandlers;
  #pending: Buffer = Buffer.alloc(0);
  #isFirst = true;

  private constructor(socket: WebSocket, handlers: TestTunnelHandlers) {
    this.#socket = socket;
    this.#handlers = handlers;
  }

  static serve(socket: WebSocket, handlers: TestTunnelHandlers): void {
    const tunnel = new TestTunnel(socket, handlers);
    socket.on('message', (message: Buffer) => tunnel.#receive(message));
  }

  send(stream: number, data: string | Uint8Array, isLast = false): void {
    const payload = Buffer.from(data);
    const head = Buffer.alloc(8);
    head.writeUInt32BE(stream, 0);
    head.writeUInt8(isLast ? 1 : 0, 4);
    head.writeUIntBE(payload.length, 5, 3);
    this.#socket.send(Buffer.concat([head, payload]));
  }

  reset(stream: number): void {
    const body = Buffer.alloc(8);
    body.writeUInt32BE(stream, 0);
    body.writeUInt32BE(2, 4);
    this.#control(3, body);
  }

  #control(type: number, body: Buffer): void {
    const head = Buffer.from([0x80, 0x03, 0, type, 0, 0, 0, body.length]);
    this.#socket.send(Buffer.concat([head, body]));
  }

  #receive(message: Buffer): void {
    let rest = Buffer.concat([this.#pending, message]);
    while (rest.length >= 8 && rest.length >= 8 + rest.readUIntBE(5, 3)) {
      const size = 8 + rest.readUIntBE(5, 3);
      this.#frame(rest.subarray(0, size));
      rest = rest.subarray(size);
    }
    this.#pending = rest;
  }

  #frame(frame: Buffer): void {
    const body = frame.subarray(8);
    if ((frame[0] ?? 0) < 0x80) {
      this.#handlers.onData?.(this, frame.readUInt32BE(0), body, (frame[4] ?? 0) === 1);
    } else if (frame.readUInt16BE(2) === 1) {
      const id = body.readUInt32BE(0);
      const reply = Buffer.alloc(4);
      reply.writeUInt32BE(id);
      this.#control(2, reply);
      this.#handlers.onStream?.(this, { id, headers: this.#headers(body.subarray(10)) });
    } else if (frame.readUInt16BE(2) === 3) this.#handlers.onReset?.(body.readUInt32BE(0));
  }

  #headers(block: Buffer): Map<string, string> {
    const options = { finishFlush: constants.Z_SYNC_FLUSH, dictionary: DICTIONARY };
    const plain = (this.#isFirst ? inflateSync : inflateRawSync)(block, options);
    this.#isFirst = false;
    const headers = new Map<string, string>();
    let at = 4;
    const text = (): string => {
      const end = at + 4 + plain.readUInt32BE(at);
      const value = plain.subarray(at + 4, end).toString();
      at = end;
      return value;
    };
    while (at < plain.length) headers.set(text(), text());
    return headers;
  }
}

export interface TestTunnelHandlers {
  onStream?(tunnel: TestTunnel, stream: TestStream): void;
  onData?(tunnel: TestTunnel, stream: number, data: Buffer, isLast: boolean): void;
  onReset?(stream: number): void;
}

/** Sends everything back, and ends when the client does, as a pod with an echo server. */
export const echo: TestTunnelHandlers = {
  onData: (tunnel, stream, data, isLast) => {
    // The error stream has the lower id of the two, and ends with its connection.
    if (stream % 4 === 1) return;
    if (data.length > 0) tunnel.send(stream, data);
    if (!isLast) return;
    tunnel.send(stream, '', true);
    tunnel.send(stream - 2, '', true);
  },
};
