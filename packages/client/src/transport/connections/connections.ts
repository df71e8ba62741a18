import type { Clock, ScheduledCall } from '../../lib/clock.ts';
import type { Environment } from '../../lib/environment.ts';
import { loggerOf, TroubleReporter } from '../../lib/logger.ts';
import type { Config, ProtocolChoice, TransportTiming } from '../config.ts';
import { TransportError, withoutCertificate } from '../transport-error.ts';
import { publish } from '../diagnostics.ts';
import { hostAndPort, proxyFor } from '../proxy/proxy-settings.ts';
import { type KeyPair, TlsMaterial } from '../tls.ts';
import type { Transport, TransportRequest, TransportResponse } from '../transport.ts';
import type { Connection, ConnectionObserver, OpenSocket, Protocol } from './connection.ts';
import { Connector } from './connector.ts';
import { Http1Connection } from './http1-connection.ts';
import { assumedStreamLimit, Http2Connection } from './http2-connection.ts';
import { ConnectionPool } from './pool.ts';
import { SocketReader } from './socket-reader.ts';
import { Upgrades } from './upgrades.ts';

export interface ConnectionsOptions {
  readonly clock: Clock;
  readonly timing: TransportTiming;
  readonly env: Environment;
}

type ServerConfig = Pick<Config, 'logger' | 'protocol' | 'proxyUrl' | 'streamProtocol' | 'tls'>;

/** Numbers connections, for diagnostics. */
let lastConnection = 0;

/**
 * The innermost transport: sends requests to one server over persistent connections. Idle
 * connections do not keep the process alive; disposing closes all.
 */
export class Connections implements Transport {
  readonly #server: URL;
  readonly #basePath: string;
  readonly #options: ConnectionsOptions;
  readonly #tls: TlsMaterial;
  readonly #requests: ConnectionPool;
  readonly #streams: ConnectionPool;
  readonly #upgrades: Upgrades;
  readonly #streamLimit = assumedStreamLimit();
  /** The numbers of sockets and of the connections on them. */
  readonly #numbers = new WeakMap<object, number>();
  #issued: KeyPair | undefined;
  #fileCheck: ScheduledCall | undefined;
  #isClosed = false;

  constructor(server: URL, config: ServerConfig, options: ConnectionsOptions) {
    this.#server = server;
    this.#basePath = server.pathname.replace(/\/+$/, '');
    this.#options = options;
    this.#tls = new TlsMaterial(config.tls ?? {}, {
      clock: options.clock,
      maxAgeMs: options.timing.fileMaxAgeMs,
      onChange: (what) => this.#replaceConnections(what),
      onFailure: (error, what) => {
        const failed = { what, outcome: 'failed', error } as const;
        publish('client-ts:credentials:reload', () => failed);
      },
    });
    if (server.protocol === 'https:') this.#tls.prepare();
    const { protocol = 'auto', streamProtocol = protocol } = config;
    this.#requests = this.#createPool(config, protocol);
    this.#streams =
      streamProtocol === protocol ? this.#requests : this.#createPool(config, streamProtocol);
    this.#upgrades = new Upgrades(server.host, this.#opener(config, ['http/1.1']));
  }

  request(request: TransportRequest): Promise<TransportResponse> {
    const path = this.#basePath + request.path;
    if (!/^\/[!-~]*$/.test(path)) {
      const message = `the path of a ${request.method} has characters that must be escaped`;
      return Promise.reject(new TransportError('TRANSPORT_REQUEST_INVALID', message));
    }
    const sent = this.#basePath === '' ? request : { ...request, path };
    const answer = this.#send(sent);
    if (this.#server.protocol === 'http:') return explainTlsPort(answer, this.#server.host);
    if (this.#tls.hasCertificate) return answer;
    return answer.catch((error: unknown) => {
      throw withoutCertificate(error);
    });
  }

  /**
   * Uses another client certificate from now on, or again the configured one. After a change, open
   * connections finish their requests and close; their streams end, because they would continue
   * with the old identity.
   */
  useCertificate(pair: KeyPair | undefined): Promise<void> | undefined {
    if (this.#issued?.cert === pair?.cert && this.#issued?.key === pair?.key) return undefined;
    this.#issued = pair;
    this.#tls.useCertificate(pair);
    return this.#server.protocol === 'https:' ? this.#loadCertificate() : undefined;
  }

  async #loadCertificate(): Promise<void> {
    await this.#tls.current();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#fileCheck?.cancel();
    const error = new TransportError('TRANSPORT_CLOSED', 'the transport is closed');
    const all = [this.#requests, this.#streams, this.#upgrades];
    await Promise.all(all.map((connections) => connections.close(error)));
  }

  #send(request: TransportRequest): Promise<TransportResponse> {
    const { upgrade, stream } = request;
    if (upgrade !== undefined) return this.#upgrades.request(request, upgrade);
    return (stream === true ? this.#streams : this.#requests).request(request);
  }

  #createPool(config: ServerConfig, choice: ProtocolChoice): ConnectionPool {
    const { clock, timing, env } = this.#options;
    const { streamWaitMs } = timing;
    const isHttp1Only = choice === 'http1' || (env['DISABLE_HTTP2'] ?? '') !== '';
    const protocols: Protocol[] = isHttp1Only ? ['http/1.1'] : ['h2', 'http/1.1'];
    const authority = this.#server.host;
    const trouble = new TroubleReporter(loggerOf(config.logger), {
      start: 'connection.starved',
      end: 'connection.recovered',
      fields: { server: this.#server.host },
    });
    const opener = this.#opener(config, protocols);
    return new ConnectionPool({
      authority,
      clock,
      streamWaitMs,
      open: (signal) => opener(signal, isHttp1Only ? undefined : new SocketReader()),
      speak: (open, observer) => this.#speak(open, observer),
      onSend: (connection, request) => this.#noteSent(connection, request),
      onStarved: (isStarved) => {
        const outcome = isStarved ? 'started' : 'ended';
        publish('client-ts:connection:starved', () => ({ server: authority, outcome }));
        const limit = `requests wait up to ${streamWaitMs / 1000} s`;
        if (isStarved) trouble.start(`${authority}: the server allows no HTTP/2 streams; ${limit}`);
        else trouble.end(`${authority}: the server allows HTTP/2 streams again`);
      },
    });
  }

  /** Returns the function that opens connections, which offer these protocols. */
  #opener(
    config: ServerConfig,
    protocols: readonly Protocol[],
  ): (signal: AbortSignal, reader?: SocketReader) => Promise<OpenSocket> {
    const { clock, timing, env } = this.#options;
    const { connectMs, handshakeMs } = timing;
    const server = this.#server;
    const authority = server.host;
    const proxy = proxyFor(server, config.proxyUrl, env);
    const handshake = server.protocol === 'https:' ? () => this.#tls.current() : undefined;
    const connector = new Connector({
      target: hostAndPort(server),
      authority,
      proxy,
      handshake,
      protocols,
      clock,
      connectMs,
      handshakeMs,
    });
    return async (signal, reader) => {
      const startedAt = clock.monotonic();
      const open = await connector.open(signal, reader);
      const { protocol } = open;
      lastConnection += 1;
      const connection = lastConnection;
      this.#numbers.set(open.socket, connection);
      publish('client-ts:connection:open', () => ({
        connection,
        server: authority,
        protocol,
        durationMs: clock.monotonic() - startedAt,
        ...(proxy !== undefined && { proxy: proxy.name }),
      }));
      open.socket.once('close', () => {
        publish('client-ts:connection:close', () => ({ connection, server: authority, protocol }));
      });
      this.#lookAfterFiles();
      return open;
    };
  }

  #noteSent(connection: Connection, { id, trace }: TransportRequest): void {
    if (id === undefined && trace === undefined) return;
    const number = this.#numbers.get(connection);
    if (number === undefined) return;
    const { protocol } = connection;
    const server = this.#server.host;
    if (trace !== undefined) trace.connection = { connection: number, server, protocol };
    if (id === undefined) return;
    publish('client-ts:request:sent', () => ({ id, connection: number, server, protocol }));
  }

  #speak(open: OpenSocket, observer: ConnectionObserver): Http1Connection | Http2Connection {
    const connection = this.#makeConnection(open, observer);
    this.#numbers.set(connection, this.#numbers.get(open.socket) ?? 0);
    return connection;
  }

  #makeConnection(
    open: OpenSocket,
    observer: ConnectionObserver,
  ): Http1Connection | Http2Connection {
    const { clock, timing } = this.#options;
    const { idleMs, readIdleMs, pingMs } = timing;
    const authority = this.#server.host;
    const common = { authority, clock, idleMs, observer };
    if (open.protocol === 'http/1.1') return new Http1Connection(open, common);
    const session = {
      scheme: 'https',
      readIdleMs,
      pingMs,
      streamLimit: this.#streamLimit,
    } as const;
    return new Http2Connection(open, { ...common, ...session });
  }

  /** Reloads changed files for connections that live long; new connections do so anyway. */
  #lookAfterFiles(): void {
    if (!this.#tls.comesFromFiles || this.#isClosed || this.#fileCheck !== undefined) return;
    const { clock, timing } = this.#options;
    const check = (): void => {
      this.#fileCheck = undefined;
      // A file that cannot be used is reported where it is read; here it means no change.
      this.#tls.current().then(
        () => this.#lookAfterFiles(),
        () => this.#lookAfterFiles(),
      );
    };
    this.#fileCheck = clock.schedule(timing.fileCheckMs, check, { background: true });
  }

  #replaceConnections(what: 'ca' | 'certificate'): void {
    publish('client-ts:credentials:reload', () => ({ what, outcome: 'updated' }));
    const server = this.#server.host;
    const message = `${server}: the client certificate has changed; streams must be reopened`;
    const streamError =
      what === 'certificate'
        ? new TransportError('TRANSPORT_CONNECTION_RESET', message, {
            server,
            mayHaveBeenHandled: true,
          })
        : undefined;
    for (const pool of new Set([this.#requests, this.#streams])) {
      pool.replaceConnections(streamError);
    }
  }
}

/** What Go's HTTPS servers answer to a plain HTTP request, with status 400 and without headers. */
const GO_TLS_ANSWER = 'Client sent an HTTP request to an HTTPS server';

/** The type of a TLS record with an alert, which other servers answer. */
const TLS_ALERT = 0x15;

/**
 * Explains the failure of a plain HTTP request to a port that expects TLS. If the server just closes
 * the connection, the reason is not certain, and the error gets a hint.
 */
async function explainTlsPort(
  answer: Promise<TransportResponse>,
  server: string,
): Promise<TransportResponse> {
  const hint = `If the port speaks TLS, write https://${server} in the config.`;
  let response: TransportResponse;
  try {
    response = await answer;
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    const { code, cause, message, mayHaveBeenHandled } = error;
    if (isTlsAlert(cause)) throw tlsPort(server, cause);
    if (code !== 'TRANSPORT_CONNECTION_RESET' && code !== 'TRANSPORT_PROTOCOL') throw error;
    throw new TransportError(code, message, { cause, server, mayHaveBeenHandled, hint });
  }
  if (response.status !== 400 || Object.keys(response.headers).length > 0) return response;
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  if (Buffer.concat(chunks).includes(GO_TLS_ANSWER)) throw tlsPort(server);
  return { ...response, body: bodyOf(chunks) };
}

async function* bodyOf(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void> {
  yield* chunks;
}

function isTlsAlert(cause: unknown): boolean {
  const packet: unknown = cause instanceof Error ? Reflect.get(cause, 'rawPacket') : undefined;
  return packet instanceof Uint8Array && packet[0] === TLS_ALERT;
}

function tlsPort(server: string, cause?: unknown): TransportError {
  return new TransportError(
    'TRANSPORT_PROTOCOL',
    `${server}: the server expects TLS on this port`,
    {
      cause,
      server,
      hint: `Write https://${server} in the config.`,
    },
  );
}
