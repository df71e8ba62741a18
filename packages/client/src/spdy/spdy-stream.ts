import { Duplex } from 'node:stream';

import { Deferred } from '../lib/index.ts';
import type { SpdyHeaders } from './headers.ts';
import { SpdyError } from './spdy-error.ts';

/** How a stream sends its frames. */
export interface StreamWires {
  /** Sends data, and calls back when there is room for more. */
  data(stream: number, chunk: Buffer, isLast: boolean, done: () => void): void;
  /** Resets the stream. */
  reset(stream: number): void;
  /** Called once when both directions are closed. */
  closed(stream: number): void;
}

/**
 * One stream of a SPDY connection. `end` closes only this direction; `destroy` resets the stream.
 * It ends when the other side has closed its direction, and fails with a {@link SpdyError} when the
 * other side resets it.
 */
export class SpdyStream extends Duplex {
  readonly id: number;
  /** The headers with which the stream was opened. */
  readonly headers: SpdyHeaders;
  readonly #wires: StreamWires;
  readonly #accepted = new Deferred();
  #onRoom: (() => void) | undefined;
  /** True if the stream is over for the other side as well. */
  #isOver = false;
  #hasEnded = false;
  #isReset = false;

  /** Only a connection creates streams. */
  constructor(id: number, headers: SpdyHeaders, wires: StreamWires) {
    super({ allowHalfOpen: true, autoDestroy: true });
    this.id = id;
    this.headers = headers;
    this.#wires = wires;
    this.#accepted.promise.catch(() => undefined);
    // A reset must not end the process if nothing listens.
    this.on('error', () => undefined);
  }

  /** Resolves when the other side has accepted the stream; rejects if it has not. */
  get accepted(): Promise<void> {
    return this.#accepted.promise;
  }

  /** True if the other side has reset the stream, or its connection was lost. */
  get isReset(): boolean {
    return this.#isReset;
  }

  /** Called by the connection. */
  accept(): void {
    this.#accepted.resolve();
  }

  /** Called by the connection with received data. Resolves when there is room for more. */
  async receive(data: Buffer, isLast: boolean): Promise<void> {
    if (this.destroyed || this.#hasEnded) return;
    const hasRoom = data.length === 0 || this.push(data);
    if (isLast) {
      this.#hasEnded = true;
      this.push(null);
    }
    if (hasRoom || isLast) return;
    await new Promise<void>((resolve) => {
      this.#onRoom = resolve;
    });
  }

  /** Called by the connection when it is over. What was received completely can still be read. */
  abandon(reason: string): void {
    if (!this.#hasEnded) {
      this.fail(reason);
      return;
    }
    this.#isOver = true;
    this.end();
  }

  /** Called by the connection when the other side has reset the stream. */
  fail(reason: string): void {
    this.#isOver = true;
    this.#isReset = true;
    this.destroy(new SpdyError(reason));
  }

  override _read(): void {
    this.#room();
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.#wires.data(this.id, chunk, false, done);
  }

  override _final(done: () => void): void {
    this.#wires.data(this.id, Buffer.alloc(0), true, done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#room();
    this.#accepted.reject(error ?? new SpdyError('the stream was closed before it was accepted'));
    const isClean = this.#hasEnded && this.writableFinished;
    if (!this.#isOver && !isClean) this.#wires.reset(this.id);
    this.#isOver = true;
    this.#wires.closed(this.id);
    done(error);
  }

  #room(): void {
    this.#onRoom?.();
    this.#onRoom = undefined;
  }
}
