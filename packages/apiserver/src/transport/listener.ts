import { once } from 'node:events';
import { createServer as createHttp1Server, type Server as Http1Server } from 'node:http';
import { performServerHandshake, type ServerHttp2Stream } from 'node:http2';
import { createServer as createNetServer, isIPv6, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';

import { ClientError, type Clock, systemClock } from 'client-ts/internal';

import type { CertificateAuthority } from '../auth/certificates.ts';
import type { Handler } from '../http.ts';
import { Connection, type ConnectionLimits } from './connection.ts';
import { serve } from './serve.ts';
import { http1Wire, http2Wire, type Wire } from './wire.ts';

export interface ListenerOptions {
  /** Default `127.0.0.1`: only this machine can connect. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Signs the server's certificate, and vouches for the clients'. */
  readonly authority: CertificateAuthority;
  /** Names and addresses under which the server is also reached, for its certificate. */
  readonly names?: readonly string[];
  /** Plain HTTP/1.1 instead of TLS. For measurements only. */
  readonly insecure?: boolean;
  /** The longest request body, in bytes. Default 3 MiB. */
  readonly bodyLimit?: number;
  /** Ends every request when it aborts; the listener itself goes on. */
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  /** How long a client may take for the TLS handshake. Default 120 s, as Node's. */
  readonly handshakeTimeoutMs?: number;
  /** How long a client may take to send the headers of a request. Default 60 s, as Node's. */
  readonly headersTimeoutMs?: number;
  /** How long a client may take to send a whole request. Default 300 s, as Node's. */
  readonly requestTimeoutMs?: number;
  /** How long a connection stays open between requests. Default 90 s, as a real server's. */
  readonly idleTimeoutMs?: number;
  /** Called with failures that no answer can report. */
  readonly onError?: (error: unknown) => void;
}

/** The limits of a real server. */
const BODY_LIMIT = 3 * 1024 * 1024;
const HEADER_LIMIT = 1024 * 1024;
const IDLE_TIMEOUT_MS = 90_000;
/** Node's own limits, which it enforces only for servers that listen themselves. */
const HANDSHAKE_TIMEOUT_MS = 120_000;
const HEADERS_TIMEOUT_MS = 60_000;
const REQUEST_TIMEOUT_MS = 300_000;
const CONCURRENT_STREAMS = 100;
/** Most request bodies fit into this, and need no further flow control. */
const UPLOAD_WINDOW = 256 * 1024;
/** Answers wait in memory while a client does not read; Node counts them against this (in MB). */
const SESSION_MEMORY_MB = 256;

/** How long a client that was refused may go on sending, as with Go's web server. */
const REFUSED_GRACE_MS = 500;

/** What is still under way this long after {@link Listener.close} is cut off. */
const CLOSE_GRACE_MS = 2000;

/**
 * The server's end of the network: HTTP/2 and HTTP/1.1 over TLS on one port, by ALPN. It passes
 * every request to the handler, and answers with back-pressure.
 *
 * The HTTP server of Node never listens here; it is fed with connections. So the sockets stay in
 * our hands, and stopping, resetting and coming back work the same for both protocols.
 */
export class Listener implements AsyncDisposable {
  /** Where the server is reached: `https://127.0.0.1:6443`. */
  readonly url: string;
  readonly #handler: Handler;
  readonly #options: ListenerOptions;
  readonly #limits: ConnectionLimits;
  readonly #server: Server;
  readonly #http1: Http1Server;
  readonly #connections = new Set<Connection>();
  /** By the socket that requests come on. An address does not identify a connection. */
  readonly #bySocket = new WeakMap<Socket, Connection>();
  /**
   * Connections in their TLS handshake, by the addresses and ports of both ends, which are unique
   * among open connections: Node does not say which TCP socket is below a TLS socket. It decides
   * which socket a reset is for, and never who a client is.
   */
  readonly #handshaking = new Map<string, Connection>();
  readonly #host: string;
  readonly #port: number;
  readonly #requests = new Set<AbortController>();

  private constructor(handler: Handler, options: ListenerOptions, server: Server) {
    this.#handler = handler;
    this.#options = options;
    this.#limits = {
      clock: options.clock ?? systemClock,
      handshakeTimeoutMs: options.handshakeTimeoutMs ?? HANDSHAKE_TIMEOUT_MS,
      headersTimeoutMs: options.headersTimeoutMs ?? HEADERS_TIMEOUT_MS,
      idleTimeoutMs: options.idleTimeoutMs ?? IDLE_TIMEOUT_MS,
    };
    this.#server = server;
    const address = server.address();
    this.#port = typeof address === 'object' && address !== null ? address.port : 0;
    this.#host = options.host ?? '127.0.0.1';
    this.url = `${isSecure(options) ? 'https' : 'http'}://${reachableHost(this.#host)}:${this.#port}`;
    this.#http1 = this.#createHttp1();
    // With TLS the first event brings the TCP socket, the second the secured one on top of it.
    server.on('connection', (socket: Socket) => this.#accepted(socket));
    server.on('secureConnection', (socket: TLSSocket) => this.#secured(socket));
    options.signal?.addEventListener('abort', () => this.#abortRequests());
  }

  /** Starts to listen. Rejects with the code `LISTEN_FAILED` if the port is not to be had. */
  static async start(handler: Handler, options: ListenerOptions): Promise<Listener> {
    const server = isSecure(options) ? createTlsServer(tlsOptions(options)) : createNetServer();
    await listen(server, options.host ?? '127.0.0.1', options.port ?? 0);
    return new Listener(handler, options, server);
  }

  /** Stops listening and drops every connection without a goodbye, as a crash would. */
  async stopServing(): Promise<void> {
    const closed = this.#stopAccepting();
    for (const connection of this.#connections) connection.reset();
    this.#abortRequests();
    await closed;
  }

  /** Listens again, on the same port. */
  async resume(): Promise<void> {
    if (!this.#server.listening) await listen(this.#server, this.#host, this.#port);
  }

  /**
   * Stops listening, ends streams, lets requests that are under way finish, and says goodbye to
   * idle clients. Resolves when the last connection is gone.
   */
  async close(): Promise<void> {
    const closed = this.#stopAccepting();
    this.#abortRequests();
    for (const connection of this.#connections) connection.close();
    using _ = this.#limits.clock.schedule(CLOSE_GRACE_MS, () => {
      for (const connection of this.#connections) connection.reset();
    });
    await closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #stopAccepting(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    await closed;
  }

  #abortRequests(): void {
    for (const request of this.#requests) request.abort();
  }

  #createHttp1(): Http1Server {
    const server = createHttp1Server({
      maxHeaderSize: HEADER_LIMIT,
      keepAliveTimeout: this.#limits.idleTimeoutMs,
    });
    server.on('request', (request, response) => {
      const connection = this.#bySocket.get(request.socket);
      if (connection === undefined) {
        response.destroy();
        return;
      }
      if (connection.isClosing) response.setHeader('connection', 'close');
      this.#serve(http1Wire(request, response), connection);
    });
    server.on('clientError', (error, socket) => this.#refuse(error, socket as Socket));
    return server;
  }

  #startHttp2(socket: Socket, connection: Connection): void {
    const session = performServerHandshake(socket, {
      maxSessionMemory: SESSION_MEMORY_MB,
      settings: {
        maxConcurrentStreams: CONCURRENT_STREAMS,
        initialWindowSize: UPLOAD_WINDOW,
        maxHeaderListSize: HEADER_LIMIT,
      },
    });
    // A session ends with its socket; what a client did to end it early is its own affair.
    session.on('error', () => undefined);
    const onStream = (stream: ServerHttp2Stream, _: unknown, __: unknown, raw: string[]): void =>
      this.#serve(http2Wire(stream, raw), connection);
    session.on('stream', onStream);
    session.setLocalWindowSize(UPLOAD_WINDOW * CONCURRENT_STREAMS);
    connection.upgraded(session);
  }

  /**
   * Answers what cannot even be read as a request, in the words of Go's web server. The socket stays
   * open for a moment: closed with something unread, it would reset, and take the answer with it.
   */
  #refuse(error: NodeJS.ErrnoException, socket: Socket): void {
    if (socket.writableEnded) return;
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    const isTooLarge = error.code === 'HPE_HEADER_OVERFLOW';
    const status = isTooLarge ? '431 Request Header Fields Too Large' : '400 Bad Request';
    const headers = 'Content-Type: text/plain; charset=utf-8\r\nConnection: close';
    socket.end(`HTTP/1.1 ${status}\r\n${headers}\r\n\r\n${status}`);
    this.#bySocket.get(socket)?.closeWithin(REFUSED_GRACE_MS);
  }

  #accepted(socket: Socket): void {
    const connection = new Connection(socket, this.#limits);
    this.#connections.add(connection);
    socket.setNoDelay(true);
    // Whatever happens to a socket shows in its requests; on its own it is no news.
    socket.on('error', () => undefined);
    const key = endpointsOf(socket);
    if (isSecure(this.#options)) this.#handshaking.set(key, connection);
    else this.#ready(socket, connection);
    socket.on('close', () => {
      this.#connections.delete(connection);
      if (this.#handshaking.get(key) === connection) this.#handshaking.delete(key);
    });
  }

  #secured(socket: TLSSocket): void {
    const key = endpointsOf(socket);
    const connection = this.#handshaking.get(key);
    this.#handshaking.delete(key);
    // Without one, the client is gone before its handshake is over.
    if (connection === undefined) socket.destroy();
    else this.#ready(socket, connection);
  }

  #ready(
    socket: Socket & { alpnProtocol?: TLSSocket['alpnProtocol'] },
    connection: Connection,
  ): void {
    this.#bySocket.set(socket, connection);
    connection.secured(socket);
    if (socket.alpnProtocol === 'h2') this.#startHttp2(socket, connection);
    else this.#http1.emit('connection', socket);
  }

  #serve(wire: Wire, connection: Connection): void {
    const abort = new AbortController();
    this.#requests.add(abort);
    connection.requestStarted();
    const { onError = () => undefined, bodyLimit = BODY_LIMIT } = this.#options;
    const { requestTimeoutMs = REQUEST_TIMEOUT_MS } = this.#options;
    const served = serve(wire, {
      handler: this.#handler,
      peer: connection.peer,
      bodyLimit,
      requestTimeoutMs,
      clock: this.#limits.clock,
      abort,
      reset: () => connection.reset(),
      onError,
    });
    void served.finally(() => {
      this.#requests.delete(abort);
      connection.requestEnded();
    });
  }
}

function isSecure({ insecure = false }: ListenerOptions): boolean {
  return !insecure;
}

function tlsOptions({ authority, host, names = [] }: ListenerOptions): object {
  const hosts = new Set(['localhost', '127.0.0.1', '::1', ...(host === undefined ? [] : [host])]);
  const { certificate, key } = authority.issueServerCertificate([...new Set([...hosts, ...names])]);
  return {
    cert: certificate,
    key,
    ca: authority.certificate,
    minVersion: 'TLSv1.2',
    ALPNProtocols: ['h2', 'http/1.1'],
    // A client may show a certificate; one that our CA has not signed counts for nothing.
    requestCert: true,
    rejectUnauthorized: false,
  };
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  try {
    const listening = once(server, 'listening');
    server.listen({ host, port });
    await listening;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ClientError('LISTEN_FAILED', `cannot listen on ${host}:${port}: ${reason}`, {
      cause: error,
      hint: 'Choose another port, or 0 for any free one.',
    });
  }
}

/** Both ends of a connection; each part is undefined once the client is gone. */
function endpointsOf(socket: Socket): string {
  const { localAddress, localPort, remoteAddress, remotePort } = socket;
  return `${localAddress} ${localPort} ${remoteAddress} ${remotePort}`;
}

/** An address that clients can connect to, for one that only servers can bind. */
function reachableHost(host: string): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return isIPv6(reachable) ? `[${reachable}]` : reachable;
}
