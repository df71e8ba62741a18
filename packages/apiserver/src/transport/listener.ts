import { constants } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, Server as Http1Server } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';
import { createServer as createNetServer, isIPv6, type Server, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

import {
  ClientError,
  type Clock,
  defineErrors,
  nodeHttp,
  nodeHttp2,
  nodeTls,
  systemClock,
} from 'client-ts/internal';

import type { CertificateAuthority } from '../auth/certificates.ts';
import type { Handler } from '../http.ts';
import { ClientCertificates, Connection, type ConnectionLimits } from './connection.ts';
import { serve } from './serve.ts';
import { Http1Wire, http2Wire, UpgradeWire, type Wire } from './wire.ts';

export interface ListenerOptions {
  /** The address to listen on. Default: `127.0.0.1`, which only this machine can reach. */
  readonly host?: string | undefined;
  /** Default: 0, any free port. */
  readonly port?: number | undefined;
  /** Signs the server's certificate and verifies those of clients. */
  readonly authority: CertificateAuthority;
  /** More certificates of CAs whose client certificates are accepted, as PEM. */
  readonly clientCA?: string | undefined;
  /** Additional names and addresses of the server, for its certificate. */
  readonly names?: readonly string[] | undefined;
  /** Serves plain HTTP/1.1 instead of TLS. For benchmarks. */
  readonly insecure?: boolean | undefined;
  /** The maximum size of a request body, in bytes. Default: 3 MiB. */
  readonly bodyLimit?: number | undefined;
  /** Ends every request when it aborts; the listener keeps running. */
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock | undefined;
  /** How long a client may take for the TLS handshake. Default: 120 s, like Node. */
  readonly handshakeTimeoutMs?: number | undefined;
  /** How long a client may take to send the headers of a request. Default: 60 s, like Node. */
  readonly headersTimeoutMs?: number | undefined;
  /** How long a client may take to send a whole request. Default: 300 s, like Node. */
  readonly requestTimeoutMs?: number | undefined;
  /** How long a connection stays open between requests. Default: 90 s, like a real server. */
  readonly idleTimeoutMs?: number | undefined;
  /** Called with failures that no response can report. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** The server could not be started. */
export class ApiServerError extends ClientError {
  static {
    defineErrors(this, 'ApiServerError', 'APISERVER', {
      APISERVER_LISTEN_FAILED: {
        retry: 'later',
        when: 'The port is in use or the address is not available.',
        hint: 'Choose another port, or 0 for any free port.',
      },
    });
  }
}

/** The limits of a real server. */
const BODY_LIMIT = 3 * 1024 * 1024;
const HEADER_LIMIT = 1024 * 1024;
const IDLE_TIMEOUT_MS = 90_000;
/** Node's own limits, which it only enforces for servers that listen themselves. */
const HANDSHAKE_TIMEOUT_MS = 120_000;
const HEADERS_TIMEOUT_MS = 60_000;
const REQUEST_TIMEOUT_MS = 300_000;
const CONCURRENT_STREAMS = 100;
/** Most request bodies fit into this window and need no further flow control. */
const UPLOAD_WINDOW = 256 * 1024;
/** Responses are buffered while a client does not read; Node counts them against this limit. */
const SESSION_MEMORY_MB = 256;

/**
 * How many connections may wait to be accepted, up to the limit of the system; Go asks for all of it. With Node's default of 511, a
 * thousand clients that connect at the same time wait a second, until their lost packets are sent again.
 */
const BACKLOG = 65_535;

/** How long a rejected client may continue to send, as in Go's web server. */
const REFUSED_GRACE_MS = 500;

/** Connections that are still open this long after {@link Listener.close} are cut off. */
const CLOSE_GRACE_MS = 2000;

/**
 * Serves HTTP/2 and HTTP/1.1 over TLS on one port, by ALPN. It passes every request to the handler
 * and writes the response with back-pressure.
 *
 * Node's HTTP server does not listen itself; it is fed with connections. So this class owns the
 * sockets, and stopping, resetting and resuming work the same for both protocols.
 */
export class Listener implements AsyncDisposable {
  /** The base URL: `https://127.0.0.1:6443`. */
  readonly url: string;
  readonly #handler: Handler;
  readonly #options: ListenerOptions;
  readonly #limits: ConnectionLimits;
  readonly #certificates = new ClientCertificates();
  readonly #server: Server;
  readonly #http1: Http1Server;
  readonly #connections = new Set<Connection>();
  /** By the accepted socket, and by the TLS socket on top of it. An address does not identify a connection. */
  readonly #bySocket = new WeakMap<Socket, Connection>();
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
    // With TLS, the first event has the TCP socket, the second the TLS socket on top of it.
    server.on('connection', (socket: Socket) => this.#accepted(socket));
    server.on('secureConnection', (socket: TLSSocket) => this.#secured(socket));
    options.signal?.addEventListener('abort', () => this.#abortRequests());
  }

  /** Starts to listen. Rejects with an `ApiServerError` if the port is not available. */
  static async start(handler: Handler, options: ListenerOptions): Promise<Listener> {
    const server = isSecure(options)
      ? nodeTls().createServer(tlsOptions(options))
      : createNetServer();
    await listen(server, options.host ?? '127.0.0.1', options.port ?? 0);
    return new Listener(handler, options, server);
  }

  /** Stops listening and resets every connection, like a crash. */
  async stopServing(): Promise<void> {
    const closed = this.#stopAccepting();
    for (const connection of this.#connections) connection.reset();
    this.#abortRequests();
    await closed;
  }

  /** Listens again on the same port. */
  async resume(): Promise<void> {
    if (!this.#server.listening) await listen(this.#server, this.#host, this.#port);
  }

  /**
   * Stops listening, ends streams, lets requests in flight finish, and closes idle connections.
   * Resolves when the last connection is gone.
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
    const server = nodeHttp().createServer({
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
      this.#serve(new Http1Wire(request, response), connection);
    });
    server.on('upgrade', (request, socket: Socket, head) => {
      const connection = this.#bySocket.get(socket);
      if (connection === undefined) socket.destroy();
      else if (!isKnownUpgrade(request)) restart(server, request, socket, head);
      else this.#serve(new UpgradeWire(request, socket, head), connection);
    });
    server.on('clientError', (error, socket) => this.#refuse(error, socket as Socket));
    return server;
  }

  #startHttp2(socket: Socket, connection: Connection): void {
    const session = nodeHttp2().performServerHandshake(socket, {
      maxSessionMemory: SESSION_MEMORY_MB,
      settings: {
        maxConcurrentStreams: CONCURRENT_STREAMS,
        initialWindowSize: UPLOAD_WINDOW,
        maxHeaderListSize: HEADER_LIMIT,
      },
    });
    // A session ends with its socket; its errors are caused by the client.
    session.on('error', () => undefined);
    const onStream = (stream: ServerHttp2Stream, _: unknown, __: unknown, raw: string[]): void =>
      this.#serve(http2Wire(stream, raw), connection);
    session.on('stream', onStream);
    session.setLocalWindowSize(UPLOAD_WINDOW * CONCURRENT_STREAMS);
    connection.upgraded(session);
  }

  /**
   * Answers what cannot be parsed as a request, with the message of Go's web server. The socket
   * stays open for a moment: closed with unread data, it would reset and lose the response.
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
    const connection = new Connection(socket, this.#limits, this.#certificates);
    this.#connections.add(connection);
    this.#bySocket.set(socket, connection);
    socket.setNoDelay(true);
    socket.on('error', ignoreError);
    socket.on('close', () => {
      connection.closed();
      this.#connections.delete(connection);
    });
    if (!isSecure(this.#options)) this.#ready(socket, connection);
  }

  #secured(socket: TLSSocket): void {
    const connection = this.#connectionBelow(socket);
    // Absent only if the client has disconnected, on a Node that hides the accepted socket.
    if (connection === undefined) socket.destroy();
    else this.#ready(socket, connection);
  }

  /** Returns the connection whose handshake is over. */
  #connectionBelow(
    socket: TLSSocket & { readonly _parent?: Socket | null },
  ): Connection | undefined {
    // Node keeps the accepted socket here, but does not document it; sockets without one have null.
    const { _parent: accepted } = socket;
    if (accepted) return this.#bySocket.get(accepted);
    for (const connection of this.#connections) {
      if (connection.hasEndsOf(socket)) return connection;
    }
    return undefined;
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

/** The protocols that a response can switch to: those of `kubectl exec` and `kubectl port-forward`. */
const UPGRADES: ReadonlySet<string> = new Set(['websocket', 'spdy/3.1']);

/** Behind a proxy, any protocol may be known. */
function isKnownUpgrade({ headers, url = '' }: IncomingMessage): boolean {
  return UPGRADES.has((headers.upgrade ?? '').toLowerCase()) || /\/proxy(?:[/?]|$)/.test(url);
}

/**
 * Serves a request without the upgrade that it asks for, as HTTP says for unknown protocols. Node has
 * stopped parsing at the end of its headers, so the request is parsed again without the `upgrade`
 * header.
 */
function restart(
  server: Http1Server,
  request: IncomingMessage,
  socket: Socket,
  head: Buffer,
): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.toLowerCase() !== 'upgrade') lines.push(`${name}: ${rawHeaders[index + 1] ?? ''}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}

/** Errors of a socket show in its requests. */
function ignoreError(): void {}

function isSecure({ insecure = false }: ListenerOptions): boolean {
  return !insecure;
}

function tlsOptions({ authority, clientCA, host, names = [] }: ListenerOptions): object {
  const hosts = new Set(['localhost', '127.0.0.1', '::1', ...(host === undefined ? [] : [host])]);
  const { certificate, key } = authority.issueServerCertificate([...new Set([...hosts, ...names])]);
  return {
    // With the CA in it: without, OpenSSL would build the chain again for each connection.
    cert: certificate + authority.certificate,
    key,
    ca: [authority.certificate, ...(clientCA === undefined ? [] : [clientCA])],
    minVersion: 'TLSv1.2',
    // Node's defaults begin with a post-quantum exchange and with AES-256. Without them, as many
    // clients connect per second as to a real server, whose cipher this is.
    ecdhCurve: 'X25519:P-256:P-384',
    ciphers: `TLS_AES_128_GCM_SHA256:${nodeTls().DEFAULT_CIPHERS}`,
    ALPNProtocols: ['h2', 'http/1.1'],
    // Tickets that contain a session, for clients to resume, take a sixth of the time of a new connection. Clients of Kubernetes keep
    // their connections, and those of Go, kubectl too, resume none. With TLS 1.3 OpenSSL still sends small tickets that only name a
    // session; they cannot be resumed, because none is kept. Renegotiation, which Go does not support either, would let a client with a
    // trusted certificate show another one, which Node does not verify.
    secureOptions: constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION,
    // A connection has a deadline for its handshake; without this, Node would start a timer of its own.
    handshakeTimeout: -1,
    // Client certificates are optional; authentication rejects those of other CAs.
    requestCert: true,
    rejectUnauthorized: false,
  };
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  try {
    const listening = once(server, 'listening');
    server.listen({ host, port, backlog: BACKLOG });
    await listening;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ApiServerError(
      'APISERVER_LISTEN_FAILED',
      `cannot listen on ${host}:${port}: ${reason}`,
      { cause: error },
    );
  }
}

/** Returns an address that clients can connect to, for a wildcard address. */
function reachableHost(host: string): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return isIPv6(reachable) ? `[${reachable}]` : reachable;
}
