import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { messageOf } from '../lib/errors.ts';
import {
  CONTROL,
  controlFrame,
  dataHeader,
  FLAG_FIN,
  FrameReader,
  readId,
  type Received,
  words,
} from '../spdy/frames.ts';
import { HeaderEncoder } from '../spdy/headers.ts';
import { SinkWriter } from './sink-writer.ts';
import { StreamsError } from './streams-error.ts';
import { ownBytes, TurnBatch } from './turn-batch.ts';
import type { WebSocketConnection } from './web-socket.ts';

/** The protocol of a port-forward: SPDY, tunnelled through WebSocket. */
export const TUNNEL_PROTOCOLS = ['SPDY/3.1+portforward.k8s.io'] as const;

const MAX_UNREAD_BYTES = 256 * 1024;
const MAX_ERROR_BYTES = 64 * 1024;

/** The reason of a reset by this side. */
const CANCEL = 5;

/**
 * A tunnel to a pod. It serves one connection at a time, so that a slow one delays no other; servers
 * have no flow control within a tunnel.
 */
export class Tunnel {
  readonly #connection: WebSocketConnection;
  readonly #reader = new FrameReader();
  readonly #headers = new HeaderEncoder();
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
    connection.start({
      onPart: (part) => this.#receive(part),
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
    this.#open(errors, { streamtype: 'error', ...headers });
    connection.send(dataHeader(errors, 0, true));
    this.#open(data, { streamtype: 'data', ...headers });
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

  #open(stream: number, headers: Readonly<Record<string, string>>): void {
    const block = this.#headers.encode(headers);
    const ids = [words(stream, 0), Buffer.alloc(2)];
    this.#connection.send(controlFrame(CONTROL.synStream, 0, ...ids, block));
  }

  #receive(part: Buffer): void {
    try {
      this.#reader.push(part);
      for (let next = this.#reader.next(); next !== undefined; next = this.#reader.next()) {
        this.#take(next);
      }
    } catch (cause) {
      const text = `the server broke the rules of SPDY: ${messageOf(cause)}`;
      this.destroy(new StreamsError('STREAMS_PROTOCOL', text, { cause }));
    }
  }

  /** The headers of replies are not read: nothing in them matters here. */
  #take(part: Received): void {
    const current = this.#current;
    if (part.kind === 'data') {
      current?.received(part.stream, part.data);
      if (part.isLast) current?.ended(part.stream);
      return;
    }
    const { type, flags, payload } = part;
    if (type === CONTROL.rstStream) current?.reset(readId(payload), readId(payload, 4));
    else if (type === CONTROL.ping) this.#connection.send(controlFrame(type, 0, payload));
    else if (type === CONTROL.goAway) this.destroy();
    else if (type === CONTROL.synReply && (flags & FLAG_FIN) !== 0) current?.ended(readId(payload));
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
  readonly #batch: TurnBatch;
  #writer: SinkWriter | undefined;
  #message = '';
  #isFull = false;
  #hasEnded = { data: false, errors: false };

  constructor(
    connection: WebSocketConnection,
    streams: ForwardedStreams,
    onClose: (isClean: boolean) => void,
  ) {
    super({ highWaterMark: MAX_UNREAD_BYTES });
    this.#connection = connection;
    this.#streams = streams;
    this.#onClose = onClose;
    this.#batch = new TurnBatch((batch, release) => {
      if (!this.push(ownBytes(batch, release))) this.#pause();
    });
  }

  /**
   * Writes what arrives to a socket instead of handing it out, and ends the socket after it. Call it
   * before anything has been read.
   */
  writeTo(socket: Socket): void {
    const writer = new SinkWriter(socket, {
      pause: () => this.#pause(),
      resume: () => this.#resume(),
    });
    this.#writer = writer;
    this.on('data', (chunk: Buffer) => writer.write(chunk));
    this.once('end', () => {
      writer.end();
      socket.end();
    });
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
      return;
    }
    if (stream !== this.#streams.data || this.#hasEnded.data || data.length === 0) return;
    // What has been handed out before, if anything, comes first.
    if (this.#writer !== undefined && this.readableLength === 0) this.#writer.write(data);
    else this.#batch.add(data);
  }

  /** The server has ended one of its streams. An error is complete then. */
  ended(stream: number): void {
    const { data, errors } = this.#streams;
    if (stream === errors) {
      this.#hasEnded.errors = true;
      if (this.#message !== '') this.#fail(this.#failure());
    } else if (stream === data && !this.#hasEnded.data) {
      this.#hasEnded.data = true;
      this.#batch.flush();
      this.push(null);
    }
  }

  /** The server has cancelled one of its streams. */
  reset(stream: number, status: number): void {
    const { data, errors } = this.#streams;
    if (stream !== data && stream !== errors) return;
    if (this.#message !== '') this.#fail(this.#failure());
    else if (stream === data && !this.#hasEnded.data) {
      const message = `the connection to port ${this.#streams.port} was reset (${status})`;
      this.#fail(new StreamsError('STREAMS_CONNECTION_LOST', message));
    }
  }

  /** The tunnel is gone. */
  lost(cause: unknown): void {
    const message = `the connection to port ${this.#streams.port} was lost with its tunnel`;
    this.#fail(new StreamsError('STREAMS_CONNECTION_LOST', message, { cause }));
  }

  #pause(): void {
    this.#isFull = true;
    this.#connection.pause();
  }

  #resume(): void {
    if (!this.#isFull) return;
    this.#isFull = false;
    this.#connection.resume();
  }

  /** What has arrived is handed out before the error. */
  #fail(error: StreamsError): void {
    this.#batch.flush();
    this.#writer?.flush();
    this.destroy(error);
  }

  override _read(): void {
    if (this.#writer?.isFull !== true) this.#resume();
  }

  override _write(chunk: Buffer, _: string, callback: () => void): void {
    const { data } = this.#streams;
    this.#connection.sendAll((bytes) => dataHeader(data, bytes, false), chunk, callback);
  }

  override _final(callback: () => void): void {
    this.#connection.send(dataHeader(this.#streams.data, 0, true));
    callback();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    const { data, errors } = this.#hasEnded;
    const isClean = error === null && data && errors && this.writableFinished;
    if (!isClean) {
      const ids = words(this.#streams.data, CANCEL);
      this.#connection.send(controlFrame(CONTROL.rstStream, 0, ids));
    }
    this.#batch.clear();
    this.#onClose(isClean);
    callback(error);
  }

  #failure(): StreamsError {
    const message = `forwarding port ${this.#streams.port} failed: ${this.#message}`;
    return new StreamsError('STREAMS_FORWARD_FAILED', message);
  }
}
