import { Duplex } from 'node:stream';

import type { RawData, WebSocket } from 'ws';

import { bufferOf } from './channels.ts';

/** The bytes of binary messages as a stream: what is tunnelled through a WebSocket. */
export class WebSocketDuplex extends Duplex {
  readonly #socket: WebSocket;

  constructor(socket: WebSocket) {
    super({ allowHalfOpen: false });
    this.#socket = socket;
    socket.on('message', (data: RawData) => {
      if (!this.push(bufferOf(data))) socket.pause();
    });
    socket.on('close', () => {
      this.push(null);
      this.destroy();
    });
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.#send(chunk, done);
  }

  override _writev(
    chunks: readonly { readonly chunk: Buffer; readonly encoding: BufferEncoding }[],
    done: () => void,
  ): void {
    this.#send(Buffer.concat(chunks.map(({ chunk }) => chunk)), done);
  }

  override _final(done: () => void): void {
    this.#socket.close(1000);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.resume();
    this.#socket.close(1000);
    done(error);
  }

  #send(data: Buffer, done: () => void): void {
    const socket = this.#socket;
    if (socket.readyState === socket.OPEN) socket.send(data, { binary: true }, () => done());
    else done();
  }
}
