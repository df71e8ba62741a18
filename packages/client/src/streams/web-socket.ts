import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { BufferPool } from '../lib/buffer-pool.ts';
import type { Clock, ScheduledCall } from '../lib/clock.ts';
import { messageOf } from '../lib/errors.ts';
import { anySignal, onAbort } from '../lib/signal.ts';
import { readHeaders, writeHeaders } from '../transport/connections/headers.ts';
import { emptyBody } from '../transport/connections/response-body.ts';
import type { TransportResponse, Upgrade, UpgradeConnection } from '../transport/transport.ts';
import { headerOf } from '../rest/failure.ts';
import type { Request } from '../rest/request.ts';
import { encodeFrame } from '../websocket/encode-frame.ts';
import { WebSocketFrameReader } from '../websocket/frame-reader.ts';
import { OPCODE } from '../websocket/opcodes.ts';
import { WebSocketError } from '../websocket/web-socket-error.ts';
import { StreamsError } from './streams-error.ts';

/** Options of {@link openWebSocket}. */
export interface WebSocketOptions {
  /** The subprotocols to offer, best first. */
  readonly protocols: readonly string[];
  readonly clock: Clock;
  /** The period of pings. Default 5 s, as in client-go. */
  readonly pingMs?: number | undefined;
  /** Aborting ends the connection immediately, also after it has been opened. */
  readonly signal?: AbortSignal | undefined;
  /** Aborting ends only the attempt to open it. */
  readonly openSignal?: AbortSignal | undefined;
}

/** Receives what arrives on a {@link WebSocketConnection}. */
export interface WebSocketReceiver {
  /** A part of a binary message, valid until it returns. Only the last part may be empty. */
  onPart(part: Buffer, isFirst: boolean, isLast: boolean): void;
  /** Called once, at the end; without an error if the server closed the connection normally. */
  onEnd(end: { readonly error?: unknown }): void;
}

const PING_MS = 5000;

/** A connection is dead if nothing arrives for this time, although pings ask for an answer. */
const SILENCE_MS = 60_000;

/** How long the server has to answer a close frame. */
const CLOSE_MS = 1000;

/** The codes of a normal end, of a close frame without one, and of an end without a close frame (RFC 6455, 7.4). */
const NORMAL = 1000;
const NO_CODE = 1005;
const ABNORMAL = 1006;

/** Servers send messages of 32 KiB. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** Longer writes are sent in several messages. */
const MAX_SENT_BYTES = 128 * 1024;

/** Shorter messages are sent from memory of their own. */
const MIN_POOLED_BYTES = 4096;

/** A writer waits while more than this is unsent. */
const MAX_UNSENT_BYTES = 128 * 1024;

/** Memory for the frames that are being sent, of all connections. */
const frames = new BufferPool(MAX_SENT_BYTES + 64, 16);

/** Pings are not answered while more than this is unsent. */
const MAX_UNSENT_PONG_BYTES = 64 * 1024;

/**
 * Sends the request as a WebSocket handshake, with the credentials, proxies and certificates of every
 * other request. A refusal of the server is thrown as an `ApiError`. Nothing is read before
 * {@link WebSocketConnection.start}.
 */
export async function openWebSocket(
  request: Request,
  options: WebSocketOptions,
): Promise<WebSocketConnection> {
  const { WebSocket: Implementation } = await import('ws');
  const { protocols } = options;
  let opened: { readonly connection: UpgradeConnection; readonly protocol: string } | undefined;
  const upgrade: Upgrade = async (connection) => {
    const response = await handshake(Implementation, connection, protocols);
    const protocol = headerOf(response.headers, 'sec-websocket-protocol') ?? '';
    if (response.status === 101 && !protocols.includes(protocol)) {
      const chosen = protocol === '' ? 'no protocol' : `the protocol ${JSON.stringify(protocol)}`;
      const message = `the server chose ${chosen}, not ${protocols.join(' or ')}`;
      throw new StreamsError('STREAMS_SUBPROTOCOL', message);
    }
    opened = { connection, protocol };
    return response;
  };
  using either = anySignal([options.signal, options.openSignal]);
  await request.upgrade(upgrade, { signal: either.signal });
  // The request resolves only after an upgrade.
  const { connection, protocol } = opened as unknown as NonNullable<typeof opened>;
  return new WebSocketConnection(connection, protocol, options);
}

/**
 * `ws` opens the connection and leaves it: from then on this module reads and writes the frames,
 * because `ws` copies every message that it receives, and masks byte by byte.
 */
function handshake(
  Implementation: typeof WebSocket,
  { socket, server, path, headers }: UpgradeConnection,
  protocols: readonly string[],
): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    class Handshake extends Implementation {
      /** Called by `ws` with the socket of a valid handshake, and with what came behind it. */
      setSocket(_socket: Duplex, head: Buffer): void {
        if (head.length > 0) socket.unshift(head);
        resolve({ status: 101, headers: readHeaders(rawHeaders), body: emptyBody });
      }
    }
    let rawHeaders: readonly string[] = [];
    // Set here: `ws` refuses the slash in `SPDY/3.1+portforward.k8s.io`, which is not a token.
    const sent = { ...headers, 'sec-websocket-protocol': protocols.join(', ') };
    const opening = new Handshake(`ws://${server}${path}`, [], {
      createConnection: () => socket as never,
      headers: writeHeaders(sent) as Record<string, string>,
      perMessageDeflate: false,
    });
    opening.on('upgrade', (response) => {
      ({ rawHeaders } = response);
      // `ws` refuses a protocol that it has not sent itself.
      delete response.headers['sec-websocket-protocol'];
    });
    opening.once('unexpected-response', (_, response) => {
      const { statusCode: status = 0 } = response;
      response.once('close', () => socket.destroy());
      resolve({ status, headers: readHeaders(response.rawHeaders), body: response });
    });
    // Stays attached: an error without a listener would end the process.
    opening.on('error', (error) => reject(handshakeError(error)));
    socket.on('error', () => undefined);
  });
}

/** Errors of the socket have a code; those about the answer itself have none. */
function handshakeError(error: Error): Error {
  if ('code' in error) return error;
  const message = `the server's answer to the WebSocket handshake is invalid: ${error.message}`;
  return new StreamsError('STREAMS_HANDSHAKE', message, { cause: error });
}

/**
 * An open WebSocket. It pings the server, notices a dead connection, and ends once: with the close
 * frame of the server, with an error, by {@link destroy} or by its signal.
 */
export class WebSocketConnection {
  /** The subprotocol that the server chose. */
  readonly protocol: string;
  readonly #socket: Duplex;
  readonly #clock: Clock;
  readonly #pingMs: number;
  readonly #abort: Disposable;
  #receiver: WebSocketReceiver | undefined;
  #end: { readonly error?: unknown } | undefined;
  #ping: ScheduledCall | undefined;
  #closing: ScheduledCall | undefined;
  #silentMs = 0;
  /** The server no longer reads. */
  #isDeaf = false;

  constructor(
    { socket, receive }: Pick<UpgradeConnection, 'receive' | 'socket'>,
    protocol: string,
    { clock, pingMs = PING_MS, signal }: WebSocketOptions,
  ) {
    this.#socket = socket;
    this.protocol = protocol;
    this.#clock = clock;
    this.#pingMs = pingMs;
    socket.pause();
    readAfterWriteErrors(socket, () => {
      this.#isDeaf = true;
    });
    const reader = new WebSocketFrameReader(
      {
        onPart: (part, isFirst, isLast, isText) => {
          if (isText) throw new StreamsError('STREAMS_PROTOCOL', 'the server sent a text message');
          if (this.#end === undefined) this.#receiver?.onPart(part, isFirst, isLast);
        },
        onControl: (opcode, payload) => this.#receiveControl(opcode, payload),
      },
      { isMasked: false, maxMessageBytes: MAX_MESSAGE_BYTES },
    );
    receive((bytes) => this.#received(reader, bytes));
    socket.on('error', (error) => this.destroy(connectionFailure(error)));
    socket.on('end', () => this.#closed(ABNORMAL));
    socket.on('close', () => this.#closed(ABNORMAL));
    this.#abort = onAbort(signal, () => this.destroy(signal?.reason));
    this.#schedulePing();
  }

  get #isOpen(): boolean {
    return this.#end === undefined && this.#closing === undefined && !this.#isDeaf;
  }

  /** True after the end. */
  get isOver(): boolean {
    return this.#end !== undefined;
  }

  /** The number of bytes that wait to be sent. */
  get bufferedBytes(): number {
    return this.#socket.writableLength;
  }

  /** Starts reading. If the connection has ended meanwhile, the receiver is notified immediately. */
  start(receiver: WebSocketReceiver): void {
    this.#receiver = receiver;
    if (this.#end === undefined) this.#socket.resume();
    else receiver.onEnd(this.#end);
  }

  /**
   * Sends the prefix and the data as one binary message. `onSent` is called when the socket has taken
   * it, or at the end. The data is copied.
   */
  send(prefix: Uint8Array, data: Uint8Array = NO_BYTES, onSent?: () => void): void {
    if (!this.#isOpen) {
      onSent?.();
      return;
    }
    const into = data.length < MIN_POOLED_BYTES ? undefined : frames.take();
    const frame = encodeFrame(OPCODE.binary, prefix, data, { isMasked: true, into });
    this.#socket.write(frame, () => {
      if (into !== undefined) frames.release(into);
      onSent?.();
    });
  }

  /**
   * Sends data in messages of limited size, each with a prefix, and calls back when there is room for
   * more. The data is copied by then. The socket takes a message at a time, so that there is time to
   * read, and TLS need not join them.
   */
  sendAll(prefixOf: (bytes: number) => Uint8Array, data: Uint8Array, onRoom: () => void): void {
    let sent = 0;
    const next = (): void => {
      while (sent < data.length && this.#isOpen) {
        const part = data.subarray(sent, sent + MAX_SENT_BYTES);
        sent += part.length;
        const hasRoom = this.bufferedBytes + part.length <= MAX_UNSENT_BYTES;
        if (!hasRoom) return this.send(prefixOf(part.length), part, next);
        this.send(prefixOf(part.length), part);
      }
      onRoom();
    };
    next();
  }

  /** Stops reading; the window of TCP then stops the server. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Sends a close frame, and ends when the server has answered it. */
  close(): void {
    if (this.#end !== undefined || this.#closing !== undefined) return;
    this.#socket.resume();
    this.#sendControl(OPCODE.close, closePayload(NORMAL));
    this.#closing = this.#clock.schedule(CLOSE_MS, () => this.destroy(), { background: true });
  }

  /** Ends immediately. */
  destroy(error?: unknown): void {
    this.#finish(error === undefined ? {} : { error });
  }

  #received(reader: WebSocketFrameReader, chunk: Buffer): void {
    if (this.#end !== undefined) return;
    this.#silentMs = 0;
    try {
      reader.push(chunk);
    } catch (error) {
      this.destroy(error instanceof WebSocketError ? brokenRule(error) : error);
    }
  }

  #receiveControl(opcode: number, payload: Buffer): void {
    if (this.#end !== undefined) return;
    if (opcode === OPCODE.ping) {
      if (this.bufferedBytes <= MAX_UNSENT_PONG_BYTES) this.#sendControl(OPCODE.pong, payload);
    } else if (opcode === OPCODE.close) {
      if (this.#closing === undefined) this.#sendControl(OPCODE.close, payload.subarray(0, 2));
      this.#endSocket();
      this.#closed(payload.length < 2 ? NO_CODE : payload.readUInt16BE(0), payload.subarray(2));
    }
  }

  #sendControl(opcode: number, payload: Buffer): void {
    this.#socket.write(encodeFrame(opcode, NO_BYTES, payload, { isMasked: true }));
  }

  #closed(code: number, reason: Buffer = Buffer.alloc(0)): void {
    if (code === NORMAL) return this.#finish({});
    const why = reason.length === 0 ? '' : `: ${JSON.stringify(reason.toString())}`;
    const message = `the connection was closed with code ${code}${why}`;
    this.#finish({ error: new StreamsError('STREAMS_CONNECTION_LOST', message) });
  }

  #finish(end: { readonly error?: unknown }): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#ping?.cancel();
    this.#closing?.cancel();
    this.#abort[Symbol.dispose]();
    if (!this.#socket.writableEnded) this.#socket.destroy();
    this.#receiver?.onEnd(end);
  }

  /** Closes the socket after the answer to a close frame, or later if the server does not read it. */
  #endSocket(): void {
    const socket = this.#socket;
    const destroy = (): void => void socket.destroy();
    const late = this.#clock.schedule(CLOSE_MS, destroy, { background: true });
    socket.once('close', () => late.cancel()).end(destroy);
  }

  /** Answers cannot be expected while the reader is slow and nothing is read. */
  #schedulePing(): void {
    if (this.#end !== undefined) return;
    const ping = (): void => {
      this.#silentMs = this.#socket.isPaused() ? 0 : this.#silentMs + this.#pingMs;
      if (this.#silentMs > SILENCE_MS) {
        const message = `the connection did not answer for ${SILENCE_MS / 1000} s`;
        return this.destroy(new StreamsError('STREAMS_CONNECTION_LOST', message));
      }
      this.#sendControl(OPCODE.ping, Buffer.alloc(0));
      this.#schedulePing();
    };
    this.#ping = this.#clock.schedule(this.#pingMs, ping, { background: true });
  }
}

/**
 * Goes on reading from a socket that can no longer be written to. Servers close the connection when a
 * command has ended, whether or not they have read its input; without this, the failed write would
 * destroy the socket before the Status is read from it.
 */
function readAfterWriteErrors(socket: Duplex, onError: () => void): void {
  const tolerant = (callback: Callback): Callback => {
    return (error) => {
      const code: unknown = error && Reflect.get(error, 'code');
      if (code !== 'EPIPE' && code !== 'ECONNRESET') return callback(error);
      onError();
      callback();
    };
  };
  const write = socket._write.bind(socket);
  socket._write = (chunk, encoding, callback) => write(chunk, encoding, tolerant(callback));
  const writeMany = socket._writev?.bind(socket);
  if (writeMany === undefined) return;
  socket._writev = (chunks, callback) => writeMany(chunks, tolerant(callback));
}

type Callback = (error?: Error | null) => void;

const NO_BYTES = new Uint8Array();

function brokenRule(cause: WebSocketError): StreamsError {
  const isTooLarge = cause.code === 'WEBSOCKET_MESSAGE_TOO_LARGE';
  const code = isTooLarge ? 'STREAMS_FRAME_TOO_LARGE' : 'STREAMS_PROTOCOL';
  const message = `the server broke the rules of WebSocket: ${cause.message}`;
  return new StreamsError(code, message, { cause });
}

function closePayload(code: number): Buffer {
  const payload = Buffer.alloc(2);
  payload.writeUInt16BE(code);
  return payload;
}

function connectionFailure(error: Error): StreamsError {
  const message = `the connection was lost: ${messageOf(error)}`;
  return new StreamsError('STREAMS_CONNECTION_LOST', message, { cause: error });
}
