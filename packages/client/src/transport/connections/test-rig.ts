import { once } from 'node:events';
import {
  createServer as createHttp1Server,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import {
  constants,
  createServer as createHttp2Server,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

import { type Clock, systemClock } from '../../lib/clock.ts';
import { TransportError } from '../transport-error.ts';
import type { TransportRequest, TransportResponse } from '../transport.ts';
import type { OpenSocket, Protocol } from './connection.ts';
import { Http1Connection } from './http1-connection.ts';
import { assumedStreamLimit, Http2Connection } from './http2-connection.ts';
import { ConnectionPool } from './pool.ts';

export const protocols: readonly Protocol[] = ['http/1.1', 'h2'];

/** One request as the server has it, and the ways to answer it. */
export interface Call {
  readonly method: string;
  readonly path: string;
  /** Names and values, interleaved. */
  readonly rawHeaders: readonly string[];
  readonly input: Readable;
  readonly output: Writable;
  readonly socket: Socket;
  head(status: number, headers?: Record<string, string | string[]>): void;
  /** Sends head and body together. */
  answer(status: number, body?: string, headers?: Record<string, string | string[]>): void;
  /** Resolves when the server has closed the exchange, whichever side ended it. */
  readonly closed: Promise<unknown>;
}

/** A server without TLS for either protocol, whose sockets are in the test's hands. */
export class TestServer implements AsyncDisposable {
  readonly port: number;
  readonly sockets: Set<Socket> = new Set();
  readonly sessions: ServerHttp2Session[] = [];
  readonly #close: () => Promise<void>;
  accepted = 0;

  private constructor(port: number, close: () => Promise<void>) {
    this.port = port;
    this.#close = close;
  }

  static async start(
    protocol: Protocol,
    serve: (call: Call) => void,
    settings: { readonly maxConcurrentStreams?: number } = {},
  ): Promise<TestServer> {
    const server =
      protocol === 'http/1.1'
        ? createHttp1Server((request, response) => serve(http1Call(request, response)))
        : createHttp2Server({ settings });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const result = new TestServer(port, async () => {
      for (const socket of result.sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    });
    server.on('connection', (socket: Socket) => {
      result.accepted += 1;
      result.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => result.sockets.delete(socket));
    });
    server.on('session', (session: ServerHttp2Session) => {
      session.on('error', () => undefined);
      result.sessions.push(session);
    });
    server.on('stream', (stream: ServerHttp2Stream, _: unknown, __: unknown, raw: string[]) => {
      stream.on('error', () => undefined);
      const [socket] = [...result.sockets].slice(-1) as [Socket];
      serve(http2Call(stream, raw, socket));
    });
    return result;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }
}

function http1Call(request: IncomingMessage, response: ServerResponse): Call {
  response.on('error', () => undefined);
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    rawHeaders: request.rawHeaders,
    input: request,
    output: response,
    socket: request.socket,
    head: (status, headers = {}) => {
      response.writeHead(status, headers);
      response.flushHeaders();
    },
    answer: (status, body = '', headers = {}) => {
      response.writeHead(status, headers);
      response.end(body);
    },
    closed: new Promise((resolve) => response.on('close', resolve)),
  };
}

function http2Call(stream: ServerHttp2Stream, raw: string[], socket: Socket): Call {
  const pseudo = (name: string): string => raw[raw.indexOf(name) + 1] ?? '';
  return {
    method: pseudo(':method'),
    path: pseudo(':path'),
    rawHeaders: raw,
    input: stream,
    output: stream,
    socket,
    head: (status, headers = {}) => stream.respond({ ':status': status, ...headers }),
    answer: (status, body = '', headers = {}) => {
      stream.respond({ ':status': status, ...headers });
      // Node has ended it itself if there can be no body.
      if (!stream.writableEnded) stream.end(body);
    },
    closed: new Promise((resolve) => stream.on('close', resolve)),
  };
}

/**
 * Resolves when everything that was written to sockets of this process has arrived: a byte that is
 * sent later has made its way there and back.
 */
export async function allArrived(): Promise<void> {
  const server = createTcpServer((socket) => void socket.pipe(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  socket.end('.');
  await text(socket);
  server.close();
  await once(server, 'close');
}

/** Refuses an HTTP/2 stream as a server does that has not looked at it. */
export function refuse(call: Call): void {
  (call.output as ServerHttp2Stream).close(constants.NGHTTP2_REFUSED_STREAM);
}

export interface PoolRig extends AsyncDisposable {
  readonly pool: ConnectionPool;
  /** How many connections were opened. */
  readonly opened: () => number;
  /** Each time that the pool found no room on new connections, and room again. */
  readonly starved: readonly boolean[];
  readonly request: (request?: Partial<TransportRequest>) => Promise<TransportResponse>;
}

export interface PoolRigOptions {
  readonly clock?: Clock;
  readonly readIdleMs?: number;
  /** Stands before each connection: delays it, or fails. */
  readonly beforeOpen?: (signal: AbortSignal) => Promise<void>;
}

/** A pool of connections to a port, without TLS. */
export function startPool(
  protocol: Protocol,
  port: number,
  { clock = systemClock, beforeOpen, readIdleMs = 30_000 }: PoolRigOptions = {},
): PoolRig {
  let opened = 0;
  const starved: boolean[] = [];
  const streamLimit = assumedStreamLimit();
  const authority = `127.0.0.1:${port}`;
  const pool = new ConnectionPool({
    authority,
    clock,
    streamWaitMs: 30_000,
    onStarved: (isStarved) => starved.push(isStarved),
    open: async (signal): Promise<OpenSocket> => {
      await beforeOpen?.(signal);
      const socket = connect({ host: '127.0.0.1', port, noDelay: true });
      await once(socket, 'connect');
      opened += 1;
      return { socket, protocol, bytesRead: () => socket.bytesRead };
    },
    speak: (open, observer) => {
      const common = { authority, clock, idleMs: 90_000, observer };
      const session = { scheme: 'http', readIdleMs, pingMs: 15_000, streamLimit } as const;
      return protocol === 'h2'
        ? new Http2Connection(open, { ...common, ...session })
        : new Http1Connection(open, common);
    },
  });
  return {
    pool,
    opened: () => opened,
    starved,
    request: (request = {}) => pool.request({ method: 'GET', path: '/', headers: {}, ...request }),
    [Symbol.asyncDispose]: () =>
      pool.close(new TransportError('TRANSPORT_CLOSED', 'the test is over')),
  };
}

/** The whole body as text. */
export function bodyText({ body }: TransportResponse): Promise<string> {
  return text(body);
}

/** Relays bytes between a client and a server, until it is set to drop them silently. */
export class Relay implements AsyncDisposable {
  readonly port: number;
  readonly #close: () => Promise<void>;
  isFrozen = false;

  private constructor(port: number, close: () => Promise<void>) {
    this.port = port;
    this.#close = close;
  }

  static async start(target: number): Promise<Relay> {
    const sockets = new Set<Socket>();
    const server = createTcpServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const relay = new Relay((server.address() as AddressInfo).port, async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    });
    server.on('connection', (client) => {
      const upstream = connect(target, '127.0.0.1');
      for (const [from, to] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        sockets.add(from);
        from.on('error', () => undefined);
        from.on('data', (chunk) => {
          if (!relay.isFrozen) to.write(chunk);
        });
        from.on('close', () => {
          sockets.delete(from);
          if (!relay.isFrozen) to.destroy();
        });
      }
    });
    return relay;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }
}
