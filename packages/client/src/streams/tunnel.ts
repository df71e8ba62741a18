import { Duplex } from 'node:stream';
import { dataFrame, openStream, resetStream, SpdyParser } from './spdy.ts';
import { StreamsError } from './streams-error.ts';
import type { WebSocketConnection } from './web-socket.ts';

/** The protocol of a port-forward: SPDY, tunnelled through WebSocket. */
export const TUNNEL_PROTOCOLS = ['SPDY/3.1+portforward.k8s.io'] as const;

const MAX_SENT_BYTES = 64 * 1024;
const MAX_UNSENT_BYTES = 512 * 1024;
const MAX_UNREAD_BYTES = 256 * 1024;
const MAX_ERROR_BYTES = 64 * 1024;

/**
 * A tunnel to a pod. It serves one connection at a time, so that a slow one delays no other; servers
 * have no flow control within a tunnel.
 */
export class Tunnel {
  readonly #connection: WebSocketConnection;
  readonly #parser: SpdyParser;
  readonly #onIdle: (tunnel: Tunnel) => void;
  readonly #onEnd: (tunnel: Tunnel) => void;
  #current: ForwardedConnection | undefined;
  #nextStream = 1;

  /** `onIdle` is called when it can serve another connection, `onEnd` when it is closed. */
  constructor(
    connection: WebSocketConnection,
    onIdle: (tunnel: Tunnel) => void,
    onEnd: (tunnel: Tunnel) => void,
  ) {
    this.#connection = connection;
    this.#onIdle = onIdle;
    this.#onEnd = onEnd;
    this.#parser = new SpdyParser({
      onData: (stream, data) => this.#current?.received(stream, data),
      onEnd: (stream) => this.#current?.ended(stream),
      onReset: (stream, status) => this.#current?.reset(stream, status),
      onPing: (frame) => connection.send(frame),
      onGoAway: () => this.destroy(),
    });
    connection.start({
      onMessage: (message) => this.#receive(message),
      onEnd: ({ error }) => {
        this.#current?.lost(error);
        this.#onEnd(this);
      },
    });
  }

  /** Connects to a port of the pod. Call it only when the tunnel is idle. */
  connect(port: number): ForwardedConnection {
    const errors = this.#nextStream;
    const data = errors + 2;
    this.#nextStream += 4;
    const headers = { port: String(port), requestid: String((errors - 1) / 4) };
    const connection = this.#connection;
    connection.send(openStream(errors, { streamtype: 'error', ...headers }, errors === 1));
    connection.send(dataFrame(errors, Buffer.alloc(0), true));
    connection.send(openStream(data, { streamtype: 'data', ...headers }, false));
    this.#current = new ForwardedConnection(connection, { port, errors, data }, (isClean) => {
      this.#current = undefined;
      connection.resume();
      if (isClean && !connection.isOver) this.#onIdle(this);
      else this.destroy();
    });
    return this.#current;
  }

  destroy(error?: unknown): void {
    this.#connection.destroy(error);
  }

  #receive(message: Buffer): void {
    try {
      this.#parser.push(message);
    } catch (error) {
      this.destroy(error);
    }
  }
}

interface ForwardedStreams {
  readonly port: number;
  /** The ids of its two streams. */
  readonly errors: number;
  readonly data: number;
}

/**
 * A connection to a port of a pod. Ending it is a half-close, which the program in the pod sees. The
 * methods of a socket that HTTP clients call have no effect.
 */
export class ForwardedConnection extends Duplex {
  readonly #connection: WebSocketConnection;
  readonly #streams: ForwardedStreams;
  readonly #onClose: (isClean: boolean) => void;
  #message = '';
  #isFull = false;
  #hasEnded = { data: false, errors: false };

  constructor(
    connection: WebSocketConnection,
    streams: ForwardedStreams,
    onClose: (isClean: boolean) => void,
  ) {
    super({ readableHighWaterMark: MAX_UNREAD_BYTES, writableHighWaterMark: MAX_SENT_BYTES });
    this.#connection = connection;
    this.#streams = streams;
    this.#onClose = onClose;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  setTimeout(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  /** Data of one of its streams has arrived. */
  received(stream: number, data: Buffer): void {
    if (stream === this.#streams.errors) {
      if (this.#message.length < MAX_ERROR_BYTES) this.#message += data.toString();
    } else if (stream === this.#streams.data && !this.push(data)) {
      this.#isFull = true;
      this.#connection.pause();
    }
  }

  /** The server has ended one of its streams. An error is complete then. */
  ended(stream: number): void {
    const { data, errors } = this.#streams;
    if (stream === errors) {
      this.#hasEnded.errors = true;
      if (this.#message !== '') this.destroy(this.#failure());
    } else if (stream === data && !this.#hasEnded.data) {
      this.#hasEnded.data = true;
      this.push(null);
    }
  }

  /** The server has cancelled one of its streams. */
  reset(stream: number, status: number): void {
    const { data, errors } = this.#streams;
    if (stream !== data && stream !== errors) return;
    if (this.#message !== '') this.destroy(this.#failure());
    else if (stream === data && !this.#hasEnded.data) {
      const message = `the connection to port ${this.#streams.port} was reset (${status})`;
      this.destroy(new StreamsError('STREAMS_CONNECTION_LOST', message));
    }
  }

  /** The tunnel is gone. */
  lost(cause: unknown): void {
    const message = `the connection to port ${this.#streams.port} was lost with its tunnel`;
    this.destroy(new StreamsError('STREAMS_CONNECTION_LOST', message, { cause }));
  }

  override _read(): void {
    if (!this.#isFull) return;
    this.#isFull = false;
    this.#connection.resume();
  }

  override _write(chunk: Buffer, _: string, callback: () => void): void {
    const connection = this.#connection;
    const { data } = this.#streams;
    for (let at = 0; at < chunk.length; at += MAX_SENT_BYTES) {
      const frame = dataFrame(data, chunk.subarray(at, at + MAX_SENT_BYTES), false);
      const isLast = at + MAX_SENT_BYTES >= chunk.length;
      const isWaiting = isLast && connection.bufferedBytes > MAX_UNSENT_BYTES;
      connection.send(frame, isWaiting ? callback : undefined);
      if (isLast && !isWaiting) callback();
    }
    if (chunk.length === 0) callback();
  }

  override _final(callback: () => void): void {
    this.#connection.send(dataFrame(this.#streams.data, Buffer.alloc(0), true));
    callback();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    const { data, errors } = this.#hasEnded;
    const isClean = error === null && data && errors && this.writableFinished;
    if (!isClean) this.#connection.send(resetStream(this.#streams.data));
    this.#onClose(isClean);
    callback(error);
  }

  #failure(): StreamsError {
    const message = `forwarding port ${this.#streams.port} failed: ${this.#message}`;
    return new StreamsError('STREAMS_FORWARD_FAILED', message);
  }
}
