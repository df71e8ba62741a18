import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import type { Clock, ScheduledCall } from '../lib/clock.ts';
import { messageOf } from '../lib/errors.ts';
import { anySignal, onAbort } from '../lib/signal.ts';
import { readHeaders, writeHeaders } from '../transport/connections/headers.ts';
import { emptyBody } from '../transport/connections/response-body.ts';
import type { TransportResponse, Upgrade, UpgradeConnection } from '../transport/transport.ts';
import { headerOf } from '../rest/failure.ts';
import type { Request } from '../rest/request.ts';
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
  /** A binary message. Its bytes are not reused. */
  onMessage(message: Buffer): void;
  /** Called once, at the end; without an error if the server closed the connection normally. */
  onEnd(end: { readonly error?: unknown }): void;
}

const PING_MS = 5000;

/** A connection is dead if nothing arrives for this time, although pings ask for an answer. */
const SILENCE_MS = 60_000;

/** Servers send messages of 32 KiB. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** How long the server has to answer a close frame. */
const CLOSE_MS = 1000;

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
  let opened: { readonly socket: WebSocket; readonly protocol: string } | undefined;
  const upgrade: Upgrade = async (connection) => {
    const { server, path, headers } = connection;
    // Set here: `ws` refuses the slash in `SPDY/3.1+portforward.k8s.io`, which is not a token.
    const sent = { ...headers, 'sec-websocket-protocol': protocols.join(', ') };
    const socket = new Implementation(`ws://${server}${path}`, [], {
      createConnection: () => connection.socket as never,
      headers: writeHeaders(sent) as Record<string, string>,
      perMessageDeflate: false,
      maxPayload: MAX_MESSAGE_BYTES,
    });
    const response = await handshake(socket, connection);
    const protocol = headerOf(response.headers, 'sec-websocket-protocol') ?? '';
    if (response.status === 101 && !protocols.includes(protocol)) {
      const chosen = protocol === '' ? 'no protocol' : `the protocol ${JSON.stringify(protocol)}`;
      const message = `the server chose ${chosen}, not ${protocols.join(' or ')}`;
      throw new StreamsError('STREAMS_SUBPROTOCOL', message);
    }
    opened = { socket, protocol };
    return response;
  };
  using either = anySignal([options.signal, options.openSignal]);
  await request.upgrade(upgrade, { signal: either.signal });
  // The request resolves only after an upgrade.
  const { socket, protocol } = opened as unknown as NonNullable<typeof opened>;
  return new WebSocketConnection(socket, protocol, options);
}

function handshake(socket: WebSocket, connection: UpgradeConnection): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    let head: IncomingMessage | undefined;
    socket.on('upgrade', (response) => {
      head = response;
      // `ws` refuses a protocol that it has not sent itself.
      delete response.headers['sec-websocket-protocol'];
    });
    socket.once('open', () => {
      socket.pause();
      resolve({ status: 101, headers: readHeaders(head?.rawHeaders ?? []), body: emptyBody });
    });
    socket.once('unexpected-response', (_, response) => {
      const { statusCode: status = 0, rawHeaders } = response;
      response.once('close', () => connection.socket.destroy());
      resolve({ status, headers: readHeaders(rawHeaders), body: response });
    });
    // Stays attached: an error without a listener would end the process.
    socket.on('error', (error) => reject(handshakeError(error)));
  });
}

/** Errors of the socket have a code; those about the answer itself have none. */
function handshakeError(error: Error): Error {
  if ('code' in error) return error;
  const message = `the server's answer to the WebSocket handshake is invalid: ${error.message}`;
  return new StreamsError('STREAMS_HANDSHAKE', message, { cause: error });
}

/**
 * The part of a socket of `ws` that a connection uses. Spelled out, because this type is in the
 * declarations of the package, and its users need not have the types of `ws`.
 */
interface MessageSocket {
  readonly bufferedAmount: number;
  readonly isPaused: boolean;
  on(event: 'message', listener: (data: unknown, isBinary: boolean) => void): unknown;
  on(event: 'ping' | 'pong', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'close', listener: (code: number, reason: Buffer) => void): unknown;
  send(message: Uint8Array, options: { binary: boolean }, onSent?: () => void): void;
  ping(): void;
  pause(): void;
  resume(): void;
  close(code: number): void;
  terminate(): void;
}

/**
 * An open WebSocket. It pings the server, notices a dead connection, and ends once: with the close
 * frame of the server, with an error, by {@link destroy} or by its signal.
 */
export class WebSocketConnection {
  /** The subprotocol that the server chose. */
  readonly protocol: string;
  readonly #socket: MessageSocket;
  readonly #clock: Clock;
  readonly #pingMs: number;
  readonly #abort: Disposable;
  #receiver: WebSocketReceiver | undefined;
  #end: { readonly error?: unknown } | undefined;
  #ping: ScheduledCall | undefined;
  #closing: ScheduledCall | undefined;
  #silentMs = 0;

  constructor(
    socket: MessageSocket,
    protocol: string,
    { clock, pingMs = PING_MS, signal }: WebSocketOptions,
  ) {
    this.#socket = socket;
    this.protocol = protocol;
    this.#clock = clock;
    this.#pingMs = pingMs;
    const heard = (): void => {
      this.#silentMs = 0;
    };
    socket.on('message', (data, isBinary) => {
      heard();
      this.#received(data as Buffer, isBinary);
    });
    socket.on('pong', heard);
    socket.on('ping', heard);
    socket.on('error', (error) => this.destroy(connectionFailure(error)));
    socket.on('close', (code, reason) => this.#closed(code, reason.toString()));
    this.#abort = onAbort(signal, () => this.destroy(signal?.reason));
    this.#schedulePing();
  }

  /** True after the end. */
  get isOver(): boolean {
    return this.#end !== undefined;
  }

  /** The number of bytes that wait to be sent. */
  get bufferedBytes(): number {
    return this.#socket.bufferedAmount;
  }

  /** Starts reading. If the connection has ended meanwhile, the receiver is notified immediately. */
  start(receiver: WebSocketReceiver): void {
    this.#receiver = receiver;
    if (this.#end === undefined) this.#socket.resume();
    else receiver.onEnd(this.#end);
  }

  /** Sends a binary message. `onSent` is called when the socket has taken it, or at the end. */
  send(message: Uint8Array, onSent: () => void = () => undefined): void {
    if (this.#end === undefined) this.#socket.send(message, { binary: true }, onSent);
    else onSent();
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
    if (this.#end !== undefined) return;
    this.#socket.resume();
    this.#socket.close(1000);
    this.#closing ??= this.#clock.schedule(CLOSE_MS, () => this.destroy(), { background: true });
  }

  /** Ends immediately. */
  destroy(error?: unknown): void {
    this.#finish(error === undefined ? {} : { error });
  }

  #received(message: Buffer, isBinary: boolean): void {
    if (this.#end !== undefined) return;
    if (isBinary) this.#receiver?.onMessage(message);
    else this.destroy(new StreamsError('STREAMS_PROTOCOL', 'the server sent a text message'));
  }

  #closed(code: number, reason: string): void {
    if (code === 1000) return this.#finish({});
    const why = reason === '' ? '' : `: ${JSON.stringify(reason)}`;
    const message = `the connection was closed with code ${code}${why}`;
    this.#finish({ error: new StreamsError('STREAMS_CONNECTION_LOST', message) });
  }

  #finish(end: { readonly error?: unknown }): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#ping?.cancel();
    this.#closing?.cancel();
    this.#abort[Symbol.dispose]();
    this.#socket.terminate();
    this.#receiver?.onEnd(end);
  }

  /** Answers cannot be expected while the reader is slow and nothing is read. */
  #schedulePing(): void {
    if (this.#end !== undefined) return;
    const ping = (): void => {
      this.#silentMs = this.#socket.isPaused ? 0 : this.#silentMs + this.#pingMs;
      if (this.#silentMs > SILENCE_MS) {
        const message = `the connection did not answer for ${SILENCE_MS / 1000} s`;
        return this.destroy(new StreamsError('STREAMS_CONNECTION_LOST', message));
      }
      this.#socket.ping();
      this.#schedulePing();
    };
    this.#ping = this.#clock.schedule(this.#pingMs, ping, { background: true });
  }
}

function connectionFailure(error: Error): StreamsError {
  const code = String(Reflect.get(error, 'code') ?? '');
  const options = { cause: error };
  if (
    code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH' ||
    code === 'WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH'
  ) {
    const message = `the server sent a message of more than ${MAX_MESSAGE_BYTES} bytes`;
    return new StreamsError('STREAMS_FRAME_TOO_LARGE', message, options);
  }
  if (code.startsWith('WS_ERR_')) {
    const message = `the server sent an invalid frame: ${messageOf(error)}`;
    return new StreamsError('STREAMS_PROTOCOL', message, options);
  }
  const message = `the connection was lost: ${messageOf(error)}`;
  return new StreamsError('STREAMS_CONNECTION_LOST', message, options);
}
